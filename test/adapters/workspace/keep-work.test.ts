import { expect, test } from 'vitest'
import { findRepo } from '../../../src/adapters/git/repo.js'
import { keepWork } from '../../../src/adapters/workspace/keep-work.js'
import { makeWorkspace, runGit, writeFiles } from '../../support/repositories/repos.js'

test('commits that an agent made on a branch of its own are kept, once', async () => {
  const { project, workspace } = await makeWorkspace()
  runGit(workspace.root, 'checkout', '-q', '-b', 'own')
  writeFiles(workspace.root, { 'src/own.js': 'own\n' })
  runGit(workspace.root, 'add', '-A')
  runGit(workspace.root, 'commit', '-q', '-m', 'own')
  const user = await findRepo(project)
  const kept = await keepWork(user, 'S', workspace)
  expect(kept).toHaveLength(1)
  expect(runGit(project, 'show', `${kept[0] ?? ''}:src/own.js`)).toBe('own')
  expect(await keepWork(user, 'S', workspace)).toEqual(kept)
})

test('an untouched clone has nothing to keep', async () => {
  const { project, workspace } = await makeWorkspace()
  expect(await keepWork(await findRepo(project), 'S', workspace)).toEqual([])
})
