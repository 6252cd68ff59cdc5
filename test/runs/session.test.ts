// Several sessions of a project, and one resumed by two shells.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/contract/result.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { plannedSession, sessionOfAnotherTool } from '../support/runs/planned-session.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

type Failed = {
  error: {
    type: string
    message: string
    next: string
    sessions?: { name: string; command: string }[]
  }
}

const sessionFile = (dir: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(dir, 'workflow-session.json'), 'utf8')) as Record<
    string,
    unknown
  >

test('several unfinished sessions are listed without the running one, which may get more iterations', async () => {
  const gate = path.join(user.root, 'gate')
  const project = repository(user, 'several', [
    ANALYSE,
    { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
  ])
  const { document } = await user.json<{ id: string }>(
    project,
    'fix',
    '--session',
    'WFS-test-open',
    '--detach',
  )
  plannedSession(project, 'WFS-test-a')
  plannedSession(project, 'WFS-test-b', { status: 'paused' })
  await waitFor(
    () => existsSync(path.join(project, '.workflow/WFS-test-open/workflow-session.json')),
    { what: 'the record', timeoutMs: 60_000 },
  )

  const refused = await user.json<Failed>(project, 'fix')
  expect(refused.exitCode).toBe(2)
  expect(refused.document.error.type).toBe('SeveralSessions')
  expect(refused.document.error.sessions?.map((choice) => choice.command).sort()).toEqual([
    'ratchet fix --resume-session WFS-test-a',
    'ratchet fix --resume-session WFS-test-b',
  ])

  expect(
    (await user.json(project, 'fix', '--resume-session', document.id, '--detach')).document,
  ).toEqual(document)
  const extended = await waitFor(
    async () => {
      const ran = await user.json<{ maxIterations: number }>(
        project,
        'extend',
        'WFS-test-open',
        '2',
      )
      return ran.exitCode === 0 && ran.document
    },
    { what: 'the extension' },
  )
  expect(extended.maxIterations).toBe(7)
  writeFileSync(gate, '')
  expect(await user.json(project, 'watch', 'WFS-test-open')).toMatchObject({
    exitCode: 0,
    document: { outcome: 'success' },
  })
})

test('two shells resume a session at once: it has one run, and the second shell joins it or gets an error', async () => {
  const project = repository(user, 'twice', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }])
  const dir = plannedSession(project, 'WFS-test-twice')
  const both = await Promise.all(
    [1, 2].map(() =>
      user.json<RunResult | Failed>(project, 'fix', '--resume-session', 'WFS-test-twice'),
    ),
  )
  const [joined, refused] = [
    both.filter(({ exitCode }) => exitCode === 0),
    both.filter(({ exitCode }) => exitCode !== 0),
  ]
  expect(joined.length).toBeGreaterThan(0)
  for (const { document } of joined)
    expect(document).toMatchObject({ outcome: 'success', iterations: 1, usage: { turns: 2 } })
  for (const { exitCode, document } of refused)
    expect({ exitCode, document }).toMatchObject({
      exitCode: 2,
      document: {
        error: {
          type: 'BadInput',
          message: 'the session WFS-test-twice is already running',
          next: 'follow it with: ratchet watch WFS-test-twice',
        },
      },
    })
  expect(sessionFile(dir)).toMatchObject({ status: 'completed', outcome: 'success' })
  expect(
    runGit(project, 'log', '--format=%s', 'HEAD..ratchet/WFS-test-twice')
      .trim()
      .split('\n')
      .filter((subject) => subject.startsWith('fix(IMPL-fix-1)')),
  ).toHaveLength(1)
})

test('a session that another tool left in iteration 2 continues with its planned fix', async () => {
  const project = repository(user, 'other-tool', [{ do: [RIGHT_ADD, RIGHT_MUL] }])
  const dir = sessionOfAnotherTool(project, 'WFS-test-login')
  const { exitCode, document } = await user.json<RunResult>(project, 'fix')
  expect({ exitCode, document }).toMatchObject({
    exitCode: 0,
    document: {
      outcome: 'success',
      iterations: 2,
      usage: { turns: 1 },
      history: [
        { iteration: 1, task: 'IMPL-fix-1', passRate: 70 },
        { iteration: 2, task: 'IMPL-fix-2', passRate: 100, result: 'kept' },
      ],
    },
  })
  expect(sessionFile(dir)).toMatchObject({
    status: 'completed',
    description: 'Tests for the login',
    source_session_id: 'WFS-login',
  })
  const task = readFileSync(path.join(dir, '.task/IMPL-fix-2.json'), 'utf8')
  expect(JSON.parse(task)).toMatchObject({
    status: 'completed',
    context: { fix_strategy: { approach: 'End the session on logout' } },
  })
})
