// The tests of a project inside the sandbox of this machine and outside of it. Skipped where
// bubblewrap is not installed.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import { installedComponents } from '../../../src/adapters/sandbox/find-component.js'
import { tryTests, type Trial } from '../../../src/adapters/sandbox/try-tests.js'
import { makeRepo, tempDirs } from '../../support/repositories/repos.js'

const isHere = installedComponents(process.env).some(({ component }) => component === 'bwrap')

/** Outside of /tmp, which is empty inside. */
function homeDir(): string {
  const dir = mkdtempSync(path.join(os.homedir(), '.ratchet-try-'))
  mkdirSync(path.join(dir, 'cache'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function attempt(body: string, home: string, sandbox: object = {}): Promise<Trial> {
  const project = makeRepo({
    'a.test.mjs': `import test from 'node:test'\nimport fs from 'node:fs'\ntest('a', () => {\n${body}\n})\n`,
    'b.test.mjs': "import test from 'node:test'\ntest('b', { skip: true }, () => {})\n",
  })
  return tryTests(tempDirs(), 'bwrap', {
    project,
    config: Config.parse({ test: { command: [process.execPath, '--test'] }, sandbox }),
    env: { ...process.env, HOME: home },
    signal: new AbortController().signal,
  })
}

test.runIf(isHere)('tests that need nothing say the same inside', async () => {
  expect(await attempt('', homeDir())).toMatchObject({ result: 'same', component: 'bwrap' })
})

test.runIf(isHere)('what a test was refused inside is named, and can be let through', async () => {
  const home = homeDir()
  const file = path.join(home, 'cache', 'made')
  const body = `fs.writeFileSync(${JSON.stringify(file)}, '')`
  expect(await attempt(body, home)).toMatchObject({
    result: 'different',
    what: 'one test fails only inside: a.test.mjs > a',
    blocked: [{ kind: 'write', at: file }],
  })
  const sandbox = { use: 'auto', write: ['~/cache'] }
  expect(await attempt(body, home, sandbox)).toMatchObject({ result: 'same' })
})

test.runIf(isHere)('tests that cannot be measured outside either blame no sandbox', async () => {
  const trial = await attempt('process.exit(3)', homeDir())
  expect(trial).not.toMatchObject({ result: 'different' })
})
