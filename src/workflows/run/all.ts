// Steps side by side.

/**
 * Runs all to their end; the first that failed decides. One that is stopped waits for the others to
 * be stopped too.
 */
export async function all(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const ended = await Promise.allSettled(steps.map((step) => step()))
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
