import { expect, test } from 'vitest'
import { TestFixInput, parseInput } from '../../../../src/contract/test-fix/test-fix-input.js'
import { readPause, readReason } from '../../../../src/contract/signals.js'

test.each(
  // prettier-ignore
  [
  { why: 'no project',            raw: {},                                                   problem: /^project:/ },
  { why: 'nothing at all',        raw: undefined,                                            problem: /^project:/ },
  { why: 'a relative project',    raw: { project: 'repo' },                                  problem: /^project: must be an absolute path/ },
  { why: 'limits of 0',           raw: { project: '/r', maxIterations: 0 },                  problem: /^maxIterations:/ },
  { why: 'a limit of "x"',        raw: { project: '/r', maxIterations: 'x' },                problem: /^maxIterations:/ },
  { why: 'a session with ../',    raw: { project: '/r', session: '../x' },                   problem: /^session:/ },
  { why: 'a base like an option', raw: { project: '/r', base: '--upload-pack=x' },           problem: /^base:/ },
  { why: 'auto as a word',        raw: { project: '/r', auto: 'yes' },                       problem: /^auto:/ },
  { why: 'an unknown field',      raw: { project: '/r', command: 'rm' },                     problem: /command/ },
],
)('input with $why is refused and the field named', ({ raw, problem }) => {
  const parsed = parseInput(TestFixInput, raw)
  expect(parsed.ok ? 'accepted' : parsed.problem).toMatch(problem)
})

test.each([
  { auto: true },
  { interactive: true },
  { auto: false, interactive: false },
  { generateTests: false },
])('input with %j starts, as it changes nothing', (extra) => {
  expect(parseInput(TestFixInput, { project: '/r', ...extra })).toEqual({
    ok: true,
    value: { project: '/r', ...extra },
  })
})

test.each([
  [undefined, { mode: 'turn', reason: '' }],
  [null, { mode: 'turn', reason: '' }],
  ['now', { mode: 'now', reason: '' }],
  ['lunch', { mode: 'turn', reason: 'lunch' }],
  [
    { mode: 'now', reason: 'lunch' },
    { mode: 'now', reason: 'lunch' },
  ],
  [{ mode: 'later' }, { mode: 'turn', reason: '' }],
  [42, { mode: 'turn', reason: '' }],
  [['now'], { mode: 'turn', reason: '' }],
])('a pause of %j is tolerated', (raw, request) => expect(readPause(raw)).toEqual(request))

test.each([
  [undefined, ''],
  ['x', 'x'],
  [{ reason: 'y' }, 'y'],
  [{ reason: 1 }, ''],
  [7, ''],
])('a reason of %j is tolerated', (raw, reason) => expect(readReason(raw)).toBe(reason))
