// Questions that do not wait for ever: `limits.question`, and what a run carries of it.
import { z } from 'zod'
import { Duration } from './duration.js'
import { QuestionKind } from './question.js'

/** The answer that grants nothing, for each kind that time never grants. */
export const REFUSING: Partial<Record<QuestionKind, string>> = {
  permission: 'deny',
  approval: 'stop',
  budget: 'stop',
  test_change: 'refuse',
}

/** Takes the option that the question recommends. */
export const RECOMMENDED = 'recommended'
/** Ends the run, by the option of that name if the question has one. */
export const STOP = 'stop'

/** Options of kinds whose questions always have the same. */
const FIXED: Partial<Record<QuestionKind, readonly string[]>> = { extend: ['extend', 'end'] }

/** What `then` may be; `undefined` for any option, which only the question itself knows. */
function allowed(key: QuestionKind | 'default'): string[] | undefined {
  if (key === 'default') return [RECOMMENDED, STOP]
  const refusing = REFUSING[key]
  if (refusing !== undefined) return [...new Set([refusing, STOP])]
  const fixed = FIXED[key]
  return fixed === undefined ? undefined : [RECOMMENDED, STOP, ...fixed]
}

function limit(key: QuestionKind | 'default') {
  const among = allowed(key)
  const then = z.string().min(1)
  return z
    .strictObject({
      after: Duration,
      then:
        among === undefined
          ? then
          : then.refine((given) => among.includes(given), {
              error: ({ input }) =>
                `must be ${among.map((one) => JSON.stringify(one)).join(' or ')}, got ${JSON.stringify(input)}${key !== 'default' && REFUSING[key] !== undefined ? `: time never grants a question of kind ${key}` : ''}`,
            }),
    })
    .optional()
}

/** `limits.question`: when a question ends without an answer, and with what, by kind. */
export const QuestionLimits = z.strictObject(
  Object.fromEntries(
    ([...QuestionKind.options, 'default'] as const).map((key) => [key, limit(key)]),
  ) as Record<QuestionKind | 'default', ReturnType<typeof limit>>,
)

/** The same in a run's state, in milliseconds. */
export const QuestionLimit = z.object({ after: z.number(), then: z.string() })
export type QuestionLimit = z.infer<typeof QuestionLimit>
export const CarriedLimits = z.record(z.string(), QuestionLimit)
export type CarriedLimits = z.infer<typeof CarriedLimits>

/**
 * Deadlines of questions without an answer, by question, in epoch milliseconds. While the run is
 * paused they stand still.
 */
export const QuestionClock = z.object({
  at: z.record(z.string(), z.number()),
  pausedAt: z.number().optional(),
})
export type QuestionClock = z.infer<typeof QuestionClock>
