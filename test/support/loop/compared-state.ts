// The state of a loop's record, as two loops of the same mode share it.
import type { LoopRecord } from '../../../src/contract/dev-loop/loop-record.js'

type State = LoopRecord['skill_state']

/** Without times and commits: the start of a run has another commit each time. */
export function comparedState({
  parallel_results: together,
  findings,
  pending_tasks: pending,
  completed_tasks: completed,
  ...state
}: State): Record<string, unknown> {
  const compared = (tasks: State['pending_tasks']): object[] =>
    tasks.map(({ commits, ...task }) => ({ ...task, commits: commits?.length }))
  return {
    ...state,
    pending_tasks: compared(pending),
    completed_tasks: compared(completed),
    findings: findings.map((one) => ({ ...one, commit: '' })),
    parallel_results: together === null ? null : { ...together, merged_at: '' },
  }
}
