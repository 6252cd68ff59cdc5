// The most demanding kinds of repositories, from the preparation to the tree of the user. The
// others: test/exhaustive.
import { test } from 'vitest'
import {
  commitAll,
  installFailingHooks,
  installFakeLfs,
  makeRepo,
  runGit,
  writeFiles,
} from '../../support/repositories/repos.js'
import {
  expectEverythingArrives,
  gitIn,
  plain,
  type Kind,
} from '../../support/repositories/repository-kinds.js'

const kinds: Kind[] = [
  {
    why: 'with failing hooks, signing without a key, a broken fsmonitor and settings that change what git prints',
    make: plain((root) => {
      installFailingHooks(root)
      gitIn(
        root,
        'config commit.gpgsign true',
        'config user.signingkey none',
        'config gpg.program /nowhere/gpg',
        'config core.fsmonitor /nowhere/fsmonitor',
        'config core.untrackedCache true',
        'config core.splitIndex true',
        'config core.hooksPath .git/hooks',
        'config status.showUntrackedFiles no',
        'config diff.renames copies',
        'config diff.external /nowhere/diff',
        'config diff.noprefix true',
        'config color.ui always',
        'config core.abbrev 5',
        'config log.showSignature true',
        'config merge.conflictStyle diff3',
        'config transfer.fsckObjects true',
        'config core.precomposeUnicode true',
      )
    }),
  },
  {
    why: 'with submodules, one edited and one not checked out',
    make: plain((root) => {
      for (const name of ['libs/inner', 'libs/empty'])
        runGit(
          root,
          '-c',
          'protocol.file.allow=always',
          'submodule',
          'add',
          '-q',
          makeRepo({ 'x.txt': 'x', 'deep/.gitignore': '*.o\n' }),
          name,
        )
      commitAll(root, 'with submodules')
      gitIn(root, 'submodule deinit -q -f libs/empty')
      writeFiles(root, { 'libs/inner/x.txt': 'edited', 'libs/inner/deep/built.o': 'o' })
    }),
    beside: {
      'libs/inner/x.txt': 'edited',
      'libs/inner/deep/.gitignore': '*.o\n',
      'libs/inner/deep/built.o': 'o',
    },
  },
  {
    why: 'with files in Git LFS',
    make: plain((root) => {
      installFakeLfs(root)
      writeFiles(root, {
        '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n',
        'art/logo.psd': 'a large picture\n',
        'art/old.psd': 'an old picture\n',
      })
      commitAll(root, 'art')
      writeFiles(root, { 'art/logo.psd': 'a larger picture, uncommitted\n' })
    }),
    edit: {
      'art/logo.psd': 'the picture of the agent\n',
      'art/new.psd': 'a new picture\n',
      'art/old.psd': null,
    },
  },
]

test.each(kinds)(
  'a repository $why: nothing changes before apply, and apply brings everything',
  expectEverythingArrives,
)
