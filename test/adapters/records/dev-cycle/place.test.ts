import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  cycleFiles,
  cycleNames,
  openCycleRecord,
} from '../../../../src/adapters/records/dev-cycle/cycle-paths.js'
import { filesOf, tempDir, writeFiles } from '../../../support/repositories/repos.js'

test.each([
  { why: 'a way out of the directory', name: '../x' },
  { why: 'two dots', name: 'a..b' },
  { why: 'empty', name: '' },
  { why: 'the prep package', name: 'prep-package' },
])('a cycle cannot be called "$name": $why', ({ name }) => {
  expect(() => cycleFiles('/repo', name)).toThrow(
    expect.objectContaining({
      type: 'BadInput',
      message: expect.stringMatching(/^the id of a cycle /) as string,
    }),
  )
})

test('a colon of an id becomes a dash in paths', () => {
  expect(cycleFiles('/repo', 'nightly-2026-11-20T12:02:00Z')).toMatchObject({
    master: '/repo/.workflow/.cycle/nightly-2026-11-20T12-02-00Z.json',
    board:
      '/repo/.workflow/.cycle/nightly-2026-11-20T12-02-00Z.progress/coordination/discoveries.ndjson',
    prep: '/repo/.workflow/.cycle/prep-package.json',
  })
})

test('records are found by master file or progress directory; the prep package and kept copies are none', () => {
  const project = tempDir()
  expect(cycleNames(project)).toEqual([])
  writeFiles(cycleFiles(project).dir, {
    'prep-package.json': '{}',
    'b.json': '{}',
    'a.progress/x': '',
    'b.progress/x': '',
    'b.json.damaged-1': '',
    'c.json/x': '',
    'd.progress': '',
  })
  expect(cycleNames(project)).toEqual(['a', 'b'])
})

test('opening twice changes nothing, and an existing ignore file stays', () => {
  const project = tempDir()
  writeFiles(project, { '.workflow/.gitignore': 'mine\n' })
  const dir = openCycleRecord(project, 'a')
  const first = filesOf(project)
  expect(openCycleRecord(project, 'a')).toBe(dir)
  expect(filesOf(project)).toEqual(first)
  expect(readFileSync(path.join(project, '.workflow/.gitignore'), 'utf8')).toBe('mine\n')
})

test.each(
  // prettier-ignore
  [
  { why: 'a link', put: (file: string) => symlinkSync(tempDir(), file), says: /\.cycle\/a\.progress: a link or a file is in the place of a directory/ },
  { why: 'a file', put: (file: string) => writeFileSync(file, ''), says: /\.cycle\/a\.progress: a link or a file is in the place of a directory/ },
],
)('refuses $why in place of a directory and says what to do', ({ put, says }) => {
  const project = tempDir()
  mkdirSync(cycleFiles(project).dir, { recursive: true })
  put(cycleFiles(project, 'a').progress)
  expect(() => openCycleRecord(project, 'a')).toThrow(
    expect.objectContaining({
      name: 'RecordUnwritable',
      message: expect.stringMatching(says) as string,
    }),
  )
})
