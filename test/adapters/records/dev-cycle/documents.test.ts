// Documents from the directory of an agent into the record.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readDocuments } from '../../../../src/adapters/records/dev-cycle/documents.js'
import { takeDocuments } from '../../../../src/adapters/records/dev-cycle/take-documents.js'
import { digest } from '../../../../src/adapters/state-dir.js'
import type { Phase } from '../../../../src/contract/dev-cycle/discovery.js'
import { filesOf, tempDir, writeFiles, type Files } from '../../../support/repositories/repos.js'
import { AT, DOCUMENTS, OFFSET, place } from './cycle-state.js'

const read = (files: Files, phase: Phase) =>
  readDocuments(path.join(place(files).dir, phase), phase)

test.each(
  // prettier-ignore
  [
  { why: 'nothing yet', phase: 'ep' as const, files: {}, says: { files: [], missing: ['exploration.md', 'architecture.md', 'plan.json'], invalid: [] } },
  { why: 'all of RA, edge cases within the requirements', phase: 'ra' as const, files: DOCUMENTS, says: { files: ['requirements.md'], missing: [], invalid: [], requirements: { total: 1, edgeCases: 1 } } },
  { why: 'all of EP', phase: 'ep' as const, files: DOCUMENTS, says: { files: ['exploration.md', 'architecture.md', 'plan.json'], missing: [], invalid: [], plan: { tasks: 2, criticalPath: ['TASK-001', 'TASK-002'] } } },
  { why: 'CD with its optional issues', phase: 'cd' as const, files: { ...DOCUMENTS, 'cd/issues.md': '# Issues\n' }, says: { files: ['implementation.md', 'issues.md'], missing: [], invalid: [] } },
  { why: 'what VAS claims', phase: 'vas' as const, files: DOCUMENTS, says: { missing: [], claimed: { passRate: 100, coverage: 82, failedTests: [], criticalIssues: null, ready: null } } },
  { why: 'an empty document is missing', phase: 'cd' as const, files: { 'cd/implementation.md': ' \n' }, says: { files: [], missing: ['implementation.md'] } },
  { why: 'a plan that is no JSON', phase: 'ep' as const, files: { 'ep/plan.json': '{' }, says: { files: ['plan.json'], missing: ['exploration.md', 'architecture.md'], invalid: [expect.stringMatching(/^ep\/plan\.json: /)] } },
  { why: 'a link is not followed', phase: 'cd' as const, files: { 'cd/implementation.md': { link: '/etc/passwd' } }, says: { files: [], missing: [], invalid: ['cd/implementation.md is a link, which is not followed'] } },
  { why: 'a directory', phase: 'cd' as const, files: { 'cd/implementation.md/x': '' }, says: { files: [], missing: [], invalid: ['cd/implementation.md is a directory'] } },
  { why: 'more than 1 MB', phase: 'cd' as const, files: { 'cd/implementation.md': 'x'.repeat(1024 * 1024 + 1) }, says: { files: [], missing: [], invalid: ['cd/implementation.md has 1025 kB, more than 1024 kB'] } },
],
)('documents: $why', ({ phase, files, says }) => expect(read(files, phase)).toMatchObject(says))

test('a pipe in place of a document does not block', () => {
  const { dir } = place()
  execFileSync('mkfifo', [path.join(dir, 'cd/implementation.md')])
  expect(readDocuments(path.join(dir, 'cd'), 'cd').invalid).toEqual([
    'cd/implementation.md is no regular file',
  ])
})

test('a directory that was replaced by a link is empty', async () => {
  const { dir, record } = place()
  const outside = tempDir()
  writeFiles(outside, { 'requirements.md': '# Theirs\n' })
  symlinkSync(outside, path.join(dir, 'ra2'))
  expect(readDocuments(path.join(dir, 'ra2'), 'ra').files).toEqual([])
  expect(
    await takeDocuments(path.join(dir, 'ra2'), path.join(record, 'ra'), {
      phase: 'ra',
      iteration: 1,
      at: AT,
      offset: OFFSET,
    }),
  ).toEqual([])
})

