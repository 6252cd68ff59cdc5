// Sequences of turns that fix several causes, each by its name.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from './check.js'
import { play } from './play.js'
import { verdictOf } from './verdict.js'
import type { Move, World } from './world.js'

const repair = (pick: number): Move => ({ do: 'repair', picks: [pick] })
const wrong: Move = { do: 'break', picks: [0] }
const several = (...parts: Move[]): Move => ({ do: 'several', parts })
/** Three causes of which the second one breaks a test. */
const oneWrong = several(repair(0), wrong, repair(1))

const of = (moves: Move[], rest: Partial<World> = {}): World => ({
  tests: 30,
  failing: Array.from({ length: 10 }, (_, n) => n),
  flaky: [],
  starts: true,
  moves,
  limit: 8,
  flakiness: 0,
  ...rest,
})

test('ten bugs, three causes a turn, two of them wrong: success after five iterations, each wrong one taken back alone', async () => {
  const three = several(repair(0), repair(1), repair(2))
  const world = of([repair(0), oneWrong, three, oneWrong, three])
  const played = await play(world)
  check(world, played)
  const { result } = played
  expect(result).toMatchObject({ outcome: 'success', iterations: 5, broken: [] })
  expect(result.history.slice(1).map(({ parts }) => parts?.map((one) => one.result))).toEqual([
    undefined,
    ['kept', 'rolled_back', 'kept'],
    ['kept', 'kept', 'kept'],
    ['kept', 'rolled_back', 'kept'],
    ['kept', 'kept', 'kept'],
  ])
  expect(result.history[2]?.note).toMatch(/IMPL-fix-2\.2 was taken out: it broke 1 test: /)
  expect(result.history.every(({ strategy = 'conservative' }) => strategy === 'conservative')).toBe(
    true,
  )
})

test('two of three causes are wrong: the third one stays', async () => {
  const second: Move = { do: 'break', picks: [1, 2] }
  const world = of([repair(0), several(wrong, repair(0), second)], { limit: 2 })
  const played = await play(world)
  check(world, played)
  expect(played.result.history[2]).toMatchObject({
    result: 'kept',
    parts: [{ result: 'rolled_back' }, { result: 'kept' }, { result: 'rolled_back' }],
  })
  expect(played.result.passRate).toBe(73.3)
})

test('without one cause the suite starts again: it is taken out', async () => {
  const world = of([repair(0), several({ do: 'no start' }, repair(0), repair(1))], { limit: 2 })
  const played = await play(world)
  check(world, played)
  expect(played.result.history[2]).toMatchObject({
    result: 'kept',
    note: expect.stringContaining(
      'IMPL-fix-2.1 was taken out: the tests do not start with it',
    ) as string,
    parts: [{ result: 'rolled_back' }, { result: 'kept' }, { result: 'kept' }],
  })
})

test('two causes break the same test: all are rolled back, and the next iteration fixes one', async () => {
  const world = of([repair(0), several(wrong, wrong, repair(0)), repair(0)], { limit: 3 })
  const played = await play(world)
  check(world, played)
  expect(played.result.history.slice(2)).toMatchObject([
    {
      result: 'rolled_back',
      note: expect.stringContaining('no single cause broke them') as string,
      parts: [{ result: 'rolled_back' }, { result: 'rolled_back' }, { result: 'rolled_back' }],
    },
    { result: 'kept', strategy: 'reflective' },
  ])
  expect(played.result.history[3]?.parts).toBeUndefined()
})

test('after an iteration that broke a test one cause is fixed', async () => {
  const trade: Move = { do: 'trade', repaired: [0, 1], broken: [0] }
  const world = of([trade, oneWrong], { limit: 2 })
  const played = await play(world)
  check(world, played)
  expect(played.result.history.map(({ parts }) => parts)).toEqual([undefined, undefined, undefined])
})

test.each(['turn', 'now'] as const)(
  'a pause (%s) before any step of a search, and its resume, change no verdict',
  async (mode) => {
    const world = of([repair(0), oneWrong, several(wrong, wrong, repair(0)), repair(0)], {
      limit: 4,
    })
    const undisturbed = verdictOf(await play(world)).history
    for (let n = 1; n <= 40; n++)
      expect(
        verdictOf(await play({ ...world, pausesAt: { n, mode } })).history,
        `paused at ${n}`,
      ).toEqual(undisturbed)
  },
)

test('a stop before any step of a search, and a resume: nothing is lost that was measured', async () => {
  for (let stopsAt = 3; stopsAt <= 40; stopsAt++) {
    const world = of([repair(0), oneWrong], { limit: 4, stopsAt, resumes: true })
    const played = await play(world)
    check(world, played)
    expect(played.result.passRate, `stopped at ${stopsAt}`).toBeGreaterThanOrEqual(73.3)
  }
})

test('any turns of two or three causes: never below the start, and every wrong one is taken out alone', async () => {
  const one = fc.oneof(
    fc.nat(9).map(repair),
    fc.nat(9).map((pick): Move => ({ do: 'break', picks: [pick] })),
    fc.constant<Move>({ do: 'no start' }),
  )
  const turn = fc.array(one, { minLength: 2, maxLength: 3 }).map((parts) => several(...parts))
  let searches = 0
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 6 }), async (turns) => {
      const world = of([repair(0), ...turns], { limit: turns.length + 1 })
      const played = await play(world)
      check(world, played)
      searches += played.result.history.filter(({ parts }) =>
        parts?.some(({ result }) => result === 'rolled_back'),
      ).length
    }),
    { numRuns: 100 },
  )
  expect(searches).toBeGreaterThan(20)
})
