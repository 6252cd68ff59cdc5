// Runs steps in parallel.

/**
 * Runs all steps to their end; the first failure decides. After a stop it waits until all of them
 * have stopped.
 */
export async function all(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const ended = await Promise.allSettled(steps.map((step) => step()))
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
