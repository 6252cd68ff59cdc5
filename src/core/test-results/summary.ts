// What a runner prints as its own summary, beside its report: two witnesses of one run. Only the last summary of the
// output counts, and only in the exact form of the runner, as tests may print anything.
// Sources: the output of vitest 3 and 4, pytest 7 to 9, jest 29 and 30, node 20 to 24, and reporters/mocha.cjs.

/** The end of pytest's output, in lines, in which its last line is looked for. */
const PYTEST_END = 15

const PYTEST_WORDS = 'failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests (?:failed|passed|skipped)'
const PYTEST = new RegExp(`^(?:=+ )?(\\d+ (?:${PYTEST_WORDS})(?:, \\d+ (?:${PYTEST_WORDS}))*) in \\d+(?:\\.\\d+)?(?:s| seconds)(?: \\([\\d:]+\\))?(?: =+)?$`, 'gm')
const VITEST = /^\s*Test Files {2}.*\n\s*Tests {2}(.*) \((\d+)\)$/gm
const JEST = /^Test Suites: .*\nTests: +(.*), \d+ total$/gm
const MOCHA = /^(\d+) passing, (\d+ failing), \d+ pending$/gm
const NODE = /^(?:ℹ|#) tests \d+\n(?:(?:ℹ|#) suites \d+\n)?(?:ℹ|#) pass \d+\n(?:ℹ|#) (fail \d+)\n(?:ℹ|#) cancelled \d+$/gm

/** Failures that a runner printed in its summary; `undefined` where there is none that is clear. */
export function printedFailures(runner: string, output: string): number | undefined {
  switch (runner) {
    case 'vitest': return failed(lastOf(VITEST, output)?.[1], /(\d+) failed/)
    case 'pytest': return failed(lastOf(PYTEST, output.trimEnd().split('\n').slice(-PYTEST_END).join('\n'))?.[1], /(\d+) failed/)
    case 'jest': return failed(lastOf(JEST, output)?.[1], /(\d+) failed/)
    case 'mocha': return failed(lastOf(MOCHA, output)?.[2], /(\d+) failing/)
    case 'node': return failed(lastOf(NODE, output)?.[1], /fail (\d+)/)
    default: return undefined
  }
}

/** Tests that vitest counts and did not run, as their process died. Its report calls them passed. */
export function lostTests(output: string): number {
  const [, parts = '', total = '0'] = lastOf(VITEST, output) ?? []
  const known = [...parts.matchAll(/(\d+) \w/g)].reduce((sum, [, n]) => sum + Number(n), 0)
  return Math.max(0, Number(total) - known)
}

function lastOf(pattern: RegExp, text: string): RegExpExecArray | undefined {
  return [...text.matchAll(pattern)].at(-1)
}

function failed(summary: string | undefined, pattern: RegExp): number | undefined {
  return summary === undefined ? undefined : Number(pattern.exec(summary)?.[1] ?? 0)
}
