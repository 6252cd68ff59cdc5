/** What a text says as JSON; `undefined` where it is none, as one that was cut short. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Longest text, in characters, that is read as an answer inside of another one. */
const EMBEDDED_CHARS = 20_000

/** A provider's answer that an agent put into a text; `undefined` where it is none. */
export function embeddedJson(text: string): unknown {
  return /^\s*[{[]/.test(text) && text.length <= EMBEDDED_CHARS ? jsonOf(text) : undefined
}
