// Real processes: each is started by a test, marked with a value of its own, and ended at the end.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { MARKERS } from '../../../src/contract/names.js'
import {
  endAll,
  endGroup,
  endGroupAndMarked,
  endMarked,
} from '../../../src/adapters/process/end.js'
import {
  descendants,
  findMarked,
  findMarkedAll,
  groupMembers,
} from '../../../src/adapters/process/find.js'
import { isAlive } from '../../../src/adapters/process/identity.js'
import {
  CommandNotFoundError,
  spawnGroup,
  type GroupProcess,
  type Sink,
} from '../../../src/adapters/process/spawn-group.js'
import { waitFor } from '../../support/wait.js'

const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-process-'))
let count = 0
let run = ''

afterEach(async () => void (await endMarked(MARKERS.run, run, { graceMs: 0 })))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

type Extra = {
  stdout?: Sink
  stderr?: Sink
  env?: Record<string, string>
  nice?: number
  step?: string
}

async function start(
  argv: [string, ...string[]],
  { step = 'step', ...extra }: Extra = {},
): Promise<GroupProcess> {
  run = `run-${process.pid}-${++count}`
  return spawnGroup({
    argv,
    cwd: dir,
    env: { PATH: process.env['PATH'] },
    markers: { run, step },
    stdin: 'ignore',
    stdout: { file: path.join(dir, `out-${count}`) },
    ...extra,
  })
}

const outputOf = (one: GroupProcess) => readFileSync(one.output?.file ?? '', 'utf8')
const says = (one: GroupProcess, text: string) =>
  waitFor(() => outputOf(one).includes(text), { what: `"${text}" in the output` })
const node = (code: string): [string, ...string[]] => [process.execPath, '-e', code]
const FOREVER = 'setInterval(() => {}, 1000)'

describe('spawnGroup', () => {
  test('a program gets the environment named for it, and the markers', async () => {
    const one = await start(node('console.log(JSON.stringify(process.env))'), { env: { A: 'ä b' } })
    expect(await one.exited).toEqual({ code: 0, signal: null })
    await one.closeOutput()
    expect(JSON.parse(outputOf(one))).toEqual({ A: 'ä b', RATCHET_RUN: run, RATCHET_STEP: 'step' })
  })

  test('a program that exits at once still has an identity and an exit code', async () => {
    const one = await start(node('process.exit(3)'))
    expect(await one.exited).toEqual({ code: 3, signal: null })
    expect(one.identity.pid).toBe(one.child.pid)
    expect(isAlive(one.identity)).toBe(false)
    await one.closeOutput()
  })

  test.each(
    // prettier-ignore
    [
    { argv: ['no-such-command-xyz'] as [string], code: 'ENOENT', message: 'command not found: no-such-command-xyz' },
    { argv: [dir] as [string], code: 'EACCES', message: `not executable: ${dir}` },
  ],
  )(
    'a command that cannot be started is a CommandNotFound: $code',
    async ({ argv, code, message }) => {
      const error = await start(argv).then(
        () => undefined,
        (e: unknown) => e,
      )
      expect(error).toBeInstanceOf(CommandNotFoundError)
      expect(error).toMatchObject({ code, message, command: argv[0] })
    },
  )

  test('a missing directory is not called a missing command', async () => {
    await expect(
      spawnGroup({
        argv: ['true'],
        cwd: path.join(dir, 'gone'),
        env: {},
        markers: { run: 'x', step: 'y' },
        stdin: 'ignore',
        stdout: 'pipe',
      }),
    ).rejects.toThrow('directory does not exist')
  })

  test('both streams go into one file, or each into its own', async () => {
    const both = node('console.log("out"); console.error("err")')
    const one = await start(both)
    await one.exited
    await one.closeOutput()
    expect(outputOf(one).split('\n').sort()).toEqual(['', 'err', 'out'])
    expect(one.output?.lines).toBe(2)

    const errors = path.join(dir, 'errors')
    const apart = await start(both, { stderr: { file: errors } })
    await apart.exited
    await apart.closeOutput()
    expect([outputOf(apart), readFileSync(errors, 'utf8')]).toEqual(['out\n', 'err\n'])
  })

  test('a flood of 50 MB keeps its beginning and its end, says what was cut, and does not block the child', async () => {
    const one = await start(
      node(
        'const b = "x".repeat(1 << 20) + "\\n"; console.log("first"); for (let i = 0; i < 50; i++) process.stdout.write(b); process.stdout.write("läst")',
      ),
    )
    expect(await one.exited).toEqual({ code: 0, signal: null })
    await one.closeOutput()
    const text = outputOf(one)
    expect(text).toMatch(/^first\nx/)
    expect(text).toMatch(/x\nläst$/)
    expect(text).toContain(`\n[... ${50 * ((1 << 20) + 1) + 11 - (8 << 20)} bytes cut ...]\n`)
    expect(text.length).toBeLessThan((8 << 20) + 100)
  })

  test('an end that wraps around in memory is in order, and begins with a whole character', async () => {
    const one = await start(
      node('for (let i = 1000; i < 1400; i++) process.stdout.write(`${i}ä `)'),
      { stdout: { file: path.join(dir, 'small'), maxBytes: 101 } },
    )
    await one.exited
    await one.closeOutput()
    const [head, , tail] = outputOf(one).split('\n')
    expect(head).toBe('1000ä 1001ä 1002ä 1003ä 1004ä 1005ä 1006ä 1')
    expect(tail).toBe(' 1393ä 1394ä 1395ä 1396ä 1397ä 1398ä 1399ä ')
  })

  test('closeOutput does not wait for ever for a process that holds the pipe', async () => {
    const one = await start(
      node(
        `require('child_process').spawn(process.execPath, ['-e', '${FOREVER}'], { stdio: 'inherit', detached: true }).unref(); console.log('bye')`,
      ),
    )
    await one.exited
    await one.closeOutput(50)
    expect(outputOf(one)).toBe('bye\n')
  })

  test('nice is passed on', async () => {
    const one = await start(node(FOREVER), { nice: 7 })
    expect(os.getPriority(one.identity.pid)).toBe(7)
  })
})

