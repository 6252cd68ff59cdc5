// Sequences that were judged wrong before there was a best state, each by its name.
import { expect, test } from 'vitest'
import { check } from './check.js'
import { play } from './play.js'
import { verdictOf } from './verdict.js'
import { firstTree, type Patch, type World } from './world.js'

test('ten bugs, one repaired in each iteration, twelve allowed: success after ten', async () => {
  const world: World = {
    tests: 30,
    failing: Array.from({ length: 10 }, (_, n) => n),
    flaky: [],
    starts: true,
    moves: [{ do: 'repair', picks: [0] }],
    limit: 12,
    flakiness: 0,
  }
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({
    outcome: 'success',
    passRate: 100,
    iterations: 10,
    broken: [],
    baselinePassRate: 66.6,
  })
})

/** One test of three fails; agents change how far it gets. */
const oneTest = (moves: World['moves'], limit = 12): World => ({
  tests: 3,
  failing: [0],
  flaky: [],
  starts: true,
  moves,
  limit,
  flakiness: 0,
})
const further = { do: 'further' as const, picks: [0] }
const lessFar = { do: 'less far' as const, picks: [0] }

test('one test that gets further eight times, then passes: success', async () => {
  const world = oneTest([
    ...Array<World['moves'][number]>(8).fill(further),
    { do: 'repair', picks: [0] },
  ])
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({ outcome: 'success', iterations: 9, passRate: 100 })
})

test('one test that gets further and less far in turn: blocked', async () => {
  const world = oneTest([further, lessFar])
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({ outcome: 'blocked', best: { iteration: 0 } })
  expect(played.result.iterations).toBeLessThan(8)
})

test('two fixes that change no result: the note says that nothing is better', async () => {
  const { result } = await play(oneTest([lessFar], 2))
  expect(result.history.slice(1).map(({ note }) => note)).toEqual([
    'the same failures as before',
    'the same failures as before; the tests are no better than at the start after two fixes in a row: the next fix starts from there',
  ])
})

test('four fixes that each break three tests and repair none: nothing is handed over', async () => {
  const world: World = {
    tests: 30,
    failing: [0],
    flaky: [],
    starts: true,
    moves: [{ do: 'break', picks: [0, 1, 2] }],
    limit: 4,
    flakiness: 0,
  }
  const { result, head } = await play(world)
  expect(result).toMatchObject({
    outcome: expect.stringMatching(/failed|blocked/) as string,
    best: { iteration: 0 },
    broken: [],
    reason: expect.stringContaining('there is nothing to apply') as string,
  })
  expect(head.tests).toEqual(firstTree(world).tests)
})

test('a good fix, then three that each lose a little: the branch is at the good one', async () => {
  const world: World = {
    tests: 50,
    failing: [0, 1, 2, 3, 4, 5],
    flaky: [],
    starts: true,
    limit: 4,
    flakiness: 0,
    moves: [
      { do: 'repair', picks: [0, 1, 2, 3] },
      { do: 'trade', repaired: [0], broken: [0] },
      { do: 'trade', repaired: [0], broken: [1] },
      { do: 'break', picks: [3] },
    ],
  }
  expect((await play(world)).result).toMatchObject({
    outcome: 'failed',
    best: { iteration: 1, passRate: 96 },
    passRate: 96,
    broken: [],
  })
})

test('a forged pass is found out, and the next fix is made on the start', async () => {
  const world: World = {
    tests: 5,
    failing: [0, 1],
    flaky: [],
    starts: true,
    moves: [
      { do: 'forge', picks: [0, 1] },
      { do: 'repair', picks: [0, 1] },
    ],
    limit: 4,
    flakiness: 0,
  }
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({
    outcome: 'success',
    iterations: 2,
    confirmed: true,
    history: [{ result: 'baseline' }, { result: 'rolled_back' }, { result: 'kept' }],
  })
})

