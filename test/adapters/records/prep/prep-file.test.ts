// The prep package of a new cycle, and the warning about an unused one.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { cycleFiles } from '../../../../src/adapters/records/dev-cycle/cycle-paths.js'
import { readPrepFile } from '../../../../src/adapters/records/prep/prep-file.js'
import { packageFor } from '../../../support/prep/package-for.js'
import { tempDir, writeFiles } from '../../../support/repositories/repos.js'

const NOW = Date.parse('2026-02-10T12:00:00Z')
const MADE = Date.parse('2026-02-10T11:00:00Z')

test('ignores a prep package for another task, with one warning that names its task and --prep', () => {
  const project = tempDir()
  const { dir, prep } = cycleFiles(project)
  writeFiles(dir, { 'prep-package.json': packageFor(project, MADE) })
  expect(readPrepFile('cycle', project, { typed: 'add a cart', now: NOW })).toEqual({
    state: 'ignored',
    warning:
      '.workflow/.cycle/prep-package.json is not used: it is for another task, "add login"; --prep <file> uses it anyway',
    problems: ['it is for another task, "add login"; --prep <file> uses it anyway'],
  })
  expect(readPrepFile('cycle', project, { typed: 'add login', now: NOW })).toMatchObject({
    state: 'used',
    file: prep,
  })
  expect(
    readPrepFile('cycle', project, {
      typed: 'add a cart',
      named: path.relative(project, prep),
      now: NOW,
    }),
  ).toMatchObject({
    state: 'used',
    checked: { task: expect.stringMatching(/^add a cart\n[^]+\nOBJECTIVE: log in$/) as string },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'is not there',      text: undefined,       says: 'mine.json is not used: there is no such file' },
  { why: 'is no JSON',        text: 'not JSON',      says: 'mine.json is not used: it is no JSON' },
  { why: 'does not hold',     text: '[]',            says: 'mine.json is not used: it is not a JSON object' },
],
)('refuses a package of --prep that $why', ({ text, says }) => {
  const project = tempDir()
  if (text !== undefined) writeFiles(project, { 'mine.json': text })
  expect(() =>
    readPrepFile('cycle', project, { typed: 'add a cart', named: 'mine.json', now: NOW }),
  ).toThrow(says)
  rmSync(project, { recursive: true, force: true })
  expect(readPrepFile('cycle', project, { typed: 'add a cart', now: NOW })).toEqual({
    state: 'none',
  })
})
