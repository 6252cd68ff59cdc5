// Reads an agent's claim about the tests, to show it next to the measurement. A claim decides
// nothing.

const FRACTION =
  /\b(\d{1,6})\s*(?:\/|of|out of)\s*(\d{1,6})\s+(?:unit |integration |of the )?tests?\s+(?:are\s+|now\s+)*pass/i
const PERCENT =
  /\b(\d{1,3}(?:\.\d+)?)\s?%\s+(?:of\s+)?(?:all\s+|the\s+)*tests?\s+(?:are\s+|now\s+)*pass|pass rate\D{0,12}(\d{1,3}(?:\.\d+)?)\s?%/i
const ALL =
  /\b(?:all|every)\s+(?:of\s+)?(?:the\s+)?(?:\d+\s+)?tests?\s+(?:are\s+|is\s+|should\s+|will\s+|now\s+)*pass|\btests?\s+(?:are\s+)?all\s+(?:pass|green)/i

/** Pass rate in percent that a text claims, or `undefined` where it claims none. */
export function claimedRate(text: string): number | undefined {
  const percent = PERCENT.exec(text)
  if (percent !== null) return Math.min(100, Number(percent[1] ?? percent[2]))
  const fraction = FRACTION.exec(text)
  if (fraction !== null && Number(fraction[2]) > 0)
    return Math.min(100, (Number(fraction[1]) / Number(fraction[2])) * 100)
  return ALL.test(text) ? 100 : undefined
}
