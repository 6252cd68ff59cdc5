// iteration-N-failures.json: the failures after iteration N. IMPL-fix-(N+1) starts from it, so it
// has the failures of the current code; the run of a fix that was rolled back is listed separately.
import { z } from 'zod'
import { Criticality } from '../../contract/test-run.js'
import type { FailureFact } from '../test-fix/failure-facts.js'
import { fixIdOf, rateBefore, type RecordView } from './record-view.js'
import { rateOf } from '../test-results/pass-rate.js'

const RunFailures = z.object({
  /** Percent, rounded down; `null` where the suite did not start. */
  pass_rate: z.number().nullable(),
  total_failures: z.number().int(),
  suite_started: z.literal(false).optional(),
  /** Why it did not start. */
  reason: z.string().optional(),
  failures: z.array(
    z.looseObject({
      test: z.string(),
      file: z.string(),
      error: z.string(),
      criticality: Criticality,
    }),
  ),
})

/** Content of the file. */
export const FailuresFile = z.object({
  schema: z.literal(1),
  iteration: z.number().int(),
  ...RunFailures.shape,
  /** The full run after the fix of this iteration, where that was undone. */
  rolled_back_run: z
    .object({
      task: z.string(),
      pass_rate_before: z.number().nullable(),
      rollback_reason: z.string().nullable(),
      ...RunFailures.shape,
    })
    .optional(),
})
export type FailuresFile = z.infer<typeof FailuresFile>

/** Failures of a full run as its facts have them. */
export type FailuresOfRun = {
  failures: readonly FailureFact[]
  failuresTotal: number
  passRate: number | null
  notStarted?: string | undefined
}

/** The content for what fails now. `before` is what the file of this iteration holds already. */
export function failuresFile(
  iteration: number,
  run: FailuresOfRun,
  before?: FailuresFile,
): FailuresFile {
  return {
    schema: 1,
    iteration,
    ...runFailures(run),
    ...(before?.rolled_back_run === undefined ? {} : { rolled_back_run: before.rolled_back_run }),
  }
}

/**
 * The same from the state of a run; `undefined` where it says nothing, or less than the file does.
 */
export function failuresOfState(
  view: RecordView,
  before: FailuresFile | undefined,
): FailuresFile | undefined {
  const { state, failures, tests } = view
  const { lastRun: run } = state
  const last = state.history.at(-1)
  if (last === undefined || run === undefined) return undefined
  const isGone = run.kind === 'measured' && tests.length === 0
  if (isGone && before !== undefined) return undefined
  const file = failuresFile(
    last.iteration,
    {
      failures,
      passRate: rateOf(run),
      failuresTotal: run.kind === 'measured' ? run.failuresTotal : 0,
      ...(run.kind === 'measured' ? {} : { notStarted: run.reason }),
    },
    before,
  )
  const undone = rolledBackRun(view)
  return undone === undefined ? file : { ...file, rolled_back_run: undone }
}

// The last full run of all is that of the fix, as long as none came after it.
function rolledBackRun({ state, lastFull }: RecordView): FailuresFile['rolled_back_run'] {
  const one = state.history.at(-1)
  if (one?.result !== 'rolled_back') return undefined
  const { passed, total, note = null } = one
  const head = {
    task: fixIdOf(one),
    pass_rate_before: rateBefore(state.history, one.iteration),
    rollback_reason: note,
  }
  if (passed === undefined || total === undefined)
    return {
      ...head,
      ...runFailures({ failures: [], failuresTotal: 0, passRate: null, notStarted: note ?? '' }),
    }
  const isLater =
    state.lastRun?.kind === 'measured' && state.lastRun.results.sha256 === state.lastFull?.sha256
  if (isLater || lastFull.length !== total - passed) return undefined
  return {
    ...head,
    ...runFailures({ failures: lastFull, failuresTotal: lastFull.length, passRate: one.passRate }),
  }
}

function runFailures({
  failures,
  failuresTotal,
  passRate,
  notStarted,
}: FailuresOfRun): z.infer<typeof RunFailures> {
  return {
    pass_rate: passRate,
    total_failures: failuresTotal,
    ...(notStarted === undefined ? {} : { suite_started: false as const, reason: notStarted }),
    failures: failures.map((one) => ({ ...one })),
  }
}