test('a forged pass on top of an honest fix: the branch ends at the honest one', async () => {
  const world: World = {
    tests: 5,
    failing: [0, 1],
    flaky: [],
    starts: true,
    moves: [
      { do: 'repair', picks: [0] },
      { do: 'forge', picks: [0] },
    ],
    limit: 2,
    flakiness: 0,
  }
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({
    outcome: 'failed',
    best: { iteration: 1 },
    passRate: 80,
    confirmed: true,
  })
})

test('a forged pass among four best states is found out before the fifth fix, and the honest ones before it stay', async () => {
  const moves: World['moves'] = [
    { do: 'repair', picks: [0] },
    { do: 'repair', picks: [0] },
    { do: 'forge', picks: [0] },
    { do: 'repair', picks: [2] },
    { do: 'repair', picks: [0, 1, 2, 3] },
  ]
  const world: World = {
    tests: 9,
    failing: [0, 1, 2, 3, 4, 5],
    flaky: [],
    starts: true,
    moves,
    limit: 8,
    flakiness: 0,
  }
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({
    outcome: 'success',
    iterations: 5,
    confirmed: true,
    history: [
      {},
      { result: 'kept' },
      { result: 'kept' },
      { result: 'rolled_back' },
      { result: 'rolled_back' },
      { result: 'kept' },
    ],
  })
})

test('four honest fixes, then four forged ones, and files cannot be selected: the fourth stays', async () => {
  const honest: World['moves'] = [0, 0, 0, 0].map((pick) => ({ do: 'repair', picks: [pick] }))
  const forged: World['moves'] = [[0], [0, 1], [0, 1, 2], [0, 1, 2, 3]].map((picks) => ({
    do: 'forge',
    picks,
  }))
  const world: World = {
    tests: 20,
    failing: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    flaky: [],
    starts: true,
    moves: [...honest, ...forged],
    limit: 8,
    flakiness: 0,
    selects: false,
  }
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({
    outcome: 'failed',
    best: { iteration: 4 },
    passRate: 70,
    confirmed: true,
  })
})

test('one bug hidden behind another, four deep: the run continues while the failure moves', async () => {
  const world: World = {
    tests: 5,
    failing: [0],
    flaky: [],
    starts: true,
    moves: [
      { do: 'move', picks: [0] },
      { do: 'move', picks: [0] },
      { do: 'move', picks: [0] },
      { do: 'repair', picks: [0] },
    ],
    limit: 6,
    flakiness: 0,
  }
  expect((await play(world)).result).toMatchObject({ outcome: 'success', iterations: 4 })
})

test('nothing starts at the base: each run until the first measured one is compared with the files that did not load', async () => {
  const world: World = {
    tests: 5,
    failing: [0],
    flaky: [],
    starts: false,
    moves: [{ do: 'repair', picks: [0] }, { do: 'start' }],
    limit: 4,
    flakiness: 0,
  }
  const seen: (string | undefined)[] = []
  const { result } = await play(world, ({ compare }) => seen.push(compare?.before?.path))
  expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
  expect(seen.slice(0, 3)).toEqual([undefined, '/r1', '/r1'])
})

const of = (moves: World['moves'], rest: Partial<World> = {}): World => ({
  tests: 6,
  failing: [0, 1],
  flaky: [],
  starts: true,
  moves,
  limit: 3,
  flakiness: 0,
  ...rest,
})

