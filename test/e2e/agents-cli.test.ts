// Agents on the command line: two real turns of one, and a run without a configuration. Tries of
// agents that misbehave are in test/runs/agents-cli.test.ts.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playbookProgram } from '../../src/adapters/agents/agent-command.js'
import { findMarked } from '../../src/adapters/process/find.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { runGit } from '../support/repositories/repos.js'
import { triesOf, withAgent } from '../support/runs/tried-agents.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test("try shows the agent's actions, its usage and a session continued by another process; leaves nothing behind", async () => {
  const dir = withAgent(user, 'remembers', 'remembers')
  const before = runGit(dir, 'status', '--porcelain')
  const { exitCode, stdout, stderr } = await user.run(dir, 'agents', 'try', 'mine')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^turn 1: Write a file named hello\.txt/m)
  expect(stdout).toContain('  tool  write hello.txt\n  tool  write hello.txt: completed\n')
  expect(stdout).toMatch(/^ {2}says {2}I was told ratchet-[0-9a-f]{6}$/m)
  expect(stdout).toContain('  usage    100 tokens in, 20 out\n')
  expect(stdout).toContain(
    'mine works; another process resumed its session and remembered the word of the first turn\n',
  )
  const sessions = [...stdout.matchAll(/^ {2}session {2}(s-\d+)$/gm)].map(([, id]) => id)
  expect(sessions).toHaveLength(2)
  expect(sessions[0]).toBe(sessions[1])
  expect(triesOf(user)).toEqual([])
  expect(runGit(dir, 'status', '--porcelain')).toBe(before)
  expect(existsSync(path.join(dir, 'hello.txt'))).toBe(false)
})

test('Ctrl-C in a try ends its agent and leaves nothing', async () => {
  const started = user.start(withAgent(user, 'interrupted', 'hangs'), ['agents', 'try', 'mine'])
  const run = await waitFor(
    () => (existsSync(path.join(user.root, 'state/ratchet/tries')) ? triesOf(user)[0] : undefined),
    { what: 'the place of the try' },
  )
  await waitFor(() => findMarked('RATCHET_RUN', run).length > 0, { what: 'the agent' })
  started.interrupt()
  expect((await started.ended).exitCode).toBe(130)
  expect(findMarked('RATCHET_RUN', run)).toEqual([])
  expect(triesOf(user)).toEqual([])
})

test('without a configuration fix takes the installed agent and says so, and init makes it permanent', async () => {
  const dir = repository(user, 'found', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }])
  rmSync(path.join(dir, 'ratchet.config.json'))
  // An ACP program with the name of a known agent is that agent: here the scripted one, which has
  // no modes, like opencode.
  const bin = path.join(user.root, 'bin')
  mkdirSync(bin)
  writeFileSync(
    path.join(bin, 'opencode'),
    `#!/bin/sh\n[ "$1" = --version ] && echo 1.18.33 && exit\nexec "${process.execPath}" "${playbookProgram()}" "${path.join(dir, 'ratchet.playbook.yaml')}"\n`,
    { mode: 0o755 },
  )
  Object.assign(user.env, {
    PATH: `${bin}:${user.env['PATH'] ?? ''}`,
    OPENROUTER_API_KEY: 'sk-not-a-real-key',
  })

  const fixed = await user.run(dir, 'fix')
  expect(fixed.stdout).toContain('agents found here: opencode; ratchet init saves this choice\n')
  expect(fixed.stdout).toMatch(/^success after 1 iteration, pass rate 100\.0 %$/m)
  expect(fixed.exitCode).toBe(0)

  const { document } = await user.json<{
    checks: { check: string; ok: boolean; detail: string }[]
  }>(dir, 'doctor')
  expect(document.checks.find(({ check }) => check === 'agent opencode')).toMatchObject({
    ok: true,
    detail: `${bin}/opencode 1.18.33, logged in: OPENROUTER_API_KEY; roles: all`,
  })
  expect(await user.run(dir, 'init')).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(readFileSync(path.join(dir, 'ratchet.config.json'), 'utf8'))).toMatchObject({
    roles: { default: 'opencode' },
  })
})
