// Readers of progress, and the plainest one.

/** What a run has told so far; `total` only where the runner says it. */
export type Told = { unit: 'tests' | 'files'; done: number; failed: number; total?: number }

/** Reads one run. */
export type Reader = {
  /** Takes a line that has ended. */
  line(text: string): void
  /** What it has told; `unfinished` is a line that still grows. */
  told(unfinished: string): Told
}

/** A reader whose lines stand for themselves: each adds to the counts. */
export function byLine(unit: Told['unit'], read: (line: string, told: Told) => void): Reader {
  const told: Told = { unit, done: 0, failed: 0 }
  return { line: (text) => read(text, told), told: () => ({ ...told }) }
}
