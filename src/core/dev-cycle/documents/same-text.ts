// When two reports of agents are the same one: agents seldom write a sentence twice in the same
// way.
import { oneLine } from '../../text/one-line.js'

/** What texts that say the same have in common: words and numbers, no case, no punctuation. */
export function textKey(text: string): string {
  const words = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return words === '' ? oneLine(text) : words
}