// A leader with a child in its group and one that left it by setsid.
const FAMILY = node(`
  const { spawn } = require('child_process')
  const child = (detached) => spawn(process.execPath, ['-e', '${FOREVER}'], { stdio: 'ignore', detached })
  console.log(JSON.stringify({ member: child(false).pid, left: child(true).pid })); ${FOREVER}`)

async function family(one: GroupProcess): Promise<{ member: number; left: number }> {
  await says(one, '}')
  return JSON.parse(outputOf(one)) as { member: number; left: number }
}
const sorted = (identities: { pid: number }[]) => identities.map((i) => i.pid).sort((a, b) => a - b)

describe('what a run started is found', () => {
  test('by its marker also after setsid, by its group, and by its parents', async () => {
    const one = await start(FAMILY)
    const { member, left } = await family(one)
    expect(sorted(findMarked(MARKERS.run, run))).toEqual(
      sorted([one.identity, { pid: member }, { pid: left }]),
    )
    expect(sorted(groupMembers(one.identity))).toEqual(sorted([one.identity, { pid: member }]))
    expect(sorted(descendants(one.identity))).toEqual(sorted([{ pid: member }, { pid: left }]))
  })

  test('only where the marker is equal, not where it begins alike', async () => {
    const one = await start(node(FOREVER), { env: { OTHER: `${MARKERS.run}=x` } })
    expect(findMarked(MARKERS.run, run.slice(0, -1))).toEqual([])
    expect(findMarked(MARKERS.run, 'x')).toEqual([])
    expect(findMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: 'other' })).toEqual([])
    expect(findMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: 'step' })).toEqual([one.identity])
  })

  test('a reused pid has no group and no descendants of ours', async () => {
    const one = await start(FAMILY)
    await family(one)
    const earlier = { ...one.identity, startTime: '1' }
    expect([groupMembers(earlier), descendants(earlier)]).toEqual([[], []])
    expect(await endGroup(earlier, { graceMs: 0 })).toBe(0)
    expect(isAlive(one.identity)).toBe(true)
  })
})

describe('what is ended is gone', () => {
  test('endGroup ends leader and members, and leaves who left the group', async () => {
    const one = await start(FAMILY)
    const { left } = await family(one)
    expect(await endGroup(one.identity)).toBe(2)
    expect(sorted(findMarked(MARKERS.run, run))).toEqual([left])
    expect(await one.exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  test('endGroupAndMarked ends those too, and a group whose leader has died', async () => {
    const one = await start(FAMILY)
    await family(one)
    process.kill(one.identity.pid, 'SIGKILL')
    await one.exited
    expect(await endGroupAndMarked(one.identity, { [MARKERS.run]: run })).toBe(2)
    expect(findMarked(MARKERS.run, run)).toEqual([])
  })

  test('endMarked spares those of except', async () => {
    const one = await start(FAMILY)
    const { left } = await family(one)
    expect(await endMarked(MARKERS.run, run, { except: groupMembers(one.identity) })).toBe(1)
    expect(sorted(findMarked(MARKERS.run, run))).not.toContain(left)
    expect(isAlive(one.identity)).toBe(true)
  })

  test('TERM comes first and its handler may finish', async () => {
    const one = await start(
      node(
        `process.on('SIGTERM', () => { console.log('tidied up'); process.exit(5) }); console.log('ready'); ${FOREVER}`,
      ),
    )
    await says(one, 'ready')
    expect(await endAll([one.identity])).toBe(1)
    expect(await one.exited).toEqual({ code: 5, signal: null })
    await one.closeOutput()
    expect(outputOf(one)).toContain('tidied up')
  })

  test('one that ignores TERM is killed after the grace', async () => {
    const one = await start(
      node(`process.on('SIGTERM', () => console.log('ignored')); console.log('ready'); ${FOREVER}`),
    )
    await says(one, 'ready')
    expect(await endGroup(one.identity, { graceMs: 200 })).toBe(1)
    expect(await one.exited).toEqual({ code: null, signal: 'SIGKILL' })
    await one.closeOutput()
    expect(outputOf(one)).toContain('ignored')
  })

  test('a stopped process gets its TERM', async () => {
    const one = await start(
      node(`process.on('SIGTERM', () => process.exit(0)); console.log('ready'); ${FOREVER}`),
    )
    await says(one, 'ready')
    process.kill(one.identity.pid, 'SIGSTOP')
    expect(await endGroup(one.identity)).toBe(1)
    expect(await one.exited).toEqual({ code: 0, signal: null })
  })

  test('catches a chain of processes that fork and die', async () => {
    const hop =
      'trap "" TERM; while :; do (sleep 0.01; :) & wait; done & trap "" TERM; while :; do sh -c "sleep 0.01" & sleep 0.01; done'
    const one = await start(['sh', '-c', hop])
    await waitFor(() => findMarked(MARKERS.run, run).length > 2, { what: 'some children' })
    expect(await endMarked(MARKERS.run, run, { graceMs: 100 })).toBeGreaterThan(2)
    expect(findMarked(MARKERS.run, run)).toEqual([])
    expect(isAlive(one.identity)).toBe(false)
  })

  test('who is gone already costs nothing', async () => {
    const one = await start(node(''))
    await one.exited
    await one.closeOutput()
    expect(await endAll([one.identity])).toBe(0)
    expect(await endGroup(one.identity)).toBe(0)
  })
})
