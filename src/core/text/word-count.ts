// Counts words, also in languages without spaces between them.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
const WORD = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}]+`, 'gu')

/** Returns the words of a text; a character of Chinese, Japanese or Thai counts as one. */
export function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0
}
