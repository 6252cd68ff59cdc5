// What a run does on its host when a pause begins to hold it, and when the hold ends.

/** Returns a step that does nothing before the run has a workspace. */
export function whenReady<R extends { state: object | undefined }>(
  run: R,
  step: (run: R) => Promise<unknown>,
): () => Promise<void> {
  return async () => {
    if (run.state !== undefined) await step(run)
  }
}

/**
 * Applies a configuration that was read again; a warning says why it cannot be read.
 *
 * @returns whether it applies now
 */
export function applyReloaded<P extends object>(
  run: { ready: { prepared: P }; warn: (text: string) => void },
  reloaded: Partial<P> | { problem: string },
): boolean {
  if ('problem' in reloaded) {
    run.warn(`the configuration was not read again: ${reloaded.problem}`)
    return false
  }
  run.ready.prepared = { ...run.ready.prepared, ...reloaded }
  return true
}
