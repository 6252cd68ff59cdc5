// Parses what workflows send to a host that answers from a script, as a real host does: an input of
// another shape fails the run.
import type { z } from 'zod'
import { HOST_INPUTS, LIGHT_INPUTS } from '../../../src/activities/host/input-schemas.js'
import { strictSchema } from '../../../src/activities/host/strict-schema.js'
import { inputProblem, onlyParsed } from '../../../src/activities/host/validate-input.js'

const made = new Map<z.ZodType, z.ZodType>()

/** The strict schemas of all activities, without the checks of a host. */
export const SHAPES: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries({ ...HOST_INPUTS, ...LIGHT_INPUTS }).map(([name, schema]) => [
    name,
    strictSchema(schema, undefined, made),
  ]),
)

/** The same activities, each of which first parses its input. */
export const parsedHost = <A extends object>(activities: A): A =>
  onlyParsed(activities as never, SHAPES, 'a host without files')

/** @throws Error for an input that no host accepts, as it goes over the wire */
export function expectParsed(name: string, input: unknown): void {
  const schema = SHAPES[name]
  const problem = schema && inputProblem(schema, JSON.parse(JSON.stringify(input)))
  if (problem !== undefined) throw new Error(`${name}: ${problem}`)
}
