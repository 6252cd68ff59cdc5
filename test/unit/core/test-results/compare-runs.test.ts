import { describe, expect, test } from 'vitest'
import type { StoredTest, TestFailure } from '../../../../src/contract/test-run.js'
import {
  compareRuns,
  levelsWith,
  type CompareInput,
  type ComparedRun,
} from '../../../../src/core/test-results/compare-runs.js'
import { signatureOf } from '../../../../src/core/test-results/failures/signature.js'
import type { CriticalityClaim } from '../../../../src/core/test-results/criticality-claims.js'

const of =
  (status: StoredTest['status']) =>
  (id: string, rest: Partial<StoredTest> = {}): StoredTest => {
    const [file = '', name = ''] = id.split(' > ')
    return { file, test: name, status, ...(status === 'failed' ? { error: 'no' } : {}), ...rest }
  }
const [passed, failed, flaky, skipped] = [of('passed'), of('failed'), of('flaky'), of('skipped')]
const missed = (id: string, rest: Partial<TestFailure> = {}): TestFailure => ({
  test: id.split(' > ')[1] ?? '',
  file: id.split(' > ')[0] ?? '',
  error: 'was in an earlier run, is missing now',
  missing: true,
  ...rest,
})
const run = (tests: StoredTest[], missing: TestFailure[] = []): ComparedRun => ({ tests, missing })
/**
 * A run after which tests are remembered: `streak` full runs with the failure that `failed` gives
 * them.
 */
const after = (
  tests: StoredTest[],
  memory: {
    id: string
    streak?: number
    passed?: boolean
    flaky?: boolean
    error?: string
    seen?: string[]
  }[],
): ComparedRun => ({
  tests,
  missing: [],
  memory: memory.map(({ id, streak, passed, flaky, error = 'no', seen }) => ({
    file: id.split(' > ')[0] ?? '',
    test: id.split(' > ')[1] ?? '',
    ...(flaky === true
      ? { flaky }
      : {
          signature: signatureOf([error]),
          streak: streak ?? 1,
          seen: seen ?? [signatureOf([error])],
          ...(passed === true ? { passed } : {}),
        }),
  })),
})
const claim = (
  test: string,
  level: CriticalityClaim['level'],
  rest: Partial<CriticalityClaim> = {},
): CriticalityClaim => ({
  test,
  level,
  source: 'assess',
  agent: 'a',
  iteration: 1,
  fingerprint: 'f',
  ...rest,
})
const compare = (now: ComparedRun, rest: Partial<CompareInput> = {}) =>
  compareRuns({ now, claims: [], rules: [], fingerprint: 'f', lastKept: true, size: 0, ...rest })

/** `file > test: streak level source` of every failing or flaky test. */
function told({ tests, missing }: ComparedRun): string[] {
  return [...tests, ...missing]
    .filter((t) => t.criticality !== undefined)
    .map((t) => [`${t.file} > ${t.test}:`, t.streak ?? '-', t.criticality, t.source].join(' '))
}

