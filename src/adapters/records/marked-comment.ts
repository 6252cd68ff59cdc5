// Comments in Markdown files of a record, which hold what the text around them was made of: so a
// lost state file can be made again. A comment is one line of its own, and begins it.

/** A comment that no text in it can end, nor break into lines. */
export function comment(value: unknown): string {
  return `<!-- ratchet ${JSON.stringify(value).replace(/[>\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)} -->`
}

/** What the comments of a text say; one that is cut or edited says nothing. */
export function comments(text: string): unknown[] {
  return [...text.matchAll(/^<!-- ratchet (\{.*\}) -->\r?$/gm)].flatMap(([, json = '']) =>
    parsed(json),
  )
}

function parsed(json: string): unknown[] {
  try {
    return [JSON.parse(json) as unknown]
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
