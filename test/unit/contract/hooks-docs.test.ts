// Compares docs/hooks.md and docs/hook-event.schema.json with the code.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { HookEvent } from '../../../src/contract/hook-event.js'
import { HOOK_EVENTS, Hooks } from '../../../src/contract/hooks.js'

const TEXT = readFileSync(new URL('../../../docs/hooks.md', import.meta.url), 'utf8')
const documents = [...TEXT.matchAll(/```json\n([\s\S]*?)\n```/g)].map(
  ([, json = '']) => JSON.parse(json) as Record<string, unknown>,
)
const events = documents.filter((one) => 'eventId' in one)
const configurations = documents.filter((one) => 'hooks' in one)

test('the schema is that of the code', () => {
  const schema = new URL('../../../docs/hook-event.schema.json', import.meta.url)
  expect(JSON.parse(readFileSync(schema, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(z.toJSONSchema(HookEvent))),
  )
})

test('the example events are valid, with every field', () => {
  expect(events.map(({ event }) => event)).toEqual(['budget', 'done'])
  for (const event of events) expect(HookEvent.parse(event)).toEqual(event)
})

test('the example configurations are valid', () => {
  expect(configurations.length).toBeGreaterThan(4)
  for (const { hooks } of configurations) expect(Hooks.safeParse(hooks).error).toBeUndefined()
})

test.each(HOOK_EVENTS)('%s has its row', (name) => {
  expect(TEXT).toContain(`| \`${name}\` |`)
})
