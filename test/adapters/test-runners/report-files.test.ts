// Which file counts as the report of an execution.
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import { resolveTestPlan } from '../../../src/adapters/test-runners/command.js'
import { watchReport } from '../../../src/adapters/test-runners/reports/report-files.js'
import { tempDir } from '../../support/repositories/repos.js'

test('a link in the place of the report is not read', () => {
  const cwd = tempDir()
  const plan = resolveTestPlan({
    cwd,
    config: Config.parse({ test: { command: 'pytest' } }).test,
    env: {},
  })
  const [report, other] = [watchReport(plan, cwd, tempDir()), path.join(cwd, 'other.xml')]
  writeFileSync(other, '<testsuites/>')
  symlinkSync(other, report.file)
  expect(report.find('')).toMatchObject({ state: 'missing' })
  const second = watchReport(plan, cwd, tempDir())
  writeFileSync(second.file, '<testsuites/>')
  expect(second.find('')).toEqual({ state: 'found', files: [second.file] })
})
