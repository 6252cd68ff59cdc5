// Start-up times of commands, compared with `node -e 0` at the same moment, as machines are noisy.
// Needs the build: `npm run build`.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { foregroundWorkers } from '../src/cli/start/worker-processes.js'
import { registerProject } from '../src/adapters/config/registry.js'
import { BUILT, localUser, type LocalUser } from '../test/support/servers/local.js'
import { median, timed } from './support/numbers.js'
import { sized, tell, type Row } from './support/results.js'

const ROUNDS = sized(9, 2)
const SLOW_ROUNDS = sized(3, 1)
const run = promisify(execFile)
const MAIN = path.join(BUILT, 'cli/main.js')
const rows: Row[] = []

let user: LocalUser
let address: string
beforeAll(async () => {
  if (!existsSync(MAIN)) throw new Error('there is no build: npm run build')
  user = localUser()
  address = (await user.ensure()).address
})
afterAll(async () => {
  await user.remove()
  tell({
    order: 3,
    title: 'Starting',
    how: 'Medians; `node -e 0` is what Node itself takes, measured in turns with each.',
    rows,
  })
})

test.each([
  { what: '`ratchet --version`', argv: ['--version'], goalMs: 150 },
  { what: '`ratchet --help`', argv: ['--help'], goalMs: 150 },
  { what: '`ratchet status`, the server is there', argv: ['status', '--json'], goalMs: 250 },
])('$what', async ({ what, argv, goalMs }) => {
  const [mine, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await bareNode())
    mine.push(
      await timed(() => run(process.execPath, [MAIN, ...argv], { env: user.env, cwd: user.root })),
    )
  }
  note(what, mine, bare, goalMs)
})

test('a worker is ready', async () => {
  const project = await registerProject(user.dirs, user.project('shop'))
  const [mine, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < SLOW_ROUNDS; round++) {
    bare.push(await bareNode())
    const began = performance.now()
    const workers = foregroundWorkers(user.dirs, {
      project,
      address,
      namespace: 'ratchet',
      env: user.env,
    })
    expect(await workers.ready()).toBeUndefined()
    mine.push(performance.now() - began)
    await workers.end(5_000)
  }
  note('both workers are ready, side by side', mine, bare, 2_000)
})

test('a server is ready', async () => {
  const [mine, bare]: [number[], number[]] = [[], []]
  for (let round = 0; round < SLOW_ROUNDS; round++) {
    const another = localUser()
    bare.push(await bareNode())
    mine.push(await timed(() => another.ensure()))
    await another.remove()
  }
  note('supervisor and server are ready, on an empty database', mine, bare)
})

function bareNode(): Promise<number> {
  return timed(() => run(process.execPath, ['-e', '0'], { env: user.env }))
}

function note(what: string, mine: number[], bare: number[], goalMs?: number): void {
  const [own, node] = [median(mine), median(bare)]
  rows.push({
    what,
    value: own,
    unit: 'ms',
    ...(goalMs === undefined ? {} : { goal: `≤ ${goalMs} ms` }),
    reference: `least ${Math.min(...mine).toFixed(0)} ms; \`node -e 0\` ${node.toFixed(0)} ms, ${(own / node).toFixed(1)} ×`,
  })
}
