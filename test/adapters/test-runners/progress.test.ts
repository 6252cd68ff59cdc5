// The progress of a run, from two streams and from a growing report; and the last size of a suite.
import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { watchProgress } from '../../../src/adapters/test-runners/progress.js'
import { lastSize } from '../../../src/adapters/test-runners/stored-run.js'
import { tempDir, tempDirs } from '../../support/repositories/repos.js'

const told = { by: 'flags', format: 'junit' } as const
const configured = { by: 'path', format: 'junit', path: 'report.xml' } as const

test('separates the lines of two streams, and joins a character that comes in two pieces', () => {
  const progress = watchProgress({ runner: 'vitest', report: told }, 'unused')
  const line = Buffer.from(' ✓ a.test.ts (3 tests) 5ms\n')
  progress.onOutput(line.subarray(0, 2), 'stdout')
  progress.onOutput(Buffer.from('a warning without an end'), 'stderr')
  progress.onOutput(line.subarray(2), 'stdout')
  expect(progress.counted(undefined)).toEqual({
    runner: 'vitest',
    unit: 'tests',
    done: 3,
    failed: 0,
  })
  expect(progress.counted({ tests: 7, files: 2 })).toMatchObject({ total: 7, about: true })
})

test('reads the progress of node:test from its growing report', () => {
  const file = path.join(tempDir(), 'report.jsonl')
  const progress = watchProgress({ runner: 'node', report: { by: 'flags', format: 'node' } }, file)
  expect(progress.counted(undefined)).toBeUndefined() // it has not begun
  const ended = (type: string, name: string) =>
    `{"type":"test:${type}","nesting":0,"suite":false,"name":"${name}"}\n`
  writeFileSync(file, `${ended('pass', 'ü')}${ended('fail', 'b').slice(0, 30)}`)
  expect(progress.counted(undefined)).toMatchObject({ done: 1, failed: 0 })
  appendFileSync(file, ended('fail', 'b').slice(30))
  expect(progress.counted(undefined)).toMatchObject({ done: 2, failed: 1 })
  progress.onOutput(Buffer.from(ended('pass', 'printed')), 'stdout')
  expect(progress.counted(undefined)).toMatchObject({ done: 2, failed: 1 })
})

test('an unreadable report only ends the progress', () => {
  const progress = watchProgress(
    { runner: 'node', report: { by: 'flags', format: 'node' } },
    tempDir(),
  )
  expect(progress.counted({ tests: 9, files: 9 })).toBeUndefined()
  expect(progress.counted({ tests: 9, files: 9 })).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'mocha without our reporter', runner: 'mocha' as const, output: '  ok   a\n', counts: false },
  { why: 'node:test without our reporter', runner: 'node' as const, output: '{"type":"test:pass","nesting":0,"suite":false}\n', counts: false },
  { why: 'an unknown command', runner: 'other' as const, output: 'ok 1\n', counts: false },
  { why: 'pytest, which prints the same', runner: 'pytest' as const, output: 'a.py ..\n', counts: true },
],
)('with test.report: $why', ({ runner, output, counts }) => {
  const progress = watchProgress({ runner, report: configured }, path.join(tempDir(), 'none'))
  progress.onOutput(Buffer.from(output), 'stdout')
  expect(progress.counted(undefined) !== undefined).toBe(counts)
})

test('the last size is that of the newest run of the project with the same runner; a broken file is no answer', () => {
  const dirs = tempDirs()
  const store = (session: string, name: string, at: number, content: string) => {
    const file = path.join(dirs.state, 'workspaces/p1', session, 'tests/d', name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
    utimesSync(file, at, at)
  }
  const run = (tests: string[]) =>
    JSON.stringify({
      schema: 1,
      commit: 'c',
      runner: 'vitest',
      tests: tests.map((file) => ({ file, test: 't', status: 'passed' })),
      missing: [],
    })
  expect(lastSize(dirs, 'p1', 'vitest')).toBeUndefined()
  store('WFS-a', 'baseline.json', 1_000, run(['a']))
  store('WFS-b', 'results.json', 2_000, run(['a', 'a', 'b']))
  expect(lastSize(dirs, 'p1', 'vitest')).toEqual({ tests: 3, files: 2 })
  expect(lastSize(dirs, 'p1', 'pytest')).toBeUndefined()
  expect(lastSize(dirs, 'p2', 'vitest')).toBeUndefined()
  store('WFS-c', 'baseline.json', 3_000, '{"schema":1')
  expect(lastSize(dirs, 'p1', 'vitest')).toBeUndefined()
})
