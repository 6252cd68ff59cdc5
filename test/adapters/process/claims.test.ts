import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endMarked } from '../../../src/adapters/process/end.js'
import { isAlive, self } from '../../../src/adapters/process/identity.js'
import { acquireLock } from '../../../src/adapters/process/lock.js'
import { acquireSlot } from '../../../src/adapters/process/slots.js'
import { spawnGroup, type GroupProcess } from '../../../src/adapters/process/spawn-group.js'
import { waitFor } from '../../support/wait.js'

let dir = ''
let run = ''
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-claims-'))
  run = `claims-${path.basename(dir)}`
})
afterEach(async () => {
  await endMarked('RATCHET_RUN', run, { graceMs: 0 })
  rmSync(dir, { recursive: true, force: true })
})

const root = path.resolve(import.meta.dirname, '../../..')

/**
 * A process that takes the lock, writes `+name`, holds it for a moment or for ever, writes `-name`.
 */
async function contender(name: string, times: number): Promise<GroupProcess> {
  const code = `
    import { appendFileSync } from 'node:fs'
    import { acquireSlot } from ${JSON.stringify(path.join(dir, 'lib/slots.js'))}
    const [dir, name, times] = [${JSON.stringify(dir)}, ${JSON.stringify(name)}, ${times}]
    for (let i = 0; i < times; i++) {
      const release = await acquireSlot(dir + '/lock', 1)
      appendFileSync(dir + '/log', '+' + name + '\\n')
      if (times === 1) await new Promise((r) => setTimeout(r, 1e8))
      await new Promise((r) => setTimeout(r, Math.random() * 3))
      appendFileSync(dir + '/log', '-' + name + '\\n')
      await release()
    }`
  return spawnGroup({
    argv: [process.execPath, '--input-type=module', '-e', code],
    cwd: root,
    env: {},
    markers: { run, step: name },
    stdin: 'ignore',
    stdout: { file: path.join(dir, `out-${name}`) },
  })
}

// Separate processes need JavaScript; the build in dist may be older than the source.
function compile(): void {
  mkdirSync(path.join(dir, 'lib'))
  for (const name of ['slots', 'claims', 'identity']) {
    const source = readFileSync(path.join(root, `src/adapters/process/${name}.ts`), 'utf8')
    const options = {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      verbatimModuleSyntax: true,
    }
    writeFileSync(
      path.join(dir, `lib/${name}.js`),
      ts.transpileModule(source, { compilerOptions: options }).outputText,
    )
  }
  writeFileSync(path.join(dir, 'package.json'), '{"type":"module"}')
}
const log = () => readFileSync(path.join(dir, 'log'), 'utf8').trim().split('\n')

/** Most holders at one moment, from the log. */
function mostAtOnce(lines: string[]): number {
  let [now, most] = [0, 0]
  for (const line of lines) {
    now += line.startsWith('+') ? 1 : -1
    most = Math.max(most, now)
  }
  return most
}

describe('a lock between processes', () => {
  test('five processes hold it one at a time, ten times each', async () => {
    compile()
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => contender(name, 10)))
    expect(await Promise.all(all.map((one) => one.exited))).toEqual(
      all.map(() => ({ code: 0, signal: null })),
    )
    expect(log()).toHaveLength(100)
    expect(mostAtOnce(log())).toBe(1)
    expect(readdirSync(path.join(dir, 'lock'))).toEqual([])
  }, 60_000)

  test('one of the waiting processes follows a killed holder, not all', async () => {
    compile()
    const first = await contender('first', 1)
    await waitFor(() => readdirSync(dir).includes('log'), { what: 'the first holder' })
    const others = await Promise.all(['a', 'b', 'c', 'd'].map((name) => contender(name, 10)))
    await waitFor(() => readdirSync(path.join(dir, 'lock')).length === 5, { what: 'four waiting' })
    process.kill(first.identity.pid, 'SIGKILL')
    expect(await Promise.all(others.map((one) => one.exited))).toEqual(
      others.map(() => ({ code: 0, signal: null })),
    )
    const after = log().slice(1)
    expect(after).toHaveLength(80)
    expect(mostAtOnce(after)).toBe(1)
  }, 60_000)
})

