// The code that an analysis is shown, read from a commit.
import path from 'node:path'
import { expect, test } from 'vitest'
import { commitFiles, patchOf } from '../../../src/adapters/git/commit-files.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { AT, makeWorkspace, RUN, writeFiles } from '../../support/repositories/repos.js'

test('a project in a subfolder is shown its own files, and no secrets', async () => {
  const { workspace: whole } = await makeWorkspace({
    'src/index.ts': 'root\n',
    'only.ts': 'root\n',
    'packages/a/src/index.ts': 'own\n',
    'packages/a/.env': 'PORT=1\nPASSWORD=x\n',
  })
  const workspace = { ...whole, cwd: path.join(whole.root, 'packages/a') }
  const files = await commitFiles(workspace, whole.base)
  expect(await files.read('src/index.ts')).toBe('own\n')
  expect(files.has('only.ts')).toBe(false)
  writeFiles(whole.root, {
    'only.ts': 'changed\n',
    'packages/a/src/index.ts': 'changed\n',
    'packages/a/.env': 'PORT=2\nPASSWORD=x\n',
  })
  const { head } = await commitStep(
    { workspace: whole, run: RUN, step: 'fix', expectHead: whole.base, at: AT, subject: 'fix' },
    () => false,
  )
  const patch = await patchOf(workspace, head)
  expect(patch).toContain('packages/a/src/index.ts')
  expect(patch).not.toMatch(/PASSWORD|only\.ts/)
})
