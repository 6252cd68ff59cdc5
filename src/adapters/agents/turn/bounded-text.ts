// Text of unknown length in known memory: its beginning and its end.

/** Characters kept at either end. */
export const KEPT_CHARS = 256 * 1024

/** Collects text; between beginning and end stands a line that says how much is missing. */
export class BoundedText {
  /** Characters seen, kept or not. */
  length = 0
  private head = ''
  private tailParts: string[] = []
  private tailLength = 0

  constructor(private readonly kept = KEPT_CHARS) {}

  push(text: string): void {
    this.length += text.length
    const fits = Math.max(0, this.kept - this.head.length)
    if (fits > 0) this.head += text.slice(0, fits)
    if (fits >= text.length) return
    this.tailParts.push(text.slice(Math.max(fits, text.length - this.kept)))
    this.tailLength += this.tailParts.at(-1)?.length ?? 0
    if (this.tailLength > 2 * this.kept) this.compact()
  }

  toString(): string {
    this.compact()
    const tail = this.tailParts[0] ?? ''
    const missing = this.length - this.head.length - tail.length
    return missing > 0
      ? `${this.head}\n[… ${missing} characters left out …]\n${tail}`
      : this.head + tail
  }

  private compact(): void {
    const tail = this.tailParts.join('').slice(-this.kept)
    this.tailParts = tail === '' ? [] : [tail]
    this.tailLength = tail.length
  }
}
