// Tries of agents that forget, hang, are limited or do not speak ACP; and the questions of a run in
// `ratchet status`.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Tried } from '../../src/cli/agents/agents-try.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { triesOf, withAgent } from '../support/runs/tried-agents.js'
import { waitFor } from '../support/wait.js'

const ODD = fileURLToPath(new URL('../support/agents/odd.mjs', import.meta.url))

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

type Document = Tried & { ok: boolean; message: string; next: string }

test('--json is one document, with a prompt of the user', async () => {
  const dir = withAgent(user, 'document', 'remembers')
  const { exitCode, document } = await user.json<Document>(
    dir,
    'agents',
    'try',
    'mine',
    '--prompt',
    'Say hello.',
  )
  expect(exitCode).toBe(0)
  expect(document).toMatchObject({ ok: true, agent: 'mine', resumed: true, remembered: true })
  expect(document.turns).toHaveLength(2)
  // Real time, not ticks of a second
  for (const { durationMs } of document.turns) expect(durationMs).toBeGreaterThan(0)
  expect(document.turns[0]).toMatchObject({
    outcome: 'completed',
    changedFiles: ['hello.txt'],
    usage: { inputTokens: 100, outputTokens: 20, estimated: false },
    reason: null,
    limitedUntil: null,
  })
})

test.each(
  // prettier-ignore
  [
  { manner: 'forgets', message: /could not be resumed: the second turn started a new one$/, next: /./, turns: 2 },
  { manner: 'wants-login', message: /^mine failed: the agent is not logged in or has no key/, next: /./, turns: 1 },
  { manner: 'limits', message: /^mine is rate limited until \d{4}-\d\d-\d\dT/, next: /^try again then/, turns: 1 },
  { manner: 'hangs', message: /^mine did not finish within 3s/, next: /--timeout/, turns: 1 },
],
)(
  'try of an agent that $manner: exit 1, the reason and a remedy',
  async ({ manner, message, next, turns }) => {
    const { exitCode, document } = await user.json<Document>(
      withAgent(user, manner, manner),
      'agents',
      'try',
      'mine',
      '--timeout',
      manner === 'hangs' ? '3s' : '1m',
    )
    expect(exitCode).toBe(1)
    expect(document.message).toMatch(message)
    expect(document.next).toMatch(next)
    expect(document.turns).toHaveLength(turns)
    expect(triesOf(user)).toEqual([])
  },
)

test.each(
  // prettier-ignore
  [
  { odd: 'odd-id', why: 'in the id of its session', shows: /^ {2}session {2}.*\$\(id\).*\$\(id\)/m },
  { odd: 'error-colours', why: 'in its error', shows: /^theirs failed: .* more$/m },
],
)('try shows nothing that a terminal would act upon, $why', async ({ odd, shows }) => {
  const dir = repository(user, odd, undefined, {
    agents: { theirs: { protocol: 'acp', command: process.execPath, args: [ODD, odd] } },
  })
  const { stdout, stderr } = await user.run(dir, 'agents', 'try', 'theirs')
  expect(stdout).toMatch(shows)
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
})

test('try of a program that does not speak ACP says so', async () => {
  const dir = repository(user, 'stranger', undefined, {
    agents: { mine: { protocol: 'acp', command: 'cat' } },
  })
  const { exitCode, document } = await user.json<Document>(
    dir,
    'agents',
    'try',
    'mine',
    '--timeout',
    '20s',
  )
  expect(exitCode).toBe(1)
  expect(document.message).toMatch(/^mine failed: .*(ACP|Agent Client Protocol|initialize)/)
})

test('try of an agent that removes its repository says so, and does not count as a bug of ours', async () => {
  const dir = repository(user, 'removes', undefined, {
    agents: { mine: { protocol: 'exec', command: 'rm', args: ['-rf', '../workspace'] } },
  })
  const { exitCode, document } = await user.json<{ error: { type: string; message: string } }>(
    dir,
    'agents',
    'try',
    'mine',
    '--timeout',
    '20s',
  )
  expect([exitCode, document.error.type, document.error.message]).toEqual([
    1,
    'WorkspaceGone',
    'mine removed or broke the repository of the trial',
  ])
  expect(triesOf(user)).toEqual([])
})

test('the scripted agent can be tried, and says that it is scripted', async () => {
  const dir = repository(user, 'scripted', [{ do: [{ say: 'done' }] }])
  const { exitCode, document } = await user.json<Document>(dir, 'agents', 'try', 'playbook')
  expect(exitCode).toBe(0)
  expect(document).toMatchObject({
    resumed: true,
    remembered: false,
    turns: [{ answer: expect.stringMatching(/scripted|playbook/i) as unknown }, {}],
  })
})

test('status shows the question of a run, with the commands that answer it', async () => {
  const dir = repository(user, 'spent', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }], {
    limits: { maxTurns: 1 },
  })
  const {
    document: { id },
  } = await user.json<{ id: string }>(dir, 'fix', '--detach')
  const stdout = await waitFor(
    async () => {
      const shown = await user.run(dir, 'status')
      return shown.stdout.includes('question') ? shown.stdout : undefined
    },
    { what: 'the question', timeoutMs: 60_000 },
  )
  expect(stdout).toContain(`answer with: ratchet answer ${id} stop\n`)
  expect(stdout).toContain(
    `or:          ratchet answer ${id} raise 1, or another number of turns\n`,
  )
  expect(await user.run(dir, 'answer', id, 'stop')).toMatchObject({ exitCode: 0 })
})
