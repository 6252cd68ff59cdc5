// How many errors a check has reported, by the forms in which linters and type checkers print them.
// A check that failed before the run is compared by this number.

/**
 * Errors of the output, without escape sequences; `undefined` where it has none of the known forms.
 */
export function errorCount(output: string): number | undefined {
  const tsc = count(output, /\berror TS\d+:/g)
  const eslint = sum(output, /\bproblems? \((\d+) errors?\b/g)
  // ruff, mypy, biome; tsc prints such a line after its errors.
  const found = tsc > 0 ? 0 : sum(output, /\bFound (\d+) errors?\b/g)
  const vet = count(output, /^(?:vet: )?\S+\.go:\d+(?::\d+)?: /gm)
  const all = tsc + eslint + found + vet
  return all === 0 ? undefined : all
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length
}

function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((all, [, found]) => all + Number(found), 0)
}