describe('claims', () => {
  const lock = () => path.join(dir, 'lock')
  const late = <T>(promise: Promise<T>) => {
    const state = { done: false }
    void promise.then(() => (state.done = true))
    return state
  }

  test('the second waits with the name of the holder, and gets the slot when the first releases it', async () => {
    const release = await acquireLock(lock())
    const waits: number[][] = []
    const second = acquireLock(lock(), {
      onWait: ({ ahead }) => waits.push(ahead.map((one) => one.pid)),
    })
    const state = late(second)
    await waitFor(() => waits.length > 1, { what: 'two looks' })
    expect(state.done).toBe(false)
    expect(waits[0]).toEqual([process.pid])
    await release()
    await (
      await second
    )()
    expect(readdirSync(lock())).toEqual([])
  })

  test('three of two slots: the third waits, and a released one is enough', async () => {
    const first = await acquireSlot(lock(), 2)
    await acquireSlot(lock(), 2)
    let looks = 0
    const third = acquireSlot(lock(), 2, { onWait: () => looks++ })
    const state = late(third)
    await waitFor(() => looks > 1, { what: 'two looks' })
    expect(state.done).toBe(false)
    await first()
    await third
    expect(readdirSync(lock())).toHaveLength(2)
  })

  test('an aborted wait rejects with the reason and leaves no claim', async () => {
    await acquireLock(lock())
    const abort = new AbortController()
    const waiting = acquireLock(lock(), {
      signal: abort.signal,
      onWait: () => abort.abort(new Error('stopped by the user')),
    })
    await expect(waiting).rejects.toThrow('stopped by the user')
    expect(readdirSync(lock())).toHaveLength(1)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a dead owner', name: () => ['000000000001', '1', '123', self().bootId, 'aa'] },
    { why: 'an owner whose pid is another process now', name: () => ['000000000001', String(process.pid), '1', self().bootId, 'aa'] },
    { why: 'an owner from before a restart of the machine', name: () => ['000000000001', String(process.pid), self().startTime, 'other-boot', 'aa'] },
    { why: 'a process that died while it chose its number', name: () => ['choosing', '1', '123', self().bootId, 'aa'] },
  ],
  )('$why blocks no claim', async ({ name }) => {
    mkdirSync(lock())
    writeFileSync(path.join(lock(), name().join(',')), '')
    const release = await acquireLock(lock())
    expect(readdirSync(lock())).toHaveLength(1)
    await release()
  })

  test('a living process that chooses its number is waited for', async () => {
    mkdirSync(lock())
    const choosing = path.join(
      lock(),
      ['choosing', process.pid, self().startTime, self().bootId, 'aa'].join(','),
    )
    writeFileSync(choosing, '')
    let looks = 0
    const waiting = acquireLock(lock(), { onWait: () => looks++ })
    const state = late(waiting)
    await waitFor(() => looks > 1, { what: 'two looks' })
    expect(state.done).toBe(false)
    rmSync(choosing)
    await waiting
  })

  test('a foreign file in the directory is left alone, and a second release does nothing', async () => {
    mkdirSync(lock())
    appendFileSync(path.join(lock(), 'README'), 'x')
    const release = await acquireLock(lock())
    await release()
    await release()
    expect(readdirSync(lock())).toEqual(['README'])
  })

  test('a deleted waiting claim is created again', async () => {
    await acquireLock(lock())
    let looks = 0
    const waiting = acquireLock(lock(), { onWait: () => looks++ })
    await waitFor(() => looks > 0, { what: 'a look' })
    rmSync(lock(), { recursive: true })
    await waiting
    expect(readdirSync(lock())).toHaveLength(1)
    expect(isAlive(self())).toBe(true)
  })
})
