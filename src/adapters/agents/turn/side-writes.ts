// Writes files that a turn can do without: transcript, standard error, ledger, limits, elapsed
// time. They are written from timers and streams, where an error would end the worker and every run
// in it. A full disk is reported with the turn's progress instead; the claim and the result, on
// which a turn relies, still fail loudly.

export class SideWrites {
  /** One sentence, while the last try failed. */
  trouble: string | undefined

  /**
   * Does it, and returns what it gave; `undefined` where the file system refused it. Any other
   * error is thrown.
   */
  try<T>(write: () => T): T | undefined {
    try {
      const result = write()
      this.trouble = undefined
      return result
    } catch (error) {
      if (!isFromSystem(error)) throw error
      this.trouble = `its record cannot be written (${error.code})`
      return undefined
    }
  }
}

function isFromSystem(error: unknown): error is NodeJS.ErrnoException {
  return (
    error instanceof Error &&
    typeof (error as NodeJS.ErrnoException).code === 'string' &&
    ('syscall' in error || (error as NodeJS.ErrnoException).code?.startsWith('ERR_FS') === true)
  )
}