test.each<{ what: string; world: World; result: object }>(
  // prettier-ignore
  [
  { what: 'the code skips the tests that fail: no success', world: of([{ do: 'skip', picks: [0, 1] }]), result: { outcome: 'failed', passRate: 66.6, best: { iteration: 0 } } },
  { what: 'the code skips a test that passes: rolled back', world: of([{ do: 'skip', picks: [5] }, { do: 'repair', picks: [0, 1] }]), result: { outcome: 'success', history: [{}, { result: 'rolled_back' }, { result: 'kept' }] } },
  { what: 'a name that varies from now on is a broken test', world: of([{ do: 'vary', picks: [3] }, { do: 'repair', picks: [0, 1] }]), result: { outcome: 'success', history: [{}, { result: 'rolled_back' }, { result: 'kept' }] } },
  { what: 'an agent that also changes tests: they are restored, its fix counts, and the note says so', world: of([{ do: 'tamper', picks: [0, 1] }]), result: { outcome: 'success', history: [{}, { result: 'kept', note: 'changes to a.test were restored' }] } },
  { what: 'an agent that breaks a test and claims that all pass: its claim decides nothing', world: of([{ do: 'lie', picks: [0] }, { do: 'repair', picks: [0, 1] }]), result: { outcome: 'success', history: [{}, { result: 'rolled_back', claimed: 100, note: expect.stringContaining('the agent claimed 100 %, measured: 50 %') as string }, { result: 'kept' }] } },
  { what: 'a provider that limits each turn: waited for, no iteration spent', world: of([{ do: 'limited', picks: [0, 1] }], { limit: 1 }), result: { outcome: 'success', iterations: 1 } },
  { what: 'a provider that is away in each turn: waited for, no iteration spent', world: of([{ do: 'unavailable', picks: [0, 1] }], { limit: 1 }), result: { outcome: 'success', iterations: 1 } },
  { what: 'a fix whose time is over: what it left counts', world: of([{ do: 'times out', picks: [0, 1] }]), result: { outcome: 'success', iterations: 1 } },
  { what: 'a repaired test that the last run finds flaky: the repair stays, for a person to look at', world: of([{ do: 'repair', picks: [0] }], { tests: 10, failing: [0], flaky: [0], limit: 5, flakiness: 3 * 7919 }), result: { outcome: 'partial_success', iterations: 1, best: { iteration: 1 }, passRate: 100, reviewNeeded: true } },
  { what: 'nothing starts at the base, and a fix lets the command end with 0 and no report: rolled back, the run continues', world: of([{ do: 'exits' }, { do: 'start' }, { do: 'repair', picks: [0, 1] }], { starts: false }), result: { outcome: 'success', iterations: 3, history: [{}, { result: 'rolled_back' }, { result: 'kept' }, { result: 'kept' }] } },
  { what: 'a fix hides the test command: rolled back, the run continues', world: of([{ do: 'repair', picks: [0] }, { do: 'hide' }, { do: 'repair', picks: [0] }]), result: { outcome: 'success', iterations: 3, history: [{}, { result: 'kept' }, { result: 'rolled_back' }, { result: 'kept' }] } },
  { what: 'nothing starts at the base, and a fix hides the test command: the run continues', world: of([{ do: 'hide' }, { do: 'start' }, { do: 'repair', picks: [0, 1] }], { starts: false }), result: { outcome: 'success', iterations: 3 } },
  { what: 'the last run of a repaired suite ends with 0 and no report: the run continues until its limit', world: of([{ do: 'exits later' }, { do: 'repair', picks: [0, 1] }, { do: 'nothing' }], { limit: 4 }), result: { outcome: 'failed', iterations: 4, best: { iteration: 2 }, passRate: 100 } },
  { what: 'a stop in the second iteration: the branch is at the first', world: of([{ do: 'repair', picks: [0] }, { do: 'break', picks: [0] }], { stopsAt: 11 }), result: { outcome: 'stopped', best: { iteration: 1 }, passRate: 83.3, confirmed: false } },
],
)('$what', async ({ world, result }) => {
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject(result)
})

const proposes = (
  by: 'analysis' | 'fix',
  patch: Patch,
  person: World['person'],
  rest: Partial<World> = {},
): World => of([{ do: 'propose', picks: [0], by, patch }], { failing: [0], person, ...rest })

