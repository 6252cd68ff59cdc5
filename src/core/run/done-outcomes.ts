/** Outcomes of exit code 0. */
const DONE: readonly string[] = ['success', 'partial_success', 'completed', 'user_exit']

/** Whether a run has come to the end that was wished for, of whatever kind it is. */
export function isDone(outcome: string): boolean {
  return DONE.includes(outcome)
}
