// What `ratchet status` loads as a process, and what it says when its supervisor does not answer or
// its file is foreign.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerProject } from '../../src/adapters/config/registry.js'
import { layout, projectKey } from '../../src/adapters/state-dir.js'
import { connect, type RunHandle } from '../../src/client/index.js'
import { recordedSupervisor } from '../../src/adapters/supervisor/supervisor-call.js'
import { BUILT, localUser, type LocalUser } from '../support/servers/local.js'
import { waitFor } from '../support/wait.js'

const SESSION = 'WFS-test-shop'
const FOREIGN = /node_modules\/((?:@[^/]+\/)?[^/]+)/
const run = promisify(execFile)

let user: LocalUser
let project: string
let workflows: ChildProcess
let fix: RunHandle
beforeAll(async () => {
  user = localUser()
  const { address } = await user.ensure()
  workflows = spawn(process.execPath, [path.join(BUILT, 'worker/main.js'), '--role', 'workflows'], {
    env: { ...user.env, RATCHET_ADDRESS: address },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(workflows.stdout as Readable, 'data') // it only prints that it is ready
  project = (await registerProject(user.dirs, user.project('shop'))).path
  await using ratchet = await connect({ address })
  fix = await ratchet.startTestFix({ project, session: SESSION }, projectKey(project))
  await waitFor(
    () =>
      fix.status().then(
        () => true,
        () => false,
      ),
    {
      what: 'the run to answer',
      timeoutMs: 30_000,
    },
  )
})
afterAll(async () => {
  const ended = once(workflows, 'exit')
  workflows.kill('SIGTERM')
  await ended
  await user.remove()
})

/** Runs the built command; returns its output and the packages that it loaded. */
async function status(...argv: string[]) {
  const coverage = mkdtempSync(path.join(user.root, 'loaded-'))
  const main = path.join(BUILT, 'cli/main.js')
  const { stdout, stderr } = await run(process.execPath, [main, 'status', ...argv], {
    env: { ...user.env, NODE_V8_COVERAGE: coverage },
    cwd: project,
  })
  const packages = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(path.join(coverage, file), 'utf8')) as {
      result: { url: string }[]
    }
    return result.flatMap(({ url }) => FOREIGN.exec(url)?.[1] ?? [])
  })
  rmSync(coverage, { recursive: true })
  return { stdout, stderr, packages: [...new Set(packages)].sort() }
}

test('the list loads no package but commander, one run only small ones', async () => {
  const list = await status('--json')
  expect(JSON.parse(list.stdout)).toMatchObject({ runs: [{ id: fix.id, status: 'running' }] })
  expect(list.packages).toEqual(['commander'])
  const one = await status(SESSION, '--json')
  expect(JSON.parse(one.stdout)).toMatchObject({ runs: [{ id: fix.id, status: 'running' }] })
  expect(one.packages.filter((name) => /temporal|grpc|protobuf/.test(name))).toEqual([])
})

test('a supervisor that does not answer is left out, and said', async () => {
  const known = await status()
  const { pid } = recordedSupervisor(user.dirs)?.identity ?? {}
  if (pid === undefined) throw new Error('there is no supervisor')
  process.kill(pid, 'SIGSTOP')
  try {
    const silent = await status()
    expect(silent.stderr).toContain(
      `warning: the supervisor (process ${pid}) does not answer; find the cause with: ratchet doctor`,
    )
    // What a run waits for, in the last column, may change between the two.
    const ofRuns = (text: string) =>
      text
        .split('\n')
        .filter((line) => line.startsWith('run '))
        .map((line) => line.split(/ {2,}/).slice(0, -1))
    expect(ofRuns(silent.stdout)).toEqual(ofRuns(known.stdout))
    expect(ofRuns(silent.stdout)).toHaveLength(1)
    expect(silent.packages).toContain('@temporalio/client')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
})

test('a foreign file where the supervisor names itself is not believed', async () => {
  const file = layout.supervisor(user.dirs)
  const kept = `${file}.kept`
  copyFileSync(file, kept)
  const asked: (string | undefined)[] = []
  const stranger = createServer(({ headers }, answer) => {
    asked.push(headers.authorization)
    answer.end('{"status":{"pid":1},"runs":[]}')
  })
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
  const { port } = stranger.address() as AddressInfo
  const own = JSON.parse(readFileSync(kept, 'utf8')) as object
  // prettier-ignore
  const FILES = [
    'no JSON',
    '{"port":"7","token":7}',
    JSON.stringify({ ...own, port, identity: { pid: 1, startTime: 'never', bootId: 'other' } }),
  ]
  try {
    for (const text of FILES) {
      writeFileSync(file, text)
      const { stdout, stderr } = await status('--json')
      expect(JSON.parse(stdout)).toMatchObject({ runs: [{ id: fix.id }] })
      expect(stderr).toContain('the supervisor is gone')
    }
    expect(asked).toEqual([])
  } finally {
    copyFileSync(kept, file)
    stranger.close()
  }
  expect(existsSync(file)).toBe(true)
})
