// Redacts secrets from everything that an agent or a test prints before it is kept. By value, also
// as base64 and encoded for a URL: a secret that is split, reversed or encoded otherwise is not
// found. For text in chunks, an end that may be the start of a secret is held back, so that one
// split between two chunks is found.

import { formsOf } from './secret-value.js'

/** Shorter values are not redacted, as they would match ordinary words. */
export const SHORTEST_SECRET = 6

/** Deeper values are dropped: an agent may nest without limit, and readers recurse. */
const DEPTH = 200
const TOO_DEEP = '[nested too deep]'

export type Secret = { name: string; value: string }

export type Redactor = {
  text(text: string): string
  /** Redacts every string in a JSON value, including keys; cuts deep nesting. */
  json(value: unknown): unknown
  /** For text in chunks: `push` returns what is safe to keep so far, `flush` the rest. */
  stream(): { push(chunk: string): string; flush(): string }
}

/**
 * Returns the values of the named variables that are long enough to be redacted, in all their
 * forms, longest first.
 */
export function secretsOf(
  names: readonly string[],
  env: Record<string, string | undefined>,
): Secret[] {
  return names
    .flatMap((name) => {
      const value = env[name]
      return value !== undefined && value.length >= SHORTEST_SECRET
        ? formsOf(value).map((form) => ({ name, value: form }))
        : []
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

/** For texts that are already redacted, or of programs without secrets. */
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

// Returns where in the text an incomplete secret begins; the length if there is none.
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

// Moves the cut to the left until it splits no secret.
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
