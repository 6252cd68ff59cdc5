// When a turn waited for a person: a line as it asks, and one as it is answered. Of a worker that
// is killed in between the beginning is left. Times only, in epoch milliseconds.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import type { SideWrites } from './side-writes.js'

export type Wait = { from: number; to?: number }

export class PersonWaits {
  constructor(
    private readonly file: string,
    private readonly side: SideWrites,
  ) {}

  /** A person is asked. Returns the function that ends the wait. */
  begin(): () => void {
    const from = Date.now()
    this.line(`${from}`)
    return () => this.line(`${from} ${Date.now()}`)
  }

  private line(text: string): void {
    this.side.try(() => appendFileSync(this.file, `${text}\n`, { mode: 0o600 }))
  }
}

/** The waits of a turn in the order in which they began; a line that was cut off counts nothing. */
export function waitsIn(file: string): Wait[] {
  if (!existsSync(file)) return []
  const lines = [...readFileSync(file, 'utf8').matchAll(/^(\d{13})(?: (\d{13}))?\n/gm)]
  const waits = new Map<number, Wait>()
  for (const [, from, to] of lines)
    waits.set(Number(from), { from: Number(from), ...(to === undefined ? {} : { to: Number(to) }) })
  return [...waits.values()]
}
