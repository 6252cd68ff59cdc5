// The input of a dev loop.
import { z } from 'zod'
import { Task } from '../dev-cycle/cycle-input.js'
import { idProblem } from '../ids.js'
import { MAX_ITERATIONS } from '../test-fix/test-fix-input.js'

/** The actions of a worker, in the order of auto mode. */
export const LOOP_ACTIONS = ['init', 'develop', 'debug', 'validate', 'complete'] as const
export const LoopAction = z.enum(LOOP_ACTIONS)
export type LoopAction = z.infer<typeof LoopAction>

/** Role of each worker. */
export const LOOP_ROLES = {
  init: 'loop-init',
  develop: 'loop-develop',
  debug: 'loop-debug',
  validate: 'loop-validate',
  complete: 'loop-complete',
} as const

/** Workers that run at the same time in parallel mode. */
export const PARALLEL_ACTIONS = ['develop', 'debug', 'validate'] as const
export const ParallelAction = z.enum(PARALLEL_ACTIONS)
export type ParallelAction = z.infer<typeof ParallelAction>

export const LOOP_MODES = ['interactive', 'auto', 'parallel'] as const
export const LoopMode = z.enum(LOOP_MODES, {
  error: 'Invalid mode: must be "interactive", "auto" or "parallel"',
})
export type LoopMode = z.infer<typeof LoopMode>

/** Input of `devLoop`: a task starts a loop, a loop id continues one. */
export const LoopInput = z
  .strictObject({
    /** Absolute path of a project registered on a host. */
    project: z.string().startsWith('/', 'must be an absolute path'),
    task: Task.optional(),
    loopId: z
      .string()
      .superRefine((id, ctx) => {
        const problem = idProblem(id)
        if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem })
      })
      .optional(),
    /** A further task for the named loop. */
    extend: Task.optional(),
    /** Interactive by default; for a continued loop it replaces the mode. */
    mode: LoopMode.optional(),
    /** The same as mode "auto". */
    auto: z.boolean().optional(),
    /** Mode "interactive", in which a person also approves the breakdown. */
    interactive: z.boolean().optional(),
    /**
     * Maximum of workers in auto mode, of rounds in parallel mode; interactive mode has no limit.
     */
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
    if (input.task === undefined && input.loopId === undefined)
      say(
        'task',
        'Missing loopId or task: give a task to start a loop, or the loopId of one to continue',
      )
    if (input.task !== undefined && input.loopId !== undefined)
      say('task', 'give either a task or a loopId; a further task for a loop is "extend"')
    if (input.extend !== undefined && input.loopId === undefined)
      say('extend', 'needs the loopId of the loop to extend')
    if (input.prep !== undefined && input.task === undefined)
      say('prep', 'needs the task of a new loop')
    const modes = new Set(
      [
        input.mode,
        input.auto === true ? 'auto' : undefined,
        input.interactive === true ? 'interactive' : undefined,
      ].filter((mode) => mode !== undefined),
    )
    if (modes.size > 1) say('mode', `${[...modes].join(' and ')} cannot be used together`)
  })
export type LoopInput = z.infer<typeof LoopInput>

/** Returns the mode in an input, if it has one. */
export function wantedMode({
  mode,
  auto,
  interactive,
}: Pick<LoopInput, 'mode' | 'auto' | 'interactive'>): LoopMode | undefined {
  return mode ?? (auto === true ? 'auto' : interactive === true ? 'interactive' : undefined)
}