describe('streaks', () => {
  test('grow over the last full runs, and the third is stuck', () => {
    const first = compare(run([failed('a > x'), passed('a > y')]))
    const second = compare(run([failed('a > x'), failed('a > y')]), {
      before: first,
      lastFull: first,
    })
    const third = compare(run([failed('a > x'), failed('a > y')]), {
      before: second,
      lastFull: second,
    })
    expect([first, second, third].map((r) => r.tests.map((t) => t.streak))).toEqual([
      [1, undefined],
      [2, 1],
      [3, 2],
    ])
    expect(
      [first, second, third].map((r) => [r.comparison.stuck, r.comparison.stuckTests]),
    ).toEqual([
      [0, []],
      [0, []],
      [1, ['a > x']],
    ])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a test that passed in between starts again',             lastFull: after([passed('a > x')], [{ id: 'a > x', streak: 2, passed: true }]), now: run([failed('a > x')]), streaks: [1] },
    { why: 'a pass on a rolled-back fix counts for nothing',         lastFull: after([passed('a > x')], [{ id: 'a > x', streak: 2, passed: true }]), lastKept: false, now: run([failed('a > x')]), streaks: [3] },
    { why: 'another signature starts again',                         lastFull: after([failed('a > x')], [{ id: 'a > x', streak: 2, error: 'other' }]), now: run([failed('a > x')]), streaks: [1] },
    { why: 'the same name in another file is another test',          lastFull: after([failed('a > x')], [{ id: 'a > x', streak: 2 }]),              now: run([failed('b > x')]), streaks: [1] },
    { why: 'another parameter is another test',                      lastFull: after([failed('a > x[1]')], [{ id: 'a > x[1]', streak: 2 }]),        now: run([failed('a > x[2]')]), streaks: [1] },
  ],
  )('$why', ({ lastFull, now, streaks, lastKept = true }) => {
    const { tests, missing } = compare(now, { lastFull, lastKept })
    expect([...tests, ...missing].map((t) => t.streak)).toEqual(streaks)
  })

  test('go over a rolled-back fix, new failures and regressions over the run it began from', () => {
    const before = compare(run([failed('a > x'), passed('a > y'), passed('a > z')]))
    const rolledBack = compare(run([failed('a > x'), failed('a > y'), passed('a > z')]), {
      before,
      lastFull: before,
    })
    const now = compare(run([failed('a > x'), failed('a > y'), passed('a > z')]), {
      before,
      lastFull: rolledBack,
    })
    expect(told(now)).toEqual(['a > x: 3 high default', 'a > y: 2 high regression'])
    expect(now.comparison).toMatchObject({ broken: 1, similarity: 1 })
  })

  test('a flaky test that comes to light counts neither for the start nor for best', () => {
    const start = run([passed('a > x'), failed('a > y'), failed('a > z')])
    const best = run([failed('a > x'), passed('a > y'), passed('a > z')])
    const { comparison } = compare(run([failed('a > x'), passed('a > y'), passed('a > z')]), {
      baseline: start,
      before: best,
      best,
      start,
      lastFull: after(best.tests, [
        { id: 'a > y', flaky: true },
        { id: 'a > z', flaky: true },
      ]),
    })
    expect([comparison.start, comparison.best?.counts]).toEqual([
      { baselinePassing: 1, broken: 0, passing: 1, failing: 0 },
      { baselinePassing: 0, broken: 1, passing: 0, failing: 1 },
    ])
  })

  test('at most 20 stuck tests are named, all are counted', () => {
    const many = Array.from({ length: 30 }, (_, n) => failed(`a > t${n}`))
    const { comparison } = compare(run(many), {
      lastFull: after(
        many,
        many.map(({ test }) => ({ id: `a > ${test}`, streak: 2 })),
      ),
    })
    expect(comparison.stuck).toBe(30)
    expect(comparison.stuckTests).toHaveLength(20)
  })

  test('names of stuck tests take 1,400 bytes at most', () => {
    const long = Array.from({ length: 20 }, (_, n) => failed(`a > ${n}${'x'.repeat(290)}`))
    const { comparison } = compare(run(long), {
      lastFull: after(
        long,
        long.map(({ test }) => ({ id: `a > ${test}`, streak: 2 })),
      ),
    })
    expect(comparison.stuck).toBe(20)
    expect(JSON.stringify(comparison.stuckTests).length).toBeLessThanOrEqual(1_402)
  })
})

describe('step 5c: what a fix changed', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'nothing before it: nothing is new, nothing alike',    before: undefined,                                 now: run([failed('a > x')]),                         broken: 0, similarity: undefined },
    { why: 'passed before, fails now',                            before: run([passed('a > x'), failed('a > y')]),   now: run([failed('a > x'), failed('a > y')]),        broken: 1, similarity: 0.5 },
    { why: 'flaky before, fails now',                             before: after([flaky('a > x')], [{ id: 'a > x', flaky: true }]), now: run([failed('a > x')]),           broken: 0, similarity: 0 },
    { why: 'passed before, is missing now',                       before: run([passed('a > x')]),                    now: run([], [missed('a > x')]),                     broken: 1, similarity: 0 },
    { why: 'skipped before, fails now',                           before: run([skipped('a > x')]),                   now: run([failed('a > x')]),                         broken: 0, similarity: 0 },
    { why: 'a new test that fails',                               before: run([failed('a > y')]),                    now: run([failed('a > x'), failed('a > y')]),        broken: 0, similarity: 0.5 },
    { why: 'failed before, passes now',                           before: run([failed('a > x')]),                    now: run([passed('a > x')]),                         broken: 0, similarity: 0 },
    { why: 'nothing failed, nothing fails',                       before: run([passed('a > x')]),                    now: run([passed('a > x')]),                         broken: 0, similarity: 1 },
  ],
  )('$why', ({ before, now, broken, similarity }) => {
    const { comparison } = compare(now, before === undefined ? {} : { before, lastFull: before })
    expect(comparison.broken).toBe(broken)
    expect(comparison.similarity).toBe(similarity)
  })
})

