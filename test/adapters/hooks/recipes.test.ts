// The recipes of docs/hooks.md, run unchanged with an event. The programs that they call are fakes
// that record their arguments and input; `jq` is the real one.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import which from 'which'
import { expect, test } from 'vitest'
import { Hooks, type CommandHook } from '../../../src/contract/hooks.js'
import { callCommand } from '../../../src/adapters/hooks/command-hook.js'
import { redactor } from '../../../src/core/text/redact.js'
import { askedOf, endedOf, TOLD } from '../../support/hooks/hook-events.js'
import { RUN, tempDir, writeFiles } from '../../support/repositories/repos.js'

const [, RECIPES = ''] = readFileSync(
  new URL('../../../docs/hooks.md', import.meta.url),
  'utf8',
).split('## Recipes')
const hooks = [...RECIPES.matchAll(/```json\n([\s\S]*?)\n```/g)].flatMap(([, json = '']) =>
  Object.entries(Hooks.parse((JSON.parse(json) as { hooks: unknown }).hooks)),
)
const [script = ''] = [...RECIPES.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, text = '']) => text)

const CALLED = ['notify-send', 'osascript', 'curl', 'gh', 'ratchet']
const STAND_IN =
  '#!/bin/sh\n{ printf \'%s\' "${0##*/}"; for a in "$@"; do printf \' <%s>\' "$a"; done; printf \'\\n\'; [ "${0##*/}" = notify-send ] || [ "${0##*/}" = ratchet ] || cat; } >> "$CALLS"\n'

async function play(hook: CommandHook, event: 'question' | 'done', text: string): Promise<string> {
  const [project, bin] = [tempDir(), tempDir()]
  const calls = path.join(bin, 'calls')
  writeFiles(bin, Object.fromEntries(CALLED.map((name) => [name, { script: STAND_IN }])))
  writeFiles(project, { 'on-question.sh': { script: `${script}\n` } })
  const told = { project, status: { ...TOLD.status, id: RUN } }
  const document = event === 'question' ? askedOf({ text }, told) : endedOf({ reason: text }, told)
  const problem = await callCommand(hook, {
    event: document,
    env: {
      PATH: `${bin}:${process.env['PATH'] ?? ''}`,
      CALLS: calls,
      DISCORD_URL: 'https://chat.example.org/x',
    },
    file: path.join(bin, 'output'),
    redact: redactor([]),
    signal: new AbortController().signal,
  })
  expect(problem).toBeUndefined()
  return existsSync(calls) ? readFileSync(calls, 'utf8') : ''
}

const HOSTILE = 'is "it" $(touch pwned) `id` \'; done?'
const commands = hooks.flatMap(([event, hook]) =>
  hook !== undefined && 'command' in hook && (event === 'question' || event === 'done')
    ? [{ event, hook, shown: JSON.stringify(hook.command).slice(0, 60) }]
    : [],
) as { event: 'question' | 'done'; hook: CommandHook; shown: string }[]

test('there are recipes', () => expect(commands.length).toBeGreaterThanOrEqual(5))

test.skipIf(which.sync('jq', { nothrow: true }) === null).each(commands)(
  '$event: $shown',
  async ({ event, hook }) => {
    const calls = await play(hook, event, HOSTILE)
    const [name = ''] = calls.split(' ')
    expect(CALLED).toContain(name)
    const whole =
      event === 'question'
        ? `${RUN} asks: ${HOSTILE}`
        : `${RUN}: success after 2 iterations, pass rate 100.0 %: ${HOSTILE}`
    if (name === 'notify-send') expect(calls).toBe(`notify-send <Ratchet> <${whole}>\n`)
    if (name === 'curl')
      expect(JSON.parse(calls.slice(calls.indexOf('\n')))).toEqual({ content: whole })
    if (name === 'gh')
      expect(JSON.parse(calls.slice(calls.indexOf('\n')))).toEqual({
        event_type: 'ratchet',
        client_payload: { run: RUN, branch: 'ratchet/WFS-test-shop', outcome: 'success' },
      })
  },
)

test.skipIf(which.sync('jq', { nothrow: true }) === null)(
  'an answer by rule allows what it knows, and nothing else',
  async () => {
    const hook = { command: ['./on-question.sh'], timeout: 20_000 }
    expect(await play(hook, 'question', 'fixer asks: run npm install left-pad?')).toBe(
      `ratchet <answer> <${RUN}> <allow> <--question> <q-1>\n`,
    )
    expect(await play(hook, 'question', 'fixer asks: run rm -rf?')).toBe('')
  },
)
