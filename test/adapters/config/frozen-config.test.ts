import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../../src/adapters/config/config.js'
import { freezeConfig, frozenConfig } from '../../../src/adapters/config/frozen-config.js'

test.each([
  {
    why: 'configured',
    config: { command: 'make test', guard: ['data/**'] },
    guard: ['data/**', 'Makefile', 'makefile', 'GNUmakefile'],
  },
  { why: 'found', config: {}, guard: ['scripts/test.sh'] },
])('the scripts of a test command that is $why are guarded', async ({ config, guard }) => {
  const project = mkdtempSync(path.join(os.tmpdir(), 'ratchet-frozen-'))
  onTestFinished(() => rmSync(project, { recursive: true }))
  const write = (file: string, content: unknown): void =>
    writeFileSync(path.join(project, file), JSON.stringify(content))
  write('package.json', { scripts: { test: 'sh scripts/test.sh' } })
  write('ratchet.config.json', { test: config })
  const dirs = { state: path.join(project, 'state'), cache: project }
  const loaded = loadConfig(project)
  await freezeConfig(dirs, loaded, project)
  expect(frozenConfig(dirs, loaded.hash, project).test.guard).toEqual(guard)
})
