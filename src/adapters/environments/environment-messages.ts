// What commands, workers and the supervisor say to each other about the environments of runs. It
// stays on 127.0.0.1 and in memory.
import { z } from 'zod'
import { EnvFrom } from '../../contract/result.js'
import { ProcessIdentity } from '../../contract/registry.js'

/** Variables with their values. */
export const Variables = z.record(z.string(), z.string())
export type Variables = z.infer<typeof Variables>

/** The environment of a run; `version` differs for other variables or another origin. */
export const HeldEnvironment = z.object({ env: Variables, from: EnvFrom, version: z.string() })
export type HeldEnvironment = z.infer<typeof HeldEnvironment>

/** Of which run of which project one is. */
const OfRun = HeldEnvironment.extend({ run: z.string(), project: z.string() })

/** The environment of a project's last command. */
const OfProject = z.object({ project: z.string(), env: Variables, version: z.string() })

/** Body of `POST /environments`: a command is about to start this run. */
export const EnvironmentOffer = z.object({ project: z.string(), run: z.string(), env: Variables })
/** Its answer. */
export const OfferReply = z.object({ offer: z.string() })

/** Body of `POST /environments/decision`: whether the command has started the run. */
export const OfferDecision = z.object({ offer: z.string(), isTaken: z.boolean() })

/**
 * Body of `POST /environments/of`: a worker asks for those of its projects and of their runs.
 * `run`: one that has to have an environment; `known`: versions by run, and by project.
 */
export const EnvironmentQuestion = z.object({
  projects: z.array(z.string()),
  run: z.object({ id: z.string(), project: z.string() }).optional(),
  known: z.object({
    runs: z.record(z.string(), z.string()),
    projects: z.record(z.string(), z.string()),
  }),
})
export type EnvironmentQuestion = z.infer<typeof EnvironmentQuestion>

/** Its answer: those that the worker does not know. `over`: runs of which it may forget it. */
export const EnvironmentReply = z.object({
  held: z.array(OfRun),
  over: z.array(z.string()),
  projects: z.array(OfProject),
})
export type EnvironmentReply = z.infer<typeof EnvironmentReply>

/**
 * Body of `POST /environments/back`: what a worker that ends knows, in portions. The last one has
 * `worker`.
 */
export const EnvironmentsBack = z.object({
  worker: ProcessIdentity.optional(),
  runs: z.array(OfRun),
  projects: z.array(OfProject),
})
export type EnvironmentsBack = z.infer<typeof EnvironmentsBack>
