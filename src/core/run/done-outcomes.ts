/** Outcomes of exit code 0. */
const DONE: readonly string[] = ['success', 'partial_success', 'completed', 'user_exit', 'ready']

/** Returns whether a run of any kind ended as intended. */
export function isDone(outcome: string): boolean {
  return DONE.includes(outcome)
}