test.each<{ what: string; world: World; result: object }>(
  // prettier-ignore
  [
  { what: 'proposed by an analysis that wants nothing else, no person there: blocked before a fix is bought', world: proposes('analysis', 'right', undefined), result: { outcome: 'blocked', iterations: 0, proposedTestChanges: [{ file: 'a.test' }], reason: expect.stringContaining('1 test is proposed to change (a.test)') as string } },
  { what: 'proposed by a fix that changed nothing, no person there: blocked after it', world: proposes('fix', 'right', undefined), result: { outcome: 'blocked', iterations: 1, best: { iteration: 0 } } },
  { what: 'accepted once the run has ended: it succeeds', world: proposes('analysis', 'right', 'accepts later'), result: { outcome: 'success', passRate: 100, broken: [], proposedTestChanges: [{ answer: 'accepted' }] } },
  { what: 'accepted by a person who is there: the same run succeeds', world: proposes('fix', 'right', 'accepts'), result: { outcome: 'success', iterations: 1, proposedTestChanges: [{ answer: 'accepted' }] } },
  { what: 'refused by a person who is there: the test stays, and is not asked about again', world: proposes('fix', 'right', 'refuses', { limit: 2 }), result: { outcome: 'failed', iterations: 2, best: { iteration: 0 }, proposedTestChanges: [{ answer: 'refused' }] } },
  { what: 'a test of the file that the accepted change breaks is not broken by the run', world: proposes('analysis', 'harmful', 'accepts later'), result: { outcome: 'blocked', broken: [], best: { passRate: 83.3 } } },
  { what: 'an accepted change that applies no more leaves all as it was', world: proposes('analysis', 'gone', 'accepts later'), result: { outcome: 'blocked', best: { commit: 'base' }, reason: expect.stringContaining('the patch does not apply') as string } },
  { what: 'an accepted change with which the suite does not start is undone', world: proposes('analysis', 'no start', 'accepts later'), result: { outcome: 'blocked', best: { commit: 'base' }, reason: expect.stringContaining('so it was undone') as string } },
  { what: 'an accepted change that breaks the tests of another file is undone', world: proposes('analysis', 'elsewhere', 'accepts later'), result: { outcome: 'blocked', best: { commit: 'base' }, broken: [], passRate: 83.3, reason: expect.stringContaining('breaks 3 tests of other files, so it was undone: b.test > t1') as string, proposedTestChanges: [{ file: 'a.test' }] } },
  { what: 'an accepted change with which another file cannot be loaded is undone', world: proposes('fix', 'unloads', 'accepts'), result: { outcome: 'blocked', best: { commit: 'base' }, broken: [], reason: expect.stringContaining('breaks 3 tests of other files') as string } },
  { what: 'an accepted change that breaks another file keeps what was repaired before', world: of([{ do: 'repair', picks: [1] }, { do: 'propose', picks: [0], by: 'analysis', patch: 'elsewhere' }], { person: 'accepts later' }), result: { outcome: 'blocked', best: { iteration: 1 }, passRate: 83.3, broken: [] } },
  { what: 'accepted on a forged pass: that is found out before, and the change is made on the start', world: of([{ do: 'forge', picks: [0] }, { do: 'propose', picks: [0], by: 'analysis', patch: 'right' }], { person: 'accepts' }), result: { outcome: 'success', iterations: 1, broken: [], history: [{}, { result: 'rolled_back' }] } },
  { what: 'accepted after a stop within the last iteration: that one is spent', world: of([{ do: 'propose', picks: [0], by: 'analysis', patch: 'right' }, { do: 'trade', repaired: [0], broken: [0] }, { do: 'trade', repaired: [0], broken: [0] }, { do: 'repair', picks: [0] }], { tests: 3, failing: [0, 1], selects: false, stopsAt: 20, person: 'accepts later' }), result: { iterations: 3 } },
  { what: 'a stop while an accepted change is measured: the branch is at what was measured', world: proposes('analysis', 'right', 'accepts', { stopsAt: 9 }), result: { outcome: 'stopped', best: { commit: 'base' }, reason: expect.stringContaining('c1 was not measured') as string } },
],
)('a test change: $what', async ({ world, result }) => {
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject(result)
})

test('a right change of a test, and a flaky test of another file: the change is undone only if that failed in three runs of it', async () => {
  let accepted = 0
  for (let seed = 0; seed < 100; seed++) {
    const world = proposes('analysis', 'right', 'accepts', { flaky: [1], flakiness: seed * 7919 })
    const played = await play(world)
    check(world, played)
    const { reason, proposedTestChanges: [change] = [] } = played.result
    if (change?.answer === 'accepted') accepted += 1
    else if (reason?.includes('so it was undone') === true)
      expect(played.runsOfUndone, `flakiness ${world.flakiness}`).toBeGreaterThan(2)
  }
  expect(accepted).toBeGreaterThan(80)
})

