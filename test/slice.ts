// Which part of the nightly tests a commit runs in CI: its hash chooses, so the slice turns with
// each commit.

/**
 * Cases of the matrix, real agents, mutations, test files of the nightly layers, and verdicts
 * outside of their core in a slice.
 */
export const SLICE = { cases: 60, agents: 2, mutations: 20, files: 4, verdicts: 10 } as const

/**
 * The slice of a list, spread over all of it, as neighbours are alike. The hash says where it
 * begins.
 *
 * @param hash of the commit, at least 40 hex digits
 */
export function sliceOf<T>(hash: string, part: keyof typeof SLICE, list: readonly T[]): T[] {
  if (!/^[0-9a-f]{40,}$/.test(hash))
    throw new Error(`SLICE must be the hash of a commit, got ${JSON.stringify(hash)}`)
  const digits = 8 * Object.keys(SLICE).indexOf(part)
  const from = Number.parseInt(hash.slice(digits, digits + 8), 16) % Math.max(1, list.length)
  const length = Math.min(SLICE[part], list.length)
  const step = Math.floor(list.length / Math.max(1, length))
  return Array.from({ length }, (_, n) => list[(from + n * step) % list.length] as T)
}

/** Its part of the list where CI asks for a slice, else all of it. */
export function slicedBy<T>(
  env: NodeJS.ProcessEnv,
  part: keyof typeof SLICE,
  list: readonly T[],
): readonly T[] {
  const hash = env['SLICE']
  return hash === undefined || hash === '' ? list : sliceOf(hash, part, list)
}