describe('criticality of a run', () => {
  const rules = [
    { match: 'auth', level: 'high' },
    { match: '^e2e', level: 'low' },
  ] as const

  test('every failing test has a level and a source, a flaky one is listed low and counted nowhere', () => {
    const before = run([passed('a > broke'), failed('a > claimed'), failed('a > open')])
    const compared = compare(
      run(
        [
          passed('a > fine'),
          flaky('a > shaky'),
          failed('a > broke'),
          failed('a > claimed'),
          failed('a > open'),
          failed('e2e > slow'),
        ],
        [missed('auth > gone')],
      ),
      {
        before,
        lastFull: before,
        rules,
        claims: [claim('a > claimed', 'medium'), claim('a > broke', 'low')],
      },
    )
    expect(told(compared)).toEqual([
      'a > shaky: - low flaky',
      'a > broke: 1 high regression',
      'a > claimed: 1 medium assess',
      'a > open: 1 high default',
      'e2e > slow: 1 low config',
      'auth > gone: 1 high config',
    ])
    expect(compared.comparison.levels).toEqual({
      high: 3,
      medium: 1,
      low: 1,
      undecided: 1,
      barring: 3,
    })
  })

  test('a test that a kept fix broke stays a regression until it passes, despite claims', () => {
    const claims = [claim('a > x', 'low')]
    const first = compare(run([passed('a > x')]), { claims })
    const broke = compare(run([failed('a > x')]), { before: first, lastFull: first, claims })
    const still = compare(run([failed('a > x')]), { before: broke, lastFull: broke, claims })
    const repaired = compare(run([passed('a > x')]), { before: still, lastFull: still, claims })
    expect([broke, still, repaired].map(told)).toEqual([
      ['a > x: 1 high regression'],
      ['a > x: 2 high regression'],
      [],
    ])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'by file and name',                   claims: [claim('a > x', 'low')],                                                     level: 'low' },
    { why: 'as pytest writes it',                claims: [claim('a::x', 'low')],                                                      level: 'low' },
    { why: 'with a path from here',              claims: [claim('./a::x', 'low')],                                                    level: 'low' },
    { why: 'by its bare name',                   claims: [claim('x', 'low')],                                                         level: 'low' },
    { why: 'with the file as a field',           claims: [claim('x', 'low', { file: 'a' })],                                          level: 'low' },
    { why: 'with the file in both places',       claims: [claim('a > x', 'low', { file: 'a' })],                                      level: 'low' },
    { why: 'not by a name in another file',      claims: [claim('b > x', 'low'), claim('x', 'low', { file: 'b' })],                   level: 'high' },
    { why: 'not by a part of its name',          claims: [claim('a', 'low'), claim('a > x2', 'low')],                                 level: 'high' },
    { why: 'and the newest counts',              claims: [claim('a > x', 'low'), claim('a > x', 'medium')],                           level: 'medium' },
    { why: 'and an analysis does not overrule the assessment', claims: [claim('a > x', 'medium'), claim('a > x', 'low', { source: 'analysis' })], level: 'medium' },
    { why: 'not by the assessment of other failures', claims: [claim('a > x', 'low', { fingerprint: 'other' })],                      level: 'high' },
    { why: 'and the newest counts, however named', claims: [claim('a::x', 'low'), claim('x', 'medium')],                              level: 'medium' },
    { why: 'and a bare name does not outlast it', claims: [claim('x', 'medium'), claim('a > x', 'low')],                              level: 'low' },
  ],
  )('a claim knows a test $why', ({ claims, level }) =>
    expect(compare(run([failed('a > x')]), { claims }).tests[0]?.criticality).toBe(level),
  )

  test('a claim on a test of a class is read as pytest writes it', () => {
    const now = run([failed('test_a.py > TestX::test_y[1]')])
    expect(
      compare(now, { claims: [claim('test_a.py::TestX::test_y[1]', 'low')] }).comparison.levels,
    ).toMatchObject({ low: 1 })
  })

  test('later claims change the levels, but not that a test passed before', () => {
    const before = run([passed('a > broke')])
    const compared = compare(run([failed('a > broke'), failed('a > x'), failed('e2e > x')]), {
      before,
      rules: [],
    })
    expect(compared.comparison.levels).toEqual({
      high: 3,
      medium: 0,
      low: 0,
      undecided: 2,
      barring: 1,
    })
    expect(
      levelsWith(compared, [claim('a > x', 'low'), claim('a > broke', 'low')], rules, 'f'),
    ).toEqual({ high: 1, medium: 0, low: 2, undecided: 0, barring: 1 })
  })
})

