// Reads JSON as far as it goes: a file that was cut, or edited into something else, still holds
// what stands before the first place that is wrong. An unfinished value is left out, what is around
// it stays.

const LITERAL = /true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
/** Deeper than any record is. */
const DEPTH = 100

/**
 * The value at the beginning of a text, `undefined` where there is none; `whole` where nothing was
 * left out.
 */
export function lenientJson(text: string): { value: unknown; whole: boolean } {
  const strict = parsed(text.replace(/^\ufeff/, ''))
  if (strict.value !== undefined) return { value: strict.value, whole: true }
  const reader = new Reader(text.replace(/^\ufeff/, ''))
  return { value: reader.value(DEPTH), whole: false }
}

function parsed(text: string): { value?: unknown } {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

class Reader {
  private at = 0
  private broken = false

  constructor(private readonly text: string) {}

  value(depth: number): unknown {
    this.space()
    const first = this.text[this.at]
    if (depth > 0 && first === '{') return this.object(depth - 1)
    if (depth > 0 && first === '[') return this.array(depth - 1)
    return first === '"' ? this.string() : this.literal()
  }

  private object(depth: number): Record<string, unknown> {
    const found: Record<string, unknown> = {}
    this.members('}', () => {
      const key = this.string()
      if (key === undefined || !this.takes(':')) return this.stop()
      const value = this.value(depth)
      if (value === undefined) return this.stop()
      Object.defineProperty(found, key, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    })
    return found
  }

  private array(depth: number): unknown[] {
    const found: unknown[] = []
    this.members(']', () => {
      const value = this.value(depth)
      if (value === undefined) return this.stop()
      found.push(value)
    })
    return found
  }

  private members(end: string, one: () => void): void {
    this.at += 1
    if (this.takes(end)) return
    while (!this.broken) {
      one()
      if (this.broken || this.takes(end)) return
      if (!this.takes(',')) this.stop()
    }
  }

  // No regular expression: a document of 1 MB is one string.
  private string(): string | undefined {
    this.space()
    if (this.text[this.at] !== '"') return undefined
    let end = this.text.indexOf('"', this.at + 1)
    while (end >= 0 && this.escapedAt(end)) end = this.text.indexOf('"', end + 1)
    if (end < 0) return undefined
    const raw = this.text.slice(this.at, end + 1)
    this.at = end + 1
    const { value } = parsed(raw)
    return typeof value === 'string' ? value : undefined
  }

  private escapedAt(index: number): boolean {
    let slashes = 0
    while (this.text[index - 1 - slashes] === '\\') slashes += 1
    return slashes % 2 === 1
  }

  private literal(): unknown {
    LITERAL.lastIndex = this.at
    const raw = LITERAL.exec(this.text)?.[0]
    this.at += raw?.length ?? 0
    // At the end of a text that was cut a number may lack its last digits.
    return raw === undefined || this.at >= this.text.length ? undefined : parsed(raw).value
  }

  private takes(character: string): boolean {
    this.space()
    if (this.text[this.at] !== character) return false
    this.at += 1
    return true
  }

  private space(): void {
    while (/\s/.test(this.text[this.at] ?? '')) this.at += 1
  }

  private stop(): void {
    this.broken = true
  }
}
