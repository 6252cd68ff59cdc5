import { execFileSync } from 'node:child_process'
import { defined } from '../../../../src/core/text/defined.js'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  loopFiles,
  loopNames,
  openLoopRecord,
} from '../../../../src/adapters/records/dev-loop/loop-paths.js'
import {
  layOutLoop,
  loopPathsIn,
  loopProgressDir,
  removeLoopProgress,
} from '../../../../src/adapters/records/dev-loop/loop-progress.js'
import { filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import { ID } from './loop-state.js'

test.each([
  { why: 'a way out of the directory', name: '../x' },
  { why: 'an absolute path', name: '/etc/passwd' },
  { why: 'two dots', name: 'a..b' },
  { why: 'empty', name: '' },
])('a loop cannot be called "$name": $why', ({ name }) => {
  const refusal = expect.objectContaining({
    type: 'BadInput',
    message: expect.stringMatching(/^the id of a loop /) as string,
  }) as Error
  expect(() => loopFiles('/repo', name)).toThrow(refusal)
  expect(() => loopPathsIn('/repo', name)).toThrow(refusal)
})

test('the paths of a record; a colon of an id becomes a dash', () => {
  const files = loopFiles('/repo', 'nightly-12:02:00Z')
  const own = '/repo/.workflow/.loop/nightly-12-02-00Z'
  expect(files).toMatchObject({
    dir: '/repo/.workflow/.loop',
    master: `${own}.json`,
    workers: `${own}.workers`,
    progress: `${own}.progress`,
    summary: `${own}.progress/summary.md`,
    commitFiles: `${own}.progress/commit-files.txt`,
  })
  expect([files.output('debug'), files.note('debug')]).toEqual([
    `${own}.workers/debug.output.json`,
    `${own}.progress/debug.md`,
  ])
})

test('records are found by state file or by either folder; kept copies are none', () => {
  const project = tempDir()
  expect(loopNames(project)).toEqual([])
  writeFiles(loopFiles(project).dir, {
    'b.json': '{}',
    'a.progress/x': '',
    'd.workers/x': '',
    'b.json.damaged-1': '',
    'c.json/x': '',
    'e.progress': '',
    'a.workers.json': '{}',
    'prep-package.json': '{}',
  })
  expect(loopNames(project)).toEqual(['a', 'a.workers', 'b', 'd'])
})

test('opening twice changes nothing, and an existing ignore file stays', () => {
  const project = tempDir()
  writeFiles(project, { '.workflow/.gitignore': 'mine\n' })
  expect(openLoopRecord(project, 'a')).toBe(loopFiles(project, 'a').progress)
  const first = filesOf(project)
  openLoopRecord(project, 'a')
  expect(filesOf(project)).toEqual(first)
  expect(readFileSync(path.join(project, '.workflow/.gitignore'), 'utf8')).toBe('mine\n')
  expect(
    readFileSync(
      path.join(path.dirname(path.dirname(openLoopRecord(tempDir(), 'a'))), '.gitignore'),
      'utf8',
    ),
  ).toBe('*\n')
})

test.each(
  // prettier-ignore
  [
  { why: 'a link in place of the progress directory', at: '.workflow/.loop/a.progress', put: (file: string) => symlinkSync(tempDir(), file) },
  { why: 'a file in place of the workers directory', at: '.workflow/.loop/a.workers', put: (file: string) => writeFileSync(file, '') },
  { why: 'a link in place of all records', at: '.workflow/.loop', put: (file: string) => symlinkSync(tempDir(), file) },
],
)('refuses $why and says what to do', ({ at, put }) => {
  const project = tempDir()
  mkdirSync(path.dirname(path.join(project, at)), { recursive: true })
  put(path.join(project, at))
  expect(() => openLoopRecord(project, 'a')).toThrow(
    expect.objectContaining({
      name: 'RecordUnwritable',
      message: expect.stringMatching(/a link or a file is in the place of a directory/) as string,
    }),
  )
})

function begun() {
  const [project, cwd] = [tempDir(), tempDir()]
  openLoopRecord(project, ID)
  const files = loopFiles(project, ID)
  writeFiles(path.dirname(files.workers), {
    [`${ID}.workers/init.output.json`]: '{"of":"the record"}\n',
    [`${ID}.progress/debug.md`]: '# Debug\n',
    [`${ID}.progress/summary.md`]: 'x',
  })
  return { project, cwd, files, paths: loopPathsIn(cwd, ID) }
}

test('a worker finds the output files of the others and its own progress, all outside of git', () => {
  const { project, cwd, paths } = begun()
  expect(Object.keys(defined(layOutLoop(cwd, project, ID))).sort()).toEqual([
    'outputFile',
    'progress',
    'progressFile',
    'workersDir',
  ])
  expect(
    Object.keys(filesOf(cwd))
      .filter((name) => !name.endsWith('/'))
      .sort(),
  ).toEqual(
    ['.gitignore', `${ID}.progress/debug.md`, `${ID}.workers/init.output.json`].map(
      (name) => `.ratchet/${name}`,
    ),
  )
  expect(readFileSync(path.join(cwd, '.ratchet/.gitignore'), 'utf8')).toBe('*\n')
  expect(paths.progress).toBe(loopProgressDir(cwd, ID))
})

test('the progress file of a worker at work stays; output files come from the record', () => {
  const { project, cwd, files, paths } = begun()
  layOutLoop(cwd, project, ID)
  writeFileSync(paths.progressFile('debug'), 'its own')
  writeFileSync(paths.outputFile('init'), 'its own')
  writeFileSync(files.output('develop'), '{}')
  layOutLoop(cwd, project, ID)
  expect(
    [paths.progressFile('debug'), paths.outputFile('init'), paths.outputFile('develop')].map(
      (file) => readFileSync(file, 'utf8'),
    ),
  ).toEqual(['its own', '{"of":"the record"}\n', '{}'])
})

test.each(
  // prettier-ignore
  [
  { why: 'a link in place of .ratchet', at: '.ratchet', put: (file: string) => symlinkSync(tempDir(), file) },
  { why: 'a link in place of the workers directory', at: `.ratchet/${ID}.workers`, put: (file: string) => symlinkSync(tempDir(), file) },
  { why: 'a file in place of the progress directory', at: `.ratchet/${ID}.progress`, put: (file: string) => writeFileSync(file, '') },
  { why: 'a link in place of an output file', at: `.ratchet/${ID}.workers/init.output.json`, put: (file: string) => symlinkSync('/etc/passwd', file) },
  { why: 'a pipe in place of a progress file', at: `.ratchet/${ID}.progress/debug.md`, put: (file: string) => execFileSync('mkfifo', [file]) },
  { why: 'a link where the record has nothing', at: `.ratchet/${ID}.workers/validate.output.json`, put: (file: string) => symlinkSync('/etc/passwd', file) },
  { why: 'a directory in place of the ignore file', at: '.ratchet/.gitignore', put: (file: string) => writeFiles(file, { x: '' }) },
],
)('removes files an agent planted at record paths: $why', ({ at, put }) => {
  const { project, cwd, paths } = begun()
  layOutLoop(cwd, project, ID)
  rmSync(path.join(cwd, at), { recursive: true, force: true })
  put(path.join(cwd, at))
  layOutLoop(cwd, project, ID)
  expect(lstatSync(path.join(cwd, at), { throwIfNoEntry: false })?.isSymbolicLink()).not.toBe(true)
  expect(readFileSync(paths.outputFile('init'), 'utf8')).toBe('{"of":"the record"}\n')
  expect(readFileSync(paths.progressFile('debug'), 'utf8')).toBe('# Debug\n')
  expect(readFileSync(path.join(cwd, '.ratchet/.gitignore'), 'utf8')).toBe('*\n')
})

test('project files are named in place, else copied', () => {
  const { project, cwd, paths } = begun()
  writeFiles(project, {
    '.workflow/project-tech.json': '{"a":1}',
    '.workflow/project-guidelines.json': 'p',
  })
  writeFiles(cwd, { '.workflow/project-guidelines.json': 'w' })
  const { projectTech, guidelines } = layOutLoop(cwd, project, ID)
  expect({ projectTech, guidelines }).toEqual({
    projectTech: path.join(paths.progress, 'sources/.workflow/project-tech.json'),
    guidelines: path.join(cwd, '.workflow/project-guidelines.json'),
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'nothing of it stays in a tree of the user', more: {}, left: false },
  { why: 'what is not of this loop stays', more: { '.ratchet/tasks/IMPL-1.json': '{}' }, left: true },
],
)('in-place: $why', ({ more, left }) => {
  const { project, cwd, paths } = begun()
  writeFiles(cwd, more)
  layOutLoop(cwd, project, ID)
  removeLoopProgress(cwd, ID)
  expect([paths.progress, paths.workersDir].map((dir) => existsSync(dir))).toEqual([false, false])
  expect(existsSync(path.join(cwd, '.ratchet'))).toBe(left)
  removeLoopProgress(cwd, ID)
})
