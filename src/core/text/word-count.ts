// How long a text is in words, also where a language has no spaces between them.
const UNSPACED = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}`
const WORD = new RegExp(`[${UNSPACED}]|[^\\s${UNSPACED}]+`, 'gu')

/** Words of a text; a character of Chinese, Japanese or Thai counts as one. */
export function wordCount(text: string): number {
  return text.match(WORD)?.length ?? 0
}