/** One agent over several turns: writes its files, takes them, and looks at the record. */
function agent(phase: Phase) {
  const { dir, record } = place()
  const [from, to] = [path.join(dir, phase), path.join(record, phase)]
  return {
    to,
    from,
    take: async (iteration: number, files: Files = {}, more: { answered?: boolean } = {}) => {
      writeFiles(from, files)
      return takeDocuments(from, to, { phase, iteration, at: AT, offset: OFFSET, ...more })
    },
    read: (name: string) => readFileSync(path.join(to, name), 'utf8'),
    log: () =>
      readFileSync(path.join(to, 'changes.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    history: () => readdirSync(path.join(to, 'history')).sort(),
  }
}

test('an iteration sets its version; every older text goes to history once, also one of the same version', async () => {
  const ra = agent('ra')
  expect(await ra.take(1, { 'requirements.md': '# R\n\n**Version**: 1.0.0\n\nfirst\n' })).toEqual([
    'requirements.md',
  ])
  expect(
    await ra.take(1, { 'requirements.md': '# R\n\n**Version**: 1.0.0\n\nfirst, better\n' }),
  ).toEqual(['requirements.md'])
  expect(ra.history()).toEqual(['requirements-v1.0.0.1.md'])
  expect(await ra.take(1)).toEqual([])
  await ra.take(2, { 'requirements.md': '# R\n\n**Version**: 1.1.0\n\nsecond\n' })
  await ra.take(2, { 'requirements.md': '# R\n\n**Version**: 1.1.0\n\nsecond, better\n' })
  await ra.take(3, { 'requirements.md': '# R\n\n**Version**: 1.2.0\n\nthird\n' })
  expect(ra.history()).toEqual([
    'requirements-v1.0.0.1.md',
    'requirements-v1.0.0.md',
    'requirements-v1.1.0.1.md',
    'requirements-v1.1.0.md',
  ])
  expect(ra.read('history/requirements-v1.0.0.1.md')).toMatch(/first\n$/)
  expect(ra.read('history/requirements-v1.0.0.md')).toContain('first, better')
  expect(ra.read('history/requirements-v1.1.0.md')).toContain('second, better')
})

test('replaces another version number and notes it, once', async () => {
  const ra = agent('ra')
  const own = `${JSON.stringify({ timestamp: 'x', version: '9.9', agent: 'ra', action: 'create', change: 'all of it', iteration: 1 })}\n`
  await ra.take(1, { 'requirements.md': '# R\n\n**Version**: 9.9\n', 'changes.log': own })
  expect(await ra.take(1)).toEqual([])
  expect(ra.read('requirements.md')).toBe('# R\n\n**Version**: 1.0.0\n')
  expect(ra.log()).toEqual(
    // prettier-ignore
    [
    expect.objectContaining({ change: 'all of it' }),
    { timestamp: '2026-11-20T20:00:00+08:00', version: '1.0.0', agent: 'ra', action: 'update', change: 'requirements.md: version 9.9 was replaced by 1.0.0 (by Ratchet)', iteration: 1 },
  ],
  )
  // The file of the agent is unchanged
  expect(readFileSync(path.join(ra.from, 'requirements.md'), 'utf8')).toContain('9.9')
})

test('a document that its agent did not touch keeps its version; one with only a new version counts as reviewed', async () => {
  const ep = agent('ep')
  await ep.take(1, {
    'exploration.md': '# E\n\n**Version**: 3\n',
    'architecture.md': '# A\n\n**Version**: 1.0.0\n',
  })
  expect(await ep.take(2, { 'architecture.md': '# A\n\n**Version**: 1.1.0\n' })).toEqual([
    'architecture.md',
  ])
  expect(ep.read('exploration.md')).toContain('1.0.0')
  expect(ep.read('architecture.md')).toContain('1.1.0')
})

test('an unreadable plan is kept next to the last good one, once', async () => {
  const ep = agent('ep')
  await ep.take(1, { 'plan.json': DOCUMENTS['ep/plan.json'] as string })
  const good = ep.read('plan.json')
  for (const text of ['{', '{', '[]']) expect(await ep.take(2, { 'plan.json': text })).toEqual([])
  expect(ep.read('plan.json')).toBe(good)
  expect([ep.read('plan.json.invalid-1'), ep.read('plan.json.invalid-2')]).toEqual(['{', '[]'])
  expect(readdirSync(ep.to).filter((name) => name.includes('.invalid-'))).toHaveLength(2)
})

test('logs grow: what an agent removed from its own log stays in the record', async () => {
  const cd = agent('cd')
  await cd.take(1, {
    'debug-log.ndjson': '{"issue_id":"BUG-001"}\n',
    'changes.log': '{"file":"a"}\n',
  })
  await cd.take(1, { 'debug-log.ndjson': '{"issue_id":"BUG-002"}\n' })
  expect(cd.read('debug-log.ndjson')).toBe('{"issue_id":"BUG-001"}\n{"issue_id":"BUG-002"}\n')
  expect(readdirSync(cd.to)).not.toContain('changes.log') // what the developer changed, git says
})

test('killed between any two writes: the next attempt ends at the same files', async () => {
  const ra = agent('ra')
  await ra.take(1, { 'requirements.md': '# R\n\n**Version**: 1.0.0\n\nfirst\n' })
  await ra.take(2, { 'requirements.md': '# R\n\n**Version**: 9\n\nsecond\n' })
  const after = filesOf(ra.to)
  // As after a kill before the write of the document: history, note and the digests of both texts
  // exist already.
  const first = '# R\n\n**Version**: 1.0.0\n\nfirst\n'
  const written = JSON.parse(readFileSync(path.join(ra.to, '.recorded.json'), 'utf8')) as {
    documents: Record<string, string[]>
  }
  written.documents['requirements.md']?.push(digest(first))
  writeFileSync(path.join(ra.to, '.recorded.json'), JSON.stringify(written))
  writeFileSync(path.join(ra.to, 'requirements.md'), first)
  await takeDocuments(ra.from, ra.to, { phase: 'ra', iteration: 2, at: AT + 5_000, offset: OFFSET })
  expect(filesOf(ra.to)).toEqual(after)
})

test('all documents of an agent that has answered carry the version of the iteration', async () => {
  const ep = agent('ep')
  const from = {
    'exploration.md': '# E\n\n**Version**: 9.9\n',
    'plan.json': DOCUMENTS['ep/plan.json'] as string,
  }
  await ep.take(1, from)
  expect(await ep.take(2, from, { answered: true })).toEqual(['exploration.md', 'plan.json'])
  expect([ep.read('exploration.md'), ep.read('history/exploration-v1.0.0.md')]).toEqual([
    '# E\n\n**Version**: 1.1.0\n',
    '# E\n\n**Version**: 1.0.0\n',
  ])
  expect(await ep.take(2, from, { answered: true })).toEqual([])
})
