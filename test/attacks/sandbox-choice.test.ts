// A person may switch the sandbox of one run off. A user who only reaches the server cannot: not for
// that run, and not for a later one of its id.
import { chmodSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { TestFixInput } from '../../src/contract/test-fix/test-fix-input.js'
import { admittedConfig } from '../../src/activities/host/admit.js'
import { withSandboxChoice } from '../../src/adapters/sandbox/sandbox-choice.js'
import type { Dirs } from '../../src/adapters/state-dir.js'
import { makeRepo, SAMPLE, tempDir, tempDirs } from '../support/repositories/repos.js'

const RUN = 'WFS-test-shop.abcdef'
// No component is on this PATH, so that a run which needs one is refused.
const env = { PATH: '/nonexistent', RATCHET_TRUST: '1' }
const enclosed = (): string =>
  makeRepo({ ...SAMPLE, 'ratchet.config.json': '{ "sandbox": "auto" }' })
const begins = async (dirs: Dirs, chain: string): Promise<string> =>
  (await admittedConfig({ dirs, env }, enclosed(), [], { run: RUN, chain })).config.sandbox.use

test('no input of a run names its sandbox', async () => {
  const input = { project: '/shop', sandbox: 'none' }
  expect(TestFixInput.safeParse(input).error?.issues[0]?.message).toContain('sandbox')
  await expect(begins(tempDirs(), 'a')).rejects.toThrow('no sandbox is installed')
})

test('the choice of a person is for one run, and for none that is started later', async () => {
  const dirs = tempDirs()
  await withSandboxChoice(dirs, RUN, 'none', () => Promise.resolve())
  expect(await begins(dirs, 'first')).toBe('none')
  expect(await begins(dirs, 'first'), 'the attempt is repeated').toBe('none')
  await expect(begins(dirs, 'another')).rejects.toThrow('no sandbox is installed')
})

test('a choice whose start failed is forgotten, and that of an open run stays', async () => {
  const dirs = tempDirs()
  const failing = (): Promise<unknown> =>
    withSandboxChoice(dirs, RUN, 'none', () => Promise.reject(new Error('is already running')))
  await expect(failing()).rejects.toThrow('is already running')
  await expect(begins(dirs, 'first')).rejects.toThrow('no sandbox is installed')

  await withSandboxChoice(dirs, RUN, 'none', () => Promise.resolve())
  await begins(dirs, 'first')
  await expect(failing()).rejects.toThrow('is already running')
  expect(await begins(dirs, 'first')).toBe('none')
})

test('a start without a choice takes none that was never used', async () => {
  const dirs = tempDirs()
  await withSandboxChoice(dirs, RUN, 'none', () => Promise.resolve())
  await withSandboxChoice(dirs, RUN, undefined, () => Promise.resolve())
  await expect(begins(dirs, 'first')).rejects.toThrow('no sandbox is installed')
})

test.runIf(process.platform === 'linux')(
  'agents may do all that they ask for only inside a proven sandbox',
  async () => {
    const bin = tempDir()
    const proof = '{"writes in the workspace":true,"reaches a named port":true}'
    writeFileSync(path.join(bin, 'bwrap'), `#!/bin/sh\necho '${proof}'\n`)
    chmodSync(path.join(bin, 'bwrap'), 0o755)
    const permissions = async (config: object): Promise<string | undefined> => {
      const project = makeRepo({ ...SAMPLE, 'ratchet.config.json': JSON.stringify(config) })
      const place = { dirs: tempDirs(), env: { ...env, PATH: bin } }
      return (await admittedConfig(place, project, [], { run: RUN, chain: 'a' })).config.permissions
    }
    expect(await permissions({ sandbox: 'bwrap' })).toBe('allow')
    expect(await permissions({ sandbox: 'bwrap', permissions: 'ask' })).toBe('ask')
    expect(await permissions({})).toBe('deny')
  },
)
