// An event is reported once where possible, and a failing hook is only a warning.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import type { HookEvent } from '../../../src/contract/hook-event.js'
import { noteFile, writeHookNote } from '../../../src/adapters/hooks/notes.js'
import { tellHook } from '../../../src/adapters/hooks/tell.js'
import { askedOf, endedOf, TOLD } from '../../support/hooks/hook-events.js'
import { RUN, tempDir, tempDirs } from '../../support/repositories/repos.js'

function teller(hooks: Record<string, unknown>, env: NodeJS.ProcessEnv = {}) {
  const [dirs, project] = [tempDirs(), tempDir()]
  const lines: string[] = []
  const told = { project, status: { ...TOLD.status, id: RUN } }
  const fileOf = (event: HookEvent): string => noteFile(dirs, RUN, event.eventId)
  return {
    dirs,
    lines,
    fileOf,
    asked: askedOf({}, { ...told, eventId: 'a'.repeat(24) }),
    ended: endedOf({ reason: 'the key was sk-live-4711' }, told),
    tell: (event: HookEvent, signal = new AbortController().signal) =>
      tellHook({
        dirs,
        config: Config.parse({ hooks }),
        env: { PATH: process.env['PATH'], ...env },
        secrets: ['MINE'],
        event,
        log: (text) => lines.push(text),
        signal,
      }),
    calls: () =>
      existsSync(path.join(project, 'calls'))
        ? readFileSync(path.join(project, 'calls'), 'utf8')
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line) as HookEvent)
        : [],
  }
}

const HOOK = ['sh', '-c', 'cat >> calls']

test('an event is reported once: the second attempt finds the note', async () => {
  const { tell, ended, calls, fileOf, lines } = teller({ done: HOOK })
  expect(await tell(ended)).toBeUndefined()
  expect(await tell(ended)).toBeUndefined()
  expect(calls()).toHaveLength(1)
  expect(JSON.parse(readFileSync(fileOf(ended), 'utf8'))).toEqual({
    event: 'done',
    hook: 'done',
    state: 'told',
  })
  expect(statSync(fileOf(ended)).mode & 0o777).toBe(0o600)
  expect(lines).toEqual([])
})

test('is reported again under the same id after the worker died between the call and its note', async () => {
  const { tell, ended, calls, fileOf } = teller({ done: HOOK })
  await writeHookNote(fileOf(ended), { event: 'done', hook: 'done', state: 'begun' })
  await tell(ended)
  expect(calls()).toMatchObject([{ eventId: ended.eventId }])
})

test('a failing hook is a warning and a line in the log; the next attempt repeats the warning without a call', async () => {
  const { tell, ended, calls, lines } = teller({
    done: ['sh', '-c', 'cat >> calls; echo no display; exit 3'],
  })
  const warning = 'the hook "done" failed for "done": ended with code 3: no display'
  expect(await tell(ended)).toBe(warning)
  expect(await tell(ended)).toBe(warning)
  expect(calls()).toHaveLength(1)
  expect(lines[0]).toBe(`${RUN}: ${warning}`)
})

test('an internal error is a warning too', async () => {
  const { tell, ended, dirs, lines } = teller({ done: HOOK })
  const broken = { ...dirs, state: path.join(dirs.state, 'file') }
  await writeHookNote(broken.state, { event: '', hook: '', state: 'begun' })
  expect(
    await tellHook({
      dirs: broken,
      config: Config.parse({ hooks: { done: HOOK } }),
      env: process.env,
      secrets: [],
      event: ended,
      log: (text) => lines.push(text),
      signal: new AbortController().signal,
    }),
  ).toMatch(/^the hook "done" failed for "done": .*ENOTDIR/)
  expect(await tell(ended)).toBeUndefined()
})

test('removes secrets of the agents and of the worker from an event', async () => {
  const { tell, ended, asked, calls } = teller(
    { done: HOOK, question: HOOK },
    { MINE: 'sk-live-4711', DB_PASSWORD: 'npm install' },
  )
  await tell(ended)
  await tell(asked)
  expect(calls()).toMatchObject([
    { result: { reason: 'the key was [redacted:MINE]' } },
    { question: { text: 'fixer (test-fix-agent) asks: run [redacted:DB_PASSWORD]?' } },
  ])
})

test('reports no event without a hook', async () => {
  const { tell, ended, asked, calls, fileOf } = teller({ failed: HOOK })
  expect([await tell(ended), await tell(asked)]).toEqual([undefined, undefined])
  expect([calls(), existsSync(fileOf(ended))]).toEqual([[], false])
})

test('a withdrawn event is not noted as reported', async () => {
  const { tell, asked, fileOf } = teller({ question: ['sleep', '1000'] })
  const answered = new AbortController()
  const ended = tell(asked, answered.signal)
  answered.abort()
  await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
  expect(readFileSync(fileOf(asked), 'utf8')).toContain('begun')
})
