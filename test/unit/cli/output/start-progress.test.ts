import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lookLines } from '../../../../src/cli/start/preflight.js'
import { elapsedText, startProgress } from '../../../../src/cli/output/start-progress.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const PACKAGES = {
  done: 412,
  total: 1297,
  unit: 'packages',
  doing: 'modernc.org/sqlite/lib',
} as const

test('without a terminal: prints each step once, then its progress now and then', () => {
  const lines: string[] = []
  const progress = startProgress({ say: (line) => lines.push(line), everyMs: 10_000 })
  progress.tell('compiling', { ...PACKAGES, done: 0 })
  progress.tell('compiling', PACKAGES)
  expect(lines).toEqual(['compiling'])
  vi.advanceTimersByTime(10_000)
  progress.say('meanwhile: something else')
  progress.tell('starting')
  vi.advanceTimersByTime(60_000)
  progress.end()
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(0, 5)).toEqual([
    'compiling',
    'compiling, 412 of 1297 packages, 10 s so far',
    'meanwhile: something else',
    'starting',
    'starting, 20 s so far',
  ])
  expect(lines.at(-1)).toBe('starting, 1 min 10 s so far')
})

test('in a terminal: a bar below the lines, cleared for each new line and at the end', () => {
  const seen: string[] = []
  const bar = {
    draw: ({ done, total }: { done: number; total: number }) => seen.push(`bar ${done}/${total}`),
    clear: () => seen.push('clear'),
  }
  const progress = startProgress({ say: (line) => seen.push(line), bar, everyMs: 10_000 })
  progress.tell('getting modules')
  progress.tell('compiling', { ...PACKAGES, done: 1 })
  progress.tell('compiling', { ...PACKAGES, done: 2 })
  vi.advanceTimersByTime(60_000)
  progress.say('meanwhile')
  progress.tell('starting')
  progress.end()
  expect(seen.filter((one, n) => one !== 'clear' || seen[n - 1] !== 'clear')).toEqual([
    'clear',
    'getting modules',
    'clear',
    'compiling',
    'bar 1/1297',
    'bar 2/1297',
    'clear',
    'meanwhile',
    'bar 2/1297',
    'clear',
    'starting',
    'clear',
  ])
})

test.each([
  { why: 'nothing yet', ms: 999, text: '0 s' },
  { why: 'seconds', ms: 59_999, text: '59 s' },
  { why: 'minutes', ms: 185_000, text: '3 min 05 s' },
])('elapsed: $why -> $text', ({ ms, text }) => expect(elapsedText(ms)).toBe(text))

test('names the first look as such, not as the baseline', () => {
  const file = { path: '/x', sha256: 'x', bytes: 1 }
  const measured = {
    kind: 'measured' as const,
    commit: 'c',
    total: 15,
    passed: 12,
    failed: 3,
    skipped: 0,
    flaky: 0,
    flakyTests: [],
    failures: [],
    failuresTotal: 3,
    results: file,
    output: file,
    fingerprint: 'f',
    durationMs: 9_100,
  }
  expect(lookLines(measured)).toEqual([
    'first look: 12 of 15 tests pass (9.1 s while the server starts); the run will measure them again',
  ])
  expect(
    lookLines({
      kind: 'cannot_execute',
      commit: 'c',
      reason: 'no test ran.',
      tail: '',
      durationMs: 1,
    }),
  ).toEqual(['warning: the tests cannot be measured: no test ran.'])
})
