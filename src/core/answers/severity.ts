// How severe a finding is, by its own words. One that does not say counts as medium: only a low one
// holds nothing up.

export type Severity = 'low' | 'medium' | 'high'

const WORDS: readonly (readonly [Severity, string])[] = [
  [
    'low',
    'low|minor|trivial|nit|nitpick|info|informational|note|remark|suggestion|cosmetic|optional|style|p3|p4|低|轻微|建议',
  ],
  ['medium', 'medium|moderate|normal|major|p2|warning|warn|中|一般'],
  ['high', 'high|critical|severe|blocker|blocking|urgent|p0|p1|error|高|严重|致命'],
]

/**
 * `[low] …`, `(minor) …`, `Low: …`, `Severity: low - …`, or a remark of the same shape at the end.
 */
export function severityOf(text: string): Severity {
  const plain = text.trim().toLowerCase()
  for (const [severity, words] of WORDS) {
    const begins = new RegExp(
      `^(?:[\\w-]{0,20}\\d[:.)]?\\s+)?[*_\`\\s]*(?:[[(【（](?:severity\\s*[:=]\\s*)?(?:${words})(?: severity| priority)?[\\])】）]|severity\\s*[:=]\\s*(?:${words})\\b|(?:${words})(?: severity| priority)?[*_\`]*\\s*(?::|：|\\s[-–—]\\s))`,
      'u',
    )
    const ends = new RegExp(
      `(?:[[(【（](?:severity\\s*[:=]\\s*)?(?:${words})(?: severity| priority)?[\\])】）]|\\bseverity\\s*[:=]\\s*(?:${words}))[.\\s]*$`,
      'u',
    )
    if (begins.test(plain) || ends.test(plain)) return severity
  }
  return 'medium'
}

/** Whether it holds a run up. */
export function holdsUp(text: string): boolean {
  return severityOf(text) !== 'low'
}
