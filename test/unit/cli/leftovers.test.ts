import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Ledger } from '../../../src/adapters/agents/turn/usage-ledger.js'
import { layout, projectKey } from '../../../src/adapters/state-dir.js'
import { remove } from '../../../src/cli/leftovers.js'
import { publishBranch } from '../../../src/adapters/git/user-repository/publish.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { sizeText } from '../../../src/adapters/files/disk-use.js'
import {
  AT,
  RUN,
  fingerprint,
  makeRepo,
  prepare,
  refs,
  SAMPLE,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'

test('removes the ledger of a run with it, and of no other run', async () => {
  const [project, dirs] = [makeRepo(SAMPLE), tempDirs()]
  const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
  for (const run of ['WFS-test-a.aaaaaa', 'WFS-test-b.aaaaaa'])
    new Ledger(dirs).write(run, {
      key: `${run}/1/fix`,
      agent: 'a',
      attempts: 1,
      live: usage,
      usage,
      ms: 1,
      open: false,
    })
  await remove(
    {
      dirs,
      project,
      key: projectKey(project),
      name: 'WFS-test-a',
      workflowId: 'WFS-test-a.aaaaaa',
      branch: 'ratchet/WFS-test-a',
    },
    { force: false },
  )
  expect(existsSync(layout.ledger(dirs, 'WFS-test-a.aaaaaa'))).toBe(false)
  expect(existsSync(layout.ledger(dirs, 'WFS-test-b.aaaaaa'))).toBe(true)
})

test('a dry run names the files and their size, and removes nothing', async () => {
  const [project, dirs] = [makeRepo(SAMPLE), tempDirs()]
  const { workspace } = await prepare(project, dirs)
  const left = {
    dirs,
    project,
    key: projectKey(project),
    name: 'WFS-test-login',
    workflowId: RUN,
    branch: workspace.branch,
  }
  const before = { files: fingerprint(project), refs: refs(project) }
  const planned = await remove(left, { force: false, dryRun: true })
  expect(planned).toMatchObject({ workspace: true, branch: workspace.branch })
  expect('bytes' in planned && (planned.bytes ?? 0) > 0).toBe(true)
  expect({ files: fingerprint(project), refs: refs(project) }).toEqual(before)
  expect(existsSync(workspace.root)).toBe(true)
  expect(await remove(left, { force: false })).toEqual(planned)
  expect(existsSync(workspace.root)).toBe(false)
})

test('a dry run keeps the same as the run: commits that exist nowhere else', async () => {
  const [project, dirs] = [makeRepo(SAMPLE), tempDirs()]
  const { workspace, head } = await prepare(project, dirs)
  writeFiles(workspace.root, { 'src/add.js': 'fixed\n' })
  await commitStep(
    { workspace, run: RUN, step: 's', expectHead: head, at: AT, subject: 's' },
    () => false,
  )
  await publishBranch(workspace)
  const left = {
    dirs,
    project,
    key: projectKey(project),
    name: 'WFS-test-login',
    workflowId: RUN,
    branch: workspace.branch,
  }
  expect(await remove(left, { force: false, dryRun: true })).toEqual({
    kept: `the work on ${workspace.branch} is nowhere else`,
  })
  expect(await remove(left, { force: true, dryRun: true })).toMatchObject({
    branch: workspace.branch,
  })
})

test.each([
  { why: 'nothing', bytes: 0, text: '0 kB' },
  { why: 'less than a block', bytes: 1, text: '1 kB' },
  { why: 'megabytes', bytes: 3_449_000, text: '3.4 MB' },
  { why: 'gigabytes', bytes: 1.25e9, text: '1.3 GB' },
])('size: $why -> $text', ({ bytes, text }) => expect(sizeText(bytes)).toBe(text))
