/** A number from a text, always the same. */
export function randomOf(text: string): number {
  let sum = 7
  for (const char of text) sum = (Math.imul(sum, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return sum
}
