// A cycle and a loop whose agent, a real process, has no login: they end at once with a remedy.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { CALCULATOR, makeProject } from '../support/runs/real-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const AGENT = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  '../support/agents/refuses.mjs',
)
const CONFIG = {
  agents: { stranger: { protocol: 'acp', command: process.execPath, args: [AGENT, 'login'] } },
  roles: { default: 'stranger' },
}

async function endsAtOnce(kind: 'cycle' | 'loop'): Promise<void> {
  const project = makeProject(user, `no-login-${kind}`, [], CONFIG, CALCULATOR)
  const run =
    kind === 'cycle'
      ? await user.cycle(project, 'cycle-v1-20260122T100000-nologin', {
          task: 'Make the calculator right',
          maxIterations: 5,
        })
      : await user.loop(project, 'loop-b-20260122T100000-nologin', {
          task: 'Make the calculator right',
          mode: 'auto',
          maxIterations: 5,
        })
  const result = await user.finish(run)
  expect(result).toMatchObject({ outcome: 'failed', status: 'failed', commits: [] })
  expect(result.iterations).toBeLessThanOrEqual(1)
  expect(result.reason).toMatch(/no agent can be used \(.*\): stranger: .*(?:not logged in|no key)/)
}

test('a cycle whose agent has no login ends in its first iteration, with the agent and what is missing', () =>
  endsAtOnce('cycle'))

test('a loop whose agent has no login ends in its first iteration, with the agent and what is missing', () =>
  endsAtOnce('loop'))