describe('what a fix did', () => {
  const baseline = run([
    passed('a > x'),
    failed('a > y'),
    failed('a > z', { error: 'TypeError: one' }),
  ])
  const first = compare(baseline)
  const said = (now: ComparedRun, rest: Partial<CompareInput> = {}) => {
    const { broken, counts } = compare(now, {
      baseline: first,
      before: first,
      best: first,
      lastFull: first,
      ...rest,
    }).comparison
    return { ...counts, broken }
  }

  test.each(
    // prettier-ignore
    [
    { why: 'nothing',                                 now: baseline,                                                                                     did: { repaired: 0, broken: 0, moved: 0 } },
    { why: 'it repaired one',                         now: run([passed('a > x'), passed('a > y'), failed('a > z', { error: 'TypeError: one' })]),        did: { repaired: 1, broken: 0, moved: 0 } },
    { why: 'it traded one for another',               now: run([failed('a > x'), passed('a > y'), failed('a > z', { error: 'TypeError: one' })]),        did: { repaired: 1, broken: 1, moved: 0 } },
    { why: 'one fails for another reason',            now: run([passed('a > x'), failed('a > y'), failed('a > z', { error: 'RangeError: two' })]),       did: { repaired: 0, broken: 0, moved: 1 } },
    { why: 'numbers and texts in an error differ',    now: run([passed('a > x'), failed('a > y'), failed('a > z', { error: 'TypeError: one' })]),        did: { repaired: 0, broken: 0, moved: 0 } },
    { why: 'a test went missing',                     now: run([failed('a > y'), failed('a > z', { error: 'TypeError: one' })], [missed('a > x')]),      did: { repaired: 0, broken: 1, moved: 0 } },
    { why: 'a new test fails: nothing is broken',     now: run([passed('a > x'), failed('a > y'), failed('a > z', { error: 'TypeError: one' }), failed('b > n')]), did: { repaired: 0, broken: 0, moved: 0 } },
  ],
  )('$why', ({ now, did: { repaired, broken, moved } }) => {
    const { counts, ...rest } = compare(now, {
      baseline: first,
      before: first,
      best: first,
      lastFull: first,
    }).comparison
    expect([rest.repaired, rest.broken, rest.moved]).toEqual([repaired, broken, moved])
    expect(counts.broken).toBe(broken)
  })

  test('a signature that the test had before is no progress, and after five moves nothing is', () => {
    const errors = ['one', 'two', 'one', 'three', 'four', 'five', 'six', 'seven', 'eight'].map(
      (word) => `TypeError: ${word}`,
    )
    let last = compare(run([failed('a > z', { error: 'TypeError: zero' })]))
    const moved = errors.map((error) => {
      last = compare(run([failed('a > z', { error })]), { before: last, lastFull: last })
      return last.comparison.moved
    })
    expect(moved).toEqual([1, 1, 0, 1, 1, 1, 0, 0, 0])
  })

  const atLine = (line: number, test = 'z') =>
    failed(`a > ${test}`, { error: `Error: -1 !== 10\n    at f (/ws/a:${line}:10)` })
  const downTo = (...lines: number[]) => {
    let last: ReturnType<typeof compare> | undefined
    return lines.map((line) => {
      last = compare(run([atLine(line)]), {
        before: last,
        lastFull: last,
        frozen: new Set(['a']),
      })
      return last.comparison.moved
    })
  }

  test('the same failure further down its file is progress, and further up is none', () => {
    expect(downTo(5, 6, 8, 7, 8, 9)).toEqual([0, 1, 1, 0, 0, 1])
  })

  test.each<{ why: string; rest: Partial<CompareInput>; test?: string }>([
    { why: 'in a file that the run has changed', rest: { frozen: new Set(['b']) } },
    { why: 'where nothing is known of files', rest: {} },
    {
      why: 'in another execution of the same commit not',
      rest: {
        frozen: new Set(['a']),
        otherErrors: new Map([['a\0z', ['Error: -1 !== 10\n    at f (/ws/a:5:10)']]]),
      },
    },
    {
      why: 'of a test that is only a number',
      rest: { frozen: new Set(['a']) },
      test: '(name differs from run to run) 1',
    },
    { why: 'of a flaky test', rest: { frozen: new Set(['a']), flaky: new Set(['a\0z']) } },
  ])('further down is no progress: $why', ({ rest, test: name = 'z' }) => {
    const last = compare(run([atLine(5, name)]), { frozen: new Set(['a']) })
    const now = compare(run([atLine(9, name)]), { before: last, lastFull: last, ...rest })
    expect(now.comparison.moved).toBe(0)
  })

  test('a test seen passing and failing on one commit is in no count from then on', () => {
    const flakyIds = new Set(['a\0x'])
    expect(
      said(run([failed('a > x'), failed('a > y'), failed('a > z', { error: 'TypeError: one' })]), {
        flaky: flakyIds,
      }),
    ).toMatchObject({ broken: 0, baselinePassing: 0, failing: 2 })
    const shaky = compare(
      run([flaky('a > x'), failed('a > y'), failed('a > z', { error: 'TypeError: one' })]),
      { baseline: first, before: first, lastFull: first },
    )
    expect(
      said(run([failed('a > x'), failed('a > y'), failed('a > z', { error: 'TypeError: one' })]), {
        lastFull: shaky,
      }),
    ).toMatchObject({ broken: 0 })
    expect(shaky.comparison).toMatchObject({ flaky: 1, flakyTests: ['a > x'] })
  })

  test('a test that passed at the baseline is never low, despite agents and rules', () => {
    const broke = compare(run([failed('a > x')]), {
      baseline: first,
      before: run([failed('a > x')]),
      claims: [claim('a > x', 'low')],
      rules: [{ match: 'a', level: 'low' }],
    })
    expect(told(broke)).toEqual(['a > x: 1 high regression'])
  })
})

