// The input of a run: one object, easy to type in a form of the Web UI or a script.
import { z } from 'zod'
import { idProblem, sessionProblem } from '../ids.js'

const Session = z.string().superRefine((v, ctx) => {
  const problem = sessionProblem(v)
  if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
})

/** More iterations than any run needs: a larger number is a typo. */
export const MAX_ITERATIONS = 1_000

/** Longest text that says what to test, in characters: it is part of the run's state. */
export const REQUEST_CHARS = 4_000

/** What tests are to be about: words, a file of the project, or what an earlier run changed. */
export const TestsFor = z
  .strictObject({
    text: z
      .string()
      .refine((text) => text.trim() !== '', 'must not be empty')
      .refine(
        (text) => text.length <= REQUEST_CHARS,
        `must have at most ${REQUEST_CHARS} characters; put it into a file of the project`,
      )
      .optional(),
    /** Absolute or relative to the project. */
    file: z.string().min(1).max(1_000).optional(),
    /** Session, cycle or loop. */
    from: z
      .string()
      .superRefine((id, ctx) => {
        const problem = idProblem(id)
        if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
      })
      .optional(),
  })
  .refine(
    (asked) => Object.values(asked).filter((one) => one !== undefined).length === 1,
    'give one of text, file and from',
  )
export type TestsFor = z.infer<typeof TestsFor>

/** Input of `testFixCycle`. */
export const TestFixInput = z
  .strictObject({
    /** Absolute path of a project registered on a host. */
    project: z.string().startsWith('/', 'must be an absolute path'),
    session: Session.optional(),
    maxIterations: z.number().int().min(1).max(MAX_ITERATIONS).optional(),
    /** Ref to start from instead of the working tree with its uncommitted changes. */
    base: z
      .string()
      .regex(/^[A-Za-z0-9_][\w./@{}^~-]*$/, 'must be a git ref')
      .optional(),
    /**
     * A test-fix run takes every recommended answer by default; a session that continues with it
     * asks for no approval any more.
     */
    auto: z.boolean().optional(),
    /** A person approves the plan of each fix, and tests before and after they are written. */
    interactive: z.boolean().optional(),
    /**
     * The session starts with a task that writes tests. No effect on a session that already has
     * tasks.
     */
    generateTests: z.boolean().optional(),
    /** The same, and what the tests are to be about. */
    testsFor: TestsFor.optional(),
    /** A person follows the run in a terminal, so questions about test changes wait. */
    attended: z.boolean().optional(),
    /**
     * For a continued session: the test changes that its agents proposed are committed and measured
     * first.
     */
    acceptTestChanges: z.boolean().optional(),
    /** Further iterations for a session that has used its own. */
    extend: z.number().int().min(1).max(MAX_ITERATIONS).optional(),
  })
  .superRefine(({ auto, interactive }, ctx) => {
    if (auto === true && interactive === true)
      ctx.addIssue({
        code: 'custom',
        path: ['interactive'],
        message: 'auto and interactive cannot be used together',
      })
  })
export type TestFixInput = z.infer<typeof TestFixInput>

/** Parses an input; the problem names the field, as in `maxIterations: must be …`. */
export function parseInput<T>(
  schema: z.ZodType<T>,
  raw: unknown,
): { ok: true; value: T } | { ok: false; problem: string } {
  const parsed = schema.safeParse(raw ?? {})
  if (parsed.success) return { ok: true, value: parsed.data }
  return {
    ok: false,
    problem: parsed.error.issues
      .map((i) => `${i.path.join('.') || 'input'}: ${i.message}`)
      .join('; '),
  }
}

/** Returns what is wrong with a workflow id, or `undefined`. */
export const workflowIdProblem = idProblem
