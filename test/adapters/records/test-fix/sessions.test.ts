import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findSession, listSessions } from '../../../../src/adapters/records/test-fix/sessions.js'
import { recordDir, recordNames } from '../../../../src/adapters/records/test-fix/session-paths.js'
import { tempDir, writeFiles } from '../../../support/repositories/repos.js'

const session = (rest: Record<string, unknown> = {}) =>
  JSON.stringify({
    workflow_type: 'test_session',
    status: 'active',
    created_at: '2025-10-17T10:00:00Z',
    ...rest,
  })

function project(files: Record<string, string>): string {
  const dir = tempDir()
  writeFiles(
    dir,
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`.workflow/${name}`, text])),
  )
  return dir
}

test('sessions are found in both places, by each of three marks, the latest first', () => {
  const dir = project({
    'WFS-test-old/workflow-session.json': session({ workflow_id: 'WFS-test-old.0a1b2c' }),
    'active/WFS-test-new/workflow-session.json': JSON.stringify({
      type: 'test',
      status: 'planning',
      created_at: '2025-11-20T10:00:00+08:00',
    }),
    'WFS-test-gen/workflow-session.json': JSON.stringify({
      status: 'paused',
      updated_at: '2025-10-18T10:00:00Z',
    }),
    'WFS-test-gen/.process/test-context-package.json': JSON.stringify({
      metadata: { session_type: 'test-gen' },
    }),
    'archives/WFS-test-gone/workflow-session.json': session(),
    'WFS-user-auth/workflow-session.json': JSON.stringify({ type: 'workflow', status: 'active' }),
    '.cycle/x.json': '{}',
  })
  expect(listSessions(dir)).toEqual(
    // prettier-ignore
    [
    { name: 'WFS-test-new', dir: path.join(dir, '.workflow/active/WFS-test-new'), status: 'planning', standing: 'unfinished', marked: true, updatedAt: Date.UTC(2025, 10, 20, 2) },
    { name: 'WFS-test-gen', dir: path.join(dir, '.workflow/WFS-test-gen'), status: 'paused', standing: 'unfinished', marked: true, updatedAt: Date.UTC(2025, 9, 18, 10) },
    { name: 'WFS-test-old', dir: path.join(dir, '.workflow/WFS-test-old'), status: 'active', standing: 'unfinished', marked: true, updatedAt: Date.UTC(2025, 9, 17, 10), workflowId: 'WFS-test-old.0a1b2c' },
  ],
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'cut off', text: '{ "workflow_type": "test_', problem: /workflow-session\.json is not JSON/ },
  { why: 'a list', text: '[]', problem: /workflow-session\.json holds no object$/ },
  { why: 'not marked', text: '{ "status": "active" }', problem: /^it is not marked as a test session/ },
  { why: 'of an unknown status', text: session({ status: 'someday' }), problem: /^its status is "someday", not one of planning, active/ },
  { why: 'without a status', text: JSON.stringify({ type: 'test' }), problem: /^its status is missing/ },
],
)('a session file that is $why is listed with its problem', ({ text, problem }) => {
  const dir = project({ 'WFS-test-a/workflow-session.json': text })
  expect(listSessions(dir)).toMatchObject([
    { name: 'WFS-test-a', problem: expect.stringMatching(problem) as string },
  ])
})

test('a session file that is a pipe is listed with its problem, and opened by no one', () => {
  const dir = project({ 'WFS-test-a/.process/note.txt': '' })
  const file = path.join(dir, '.workflow/WFS-test-a/workflow-session.json')
  execFileSync('mkfifo', [file])
  expect(listSessions(dir)).toMatchObject([
    { name: 'WFS-test-a', problem: `${file} is no file; move it away` },
  ])
})

test('an invalid name, a directory without a session file and a file in its place cause no crash', () => {
  const dir = project({
    'WFS-test-Upper/workflow-session.json': session(),
    'WFS-test-empty/.process/x': '',
    'WFS-test-file': '',
    'active/x': '',
  })
  mkdirSync(path.join(dir, '.workflow/WFS-test-odd/workflow-session.json'), { recursive: true })
  expect(
    listSessions(dir)
      .map(({ name, problem }) => [name, problem?.slice(0, 40)])
      .sort(),
  ).toEqual([
    ['WFS-test-Upper', 'its name must look like WFS-test-<lower '],
    ['WFS-test-empty', 'it has no workflow-session.json'],
    ['WFS-test-odd', expect.stringContaining('/')],
  ])
  expect(listSessions(tempDir())).toEqual([])
})

test('finds a session in both places, marks an archived one, and reports a missing one', () => {
  const dir = project({
    'active/WFS-test-a/workflow-session.json': session(),
    'archives/WFS-test-a/workflow-session.json': session(),
    'archives/WFS-test-b/workflow-session.json': session({ status: 'completed' }),
  })
  expect(findSession(dir, 'WFS-test-a')).toMatchObject({
    dir: path.join(dir, '.workflow/active/WFS-test-a'),
    status: 'active',
  })
  expect(findSession(dir, 'WFS-test-a')).not.toHaveProperty('archived')
  expect(findSession(dir, 'WFS-test-b')).toMatchObject({
    archived: true,
    problem: `the session is archived: ${path.join(dir, '.workflow/archives/WFS-test-b')}`,
  })
  expect(findSession(dir, 'WFS-test-c')).toBeUndefined()
})

test('a record is next to its session file, else in a directory of its name, else in .workflow', () => {
  const dir = project({
    'WFS-test-a/.process/x': '',
    'active/WFS-test-a/workflow-session.json': '{}',
    'active/WFS-test-b/IMPL_PLAN.md': '',
  })
  expect(
    ['a', 'b', 'c'].map((name) => path.relative(dir, recordDir(dir, `WFS-test-${name}`))),
  ).toEqual(['.workflow/active/WFS-test-a', '.workflow/active/WFS-test-b', '.workflow/WFS-test-c'])
  expect(recordNames(dir)).toEqual(['WFS-test-a', 'WFS-test-b'])
})