describe('tests that are gone in files that the run has changed', () => {
  const baseline = run([passed('a > x'), failed('a > y'), passed('b > x')])
  const removed = (changed?: string[]) =>
    compare(run([passed('a > new')], [missed('a > x'), missed('a > y'), missed('b > x')]), {
      baseline,
      changed,
    }).comparison.removed
  test('stand by file and by what they were at the baseline; those of other files do not', () => {
    expect(removed(['a'])).toEqual([
      { file: 'a', passed: true, total: 1, tests: ['x'] },
      { file: 'a', passed: false, total: 1, tests: ['y'] },
    ])
    expect(removed([])).toBeUndefined()
    expect(removed(undefined)).toBeUndefined()
  })
  test('a package of Go has changed where a file in it has', () => {
    expect(removed(['b/sum_test.go'])).toEqual([
      { file: 'b', passed: true, total: 1, tests: ['x'] },
    ])
  })
  test('many are counted, and the first are named', () => {
    const many = Array.from({ length: 40 }, (_, n) => missed(`a > test ${n}`))
    const [group] =
      compare(run([], many), { baseline: run([]), changed: ['a'] }).comparison.removed ?? []
    expect(group).toMatchObject({ total: 40 })
    expect(group?.tests).toHaveLength(20)
  })
})

describe('known before', () => {
  const baseline = run([failed('a > old red'), passed('a > x'), flaky('a > shaky')])
  const known = (now: ComparedRun, rest: Partial<CompareInput> = {}) =>
    compare(now, { baseline, before: baseline, tellsKnown: true, ...rest }).comparison.known?.tests

  test('a test that failed at the baseline, but none that passed or was flaky there', () => {
    expect(known(run([failed('a > old red'), failed('a > x'), failed('a > shaky')]))).toEqual([
      'a > old red',
    ])
    expect(known(run([passed('a > old red'), failed('a > x')]))).toBeUndefined()
    expect(known(run([passed('a > x')], [missed('a > old red')]))).toBeUndefined()
  })

  test('one that was flaky in between', () => {
    const lastFull = after([flaky('a > old red')], [{ id: 'a > old red', flaky: true }])
    expect(known(run([failed('a > old red')]), { lastFull })).toEqual(['a > old red'])
  })
})
