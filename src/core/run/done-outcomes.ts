/** Outcomes of exit code 0. */
const DONE: readonly string[] = ['success', 'partial_success', 'completed', 'user_exit']

/** Whether a run has ended as it was meant to, of whatever kind it is. */
export function isDone(outcome: string): boolean {
  return DONE.includes(outcome)
}
