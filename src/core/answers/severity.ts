// How severe a finding is, by its own words. One that does not say counts as medium: only a low one
// holds nothing up.

export type Severity = 'low' | 'medium' | 'high'

/** The grade in front of a finding counts before one behind it, and a higher before a lower one. */
const GRADES: readonly (readonly [Severity, string])[] = [
  ['high', 'high|critical|severe|blocker|blocking|urgent|p0|p1|error|高|严重|致命'],
  ['medium', 'medium|moderate|normal|major|p2|warning|warn|中|一般'],
  ['low', 'low|minor|trivial|nit|nitpick|cosmetic|p3|p4|低|轻微|建议'],
]
/** In brackets these are grades too; behind a finding they may describe what it is about. */
const MARKS = 'info|informational|note|remark|suggestion|optional|style'
/** Kinds of remarks that are low where no grade is given. A note can be about anything. */
const KINDS = 'suggestion|optional|style'
/** What a remark says that asks for nothing. */
const MILD =
  /\bno (?:action|change)s?\b|\bnice to have\b|\bcould be (?:more \w+|improved|renamed|\w+er)\b|\btakes? \d/

type Rule = readonly [Severity, RegExp]
const RULES: readonly Rule[] = [
  ...GRADES.map(([severity, words]): Rule => [severity, before(severity, words)]),
  ...GRADES.map(([severity, words]): Rule => [
    severity,
    new RegExp(`(?:${bracket(words, '')}|\\bseverity\\s*[:=]\\s*(?:${words}))[.\\s]*$`, 'u'),
  ]),
  ['low', prefix(KINDS)],
]
const REMARK = new RegExp(`${prefix(MARKS).source}|${bracket(MARKS)}[.\\s]*$`, 'u')

/**
 * `[low] …`, `(minor) …`, `Low: …`, `Severity: low - …`, or a remark of the same shape at the end.
 */
export function severityOf(text: string): Severity {
  const plain = plainOf(text)
  return gradeOf(plain) ?? (REMARK.test(plain) && MILD.test(plain) ? 'low' : 'medium')
}

/** Whether a text calls itself a note or optional and has no grade: it may be about anything. */
export function isUngraded(text: string): boolean {
  const plain = plainOf(text)
  return gradeOf(plain) === undefined && REMARK.test(plain) && !MILD.test(plain)
}

/** What to ask about one without a grade. `what`: how the form calls it. */
export function gradeProblem(text: string, what: 'issue' | 'finding'): string {
  return `${JSON.stringify(text)} has no severity: begin each ${what} with [high], [medium] or [low]`
}

function gradeOf(plain: string): Severity | undefined {
  return RULES.find(([, rule]) => rule.test(plain))?.[0]
}

function plainOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^(?:\p{Extended_Pictographic}\ufe0f?\s*)+/u, '')
}

/** Whether a text has a grade of medium or more. */
export function isGradedHigh(text: string): boolean {
  const grade = gradeOf(plainOf(text))
  return grade !== undefined && grade !== 'low'
}

/** Whether it holds a run up. */
export function holdsUp(text: string): boolean {
  return severityOf(text) !== 'low'
}

function before(severity: Severity, words: string): RegExp {
  const marks = severity === 'low' ? `${words}|${MARKS}` : words
  return new RegExp(
    `^(?:[\\w./-]{1,80}(?::\\d{1,6}){0,2}:\\s+|[\\w-]{0,20}\\d[.)]?\\s+)?[*_\`\\s]*(?:${bracket(marks)}|severity\\s*[:=]\\s*(?:${words})\\b)|${prefix(words).source}`,
    'u',
  )
}

// `[high]`, `(severity: high)`, `[high/security]`.
function bracket(words: string, others = '(?:\\s*[/|,][\\w ]{1,30})?'): string {
  return `[[(【（](?:severity\\s*[:=]\\s*|[a-z][\\w ]{0,20}[/|,]\\s*)?(?:${words})(?: severity| priority)?${others}[\\])】）]`
}

function prefix(words: string): RegExp {
  return new RegExp(
    `^(?:[\\w-]{0,20}\\d[:.)]?\\s+)?[*_\`\\s]*(?:${words})(?: severity| priority)?[*_\`]*\\s*(?::|：|\\s[-–—]\\s)`,
    'u',
  )
}
