// Reads what the cli-planning-agent found, and says whether it can be used.
//
// The JSON decides; the prose around it goes into the report. Each refusal is one rule: a source's
// reason to ask another agent. Three findings only make an analysis weak: it is used where no agent
// gives a better one. One that names no tests gets those that its other fields imply.
import { z } from 'zod'
import { Criticality } from '../../../contract/test-run.js'
import { lastJson } from '../../answers/fenced-json.js'
import type { Cause } from '../causes/choose-causes.js'
import { isConcrete, parsePoint } from '../modification-point.js'
import { readProposals } from './test-change-answer.js'
import { textDigest } from '../../text/text-digest.js'
import { firstChars } from '../../text/test-text.js'
import { wordCount } from '../../text/word-count.js'

/** An analysis of a lower confidence, 0-1, is weak. */
export const LEAST_CONFIDENCE = 0.4
/** A report of fewer words is thin. */
export const THIN_WORDS = 100
/** The same root causes in so many analyses have led nowhere. */
export const CAUSE_REPEATS = 3
/** Most entries of a list that are kept, and most characters of a text. */
export const LIST_KEPT = 50
export const ITEM_KEPT = 2_000
export const TEXT_KEPT = 20_000

export type Analysis = {
  rootCauses: string[]
  approach: string
  /** As `file:function:lines - what`. */
  points: string[]
  expectedOutcome: string
  layerContext?: string
  verificationSteps: string[]
  /** 0-1. */
  confidence: number
  /** As the agent names them: `file > test`, names or files. */
  affectedTests: string[]
  /** Root causes that it holds to be independent of these. */
  further?: Cause[]
  criticality: [test: string, level: Criticality][]
  /** `causeDigest` of the root causes. */
  cause: string
}

export type AnalysisReading =
  { ok: true; analysis: Analysis; weak?: string } | { ok: false; problem: string }

const Word = z
  .string()
  .trim()
  .min(1)
  .transform((text) => firstChars(text, ITEM_KEPT))
const Long = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join('\n'))]).pipe(
  z
    .string()
    .trim()
    .min(1)
    .transform((text) => firstChars(text, TEXT_KEPT)),
)
// Agents put sentences into objects; the field that says most is taken.
const Text = z.union([
  Word,
  z.record(z.string(), z.unknown()).transform((value, ctx) => {
    const text = ['cause', 'description', 'text', 'root_cause', 'summary', 'title', 'name']
      .map((key) => value[key])
      .find((v) => typeof v === 'string' && v.trim() !== '')
    if (typeof text === 'string') return firstChars(text.trim(), ITEM_KEPT)
    ctx.addIssue({ code: 'custom', message: 'must be a sentence' })
    return z.NEVER
  }),
])
const Point = z.union([
  Word,
  z
    .looseObject({
      file: z.string(),
      function: z.string().optional(),
      lines: z.union([z.string(), z.number()]).optional(),
      line: z.union([z.string(), z.number()]).optional(),
      change: z.string().optional(),
      description: z.string().optional(),
    })
    .transform((p) =>
      [
        [p.file, p.function, p.lines ?? p.line]
          .filter((v) => v !== undefined && v !== '')
          .join(':'),
        p.change ?? p.description,
      ]
        .filter((v) => v !== undefined)
        .join(' - '),
    ),
])
const Affected = z.union([
  Word,
  z
    .looseObject({ file: z.string().optional(), test: z.string().optional() })
    .transform(({ file, test }) => [file, test].filter((v) => v !== undefined).join(' > ')),
])
const list = <T>(item: z.ZodType<T>) =>
  z.array(item).transform((items) => items.slice(0, LIST_KEPT))

/** Levels by test; what is no level is left out. */
export const Claimed = z.record(z.string(), z.unknown()).transform((by) =>
  Object.entries(by).flatMap(([test, level]): [string, Criticality][] => {
    const read = Criticality.safeParse(
      typeof level === 'string' ? level.trim().toLowerCase() : level,
    )
    return read.success ? [[test, read.data]] : []
  }),
)

/** In words, as some agents say it; 0-1. */
const CONFIDENCE: Readonly<Record<string, number>> = { high: 0.9, medium: 0.6, low: 0.3 }
/** 0-1; also as a percentage, and in words. */
const Confidence = z
  .union([
    z.number(),
    z
      .string()
      .trim()
      .toLowerCase()
      .regex(/^(?:high|medium|low|\d*\.?\d+ ?%?)$/)
      .transform((text) =>
        text.endsWith('%')
          ? Number.parseFloat(text) / 100
          : (CONFIDENCE[text] ?? Number.parseFloat(text)),
      ),
  ])
  .transform((value) => (value > 1 && value <= 100 ? value / 100 : value))
  .pipe(z.number().min(0).max(1))

