// Which files are noted as tests if a suite does not start.
import { rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import { resolveTestPlan } from '../../../src/adapters/test-runners/command.js'
import { noteNotLoaded } from '../../../src/adapters/test-runners/note-not-loaded.js'
import { readStoredRun } from '../../../src/adapters/test-runners/stored-run.js'
import { tempDir, writeFiles } from '../../support/repositories/repos.js'

test('a file behind a linked directory is not read', async () => {
  const [cwd, outside] = [tempDir(), tempDir()]
  const text = 'def test_a():\n    pass\n'
  writeFiles(cwd, { 'unit/test_a.py': text, 'linked/test_b.py': text })
  writeFiles(outside, { 'test_b.py': text })
  const noted = async (): Promise<string[]> => {
    const { test: settings } = Config.parse({ test: { command: 'pytest' } })
    const stored = await noteNotLoaded(
      {
        plan: resolveTestPlan({ cwd, config: settings, env: {} }),
        cwd,
        commit: 'c'.repeat(40),
        outDir: tempDir(),
        projectFiles: () => Promise.resolve(['linked/test_b.py', 'unit/test_a.py']),
      },
      [],
    )
    return stored === undefined ? [] : readStoredRun(stored).tests.map(({ file }) => file)
  }
  expect(await noted()).toEqual(['linked/test_b.py', 'unit/test_a.py'])
  rmSync(path.join(cwd, 'linked'), { recursive: true })
  symlinkSync(outside, path.join(cwd, 'linked'))
  expect(await noted()).toEqual(['unit/test_a.py'])
})
