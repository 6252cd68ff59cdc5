// Every further kind of repository, from the preparation to the user's tree.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'vitest'
import {
  commitAll,
  makeRepo,
  runGit,
  tempDir,
  writeFiles,
} from '../../support/repositories/repos.js'
import {
  cloned,
  elsewhere,
  expectEverythingArrives,
  FAR,
  gitIn,
  plain,
  SPARSE,
  START,
  stopped,
  type Kind,
} from '../../support/repositories/repository-kinds.js'

const kinds: Kind[] = [
  {
    why: 'that is a partial, sparse clone',
    make: cloned('--filter=blob:none', '--sparse')(FAR, (root) => gitIn(root, SPARSE)),
  },
  {
    why: 'with a detached HEAD, in a folder with spaces, quotes and an accent',
    make: () => {
      const root = path.join(tempDir(), 'my "pro\'ject\u00e9')
      mkdirSync(root)
      runGit(root, 'init', '-q', '-b', 'main')
      writeFiles(root, START)
      commitAll(root, 'Start')
      gitIn(root, 'switch -q --detach')
      return root
    },
  },
  { why: 'that is a shallow clone', make: cloned('--depth', '1')() },
  { why: 'that is a partial clone', make: cloned('--filter=blob:none')() },
  {
    why: 'with a sparse checkout and a sparse index',
    make: plain((root) => gitIn(root, `${SPARSE} --sparse-index`), FAR),
  },
  {
    why: 'with a sparse checkout by patterns',
    make: plain((root) => gitIn(root, 'sparse-checkout set --no-cone /* !/far/'), FAR),
  },
  {
    why: 'that is a sparse worktree of another',
    make: () => {
      const [root, worktree] = [makeRepo({ ...START, ...FAR }), elsewhere()]
      gitIn(root, 'config extensions.worktreeConfig true', `worktree add -q ${worktree}`)
      gitIn(worktree, SPARSE)
      return worktree
    },
  },
  { why: 'in a rebase', make: stopped('rebase main topic', 'rebase-merge') },
  { why: 'in a merge', make: stopped('merge topic', 'MERGE_HEAD') },
  { why: 'in a cherry-pick', make: stopped('cherry-pick topic', 'CHERRY_PICK_HEAD') },
  {
    why: 'that turns line ends over',
    lines: true,
    make: plain(
      (root) => gitIn(root, 'config core.autocrlf true', 'rm -rq --cached .', 'reset -q --hard'),
      {
        '.gitattributes': '*.bat text eol=crlf\n*.sh text eol=lf\n',
        'win.bat': 'echo a\r\necho b\r\n',
      },
    ),
  },
  {
    why: 'on a file system without executable bits and cases',
    modes: false,
    make: plain((root) => gitIn(root, 'config core.fileMode false', 'config core.ignoreCase true')),
  },
  {
    why: 'whose .git is a file, whose branch has the name of a tag, with a replaced history',
    make: () => {
      const root = path.join(tempDir(), 'project')
      mkdirSync(root)
      gitIn(
        root,
        `init -q -b feature/\u00fc --separate-git-dir=${path.join(tempDir(), 'repo.git')}`,
      )
      writeFiles(root, START)
      commitAll(root, 'Start')
      commitAll(root, 'second')
      gitIn(root, 'replace --graft HEAD', 'tag feature/\u00fc', 'tag ratchet/WFS-test-login')
      return root
    },
  },
  {
    why: 'that is a submodule of another',
    make: () => {
      const root = makeRepo({ 'x.txt': 'x' })
      runGit(
        root,
        '-c',
        'protocol.file.allow=always',
        'submodule',
        'add',
        '-q',
        makeRepo(START),
        'libs/inner',
      )
      commitAll(root, 'with a submodule')
      return path.join(root, 'libs/inner')
    },
  },
  {
    why: 'with pointers of Git LFS and git-annex, and no program for them',
    make: plain(() => undefined, {
      '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n* annex.backend=SHA256E\n',
      'art/logo.psd': `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 12\n`,
      'data.bin': { link: `.git/annex/objects/aa/bb/SHA256E-s1--${'0'.repeat(64)}.bin/x.bin` },
    }),
  },
]

test.each(kinds)(
  'a repository $why: nothing is touched until apply, and everything arrives',
  expectEverythingArrives,
)
