// Agents on the command line, by the built command: two real turns of one, and a run without a configuration.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playbookProgram } from '../../src/adapters/agents/agent-command.js'
import { findMarked } from '../../src/adapters/process/find.js'
import type { Tried } from '../../src/cli/agents-try.js'
import { cliProcessUser } from '../support/cli-process.js'
import type { CliProcessUser } from '../support/cli-process.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL } from '../support/real-run.js'
import { runGit } from '../support/repos.js'
import { waitFor } from '../support/wait.js'

const ODD = fileURLToPath(new URL('../support/agents/odd.mjs', import.meta.url))
const REMEMBERS = fileURLToPath(new URL('../support/agents/remembers.mjs', import.meta.url))

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

type Document = Tried & { ok: boolean; message: string; next: string }

/** A project whose agent `mine` behaves so. */
function project(name: string, manner: string): string {
  const store = path.join(user.root, `store-${name}`)
  mkdirSync(store)
  return user.project(name, undefined, { agents: { mine: { protocol: 'acp', command: process.execPath, args: [REMEMBERS, store, manner] } } })
}

const leftOver = (): string[] => readdirSync(path.join(user.root, 'state/ratchet/tries'))

test('try shows what the agent does, its usage, and that another process goes on in its session; nothing is left', async () => {
  const dir = project('remembers', 'remembers')
  const before = runGit(dir, 'status', '--porcelain')
  const { exitCode, stdout, stderr } = await user.ratchet(dir, 'agents', 'try', 'mine')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  expect(stdout).toMatch(/^turn 1: Write a file named hello\.txt/m)
  expect(stdout).toContain('  tool  write hello.txt\n  tool  write hello.txt: completed\n')
  expect(stdout).toMatch(/^ {2}says {2}I was told ratchet-[0-9a-f]{6}$/m)
  expect(stdout).toContain('  usage    100 tokens in, 20 out\n')
  expect(stdout).toContain('mine works; another process went on in its session and knew what it had been told\n')
  const sessions = [...stdout.matchAll(/^ {2}session {2}(s-\d+)$/gm)].map(([, id]) => id)
  expect(sessions).toHaveLength(2)
  expect(sessions[0]).toBe(sessions[1])
  expect(leftOver()).toEqual([])
  expect(runGit(dir, 'status', '--porcelain')).toBe(before)
  expect(existsSync(path.join(dir, 'hello.txt'))).toBe(false)
})

test('--json is one document, with a prompt of the user', async () => {
  const dir = project('document', 'remembers')
  const { exitCode, document } = await user.json<Document>(dir, 'agents', 'try', 'mine', '--prompt', 'Say hello.')
  expect(exitCode).toBe(0)
  expect(document).toMatchObject({ ok: true, agent: 'mine', resumed: true, remembered: true })
  expect(document.turns).toHaveLength(2)
  for (const { durationMs } of document.turns) expect(durationMs).toBeGreaterThan(0) // real time, not ticks of a second
  expect(document.turns[0]).toMatchObject({ outcome: 'completed', changedFiles: ['hello.txt'], usage: { inputTokens: 100, outputTokens: 20, estimated: false }, reason: null, limitedUntil: null })
})

test.each([
  { manner: 'forgets', message: /could not be resumed: the second turn began a new one$/, next: /./, turns: 2 },
  { manner: 'wants-login', message: /^mine failed: the agent is not logged in or has no key/, next: /./, turns: 1 },
  { manner: 'limits', message: /^mine is rate limited until \d{4}-\d\d-\d\dT/, next: /^try it again then/, turns: 1 },
  { manner: 'hangs', message: /^mine did not finish within 3s/, next: /--timeout/, turns: 1 },
])('try of an agent that $manner: exit 1, why, and what to do', async ({ manner, message, next, turns }) => {
  const { exitCode, document } = await user.json<Document>(project(manner, manner), 'agents', 'try', 'mine', '--timeout', manner === 'hangs' ? '3s' : '1m')
  expect(exitCode).toBe(1)
  expect(document.message).toMatch(message)
  expect(document.next).toMatch(next)
  expect(document.turns).toHaveLength(turns)
  expect(leftOver()).toEqual([])
})

test.each([
  { odd: 'odd-id', why: 'in the id of its session', shows: /^ {2}session {2}.*\$\(id\).*\$\(id\)/m },
  { odd: 'error-colours', why: 'in its error', shows: /^theirs failed: .* more$/m },
])('try shows nothing that a terminal would act upon, $why', async ({ odd, shows }) => {
  const dir = user.project(odd, undefined, { agents: { theirs: { protocol: 'acp', command: process.execPath, args: [ODD, odd] } } })
  const { stdout, stderr } = await user.ratchet(dir, 'agents', 'try', 'theirs')
  expect(stdout).toMatch(shows)
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/)
})