const Answer = z.object({
  root_causes: z
    .union([list(Text), Text.transform((cause) => [cause])])
    .refine((causes) => causes.length > 0, 'must name a cause'),
  fix_strategy: z.object({
    approach: Long,
    modification_points: list(Point).default([]),
    expected_outcome: Long,
    layer_context: Word.optional().catch(undefined),
    verification_steps: list(Word).catch([]),
  }),
  confidence_score: Confidence,
  affected_tests: list(Affected).catch([]),
  independent_causes: z
    .array(
      z
        .object({
          cause: Text,
          modification_points: list(Point),
          affected_tests: list(Affected),
        })
        .transform(({ cause, modification_points: points, affected_tests: tests }): Cause => ({
          cause,
          points,
          tests,
        }))
        .optional()
        .catch(undefined),
    )
    .catch([]),
  criticality: Claimed.catch([]),
})

/** @param ctx.earlierCauses `cause` of the analyses before this one */
export function readAnalysis(
  text: string,
  ctx: { earlierCauses: readonly string[] },
): AnalysisReading {
  const json = lastJson(text, Answer, Object.keys(Answer.shape))
  if (!json.ok) return { ok: false, problem: json.problem }
  const {
    root_causes: rootCauses,
    fix_strategy: fix,
    confidence_score: confidence,
    affected_tests: affectedTests,
    independent_causes: causes,
    criticality,
  } = json.value
  const further = causes.filter((one) => one !== undefined)
  const analysis: Analysis = {
    rootCauses,
    approach: fix.approach,
    points: fix.modification_points.filter((point) => point !== ''),
    expectedOutcome: fix.expected_outcome,
    layerContext: fix.layer_context,
    verificationSteps: fix.verification_steps,
    confidence,
    affectedTests: affectedTests.filter((test) => test !== ''),
    ...(further.length === 0 ? {} : { further }),
    criticality,
    cause: causeDigest(rootCauses),
  }
  // Where only tests are wrong, there is nothing else to change.
  const onlyProposes = analysis.points.length === 0 && readProposals(text).proposals.length > 0
  const form = onlyProposes ? undefined : (missingPoints(analysis) ?? vaguePoints(analysis))
  if (form !== undefined) return { ok: false, problem: form }
  const weak = [
    lowConfidence(analysis),
    thinReport(text),
    repeatedCause(analysis, ctx.earlierCauses),
  ]
    .filter((w) => w !== undefined)
    .join('; ')
  return { ok: true, analysis, ...(weak === '' ? {} : { weak }) }
}

/** Missing modification_points. */
export function missingPoints({ points }: Pick<Analysis, 'points'>): string | undefined {
  return points.length === 0
    ? 'fix_strategy.modification_points is empty: name the places to change'
    : undefined
}

/** Confidence below 0.4. */
export function lowConfidence({ confidence }: Pick<Analysis, 'confidence'>): string | undefined {
  return confidence < LEAST_CONFIDENCE
    ? `the confidence is ${confidence}, below ${LEAST_CONFIDENCE}`
    : undefined
}

/** No concrete points. */
export function vaguePoints({ points }: Pick<Analysis, 'points'>): string | undefined {
  return points.some((point) => isConcrete(parsePoint(point)))
    ? undefined
    : 'no modification point is concrete: each needs a file and a function or lines, as in "src/a.ts:parse:10-14"'
}

/** A report of fewer than 100 words, the JSON included. */
export function thinReport(text: string): string | undefined {
  const words = wordCount(text)
  return words < THIN_WORDS ? `the report has ${words} words` : undefined
}

/** The same root cause three times, since a fix had an effect. */
export function repeatedCause(
  { cause }: Pick<Analysis, 'cause'>,
  earlier: readonly string[],
): string | undefined {
  const times = earlier.filter((one) => one === cause).length + 1
  return times >= CAUSE_REPEATS
    ? `the same root causes for the ${times}${times === 3 ? 'rd' : 'th'} time`
    : undefined
}

/**
 * Returns a digest of root causes that ignores their order, case, punctuation and line numbers. The
 * digits of a name, as in `sha256`, are part of it.
 */
export function causeDigest(rootCauses: readonly string[]): string {
  const plain = rootCauses.map((cause) =>
    cause
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_]+/gu, ' ')
      .replace(/(?<![a-z0-9_])\d+(?![a-z0-9_])/g, ' ')
      .replace(/ +/g, ' ')
      .trim(),
  )
  return textDigest([...new Set(plain)].sort().join('\n'))
}
