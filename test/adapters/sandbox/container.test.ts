// How a container ends: with the program that started it, and by its name. The engine is a script
// here; a real one runs where RATCHET_TEST_IMAGE names an image that has it (CONTRIBUTING.md).
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SandboxSettings } from '../../../src/contract/sandbox.js'
import { packaged } from '../../../src/adapters/package.js'
import type { GroupProcess } from '../../../src/adapters/process/spawn-group.js'
import { openLifeline } from '../../../src/adapters/sandbox/container.js'
import { installedComponents } from '../../../src/adapters/sandbox/find-component.js'
import { sandboxedSpawn } from '../../../src/adapters/sandbox/sandboxed-spawn.js'
import { tempDir, tempDirs } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

const image = process.env['RATCHET_TEST_IMAGE']
const real = installedComponents(process.env, image).find(
  (one) => one.image !== undefined && spawnSync(one.program, ['info']).status === 0,
)

async function started(
  component: 'docker' | 'podman',
  program: string,
  argv: [string, ...string[]],
): Promise<GroupProcess> {
  const [work, cache] = [tempDir(), tempDir()]
  const spawnInside = sandboxedSpawn({
    component,
    program,
    settings: { ...SandboxSettings.parse({}), image: image ?? 'shop:1' },
    dirs: tempDirs(),
    kind: 'tests',
    project: work,
    write: [work],
    cache,
  })
  return spawnInside({
    argv,
    cwd: work,
    env: { ...process.env, HOME: tempDir(), SECRET: 'of the user' },
    markers: { run: 'r', step: 's' },
    stdin: 'ignore',
    stdout: { file: path.join(work, 'output') },
  })
}

/** An engine that notes how it is called; `run` waits to be ended. */
function fakeEngine(): { program: string; calls: () => string[] } {
  const dir = tempDir()
  const [program, log] = [path.join(dir, 'docker'), path.join(dir, 'calls')]
  writeFileSync(
    program,
    `#!/bin/sh\necho "$@" >> ${log}\n[ "$1" = run ] || exit 0\n[ -e ${dir}/end ] && exit 3\nexec sleep 60\n`,
  )
  chmodSync(program, 0o755)
  return {
    program,
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}

test('a container whose command was killed is removed by its name', async () => {
  const { program, calls } = fakeEngine()
  const { child, exited } = await started('docker', program, ['npm', 'test'])
  await waitFor(() => calls().length === 1, { what: 'the engine to be called' })
  child.kill('SIGKILL')
  await exited
  const [run = '', removal] = calls()
  const name = / --name (ratchet-[0-9a-f]{16}-[0-9a-f]{8}) /.exec(run)?.[1]
  expect(removal).toBe(`rm --force ${name}`)
  expect(run).toMatch(/ -- npm test$/)
  expect(run).toContain(' --env SECRET ')
  expect(run).not.toContain('of the user')
})

test('a container that has ended by itself needs no removal', async () => {
  const { program, calls } = fakeEngine()
  writeFileSync(path.join(path.dirname(program), 'end'), '')
  const { exited } = await started('docker', program, ['npm', 'test'])
  expect(await exited).toMatchObject({ code: 3 })
  expect(calls()).toHaveLength(1)
})

test('the first process of a container ends with the program on the host', async () => {
  const dir = tempDir()
  const socket = path.join(dir, 'alive')
  const lifeline = await openLifeline(socket)
  const mark = path.join(dir, 'began')
  const relay = spawn(process.execPath, [
    packaged('sandbox/relay.cjs'),
    ...[path.join(dir, 'proxy'), '0', '', socket, '--'],
    ...['sh', '-c', `touch ${mark}; sleep 2`],
  ])
  await waitFor(() => existsSync(mark), { what: 'the command to begin' })
  lifeline.close()
  expect((await once(relay, 'exit'))[0]).toBe(137)
})

test.runIf(real !== undefined)('no container of a real engine outlives its command', async () => {
  const { component, program = '' } = real ?? {}
  if (component !== 'docker' && component !== 'podman') return
  const listed = (): string =>
    execFileSync(program, ['ps', '--all', '--format', '{{.Names}}'], { encoding: 'utf8' })
  const { child, exited } = await started(component, program, ['sleep', '60'])
  await waitFor(() => listed().includes('ratchet-'), { what: 'the container to run' })
  child.kill('SIGKILL')
  await exited
  expect(listed()).not.toContain('ratchet-')
})
