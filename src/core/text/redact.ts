// Takes secrets out of everything an agent says before it is kept. By value: a secret that an agent
// prints encoded or in pieces of its own making is not found. Of text that arrives in chunks an end
// that may be the beginning of a secret is held back, so that one split between two chunks is found
// too.

/** Shorter values are not looked for: they would black out ordinary words. */
export const SHORTEST_SECRET = 6

/** Deeper values are left out: an agent may nest without end, and whoever reads it has a stack. */
const DEPTH = 200
const TOO_DEEP = '[nested too deep]'

export type Secret = { name: string; value: string }

export type Redactor = {
  text(text: string): string
  /** Every string in a JSON value, keys included; what is nested without end is cut. */
  json(value: unknown): unknown
  /** For text in chunks: `push` returns what is safe to keep by now, `flush` the rest. */
  stream(): { push(chunk: string): string; flush(): string }
}

/** The values behind the named variables, those long enough to be looked for, longest first. */
export function secretsOf(
  names: readonly string[],
  env: Record<string, string | undefined>,
): Secret[] {
  return names
    .flatMap((name) => {
      const value = env[name]
      return value !== undefined && value.length >= SHORTEST_SECRET ? [{ name, value }] : []
    })
    .sort((a, b) => b.value.length - a.value.length)
}

/** Replaces each secret by `[redacted:NAME]`. */
export function redactor(secrets: readonly Secret[]): Redactor {
  const text = (raw: string) =>
    secrets.reduce((out, { name, value }) => out.replaceAll(value, `[redacted:${name}]`), raw)
  const json = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth === 0) return TOO_DEEP
    if (Array.isArray(value)) return value.map((inner: unknown) => json(inner, depth - 1))
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [text(key), json(inner, depth - 1)]),
    )
  }
  return { text, json: (value) => json(value, DEPTH), stream: () => streamRedactor(secrets, text) }
}

/** For texts that were redacted before, or of programs that get no secret. */
export const NO_SECRETS = redactor([])

function streamRedactor(secrets: readonly Secret[], text: (raw: string) => string) {
  let pending = ''
  return {
    push(chunk: string): string {
      pending += chunk
      const cut = safeCut(
        pending,
        Math.min(pending.length, ...secrets.map(({ value }) => begins(pending, value))),
        secrets,
      )
      const safe = pending.slice(0, cut)
      pending = pending.slice(cut)
      return text(safe)
    },
    flush(): string {
      const rest = text(pending)
      pending = ''
      return rest
    },
  }
}

// Where in the text a secret begins whose rest may follow; its length where none does.
function begins(pending: string, value: string): number {
  const first = value.slice(0, 1)
  for (
    let at = pending.indexOf(first, Math.max(0, pending.length - value.length + 1));
    at !== -1;
    at = pending.indexOf(first, at + 1)
  )
    if (value.startsWith(pending.slice(at))) return at
  return pending.length
}

// Moves the cut to the left until no secret lies across it.
function safeCut(pending: string, wanted: number, secrets: readonly Secret[]): number {
  let cut = Math.max(0, wanted)
  for (let moved = true; moved;) {
    moved = false
    for (const { value } of secrets) {
      const start = pending.indexOf(value, Math.max(0, cut - value.length + 1))
      if (start !== -1 && start < cut && start + value.length > cut) {
        cut = start
        moved = true
      }
    }
  }
  return cut
}
