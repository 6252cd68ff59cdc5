// The files that a task may read for its agent, and those that it may not.
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { PRE_ANALYSIS_SHOWN, type OnError } from '../../../../src/core/test-fix/pre-analysis.js'
import {
  resolvePreAnalysis,
  type ReadableRoots,
} from '../../../../src/adapters/records/test-fix/read-pre-analysis.js'
import { tempDir, writeFiles } from '../../../support/repositories/repos.js'

let roots: ReadableRoots
beforeEach(() => {
  const dir = tempDir()
  roots = {
    project: path.join(dir, 'project'),
    recordDir: path.join(dir, 'project/.workflow/WFS-test-a'),
    cwd: path.join(dir, 'clone'),
    brought: (file) => (file.includes('strategy') ? 'brought.md' : undefined),
  }
  writeFiles(dir, {
    'project/.workflow/WFS-test-a/.process/strategy.md': 'STRATEGY',
    'project/.workflow/WFS-test-b/.process/strategy.md': 'OTHER SESSION',
    'project/secret.txt': 'SECRET',
    'project/src/a.ts': 'USER',
    'clone/src/a.ts': 'CLONE',
    'clone/folder/x': '',
    'clone/binary': Buffer.from([1, 0, 2]),
    'outside.txt': 'OUTSIDE',
    'clone/link': { link: '../outside.txt' },
    'clone/dirlink': { link: '../project' },
    'clone/inner': { link: 'src/a.ts' },
    'clone/loop': { link: 'loop' },
  })
})

const read = (named: string, onError: OnError = 'skip_optional') =>
  resolvePreAnalysis(
    [{ step: 's', reads: [named], notRun: [], outputTo: 'o', onError }],
    roots,
    'IMPL-fix-1',
  )[0]?.files[0]

test.each(
  // prettier-ignore
  [
  { why: 'a path from the project into the session', named: '.workflow/WFS-test-a/.process/strategy.md', text: 'STRATEGY' },
  { why: 'a path within the session', named: '.process/strategy.md', text: 'STRATEGY' },
  { why: 'a session that has moved', named: '.workflow/active/WFS-test-a/.process/strategy.md', text: 'STRATEGY' },
  { why: 'a file of the workspace, not the user\'s own', named: 'src/a.ts', text: 'CLONE' },
  { why: 'a link that stays inside', named: 'inner', text: 'CLONE' },
],
)('$why is read', ({ named, text }) =>
  expect(read(named)).toEqual({
    path: named,
    text,
    cut: false,
    brought: text === 'STRATEGY' ? 'brought.md' : undefined,
  }),
)

test('reads an absolute path inside of the project', () => {
  const named = path.join(roots.cwd, 'src/a.ts')
  expect(read(named)).toEqual({ path: named, text: 'CLONE', cut: false })
})

const OUTSIDE = 'it lies outside of the session and the workspace'
test.each([
  { why: '..', named: '../outside.txt', problem: 'a path must not hold ".."' },
  { why: '.. in the middle', named: 'src/../../outside.txt', problem: 'a path must not hold ".."' },
  { why: "the user's own tree", named: 'secret.txt', problem: OUTSIDE },
  { why: 'another session', named: '.workflow/WFS-test-b/.process/strategy.md', problem: OUTSIDE },
  { why: 'an absolute path outside', named: '/etc/passwd', problem: OUTSIDE },
  { why: 'a link that leads out', named: 'link', problem: OUTSIDE },
  { why: 'a linked folder that leads out', named: 'dirlink/secret.txt', problem: OUTSIDE },
  { why: 'a link to itself', named: 'loop', problem: 'there is no such file' },
  { why: 'nothing', named: 'none.md', problem: 'there is no such file' },
  { why: 'a folder', named: 'folder', problem: 'it is not a file' },
  { why: 'a binary', named: 'binary', problem: 'it is not a text' },
])('$why is not read', ({ named, problem }) =>
  expect(read(named)).toEqual({ path: named, problem }),
)

test('a pipe does not block the worker', () => {
  execFileSync('mkfifo', [path.join(roots.cwd, 'pipe')])
  expect(read('pipe')).toEqual({ path: 'pipe', problem: 'it is not a file' })
})

test('all files together are bounded, and a cut one says so', () => {
  writeFiles(roots.cwd, { 'huge.txt': 'ä'.repeat(1_000_000), 'small.txt': 's' })
  const [huge, small] =
    resolvePreAnalysis(
      [
        {
          step: 's',
          reads: ['huge.txt', 'small.txt'],
          notRun: [],
          outputTo: 'o',
          onError: 'skip_optional',
        },
      ],
      roots,
      'IMPL-fix-1',
    )[0]?.files ?? []
  expect(huge).toMatchObject({ cut: true, text: 'ä'.repeat(PRE_ANALYSIS_SHOWN) })
  expect(small).toMatchObject({ cut: true, text: '' })
})

test.each(['fail', 'retry_once'] as const)(
  'on_error %s refuses, and names step, file and the fix',
  (onError) => {
    expect(() => read('none.md', onError)).toThrow(
      expect.objectContaining({
        type: 'PreAnalysisFailed',
        message: 'the step "s" of IMPL-fix-1 could not read none.md: there is no such file',
        where: path.join(roots.recordDir, '.task'),
        next: 'put the file there, or write "on_error": "skip_optional" into the step, then: ratchet fix --resume-session WFS-test-a',
      }) as Error,
    )
  },
)
