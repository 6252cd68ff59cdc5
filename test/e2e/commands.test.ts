// Runs every command once as a process, as installed, and checks its output and exit code. Needs
// and starts no server. cli.test.ts tests commands on runs, in the test's process.
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERSION } from '../../src/adapters/package.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { COMMANDS } from '../../src/cli/commands.js'
import { runCommandLine } from '../../src/cli/program.js'
import type { RunResult } from '../../src/contract/result.js'
import { BUILT } from '../support/servers/local.js'
import { commitAll, runGit, writeFiles } from '../support/repositories/repos.js'

type Ran = { exitCode: number | null; stdout: string; stderr: string }

const SESSION = 'WFS-test-shop'
const BRANCH = `ratchet/${SESSION}`
let [root, shop, id]: [string, string, string] = ['', '', '']
let env: NodeJS.ProcessEnv = {}

// A project with an ended session and its branch.
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-commands-')))
  shop = path.join(root, 'shop')
  for (const dir of ['home', 'shop']) mkdirSync(path.join(root, dir))
  // A command that wrongly starts a server fails at once.
  env = {
    PATH: process.env['PATH'],
    HOME: path.join(root, 'home'),
    XDG_STATE_HOME: path.join(root, 'state'),
    XDG_CACHE_HOME: path.join(root, 'cache'),
    TEMPORAL_CLI_PATH: path.join(root, 'no-server-here'),
    GIT_CONFIG_GLOBAL: '/dev/null',
  }
  runGit(shop, 'init', '-q', '-b', 'main')
  writeFiles(shop, { 'test_a.py': 'def test_a():\n    assert True\n', 'pytest.ini': '[pytest]\n' })
  commitAll(shop, 'first')
  const base = runGit(shop, 'rev-parse', 'HEAD').trim()
  runGit(shop, 'checkout', '-q', '-b', BRANCH)
  writeFiles(shop, { 'fixed.txt': 'fixed\n' })
  commitAll(shop, 'IMPL-fix-1')
  runGit(shop, 'checkout', '-q', 'main')
  id = `${SESSION}.${projectKey(shop).slice(0, 6)}`
  const result: RunResult = {
    warnings: [],
    id,
    kind: 'test-fix',
    outcome: 'success',
    status: 'completed',
    iterations: 1,
    passRate: 100,
    reviewNeeded: false,
    branch: BRANCH,
    commits: [],
    failures: [],
    reason: null,
    failuresTotal: 0,
    recordDir: null,
    usage: { turns: 0, inputTokens: 0, outputTokens: 0, estimated: false },
    history: [],
  }
  const record = {
    workflow_type: 'test_session',
    workflow_id: id,
    project: shop,
    status: 'completed',
    branch: BRANCH,
    base,
    result,
  }
  writeFiles(shop, { [`.workflow/${SESSION}/workflow-session.json`]: JSON.stringify(record) })
  mkdirSync(path.join(root, 'state/ratchet/logs'), { recursive: true })
  writeFileSync(path.join(root, 'state/ratchet/logs/server.log'), 'one\ntwo\nthree\n')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function asProcess(...argv: string[]): Promise<Ran> {
  const child = spawn(process.execPath, [path.join(BUILT, 'cli/main.js'), ...argv], {
    cwd: shop,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr }))
  })
}

async function inProcess(...argv: string[]): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  const exitCode = await runCommandLine(
    argv,
    { env, cwd: shop, interrupted: new AbortController().signal, version: VERSION },
    { stdout: (text) => void (stdout += text), stderr: (text) => void (stderr += text) },
  )
  return { exitCode, stdout, stderr }
}

type Case = { argv: [string, ...string[]]; exitCode: number; says: RegExp; also?: () => void }

