// A repository with every difficulty at once: a submodule, files in LFS, failing hooks, signing
// without a key, a merge in progress, and an agent that writes unusual file names.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { ANALYSE, CALCULATOR, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import {
  commitAll,
  filesOf,
  installFailingHooks,
  installFakeLfs,
  makeRepo,
  runGit,
  writeFiles,
} from '../support/repositories/repos.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

const OWN = ['.workflow', '.git', '__pycache__', '.pytest_cache']
const ODD = {
  'odd/line\nbreak "q".txt': 'odd\n',
  'odd/caf\u00e9': 'NFC\n',
  'odd/cafe\u0301': 'NFD\n',
  '-rf': 'dash\n',
}
const AGENT: Step[] = [
  ANALYSE,
  {
    do: [
      RIGHT_ADD,
      RIGHT_MUL,
      ...Object.entries({
        ...ODD,
        'art/logo.psd': 'the picture of the agent\n',
        'libs/inner/x.txt': 'not kept\n',
      }).map(([name, content]) => ({ write: { path: name, text: content } })),
    ],
  },
]

const TEST = `import os
from calc import add

def test_what_the_workspace_has():
    assert open('libs/inner/x.txt').read() == 'edited by the user\\n'
    assert not open('art/old.psd').read().startswith('version')
    assert add(1, 1) == 2
`

test('fix in a repository with all of them changes nothing before apply, and apply copies everything', async () => {
  const project = user.project(
    'hard',
    AGENT,
    {},
    { ...CALCULATOR, 'tests/test_parts.py': TEST, 'lib/deep/x.py': '' },
  )
  installFakeLfs(project)
  runGit(
    project,
    '-c',
    'protocol.file.allow=always',
    'submodule',
    'add',
    '-q',
    makeRepo({ 'x.txt': 'committed\n' }),
    'libs/inner',
  )
  writeFiles(project, {
    '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n',
    'art/logo.psd': 'a picture\n',
    'art/old.psd': 'another\n',
  })
  commitAll(project, 'parts')
  runGit(project, 'switch', '-qc', 'topic')
  writeFiles(project, { 'notes.txt': 'topic\n' })
  commitAll(project, 'topic')
  runGit(project, 'switch', '-q', '-')
  writeFiles(project, { 'notes.txt': 'ours\n' })
  commitAll(project, 'ours')
  expect(() => runGit(project, 'merge', 'topic')).toThrow()
  writeFiles(project, { 'libs/inner/x.txt': 'edited by the user\n' })
  for (const setting of [
    'commit.gpgSign true',
    'gpg.program /nowhere/gpg',
    'core.fsmonitor /nowhere/fsmonitor',
  ])
    runGit(project, 'config', ...setting.split(' '))
  const hooks = installFailingHooks(project)
  const before = filesOf(project, OWN)

  const fixed = await user.json<{ outcome: string; passRate: number }>(
    path.join(project, 'lib/deep'),
    'fix',
    '--project',
    '../..',
    '--trust', // its playbook is in git
  )
  expect(fixed).toMatchObject({ exitCode: 0, document: { outcome: 'success', passRate: 100 } })
  expect(filesOf(project, OWN)).toEqual(before)

  expect(await user.json(project, 'apply', 'WFS-test-hard')).toMatchObject({
    exitCode: 0,
    document: {
      applied: expect.arrayContaining(['calc.py', 'art/logo.psd', ...Object.keys(ODD)]) as string[],
      conflicts: [],
    },
  })
  expect(filesOf(project, OWN)).toEqual({
    ...before,
    ...ODD,
    'art/logo.psd': 'the picture of the agent\n',
    'calc.py': expect.stringContaining('return a * b') as string,
  })
  expect(readFileSync(path.join(project, '.git/MERGE_HEAD'), 'utf8')).toBe(
    `${runGit(project, 'rev-parse', 'topic')}\n`,
  )
  expect(hooks.ran()).toBe(false)
}, 600_000)
