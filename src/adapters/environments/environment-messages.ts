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

/** Of which run one is. */
const OfRun = HeldEnvironment.extend({ run: z.string() })

/** Body of `POST /environments`: a command is about to start this run. */
export const EnvironmentOffer = z.object({ project: z.string(), run: z.string(), env: Variables })
/** Its answer. */
export const OfferReply = z.object({ offer: z.string() })

/** Body of `POST /environments/decision`: whether the command has started the run. */
export const OfferDecision = z.object({ offer: z.string(), isTaken: z.boolean() })

/**
 * Body of `POST /environments/of`: a worker asks for those of its project's runs. `run`: one that
 * has to have an environment; `known`: versions by run.
 */
export const EnvironmentQuestion = z.object({
  project: z.string(),
  run: z.string().optional(),
  known: z.record(z.string(), z.string()),
})
export type EnvironmentQuestion = z.infer<typeof EnvironmentQuestion>

/** Its answer: those that the worker does not know. `over`: runs of which it may forget it. */
export const EnvironmentReply = z.object({ held: z.array(OfRun), over: z.array(z.string()) })
export type EnvironmentReply = z.infer<typeof EnvironmentReply>

/**
 * Body of `POST /environments/back`: what a worker that ends knows. `own`: its own environment, if
 * it is that of the project's last command.
 */
export const EnvironmentsBack = z.object({
  worker: ProcessIdentity,
  project: z.string(),
  runs: z.array(OfRun),
  own: Variables.optional(),
})
export type EnvironmentsBack = z.infer<typeof EnvironmentsBack>
