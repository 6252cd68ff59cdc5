/** Maximum nesting of a document; no report and no answer has more. */
export const DEPTH = 64

/**
 * Parses untrusted JSON.
 *
 * @throws SyntaxError also if it is nested deeper than `DEPTH`
 */
export function boundedJson(text: string): unknown {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '}' || char === ']') depth -= 1
    else if ((char === '{' || char === '[') && ++depth > DEPTH)
      throw new SyntaxError(`it is nested deeper than ${DEPTH} levels`)
  }
  return JSON.parse(text)
}

function endOfString(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/** Parses a text as JSON; `undefined` if it is invalid, such as one that was cut short. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Longest text, in characters, that is searched for an embedded answer. */
const EMBEDDED_CHARS = 20_000

/** Returns a provider's answer that an agent put into a text; `undefined` if there is none. */
export function embeddedJson(text: string): unknown {
  return /^\s*[{[]/.test(text) && text.length <= EMBEDDED_CHARS ? jsonOf(text) : undefined
}