test('try of a program that does not speak ACP says so', async () => {
  const dir = user.project('stranger', undefined, { agents: { mine: { protocol: 'acp', command: 'cat' } } })
  const { exitCode, document } = await user.json<Document>(dir, 'agents', 'try', 'mine', '--timeout', '20s')
  expect(exitCode).toBe(1)
  expect(document.message).toMatch(/^mine failed: .*(ACP|Agent Client Protocol|initialize)/)
})

test('try of an agent that removes the repository it works in says so, and is no bug of ours', async () => {
  const dir = user.project('removes', undefined, { agents: { mine: { protocol: 'exec', command: 'rm', args: ['-rf', '.git'] } } })
  const { exitCode, document } = await user.json<{ error: { type: string; message: string } }>(dir, 'agents', 'try', 'mine', '--timeout', '20s')
  expect([exitCode, document.error.type, document.error.message]).toEqual([1, 'WorkspaceGone', 'mine removed or broke the repository that it was to work in'])
  expect(leftOver()).toEqual([])
})

test('Ctrl-C in a try ends its agent and leaves nothing', async () => {
  const started = user.start(project('interrupted', 'hangs'), 'agents', 'try', 'mine')
  const run = await waitFor(() => (existsSync(path.join(user.root, 'state/ratchet/tries')) ? leftOver()[0] : undefined), { what: 'the place of the try' })
  await waitFor(() => findMarked('RATCHET_RUN', run).length > 0, { what: 'the agent' })
  started.interrupt()
  expect((await started.ended).exitCode).toBe(130)
  expect(findMarked('RATCHET_RUN', run)).toEqual([])
  expect(leftOver()).toEqual([])
})

test('the scripted agent can be tried, and says that it is scripted', async () => {
  const dir = user.project('scripted', [{ do: [{ say: 'done' }] }])
  const { exitCode, document } = await user.json<Document>(dir, 'agents', 'try', 'playbook')
  expect(exitCode).toBe(0)
  expect(document).toMatchObject({ resumed: true, remembered: false, turns: [{ answer: expect.stringMatching(/scripted|playbook/i) as unknown }, {}] })
})

test('status shows what a run asks, with the commands that answer it', async () => {
  const dir = user.project('spent', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }], { limits: { maxTurns: 1 } })
  const { document: { id } } = await user.json<{ id: string }>(dir, 'fix', '--detach')
  const stdout = await waitFor(async () => {
    const shown = await user.ratchet(dir, 'status')
    return shown.stdout.includes('question') ? shown.stdout : undefined
  }, { what: 'the question', timeoutMs: 60_000 })
  expect(stdout).toContain(`answer with: ratchet answer ${id} stop\n`)
  expect(stdout).toContain(`or:          ratchet answer ${id} raise 1, or another number of turns\n`)
  expect(await user.ratchet(dir, 'answer', id, 'stop')).toMatchObject({ exitCode: 0 })
})

test('without a configuration fix takes the agent that is here, says so, and init makes it permanent', async () => {
  const dir = user.project('found', [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }])
  rmSync(path.join(dir, 'ratchet.config.json'))
  // What speaks ACP under the name of a known agent is that agent: here the scripted one, which has no modes, as opencode has none.
  const bin = path.join(user.root, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'opencode'), `#!/bin/sh\n[ "$1" = --version ] && echo 1.18.33 && exit\nexec "${process.execPath}" "${playbookProgram()}" "${path.join(dir, 'ratchet.playbook.yaml')}"\n`, { mode: 0o755 })
  Object.assign(user.env, { PATH: `${bin}:${user.env['PATH'] ?? ''}`, OPENROUTER_API_KEY: 'sk-not-a-real-key' })

  const fixed = await user.ratchet(dir, 'fix')
  expect(fixed.stdout).toContain('agents found here: opencode; ratchet init writes them down\n')
  expect(fixed.stdout).toMatch(/^success after 1 iteration, pass rate 100\.0 %$/m)
  expect(fixed.exitCode).toBe(0)

  const { document } = await user.json<{ checks: { check: string; ok: boolean; detail: string }[] }>(dir, 'doctor')
  expect(document.checks.find(({ check }) => check === 'agent opencode')).toMatchObject({ ok: true, detail: `${bin}/opencode 1.18.33, logged in: OPENROUTER_API_KEY; plays all` })
  expect(await user.ratchet(dir, 'init')).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(readFileSync(path.join(dir, 'ratchet.config.json'), 'utf8'))).toMatchObject({ roles: { default: 'opencode' } })
})
