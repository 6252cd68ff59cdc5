// Movers that use git in their clone to corrupt commits, measurements or the user's repository.
import path from 'node:path'
import { fix, nothing, scripted, write, type Expected, type Mover } from './play.js'
import type { Repository } from './repository.js'
import { goRepository } from './repositories/go.js'
import { pytestRepository } from './repositories/pytest.js'

const CODE = 'words/shlex.py'
const git = (...args: string[]) => ({ run: ['git', ...args] })
const program = (name: string, ...args: string[]) => ({
  run: [process.execPath, path.resolve(import.meta.dirname, 'agents', `${name}.mjs`), ...args],
})
const fixes = (r: Repository) => [fix(r.many), fix(r.one)]
const right = (r: Repository): Expected => ({
  outcome: 'success',
  edits: [r.many.fix, r.one.fix],
  iterations: 1,
  results: ['kept'],
})

const SPOIL = `#!/bin/sh\necho spoiled >> ${CODE}\n`
const HOOKS = [
  'pre-commit',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
]

/** Its set-up is a project file, which each test loads too. */
const withSetup: Repository = {
  ...pytestRepository,
  files: () => ({
    ...pytestRepository.files(),
    'prepare.py': 'print("ready")\n',
    'words/__init__.py': 'import prepare\n',
  }),
}
const GIT_SETUP = `import os
import subprocess

os.environ.update(
    GIT_DIR=os.path.abspath('.git/own'), GIT_WORK_TREE='/', GIT_INDEX_FILE='/dev/null', GIT_OBJECT_DIRECTORY=os.path.abspath('.git/own/objects'),
    GIT_CONFIG_COUNT='1', GIT_CONFIG_KEY_0='core.hooksPath', GIT_CONFIG_VALUE_0=os.path.abspath('.git/own'), GIT_EXTERNAL_DIFF='false', GIT_CONFIG_GLOBAL=os.path.abspath('.git/config'),
)
subprocess.run(['git', 'init', '--quiet'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
`

export const GIT: readonly Mover[] = [
  {
    name: 'git: filters make the tree differ from the commit',
    kind: 'git',
    at: [pytestRepository],
    play: (r) =>
      scripted(r, [
        { run: ['cp', CODE, '.git/was.py'] },
        ...fixes(r),
        ...write({
          '.gitattributes': `${CODE} filter=bent\n`,
          '.git/info/attributes': `${CODE} filter=bent\n`,
        }),
        git('config', 'filter.bent.clean', 'cat .git/was.py'),
        git('config', 'filter.bent.smudge', 'cat'),
      ]),
    expected: (r) => ({ ...right(r), restored: ['.gitattributes'] }),
  },
  {
    name: 'git: overwrites the objects of its clone',
    kind: 'git',
    at: [goRepository, pytestRepository],
    play: (r) => scripted(r, [...fixes(r), program('overwrites-objects', '.git/objects')]),
    expected: right,
  },
  {
    name: 'git: names other objects in alternates',
    kind: 'git',
    at: [pytestRepository],
    play: (r) =>
      scripted(r, [
        ...fixes(r),
        program('overwrites-objects', '.git/objects'),
        ...write({ '.git/objects/info/alternates': '/nowhere/objects\n' }),
      ]),
    expected: right,
  },
  {
    name: 'git: hooks by core.hooksPath',
    kind: 'git',
    at: [pytestRepository],
    play: (r) =>
      scripted(r, [
        ...HOOKS.flatMap((hook) => [`.git/own/${hook}`, `.git/hooks/${hook}`]).flatMap((file) => [
          ...write({ [file]: SPOIL }),
          { run: ['chmod', '+x', file] },
        ]),
        ...fixes(r),
        git('config', 'core.hooksPath', '.git/own'),
      ]),
    expected: right,
  },
  {
    name: 'git: GIT_* variables in a set-up file',
    kind: 'git',
    at: [withSetup],
    play: (r) => ({
      ...scripted(r, [...fixes(r), ...write({ 'prepare.py': GIT_SETUP })]),
      workspace: { setup: [['python3', 'prepare.py']] },
    }),
    expected: (r) => ({ ...right(r), files: { 'prepare.py': GIT_SETUP } }),
  },
  {
    name: 'git: tests behind skip-worktree',
    kind: 'git',
    at: [pytestRepository],
    play: (r) =>
      scripted(r, [
        git('update-index', '--skip-worktree', r.testFile),
        git('update-index', '--assume-unchanged', r.testFile),
        ...write({ [r.testFile]: 'def test_passes():\n    assert True\n' }),
      ]),
    expected: (r) => ({ outcome: 'failed', ...nothing(1), restored: [r.testFile] }),
  },
]