/** With exit code 2 a command has refused, and says why on stderr. */
// prettier-ignore
const CASES: Case[] = [
  { argv: ['fix', '--resume-session', SESSION], exitCode: 2, says: /^error: the session WFS-test-shop is completed\n {2}where .*\n {2}next .*ratchet apply WFS-test-shop/ },
  { argv: ['cycle'], exitCode: 2, says: /^error: Missing cycleId or task\n/ },
  { argv: ['loop'], exitCode: 2, says: /^error: Missing loopId or task\n/ },
  { argv: ['prep', 'fix', 'a cart'], exitCode: 2, says: /^error: "fix" is neither cycle nor loop\n/ },
  { argv: ['prep', 'cycle'], exitCode: 2, says: /^error: the task is missing\n/ },
  { argv: ['prep', 'loop', 'a cart', '--edit'], exitCode: 2, says: /^error: --edit needs a terminal/ },
  { argv: ['status', SESSION], exitCode: 0, says: /^server +not running\nrun +WFS-test-shop\.[0-9a-f]{6} {2}completed {2}success {2}iteration 1 {2}100\.0 %/ },
  { argv: ['watch', SESSION], exitCode: 0, says: /^success after 1 iteration, pass rate 100\.0 %$/m },
  { argv: ['pause', 'WFS-test-other'], exitCode: 2, says: /^error: there is no run WFS-test-other\n/ },
  { argv: ['resume', SESSION], exitCode: 2, says: /^error: the session WFS-test-shop is completed\n/ },
  { argv: ['extend', SESSION, '2'], exitCode: 2, says: /^error: the session WFS-test-shop is completed\n/ },
  { argv: ['stop', 'WFS-test-other'], exitCode: 2, says: /^error: there is no run WFS-test-other\n/ },
  { argv: ['answer', 'WFS-test-other', 'allow'], exitCode: 2, says: /^error: there is no run WFS-test-other\n/ },
  { argv: ['apply', SESSION], exitCode: 0, says: /^applied 1 file of ratchet\/WFS-test-shop, not committed\n {2}fixed\.txt\n/, also: () => expect(readFileSync(path.join(shop, 'fixed.txt'), 'utf8')).toBe('fixed\n') },
  { argv: ['report', SESSION, '--format', 'md'], exitCode: 0, says: /^## .*WFS-test-shop\.[0-9a-f]{6}: success/m },
  { argv: ['stats'], exitCode: 0, says: /^no turns of agents are recorded here\n$/ },
  { argv: ['rebuild', SESSION], exitCode: 2, says: /^error: WFS-test-shop is not a dev cycle or loop; a test-fix session needs no rebuild\n/ },
  { argv: ['logs', 'server', '-n', '2'], exitCode: 0, says: /^two\nthree\n$/ },
  { argv: ['clean', '--all', '--dry-run'], exitCode: 1, says: /^would keep +WFS-test-shop: / },
  { argv: ['init', '--yes'], exitCode: 0, says: /^wrote .*\/shop\/ratchet\.config\.json$/m, also: () => expect(JSON.parse(readFileSync(path.join(shop, 'ratchet.config.json'), 'utf8'))).toHaveProperty('test.command') },
  { argv: ['agents'], exitCode: 0, says: /^agent +version +login +reports +roles\nclaude / },
  { argv: ['doctor'], exitCode: 1, says: /^FAIL +server program/m },
  { argv: ['completion', 'fish'], exitCode: 0, says: /^# completion of ratchet for fish\n/ },
  { argv: ['dev', '--stop'], exitCode: 0, says: /^not running\n$/ },
  { argv: ['ui', '--address', '127.0.0.1:1'], exitCode: 2, says: /^error: ui opens the Web UI of the local server only\n/ },
  { argv: ['worker'], exitCode: 2, says: /^error: no server named\n/ },
]

/** A command without a case is called for its help. */
const HELP: Case[] = COMMANDS.filter(
  ({ name }) => !CASES.some(({ argv: [command] }) => command === name),
).map(({ name }) => ({
  argv: [name, '--help'],
  exitCode: 0,
  says: new RegExp(`^Usage: ratchet ${name} `, 'm'),
}))

test.each([...CASES, ...HELP].map((one) => ({ ...one, typed: one.argv.join(' ') })))(
  'ratchet $typed: exit $exitCode',
  async ({ argv, exitCode, says, also }) => {
    const ran = await asProcess(...argv)
    expect(exitCode === 2 ? ran.stderr : ran.stdout).toMatch(says)
    expect(exitCode === 2 ? ran.stdout : ran.stderr).toBe('')
    expect(ran.exitCode).toBe(exitCode)
    also?.()
  },
)

test('no command started a server', () =>
  expect(existsSync(path.join(root, 'state/ratchet/supervisor.json'))).toBe(false))

test.each([
  ['status', SESSION, '--json'],
  ['watch', SESSION],
  ['pause', 'WFS-test-other'],
  ['fixx'],
])("ratchet %s as a process prints what it prints in the test's process", async (...argv) => {
  expect(await asProcess(...argv)).toEqual(await inProcess(...argv))
})
