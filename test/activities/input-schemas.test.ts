// Every activity has a strict schema of its input, which accepts what the workflows send.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { inputProblem, onlyParsed } from '../../src/activities/host/validate-input.js'
import { DIRECTORY } from '../replay/keep-history.js'
import { SHAPES } from '../support/hosts/parsed-host.js'

type Event = {
  activityTaskScheduledEventAttributes?: {
    activityType: { name: string }
    input: { payloads: { data: string }[] }
  }
}
const sent = readdirSync(DIRECTORY)
  .filter((file) => file.endsWith('.json'))
  .flatMap((file) => {
    const { events } = JSON.parse(readFileSync(path.join(DIRECTORY, file), 'utf8')) as {
      events: Event[]
    }
    return events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) => {
      const [payload] = scheduled?.input.payloads ?? []
      return scheduled === undefined || payload === undefined
        ? []
        : [
            {
              file,
              name: scheduled.activityType.name,
              input: JSON.parse(Buffer.from(payload.data, 'base64').toString()) as unknown,
            },
          ]
    })
  })

const problemOf = (name: string, input: unknown): string | undefined =>
  inputProblem(SHAPES[name] ?? z.never(), input)

test('every input of the kept histories is accepted', () => {
  expect(sent.length).toBeGreaterThan(1_000)
  const refused = sent.flatMap(({ file, name, input }) => {
    const problem = problemOf(name, input)
    return problem === undefined ? [] : [`${file} ${name}: ${problem}`]
  })
  expect(refused).toEqual([])
})

// One of each activity, as large as they come.
const largest = [
  ...new Map(
    sent
      .toSorted((a, b) => JSON.stringify(a.input).length - JSON.stringify(b.input).length)
      .map((one) => [one.name, one]),
  ).values(),
]

/** Every object in a value, by its path. */
function objectsIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return [
    ...(Array.isArray(value) ? [] : [at]),
    ...Object.entries(value).flatMap(([key, inner]) => objectsIn(inner, [...at, key])),
  ]
}
const at = (value: unknown, keys: string[]): Record<string, unknown> =>
  keys.reduce((inner, key) => (inner as Record<string, unknown>)[key], value) as Record<
    string,
    unknown
  >

/** Objects whose keys are names of the project or of the run: any key is known. */
const RECORDS = /(^|\.)(choices|descriptions|agentResults|agents|results|exit_criteria|at)$/

test.each(largest)(
  '$name refuses an unknown key at every depth, and names it',
  ({ name, input }) => {
    const missed = objectsIn(input).filter((keys) => {
      if (RECORDS.test(keys.join('.'))) return false
      const changed = structuredClone(input)
      at(changed, keys)['surplus'] = 1
      return problemOf(name, changed)?.includes('surplus') !== true
    })
    expect(missed).toEqual([])
  },
)

test.each(largest)(
  '$name refuses an input without one of its keys, and names it',
  ({ name, input }) => {
    const schema = SHAPES[name] as z.ZodObject
    const required = Object.entries(schema.shape)
      .filter(([, inner]) => !(inner instanceof z.ZodOptional))
      .map(([key]) => key)
    expect(required).not.toEqual([])
    for (const key of required) {
      const { [key]: _, ...rest } = input as Record<string, unknown>
      expect(problemOf(name, rest)).toContain(`${key}: `)
    }
  },
)

test('an activity without a schema starts no worker', () => {
  const activities = { later: () => Promise.resolve() }
  expect(() => onlyParsed(activities, SHAPES, '/project')).toThrow(
    'the activity later has no schema for its input',
  )
})