const limited = (moves: World['moves'], rest: Partial<World> = {}): World =>
  of(moves, { failing: [0, 1, 2], limit: 1, ...rest })

test.each<{ what: string; world: World }>(
  // prettier-ignore
  [
  { what: 'a run that is confirmed at its limit', world: limited([{ do: 'repair', picks: [0] }]) },
  { what: 'a run that is refuted at its limit', world: limited([{ do: 'forge', picks: [0] }, { do: 'repair', picks: [0, 1, 2] }]) },
  { what: 'a run that asks whether to apply a test change at its limit', world: limited([{ do: 'propose', by: 'fix', picks: [0], patch: 'right' }, { do: 'repair', picks: [0, 1, 2] }], { person: 'refuses' }) },
  { what: 'a run of which only tests with a proposal fail at its limit', world: limited([{ do: 'propose', by: 'fix', picks: [0], patch: 'right' }, { do: 'repair', picks: [1] }, { do: 'repair', picks: [0] }], { failing: [0, 1], limit: 2 }) },
],
)('an accepted extension of $what counts, before each of its steps', async ({ world }) => {
  let accepted = 0
  for (let n = 3; n <= 30; n++) {
    const extended = { ...world, extendsAt: { n, by: 3 } }
    const played = await play(extended)
    check(extended, played)
    if (played.extended === 0) continue
    accepted += 1
    expect(played.result, `extended at ${n}`).toMatchObject({ outcome: 'success', passRate: 100 })
  }
  expect(accepted).toBeGreaterThan(8)
})

const moving: World['moves'] = [1, 1, 1, 1].map((pick) => ({ do: 'move', picks: [pick] }))
test.each<{ what: string; first: number[] }>([
  { what: 'one', first: [0] },
  { what: 'two', first: [0, 3] },
])(
  'an honest fix of $what, then one that seems to repair tests and breaks one: once they show that they are flaky, the honest one stays',
  async ({ first }) => {
    let honest = 0
    for (let seed = 0; seed < 40; seed++) {
      const world: World = {
        tests: 30,
        failing: [0, 1, 2, 3, 25],
        flaky: [1, 2],
        starts: true,
        moves: [
          { do: 'repair', picks: first },
          { do: 'trade', repaired: [0, 1], broken: [10] },
          ...moving,
        ],
        limit: 6,
        flakiness: seed * 7919,
      }
      const played = await play(world)
      check(world, played)
      if (played.knownFlaky.size < 2 || played.result.history[1]?.result !== 'kept') continue
      honest += 1
      expect(played.result.best, `flakiness ${world.flakiness}`).toMatchObject({ iteration: 1 })
    }
    expect(honest).toBeGreaterThan(5)
  },
)

test('a best state that seemed worse than the start is best again, once the test it seemed to break is flaky', async () => {
  const trade = (repaired: number[], broken: number[]): World['moves'][number] => ({
    do: 'trade',
    repaired,
    broken,
  })
  const world: World = {
    tests: 5,
    failing: [0, 1, 2],
    flaky: [0, 3],
    starts: true,
    moves: [trade([0, 1], [0]), trade([0], [0, 1]), trade([1], [0]), trade([0], [0])],
    limit: 4,
    flakiness: 591_411,
    selects: false,
  }
  const played = await play(world)
  check(world, played)
  expect(played.knownFlaky).toEqual(new Set(['t0', 't3']))
  expect(played.result.best).toMatchObject({ iteration: 1 })
})

test('a run that ends behind its best state tells the numbers of that one', async () => {
  const world = of(
    [
      { do: 'repair', picks: [0, 1] },
      { do: 'add', passing: 0, failing: 1 },
    ],
    { tests: 30, failing: [0, 1, 2, 3], limit: 2 },
  )
  const played = await play(world)
  check(world, played)
  expect(played.result).toMatchObject({
    best: { iteration: 1 },
    passRate: 93.3,
    reason: expect.stringContaining('93.3 % (28 of 30) after 2 of 2 iterations') as string,
  })
})

