// The input of a dev cycle.
import { z } from 'zod'
import { MAX_ITERATIONS } from '../test-fix/test-fix-input.js'
import { idProblem } from '../ids.js'

/**
 * Maximum lengths of a task, an extension, and a description with all of them, in characters: they
 * are part of the run's state.
 */
export const TASK_CHARS = 8_000
export const DESCRIPTION_CHARS = 12_000

/** A task as a person writes it. */
export const Task = z
  .string()
  .refine((text) => text.trim() !== '', 'must not be empty')
  .refine(
    (text) => text.length <= TASK_CHARS,
    `must have at most ${TASK_CHARS} characters; put the rest into a file of the repository and name it`,
  )

export const Scheduling = z.enum(['parallel', 'staged'])
export type Scheduling = z.infer<typeof Scheduling>

/** Input of `devCycle`: a task starts a cycle, a cycle id continues one. */
export const CycleInput = z
  .strictObject({
    /** Absolute path of a project registered on a host. */
    project: z.string().startsWith('/', 'must be an absolute path'),
    task: Task.optional(),
    cycleId: z
      .string()
      .superRefine((id, ctx) => {
        const problem = idProblem(id)
        if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
      })
      .optional(),
    /** A further task for the named cycle. */
    extend: Task.optional(),
    /** No effect: auto is the default. */
    auto: z.boolean().optional(),
    /** A person approves the plan, and is asked between iterations. */
    interactive: z.boolean().optional(),
    scheduling: Scheduling.optional(),
    /** Agents at work at the same time. */
    parallel: z.number().int().min(1).max(4).optional(),
    maxIterations: z.number().int().min(1).max(MAX_ITERATIONS).optional(),
    /** Ref to start from instead of the working tree with its uncommitted changes. */
    base: z
      .string()
      .regex(/^[A-Za-z0-9_][\w./@{}^~-]*$/, 'must be a git ref')
      .optional(),
    /**
     * File of a prep package that is used even if it was written for another task, absolute or
     * relative to the project.
     */
    prep: z.string().min(1).max(1_000).optional(),
  })
  .superRefine((input, ctx) => {
    const say = (path: string, message: string): void =>
      ctx.addIssue({ code: 'custom', path: [path], message })
    if (input.task === undefined && input.cycleId === undefined)
      say(
        'task',
        'Missing cycleId or task: give a task to start a cycle, or the cycleId of one to continue',
      )
    if (input.task !== undefined && input.cycleId !== undefined)
      say('task', 'give either a task or a cycleId; a further task for a cycle is "extend"')
    if (input.extend !== undefined && input.cycleId === undefined)
      say('extend', 'needs the cycleId of the cycle to extend')
    if (input.prep !== undefined && input.task === undefined)
      say('prep', 'needs the task of a new cycle')
    if (input.auto === true && input.interactive === true)
      say('interactive', 'auto and interactive cannot be used together')
  })
export type CycleInput = z.infer<typeof CycleInput>
