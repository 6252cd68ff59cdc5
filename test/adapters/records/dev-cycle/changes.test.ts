import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { appendChanges, readChanges } from '../../../../src/adapters/records/dev-cycle/changes.js'
import type { FileStat } from '../../../../src/adapters/git/numstat.js'
import { AT, MINUTE, OFFSET, place } from './cycle-state.js'

const change = (file: string, rest: Partial<FileStat> = {}): FileStat => ({
  file,
  action: 'modify',
  added: 2,
  removed: 1,
  ...rest,
})
const lines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

function log(ownLines: readonly unknown[] = []) {
  const { dir, record } = place(
    ownLines.length === 0
      ? {}
      : {
          'cd/changes.log': ownLines
            .map((line) => (typeof line === 'string' ? `${line}\n` : `${JSON.stringify(line)}\n`))
            .join(''),
        },
  )
  const [file, own] = [path.join(record, 'cd/changes.log'), path.join(dir, 'cd/changes.log')]
  return {
    file,
    own,
    append: (iteration: number, sha: string, changes: FileStat[], at = AT) =>
      appendChanges(file, own, { sha, changes }, { iteration, at, offset: OFFSET }),
  }
}

test('changes appended: the changes by git, below a marker of the iteration', async () => {
  const cd = log()
  await cd.append(1, 'aaa', [
    change('src/a.js', { action: 'create', added: 5, removed: 0 }),
    change('logo.png', { added: null, removed: null }),
  ])
  const time = '2026-11-20T20:00:00+08:00'
  expect(lines(cd.file)).toEqual(
    // prettier-ignore
    [
    { timestamp: time, iteration: 1, marker: 'ITERATION 1', version: '1.0.0' },
    { timestamp: time, iteration: 1, version: '1.0.0', commit: 'aaa', agent: 'cd', action: 'create', file: 'src/a.js', description: 'create src/a.js', lines_added: 5, lines_removed: 0 },
    { timestamp: time, iteration: 1, version: '1.0.0', commit: 'aaa', agent: 'cd', action: 'modify', file: 'logo.png', description: 'modify logo.png' },
  ],
  )
})

test('appended twice, later, or half before a kill: each change appears once', async () => {
  const cd = log()
  await cd.append(1, 'aaa', [change('a.js'), change('b.js')])
  const whole = readFileSync(cd.file, 'utf8')
  await cd.append(1, 'aaa', [change('a.js'), change('b.js')], AT + MINUTE)
  expect(readFileSync(cd.file, 'utf8')).toBe(whole)
  await cd.append(1, 'bbb', [change('a.js')], AT + MINUTE) // after feedback: the same file again
  await cd.append(2, 'ccc', [change('a.js')], AT + MINUTE)
  const read = readChanges(readFileSync(cd.file, 'utf8'))
  expect(read.changes.map(({ file, iteration }) => `${iteration} ${file}`)).toEqual([
    '1 a.js',
    '1 b.js',
    '1 a.js',
    '2 a.js',
  ])
  expect(read).toMatchObject({
    commits: ['aaa', 'bbb', 'ccc'],
    markers: { 1: '2026-11-20T20:00:00+08:00', 2: '2026-11-20T20:01:00+08:00' },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'its own path', said: { file: 'src/a.js', description: 'Adds a' }, gives: { description: 'Adds a' } },
  { why: 'a path from the project of a larger repository', said: { file: './a.js', description: 'Adds a', task: 'TASK-001' }, gives: { description: 'Adds a', task: 'TASK-001' } },
  { why: 'an absolute path', said: { file: '/work/tree/src/a.js', change: 'Adds a' }, gives: { description: 'Adds a' } },
  { why: 'several lines in one', said: { file: 'src/a.js', description: 'Adds\na' }, gives: { description: 'Adds a' } },
  { why: 'another file', said: { file: 'src/aa.js', description: 'Adds aa' }, gives: { description: 'modify src/a.js' } },
  { why: 'an unreadable line', said: 'no json', gives: { description: 'modify src/a.js' } },
],
)('words of the agent: $why', async ({ said, gives }) => {
  const cd = log([said])
  await cd.append(1, 'aaa', [change('src/a.js')])
  expect(lines(cd.file)[1]).toMatchObject(gives)
})

test('the validation finds the same lines in the workspace, after those of the agent, once', async () => {
  const cd = log([{ file: 'a.js', description: 'Mine' }])
  writeFileSync(cd.own, readFileSync(cd.own, 'utf8').trimEnd()) // its last line has no end
  await cd.append(1, 'aaa', [change('a.js')])
  await cd.append(1, 'aaa', [change('a.js')])
  expect(lines(cd.own)).toEqual([{ file: 'a.js', description: 'Mine' }, ...lines(cd.file)])
})

test('a missing workspace does not block the record', async () => {
  const cd = log()
  rmSync(path.dirname(cd.own), { recursive: true })
  await cd.append(1, 'aaa', [change('a.js')])
  expect(lines(cd.file)).toHaveLength(2)
})

test('a torn line, or one of another writer, is ignored and stays', async () => {
  const cd = log()
  writeFileSync(
    cd.file,
    '{"timestamp":"x","iteration":1,"commit":"aaa","file":"a.js","action":"mod',
  )
  await cd.append(1, 'aaa', [change('a.js')])
  expect(readFileSync(cd.file, 'utf8').split('\n')[0]).toMatch(/"mod$/)
  expect(readChanges(readFileSync(cd.file, 'utf8')).changes).toHaveLength(1)
})
