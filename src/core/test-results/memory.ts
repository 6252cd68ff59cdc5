// What a run knows of each test over all its full runs: whether it is flaky, for how many full runs
// it has failed without progress, which signatures it has had, and how far it got. Each stored run
// carries it on from the run before.
import type { StoredTest, TestMemory } from '../../contract/test-run.js'
import { furthest, isFurther, type Reach } from './failures/reach.js'
import { testId } from './test-merge.js'

/** How often a test may move: after that many signatures another one is no progress. */
export const MOST_MOVES = 5

export type Memories = ReadonlyMap<string, TestMemory>

export function memoriesOf(run: { memory?: TestMemory[] | undefined } | undefined): Memories {
  return new Map((run?.memory ?? []).map((one) => [testId(one), one]))
}

export type Failing = {
  file: string
  test: string
  signature: string
  /** Present if its lines can be compared with those of earlier runs. */
  reach?: Reach | undefined
}

export type Remembered = {
  /** Of the last full run. */
  before: Memories
  /**
   * Whether what the last full run measured was kept: then a test that passed in it starts again.
   */
  lastKept: boolean
  tests: readonly Pick<StoredTest, 'file' | 'test' | 'status'>[]
  /** Failing tests of this run, the missing ones included. */
  failing: readonly Failing[]
  /** Ids of tests seen passing and failing on one commit. */
  flaky: ReadonlySet<string>
}

/** The memory after a full run. Flaky tests have neither streak nor signature. */
export function remember({ before, lastKept, tests, failing, flaky }: Remembered): TestMemory[] {
  const now = new Map(failing.map((one) => [testId(one), one]))
  const all = new Map(
    [...before.values(), ...tests, ...failing].map(({ file, test }) => [
      testId({ file, test }),
      { file, test },
    ]),
  )
  return [...all].flatMap(([id, name]): TestMemory[] => {
    const known = before.get(id)
    if (known?.flaky === true || flaky.has(id)) return [{ ...name, flaky: true }]
    const fails = now.get(id)
    const earlier = known?.passed === true && lastKept ? undefined : known
    if (fails === undefined)
      return known === undefined
        ? []
        : [
            {
              ...name,
              seen: known.seen,
              ...(known.reached === undefined ? {} : { reached: known.reached }),
              passed: true,
              ...(earlier?.signature === undefined
                ? {}
                : { signature: earlier.signature, streak: earlier.streak }),
            },
          ]
    const streak = hasMoved(earlier, fails) ? 1 : (earlier?.streak ?? 0) + 1
    const reached = furthest(known?.reached, fails.reach)
    const seen = [...new Set([...(known?.seen ?? []), fails.signature])].slice(0, MOST_MOVES + 1)
    return [
      {
        ...name,
        signature: fails.signature,
        streak,
        seen,
        ...(reached === undefined ? {} : { reached: [...reached] }),
      },
    ]
  })
}

/**
 * Whether a failing test fails for a reason that it has not had before, or further down than ever
 * before. A test that failed for no known reason has not moved.
 *
 * Neither can alternate: reasons are counted, and the furthest place only grows.
 */
export function hasMoved(
  known: TestMemory | undefined,
  { signature, reach }: Pick<Failing, 'signature' | 'reach'>,
): boolean {
  const { seen = [], reached } = known ?? {}
  const isNew = seen.length > 0 && seen.length <= MOST_MOVES && !seen.includes(signature)
  return isNew || (reached !== undefined && reach !== undefined && isFurther(reach.first, reached))
}
