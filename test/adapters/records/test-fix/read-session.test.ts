import path from 'node:path'
import { expect, test } from 'vitest'
import { readSession } from '../../../../src/adapters/records/test-fix/open-session.js'
import { filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import { PLANNED, plannedTask } from '../../../support/runs/sessions.js'

function refusal(project: string): unknown {
  try {
    readSession(project, 'WFS-test-login')
  } catch (error) {
    return error
  }
  throw new Error('the session was accepted')
}

test.each(
  // prettier-ignore
  [
  { why: 'a task that is not JSON', files: { '.task/IMPL-002.json': '{ "id": ' }, message: /^a task of the session is invalid: IMPL-002\.json: is not JSON \(.*\); correct it or move it away$/, where: /\.task$/ },
  { why: 'two wrong tasks', files: { '.task/IMPL-001.json': plannedTask('IMPL-001', 'test-gen', ''), '.task/IMPL-002.json': '{}' }, message: /have 6 problems: IMPL-001\.json: meta\.agent: is empty; write one of.*IMPL-002\.json: title: is missing/, where: /\.task$/ },
  { why: 'an id twice', files: { '.task/IMPL-003.json': plannedTask('IMPL-002', 'work', '@code-developer') }, message: /IMPL-002\.json and IMPL-003\.json: both have the id IMPL-002/, where: /\.task$/ },
  { why: 'a missing dependency', files: { '.task/IMPL-002.json': plannedTask('IMPL-002', 'test-fix', '@test-fix-agent', { depends_on: ['IMPL-007'] }) }, message: /IMPL-002 depends on IMPL-007, which is not there; correct context\.depends_on$/, where: /\.task$/ },
  { why: 'tasks in a cycle', files: { '.task/IMPL-001.json': plannedTask('IMPL-001', 'test-gen', '@code-developer', { depends_on: ['IMPL-010'] }) }, message: /tasks depend on each other: .*IMPL-001 -> IMPL-010 -> IMPL-002/, where: /\.task$/ },
  { why: 'a broken session file', files: { 'workflow-session.json': '{' }, message: /workflow-session\.json is not JSON/, where: /workflow-session\.json$/ },
  { why: 'no mark', files: { 'workflow-session.json': '{ "status": "active" }' }, message: /is not marked as a test session$/, where: /workflow-session\.json$/ },
  { why: 'an unknown status', files: { 'workflow-session.json': '{ "type": "test", "status": "x" }' }, message: /^status: is not known: "x"$/, where: /workflow-session\.json$/ },
  { why: 'a completed one', files: { 'workflow-session.json': '{ "type": "test", "status": "completed" }' }, message: /is completed$/, where: /workflow-session\.json$/ },
],
)('refuses a session with $why and changes nothing', ({ files, message, where }) => {
  const project = tempDir()
  writeFiles(path.join(project, '.workflow/WFS-test-login'), { ...PLANNED, ...files })
  const before = filesOf(project)
  expect(refusal(project)).toMatchObject({
    type: 'BadInput',
    message: expect.stringMatching(message) as string,
    where: expect.stringMatching(where) as string,
    next: expect.stringMatching(/./) as string,
  })
  expect(filesOf(project)).toEqual(before)
})

test('an archived session is reported as archived, without other checks', () => {
  const project = tempDir()
  writeFiles(path.join(project, '.workflow/archives/WFS-test-login'), PLANNED)
  expect(refusal(project)).toMatchObject({
    type: 'BadInput',
    message: 'the session WFS-test-login is archived',
    where: path.join(project, '.workflow/archives/WFS-test-login'),
  })
})

test('recognises fix tasks of earlier iterations, and no task waits for them', () => {
  const project = tempDir()
  writeFiles(path.join(project, '.workflow/WFS-test-login'), {
    ...PLANNED,
    '.task/IMPL-fix-1.json': plannedTask('IMPL-fix-1', 'test-fix-iteration', '@test-fix-agent', {
      status: 'completed',
    }),
    '.task/IMPL-002.json': plannedTask('IMPL-002', 'test-fix', '@test-fix-agent', {
      depends_on: ['IMPL-001.5', 'IMPL-fix-1'],
    }),
    '.task/notes.txt': 'x',
    '.task/IMPL-003.json.edited-1': '{',
  })
  const { tasks, fixes } = readSession(project, 'WFS-test-login')
  expect(fixes.map(({ id }) => id)).toEqual(['IMPL-fix-1'])
  expect(tasks.map(({ id, dependsOn }) => [id, dependsOn.join()])).toEqual([
    ['IMPL-001', ''],
    ['IMPL-001.3', 'IMPL-001'],
    ['IMPL-001.5', 'IMPL-001.3'],
    ['IMPL-002', 'IMPL-001.5'],
    ['IMPL-010', 'IMPL-002'],
  ])
})
