// JSON files that agents write: a byte order mark and a code fence around the whole are no error.

/** The value, or where the text stops being JSON. */
export function jsonDocument(
  text: string,
): { ok: true; value: unknown } | { ok: false; problem: string } {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trim()
  const json = /^```\w*\n([\s\S]*?)\n```$/.exec(plain)?.[1] ?? plain
  if (json === '') return { ok: false, problem: 'the file is empty' }
  try {
    return { ok: true, value: JSON.parse(json) as unknown }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const at = /at position (\d+)/.exec(error.message)?.[1]
    const line = at === undefined ? undefined : json.slice(0, Number(at)).split('\n').length
    return {
      ok: false,
      problem: `it is not JSON${line === undefined ? '' : `, line ${line}`}: ${error.message.replace(/\s+/g, ' ')}`,
    }
  }
}
