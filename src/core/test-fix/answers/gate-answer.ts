// Reads the reports of the gates before the test task, and test plans.
import { z } from 'zod'
import { ITEM_KEPT, LIST_KEPT } from './analysis-answer.js'
import { lastJson, type JsonReading } from '../../answers/fenced-json.js'
import { firstChars } from '../../text/test-text.js'
import { wordCount } from '../../text/word-count.js'
import { isLayer, type Layer } from '../../test-gen/test-layers.js'

/** Cases of one report. */
const CASES_KEPT = 300
/** A plan of fewer words is none. */
export const PLAN_WORDS = 30

const Count = z.number().int().min(0)
const Percent = z.number().min(0).max(100).nullable().default(null)
const Sentence = z
  .union([
    z.string(),
    z.record(z.string(), z.unknown()).transform((value) => JSON.stringify(value)),
  ])
  .transform((text) => firstChars(text.trim(), ITEM_KEPT))

export const GateAnswer = z.object({
  critical: Count,
  error: Count,
  warning: Count,
  /** Percent; `null` where it was not measured. */
  coverage: z
    .object({ lines: Percent, branches: Percent, functions: Percent })
    .nullable()
    .default(null),
  anti_patterns: z
    .array(
      z.object({
        severity: z.string().transform((text) => text.trim().toLowerCase()),
        what: z.string().transform((text) => firstChars(text, ITEM_KEPT)),
      }),
    )
    .transform((items) => items.slice(0, LIST_KEPT))
    .default([]),
  /** Cases that need a test, and the test of each. */
  cases: z
    .array(
      z.object({
        layer: z
          .string()
          .transform((layer) => layer.trim().toUpperCase())
          .pipe(z.custom<Layer>((layer) => typeof layer === 'string' && isLayer(layer))),
        what: z.string().transform((text) => firstChars(text, ITEM_KEPT)),
        test: z.string().nullable().default(null),
      }),
    )
    .transform((items) => items.slice(0, CASES_KEPT))
    .default([]),
  issues: z
    .array(Sentence)
    .transform((items) => items.slice(0, LIST_KEPT))
    .default([]),
})
export type GateAnswer = z.infer<typeof GateAnswer>

export function readGate(text: string): JsonReading<GateAnswer> {
  return lastJson(text, GateAnswer, ['critical', 'error', 'warning', 'coverage', 'anti_patterns'])
}

/** Critical anti-patterns of a report: with one of them tests are not good enough. */
export function criticalPatterns({ anti_patterns }: GateAnswer): number {
  return anti_patterns.filter(({ severity }) => severity === 'critical').length
}

/**
 * A test plan is any text of some length; what it is worth shows when tests are written from it.
 */
export function readPlan(text: string): JsonReading<string> {
  const plan = text.replace(/\r\n?/g, '\n').trim()
  const words = wordCount(plan)
  return words > PLAN_WORDS
    ? { ok: true, value: plan }
    : { ok: false, problem: `the plan has ${words} words` }
}