test('a stop before any step, and a resume with the same limit: no iteration more', async () => {
  const repair: World['moves'][number] = { do: 'repair', picks: [0] }
  for (let stopsAt = 3; stopsAt <= 60; stopsAt++) {
    const world = of([repair], {
      tests: 12,
      failing: [0, 1, 2, 3, 4, 5, 6, 7],
      limit: 5,
      stopsAt,
      resumes: true,
    })
    const played = await play(world)
    check(world, played)
    expect(played.result.iterations, `stopped at ${stopsAt}`).toBe(5)
  }
})

test('a stop before any step, and a resume: no fix is bought while four best states wait for canaries', async () => {
  const moves: World['moves'] = [
    { do: 'repair', picks: [0] },
    { do: 'repair', picks: [0] },
    { do: 'repair', picks: [0] },
    { do: 'forge', picks: [0] },
    { do: 'repair', picks: [1, 2] },
  ]
  for (let stopsAt = 3; stopsAt <= 40; stopsAt++) {
    const world = of(moves, {
      tests: 12,
      failing: [0, 1, 2, 3, 4, 5],
      limit: 8,
      stopsAt,
      resumes: true,
    })
    const played = await play(world)
    expect(played.unseen, `stopped at ${stopsAt}`).toBe(3)
    check(world, played)
  }
})

test('a stop before any step, and a resume: a test that only a fix had which was rolled back is not missing', async () => {
  for (let stopsAt = 3; stopsAt <= 30; stopsAt++) {
    const world = of([{ do: 'vary', picks: [0] }, { do: 'no start' }], {
      tests: 2,
      failing: [0],
      stopsAt,
      resumes: true,
    })
    const played = await play(world)
    check(world, played)
    expect(played.result, `stopped at ${stopsAt}`).toMatchObject({ passRate: 50, iterations: 3 })
  }
})

test('a stop while a fix is measured, and a resume with a flaky test: the reason tells the numbers of the result', async () => {
  const moves: World['moves'] = [
    { do: 'trade', repaired: [0], broken: [3, 2] },
    { do: 'repair', picks: [0] },
    { do: 'trade', repaired: [0], broken: [0, 3] },
  ]
  for (let seed = 0; seed < 20; seed++) {
    const world = of(moves, {
      failing: [0],
      flaky: [3],
      limit: 4,
      selects: false,
      stopsAt: 24,
      resumes: true,
      flakiness: seed * 7919,
    })
    check(world, await play(world))
  }
})

test.each(['turn', 'now'] as const)(
  'a pause (%s) before any step, and its resume, change no verdict',
  async (mode) => {
    const moves: World['moves'] = [
      { do: 'trade', repaired: [0, 1], broken: [0] },
      { do: 'forge', picks: [0] },
      { do: 'repair', picks: [0, 1, 2] },
    ]
    const world = of(moves, { failing: [0, 1, 2], limit: 5 })
    const { result } = await play(world)
    expect(result.outcome).toBe('success')
    for (let n = 1; n <= 40; n++)
      expect(
        verdictOf(await play({ ...world, pausesAt: { n, mode } })).history,
        `paused at ${n}`,
      ).toEqual(verdictOf(await play(world)).history)
  },
)

test('an unusable analysis in a session that serves no prompt: the agent gets a new session from then on', async () => {
  const world: World = {
    tests: 3,
    failing: [0, 2],
    flaky: [],
    starts: true,
    moves: [
      { do: 'trade', repaired: [0], broken: [0] },
      { do: 'repair', picks: [0] },
      { do: 'no analysis' },
      { do: 'trade', repaired: [0], broken: [0] },
    ],
    limit: 4,
    flakiness: 0,
    selects: false,
    sessions: {
      adds: 1,
      bytes: 1000,
      lost: [],
      inVain: [5],
      crashes: [],
      weak: [],
      renames: false,
    },
  }
  const { sessions } = await play(world)
  expect(sessions?.wrong).toEqual([])
})
