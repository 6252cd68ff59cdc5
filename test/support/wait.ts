// Tests wait for states, never for time to pass.

/**
 * How long to wait, in milliseconds, and for what: the words of the error. `everyMs` is for looks
 * that cost something.
 */
export type WaitOptions = { timeoutMs?: number; everyMs?: number; what: string }

/** Milliseconds between two polls. */
const POLL_MS = 20

/**
 * Polls `look` until it returns something other than `undefined`, `null` and `false`, and returns
 * that.
 *
 * @throws when the time is up; errors of `look` pass through at once
 */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  { timeoutMs = 10_000, everyMs = POLL_MS, what }: WaitOptions,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== null && seen !== false)
      return seen as Exclude<T, undefined | null | false>
    if (Date.now() >= deadline) throw new Error(`waited ${timeoutMs} ms in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
