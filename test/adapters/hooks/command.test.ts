// A hook that is a command: its input, its result, and that it leaves no process.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { HookEvent } from '../../../src/contract/hook-event.js'
import { MARKERS } from '../../../src/contract/names.js'
import { callCommand } from '../../../src/adapters/hooks/command-hook.js'
import { findMarkedAll } from '../../../src/adapters/process/find.js'
import { redactor } from '../../../src/core/text/redact.js'
import { endedOf, TOLD } from '../../support/hooks/hook-events.js'
import { RUN, tempDir } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

function at(): {
  project: string
  event: HookEvent
  call: (
    command: string | string[],
    options?: { timeout?: number; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
  ) => Promise<string | undefined>
  left: () => string[]
} {
  const project = tempDir()
  const files = tempDir()
  const event = endedOf({}, { project, status: { ...TOLD.status, id: RUN } })
  return {
    project,
    event,
    call: (command, { timeout = 20_000, env = {}, signal = new AbortController().signal } = {}) =>
      callCommand(
        { command, timeout },
        {
          event,
          env: { PATH: process.env['PATH'], ...env },
          file: path.join(files, 'output'),
          redact: redactor([{ name: 'KEY', value: 'sk-live-4711' }]),
          signal,
        },
      ),
    left: () => readdirSync(files),
  }
}

const script = (text: string): string[] => ['sh', '-c', text]

test("the event is one JSON document on standard input, in the project's directory", async () => {
  const { project, event, call, left } = at()
  expect(
    await call(script('cat > event.json; pwd > where; env > env'), { env: { HOME: '/home/ann' } }),
  ).toBeUndefined()
  expect(JSON.parse(readFileSync(path.join(project, 'event.json'), 'utf8'))).toEqual(event)
  expect(readFileSync(path.join(project, 'where'), 'utf8').trim()).toBe(project)
  const env = readFileSync(path.join(project, 'env'), 'utf8').split('\n')
  expect(env).toEqual(
    expect.arrayContaining([
      'RATCHET_EVENT=done',
      `RATCHET_RUN=${RUN}`,
      `RATCHET_PROJECT=${project}`,
      'HOME=/home/ann',
    ]),
  )
  expect(left()).toEqual([])
})

test('a string is split into arguments, without a shell', async () => {
  const { project, call } = at()
  expect(await call('touch "a b" c;d'.replace(';', ''))).toBeUndefined()
  expect(readdirSync(project).sort()).toEqual(['a b', 'cd'])
})

test('a command that reads nothing may end before it got all input', async () => {
  const { event, call } = at()
  event.text = 'x'.repeat(4 << 20)
  expect(await call(['true'])).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'an exit code, with the end of its output', command: script('echo one; echo no display >&2; exit 3'), problem: 'ended with code 3: one no display' },
  { why: 'a signal', command: script('kill -KILL $$'), problem: 'ended with SIGKILL' },
  { why: 'no such command', command: ['no-such-command-4711'], problem: 'command not found: no-such-command-4711' },
  { why: 'a secret in its output', command: script('echo "key sk-live-4711 is wrong"; exit 1'), problem: 'ended with code 1: key [redacted:KEY] is wrong' },
  { why: 'a flood', command: script('yes 0123456789 | head -c 3000000; exit 1'), problem: /^ended with code 1: [0-9 ]{200,301}$/ },
],
)('a hook that fails is a warning: $why', async ({ command, problem }) => {
  const { call, left } = at()
  const said = await call(command)
  if (typeof problem === 'string') expect(said).toBe(problem)
  else expect(said).toMatch(problem)
  expect(left()).toEqual([])
})

test('one that hangs is ended when its time is up, with what it started', async () => {
  const { event, call } = at()
  expect(await call(script('sleep 1000 & sleep 1000'), { timeout: 300 })).toBe(
    'was ended after 0.3 s',
  )
  expect(findMarkedAll({ [MARKERS.run]: RUN, [MARKERS.step]: `hook-${event.eventId}` })).toEqual([])
})

test('no process that it starts outlives it', async () => {
  const { event, call } = at()
  expect(await call(script('setsid sleep 1000 >/dev/null 2>&1 &'))).toBeUndefined()
  expect(findMarkedAll({ [MARKERS.run]: RUN, [MARKERS.step]: `hook-${event.eventId}` })).toEqual([])
})

test('the answer of a question ends its hook', async () => {
  const { project, event, call } = at()
  const answered = new AbortController()
  const ended = call(script('touch begun; sleep 1000'), { signal: answered.signal })
  await waitFor(() => existsSync(path.join(project, 'begun')), { what: 'the hook' })
  answered.abort()
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
  expect(findMarkedAll({ [MARKERS.run]: RUN, [MARKERS.step]: `hook-${event.eventId}` })).toEqual([])
})

test('does not create a missing project', async () => {
  const gone = path.join(tempDir(), 'gone')
  const event = endedOf({}, { project: gone, status: { ...TOLD.status, id: RUN } })
  const files = tempDir()
  mkdirSync(files, { recursive: true })
  expect(
    await callCommand(
      { command: ['touch', 'a'], timeout: 1_000 },
      {
        event,
        env: process.env,
        file: path.join(files, 'o'),
        redact: redactor([]),
        signal: new AbortController().signal,
      },
    ),
  ).toBe(`${gone} is gone, where it runs`)
  expect(existsSync(gone)).toBe(false)
})
