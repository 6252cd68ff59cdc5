// Workspaces of repositories that keep their objects or their work tree elsewhere.
import { renameSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import { commitAll, makeRepo, runGit, tempDir } from '../../support/repositories/repos.js'
import { expectWorkspace, type Shape } from '../../support/repositories/repository-kinds.js'

const shapes: Shape[] = [
  {
    why: 'that is a linked worktree',
    make: () => {
      const worktree = path.join(tempDir(), 'wt')
      runGit(makeRepo(), 'worktree', 'add', '-q', worktree)
      return worktree
    },
  },
  {
    why: 'with a detached HEAD',
    make: () => {
      const project = makeRepo()
      runGit(project, 'switch', '-q', '--detach')
      return project
    },
  },
  {
    why: 'that is a worktree of a bare repository',
    make: () => {
      const bare = path.join(tempDir(), 'bare.git')
      runGit(tempDir(), 'clone', '-q', '--bare', makeRepo(), bare)
      const worktree = path.join(tempDir(), 'wt')
      runGit(bare, 'worktree', 'add', '-q', worktree)
      return worktree
    },
  },
  {
    why: 'that is a shallow clone',
    make: () => {
      const origin = makeRepo()
      commitAll(origin, 'second')
      const shallow = path.join(tempDir(), 'shallow')
      runGit(tempDir(), 'clone', '-q', '--depth', '1', `file://${origin}`, shallow)
      return shallow
    },
  },
  {
    why: 'that borrows objects from another',
    make: () => {
      const borrowed = path.join(tempDir(), 'borrowed')
      runGit(tempDir(), 'clone', '-q', '--shared', makeRepo(), borrowed)
      return borrowed
    },
  },
  {
    why: 'whose objects lie behind a link',
    make: () => {
      const project = makeRepo()
      const objects = path.join(tempDir(), 'objects')
      runGit(project, 'gc', '-q')
      renameSync(path.join(project, '.git/objects/pack'), objects)
      symlinkSync(objects, path.join(project, '.git/objects/pack'))
      return project
    },
  },
]

test.each(shapes)(
  'a repository $why gives a workspace with its uncommitted tree, and steps work there',
  expectWorkspace,
)
