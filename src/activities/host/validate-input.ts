// Parses the input of every activity before it runs.
//
// A task queue accepts tasks from everyone who reaches the server's port, even without a workflow
// of Ratchet. Without this, a stranger could have the worker run the commands of another directory
// under this user, and a sandboxed agent could leave its sandbox. What a workflow of Ratchet may
// request is still possible.
import { activityInfo } from '@temporalio/activity'
import type { z } from 'zod'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { isFrozen } from '../../adapters/config/frozen-config.js'
import { withFaultPoints } from '../../adapters/failpoint.js'
import { requireTrust } from '../../adapters/trust/project-trust.js'
import type { HostDeps, WorkerDeps } from './deps.js'
import { asFailure } from './failure.js'
import { HOST_INPUTS } from './input-schemas.js'
import { ownPlaces, type Place } from './own-places.js'
import { perRun } from './run-environment.js'
import { strictSchema } from './strict-schema.js'

/** Problems of one input that are said. */
const SAID = 3

type Activities = Record<string, (input: never) => Promise<unknown>>

/**
 * Activities of a project's host, each in the environment of its run. They first refuse an input of
 * another shape, project or run.
 */
export function onlyOwn<A extends Activities>(deps: WorkerDeps, make: (deps: HostDeps) => A): A {
  const run = (): string => activityInfo().workflowExecution?.workflowId ?? ''
  const made = (own: HostDeps): { env: HostDeps['env']; activities: A } => ({
    env: own.env,
    activities: make(own),
  })
  const own = made(deps)
  const of = perRun(deps, own, made)
  const activities = Object.fromEntries(
    Object.keys(own.activities).map((name) => [
      name,
      async (input: never): Promise<unknown> => {
        const { env, activities: ofRun } = await of(run(), name)
        // Where the configuration that was trusted is gone, today's is used.
        if (configsIn(input).some((hash) => !isFrozen(deps.dirs, hash)))
          await requireTrust(deps.dirs, deps.project, env).catch((error: unknown) => {
            throw asFailure(error)
          })
        return withFaultPoints(env, () => ofRun[name]?.(input))
      },
    ]),
  ) as A
  return onlyParsed(activities, hostInputs({ ...deps, run }), deps.project)
}

// Of a parsed input, in which only a digest has that key.
function configsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    key === 'configHash' ? [String(inner)] : configsIn(inner),
  )
}

/** The strict schemas of a host's activities, which compare what an input names with the run's. */
export function hostInputs(place: Place): Record<string, z.ZodType> {
  const checks = ownPlaces(place)
  const made = new Map<z.ZodType, z.ZodType>()
  return Object.fromEntries(
    Object.entries(HOST_INPUTS).map(([name, schema]) => [name, strictSchema(schema, checks, made)]),
  )
}

/**
 * The same activities, each of which first parses its input.
 *
 * @param where what a refusal names as its place
 * @throws Error for an activity without a schema
 */
export function onlyParsed<A extends Activities>(
  activities: A,
  schemas: Readonly<Record<string, z.ZodType>>,
  where: string,
): A {
  const parsed = Object.entries(activities).map(([name, run]) => {
    const schema = schemas[name]
    if (schema === undefined) throw new Error(`the activity ${name} has no schema for its input`)
    return [
      name,
      async (input: never): Promise<unknown> => {
        const problem = inputProblem(schema, input)
        if (problem !== undefined) throw asFailure(badInput(name, problem, where))
        return run(input)
      },
    ]
  })
  return Object.fromEntries(parsed) as A
}

/** What is wrong with an input, or `undefined`. */
export function inputProblem(schema: z.ZodType, input: unknown): string | undefined {
  const { error } = schema.safeParse(input)
  return error?.issues
    .slice(0, SAID)
    .map(({ path, message }) => `${path.map(String).join('.') || 'input'}: ${message}`)
    .join('; ')
}

function badInput(name: string, problem: string, where: string): RefusalError {
  return new RefusalError(
    BAD_INPUT,
    `the input of ${name} is refused: ${problem}`,
    where,
    'start runs with ratchet, or as docs/scripts.md says',
  )
}
