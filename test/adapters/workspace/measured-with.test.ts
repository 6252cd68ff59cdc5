// Files that the tests of a run see although no commit of it has them.
import { expect, test } from 'vitest'
import {
  commitAll,
  installFakeLfs,
  makeRepo,
  prepare,
  runGit,
  tempDirs,
  writeFiles,
} from '../../support/repositories/repos.js'

test('copied files, submodules and contents of Git LFS are named, by a repeated preparation too', async () => {
  const project = makeRepo({ 'a.txt': 'a', '.gitignore': '.env\n' })
  installFakeLfs(project)
  runGit(
    project,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    makeRepo({ 'x.txt': 'x' }),
    'libs/inner',
  )
  writeFiles(project, { '.gitattributes': '*.psd filter=lfs\n', 'art/logo.psd': 'a picture\n' })
  commitAll(project, 'art')
  writeFiles(project, { '.env': 'A=1' })
  const dirs = tempDirs()
  const named = ['workspace.copy: .env', 'submodules: libs/inner', 'Git LFS: art/logo.psd']
  for (const time of ['first', 'again']) {
    const { measuredWith } = await prepare(project, dirs, { workspaceConfig: { copy: ['.env'] } })
    expect({ time, measuredWith }).toEqual({ time, measuredWith: named })
  }
})

test('names nothing where a commit has all files of the tests', async () => {
  expect(await prepare(makeRepo({ 'a.txt': 'a' }), tempDirs())).not.toHaveProperty('measuredWith')
})
