import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  layOut,
  progressPaths,
  removeProgress,
} from '../../../../src/adapters/records/dev-cycle/cycle-progress.js'
import { openCycleRecord } from '../../../../src/adapters/records/dev-cycle/cycle-paths.js'
import { filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import { ID } from './cycle-state.js'

function begun(): { project: string; cwd: string; record: string; dir: string } {
  const [project, cwd] = [tempDir(), tempDir()]
  const record = openCycleRecord(project, ID)
  writeFiles(record, {
    'ra/requirements.md': 'of the record',
    'ra/changes.log': '{}\n',
    'ep/plan.json.invalid-1': 'x',
    'coordination/discoveries.ndjson': 'line\n',
    'coordination/feedback.md': 'new',
    'coordination/timeline.md': 'x',
  })
  return { project, cwd, record, dir: progressPaths(cwd, ID).dir }
}

test('every agent gets its directory, and its documents from the record', () => {
  const { project, cwd, dir } = begun()
  const laidOut = layOut(cwd, project, ID, { refs: [] })
  expect(laidOut).toEqual({
    ...progressPaths(cwd, ID),
    feedback: path.join(dir, 'coordination/feedback.md'),
    sources: [],
  })
  expect(
    Object.keys(filesOf(cwd))
      .filter((name) => !name.endsWith('/'))
      .sort(),
  ).toEqual([
    '.ratchet/.gitignore',
    ...[
      'coordination/discoveries.ndjson',
      'coordination/feedback.md',
      'ra/changes.log',
      'ra/requirements.md',
    ].map((name) => `.ratchet/${ID}.progress/${name}`),
  ])
  expect(readFileSync(path.join(cwd, '.ratchet/.gitignore'), 'utf8')).toBe('*\n')
  for (const own of Object.values(laidOut.progress)) expect(lstatSync(own).isDirectory()).toBe(true)
})

test('with an agent at work its documents and the board stay, only feedback is updated', () => {
  const { project, cwd, dir } = begun()
  layOut(cwd, project, ID, { refs: [] })
  writeFiles(dir, {
    'ra/requirements.md': 'its own',
    'coordination/discoveries.ndjson': 'line\nmore\n',
    'coordination/feedback.md': 'old',
  })
  layOut(cwd, project, ID, { refs: [] })
  expect(
    ['ra/requirements.md', 'coordination/discoveries.ndjson', 'coordination/feedback.md'].map(
      (name) => readFileSync(path.join(dir, name), 'utf8'),
    ),
  ).toEqual(['its own', 'line\nmore\n', 'new'])
})

test.each(
  // prettier-ignore
  [
  { why: 'a link in place of .ratchet', at: '.ratchet', put: (file: string, outside: string) => symlinkSync(outside, file) },
  { why: 'a link in place of an own directory', at: `.ratchet/${ID}.progress/ra`, put: (file: string, outside: string) => symlinkSync(outside, file) },
  { why: 'a file in place of the progress directory', at: `.ratchet/${ID}.progress`, put: (file: string) => writeFileSync(file, '') },
  { why: 'a link in place of a document', at: `.ratchet/${ID}.progress/ra/requirements.md`, put: (file: string) => symlinkSync('/etc/passwd', file) },
  { why: 'a pipe in place of the board', at: `.ratchet/${ID}.progress/coordination/discoveries.ndjson`, put: (file: string) => execFileSync('mkfifo', [file]) },
  { why: 'a directory in place of the ignore file', at: '.ratchet/.gitignore', put: (file: string) => writeFiles(file, { x: '' }) },
],
)('removes files an agent planted at record paths: $why', ({ at, put }) => {
  const { project, cwd, dir } = begun()
  const outside = tempDir()
  layOut(cwd, project, ID, { refs: [] })
  const file = path.join(cwd, at)
  rmSync(file, { recursive: true })
  put(file, outside)
  layOut(cwd, project, ID, { refs: [] })
  expect(readFileSync(path.join(dir, 'ra/requirements.md'), 'utf8')).toBe('of the record')
  expect(readFileSync(path.join(dir, 'coordination/discoveries.ndjson'), 'utf8')).toBe('line\n')
  expect(readFileSync(path.join(cwd, '.ratchet/.gitignore'), 'utf8')).toBe('*\n')
  expect(filesOf(outside)).toEqual({})
})

test('project files and sources: tracked ones are named in place, others are copied, outside ones keep their path', () => {
  const { project, cwd, dir } = begun()
  const outside = path.join(tempDir(), 'spec.md')
  writeFileSync(outside, 'o')
  writeFiles(project, {
    '.workflow/project-tech.json': '{"a":1}',
    '.workflow/project-guidelines.json': 'p',
    'docs/spec.md': 'p',
    'docs/scan.pdf': Buffer.from([0xff, 0xfe, 0, 1]),
    'docs/out.md': { link: outside },
    'docs/tree/x.md': '',
  })
  writeFiles(cwd, { '.workflow/project-guidelines.json': 'w', 'docs/spec.md': 'w' })
  const ref = (file: string) => ({
    path: file,
    type: 'local_file' as const,
    status: 'verified' as const,
  })
  const url = { path: 'https://example.com', type: 'url' as const, status: 'linked' as const }
  const { projectTech, guidelines, sources } = layOut(cwd, project, ID, {
    refs: [
      ref('docs/spec.md'),
      ref(path.join(project, 'docs/scan.pdf')),
      ref(outside),
      ref('docs/out.md'),
      ref('docs/none.md'),
      ref('docs/tree'),
      url,
    ],
  })
  expect({ projectTech, guidelines }).toEqual({
    projectTech: path.join(dir, 'sources/.workflow/project-tech.json'),
    guidelines: path.join(cwd, '.workflow/project-guidelines.json'),
  })
  expect(sources).toEqual([
    ref(path.join(cwd, 'docs/spec.md')),
    ref(path.join(dir, 'sources/docs/scan.pdf')),
    ref(outside),
    { ...ref(path.join(project, 'docs/out.md')), status: 'not_found' },
    { ...ref(path.join(project, 'docs/none.md')), status: 'not_found' },
    ref(path.join(project, 'docs/tree')),
    url,
  ])
  expect(readFileSync(path.join(dir, 'sources/docs/scan.pdf'))).toEqual(
    Buffer.from([0xff, 0xfe, 0, 1]),
  )
  expect(existsSync(path.join(dir, 'sources/docs/out.md'))).toBe(false)
})

test.each(
  // prettier-ignore
  [
  { why: 'nothing of it stays in a tree of the user', more: {}, left: false },
  { why: 'what is not of this cycle stays', more: { '.ratchet/tasks/IMPL-1.json': '{}' }, left: true },
],
)('in-place: $why', ({ more, left }) => {
  const { project, cwd } = begun()
  writeFiles(cwd, more)
  const { dir } = layOut(cwd, project, ID, { refs: [] })
  removeProgress(cwd, ID)
  removeProgress(cwd, ID)
  expect([existsSync(dir), existsSync(path.join(cwd, '.ratchet'))]).toEqual([false, left])
})
