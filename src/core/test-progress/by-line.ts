// Readers of test progress, and the simplest one.

/** The progress of a run so far; `total` only if the runner prints it. */
export type Told = { unit: 'tests' | 'files'; done: number; failed: number; total?: number }

/** Reads one run. */
export type Reader = {
  /** Reads a complete line. */
  line(text: string): void
  /** Returns the progress; `unfinished` is an incomplete line. */
  told(unfinished: string): Told
}

/** Returns a reader that adds the counts of each line. */
export function byLine(unit: Told['unit'], read: (line: string, told: Told) => void): Reader {
  const told: Told = { unit, done: 0, failed: 0 }
  return { line: (text) => read(text, told), told: () => ({ ...told }) }
}
