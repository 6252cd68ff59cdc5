// The input of a preparation, which makes the prep package of a dev cycle or a dev loop.
import { z } from 'zod'
import { Task } from '../dev-cycle/cycle-input.js'

/** The command that reads the package. */
export const PREP_FOR = ['cycle', 'loop'] as const
export const PrepFor = z.enum(PREP_FOR)
export type PrepFor = z.infer<typeof PrepFor>

/** Role of the agent that prepares for a command: the one whose work comes first there. */
export const PREP_ROLES = { cycle: 'requirements-analyst', loop: 'loop-init' } as const

/** Input of `prepare`. */
export const PrepInput = z.strictObject({
  /** Absolute path of a project registered on a host. */
  project: z.string().startsWith('/', 'must be an absolute path'),
  for: PrepFor,
  task: Task,
  /** Ask no person: what the agent cannot know is an assumption in the package. */
  auto: z.boolean().optional(),
})
export type PrepInput = z.infer<typeof PrepInput>
