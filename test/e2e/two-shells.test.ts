// Two shells with other values of DATABASE_URL work in one project at the same time: the tests of
// each run see those of its own shell, also when the worker dies.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { SESSIONS, seeingProject, seenBy, shellOf, valueOf } from '../support/runs/two-shells.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const resultOf = (stdout: string): RunResult => JSON.parse(stdout) as RunResult

test('runs of two shells see the variables of their own shell, also after the worker died', async () => {
  const project = seeingProject(user, 'shells')
  user.dieAt('commit:done', project)
  const ended = await Promise.all(
    SESSIONS.map(
      (session) =>
        user.start(project, ['fix', '--session', session, '--json'], {
          env: shellOf(user.env, session),
        }).ended,
    ),
  )
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0])
  expect(user.hasDiedAt('commit:done', project)).toBe(true)
  for (const session of SESSIONS) {
    expect(seenBy(user, session).values).toEqual([valueOf(session)])
    expect(seenBy(user, session).times).toBeGreaterThan(1)
  }
  expect(ended.map(({ stdout }) => resultOf(stdout).env)).toEqual([
    { from: 'command', named: [] },
    { from: 'command', named: [] },
  ])
})

test("a run that is started elsewhere gets the environment of the project's last command", async () => {
  const project = seeingProject(user, 'elsewhere')
  const { ended } = user.start(project, ['fix', '--session', SESSIONS[1], '--json'], {
    env: shellOf(user.env, SESSIONS[0]),
  })
  expect((await ended).exitCode).toBe(0)
  const run = await user.ratchet.startTestFix({ project, session: 'WFS-test-script' }, 'abcdef')
  const result = await user.finish(run)
  expect([result.outcome, result.env?.from]).toEqual(['success', 'project'])
})
