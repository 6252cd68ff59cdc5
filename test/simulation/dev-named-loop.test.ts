// Sequences of a loop that were judged wrong once, each by its name: what a validation refused, what
// was found, and what another mode brings along.
import { expect, test } from 'vitest'
import { checkLoop } from './dev/check-loop.js'
import { LAZY, LOOP, resultOf } from './dev/named-worlds.js'
import { playLoop } from './dev/play.js'
import { rightOf, type WorkerMove } from './dev/worker-answers.js'
import type { LoopWorld } from './dev/world.js'

const [DEVELOP, DEBUG, VALIDATE] = [rightOf('develop'), rightOf('debug'), rightOf('validate')]
/** The moves of a worker: the right ones but for those of some iterations. */
function inIterations(right: WorkerMove, own: Record<number, Partial<WorkerMove>>): WorkerMove[] {
  return Array.from({ length: 25 }, (_, iteration) => ({ ...right, ...own[iteration] }))
}

test('a validate refuses a commit, the next one gives no answer and the third agrees: it stays refused', async () => {
  const played = await playLoop({
    ...LOOP,
    moves: {
      ...LOOP.moves,
      develop: inIterations(DEVELOP, { 5: LAZY }),
      validate: inIterations(VALIDATE, { 3: { status: 'failed' }, 6: { went: 'no block' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'failed',
    commits: ['c1'],
    reason: expect.stringContaining('refused this commit in iteration 3') as unknown,
  })
})

test('the same side by side: the validation of a round without a commit takes no refusal back', async () => {
  const played = await playLoop({
    ...LOOP,
    mode: 'parallel',
    limit: 6,
    moves: {
      ...LOOP.moves,
      develop: inIterations(LAZY, { 1: DEVELOP }),
      validate: inIterations(VALIDATE, { 1: { status: 'failed' }, 2: { went: 'no block' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'failed', commits: ['of-develop-1', 'c1'] })
})

test.each(['auto', 'parallel'] as const)(
  'a develop rewrites an existing test, and all tests pass: a person has to look at it (%s)',
  async (mode) => {
    const played = await playLoop({
      ...LOOP,
      mode,
      moves: { ...LOOP.moves, develop: [{ ...DEVELOP, edit: 'rewrite test' }] },
    })
    checkLoop(played)
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: 'existing tests were changed: src/a.test.ts',
      changedTestFiles: ['src/a.test.ts'],
    })
  },
)

test('side by side: what debug finds is not closed by the validation of the same commit', async () => {
  const played = await playLoop({
    ...LOOP,
    mode: 'parallel',
    limit: 6,
    moves: {
      ...LOOP.moves,
      develop: [{ ...LAZY, noChange: 'own' }],
      debug: inIterations(DEBUG, { 1: { finding: 11 } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('debug: [high] no input is checked') as unknown,
  })
})

test('a task takes back what the one before it did: nothing is left, and a reason says so', async () => {
  const played = await playLoop({
    ...LOOP,
    tasks: 2,
    moves: {
      ...LOOP.moves,
      develop: inIterations(LAZY, { 2: DEVELOP, 3: { ...DEVELOP, edit: 'take back' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'failed',
    commits: ['c1', 'c2'],
    nothingCommitted: true,
    reason: expect.stringMatching(
      /a later commit reverted the work on the task: .*a later commit reverted the work on T2/,
    ) as unknown,
  })
})

test('a task takes back what the one before it did, and does its own work: the first one is done again', async () => {
  const develop = inIterations(DEVELOP, { 3: { edit: 'swap' } })
  const played = await playLoop({ ...LOOP, tasks: 2, moves: { ...LOOP.moves, develop } })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'completed', commits: ['c1', 'c2', 'c3'] })
  expect(played.facts.turns.all.map(({ step }) => step).slice(1, 5)).toEqual([
    'iteration-2/develop',
    'iteration-3/develop',
    'iteration-4/develop',
    'iteration-5/validate',
  ])
})

test('two tasks revert each other: that ends after one round, and a person has to look at it', async () => {
  const develop = inIterations(DEVELOP, { 3: { edit: 'take back' } })
  const played = await playLoop({
    ...LOOP,
    failing: [0],
    tasks: 2,
    moves: { ...LOOP.moves, develop },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed',
    commits: ['c1', 'c2', 'c3'],
    reviewNeeded: true,
    reason: 'T2 and T1 contradict each other: each reverts the work of the other',
  })
})

test('validate sets a file to the start that debug had changed before the task: the task is open', async () => {
  const played = await playLoop({
    ...LOOP,
    moves: {
      ...LOOP.moves,
      init: [{ ...rightOf('init'), next: 'debug' }],
      debug: inIterations(DEBUG, { 2: { edit: 'write' } }),
      develop: inIterations(LAZY, { 3: DEVELOP }),
      validate: inIterations(VALIDATE, { 4: { edit: 'swap' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'failed',
    commits: ['c1', 'c2', 'c3'],
    reason: expect.stringContaining('a later commit reverted the work on T1') as unknown,
  })
})

test('the suite never started, develop hides it, and the loop is resumed: it stays an open item', async () => {
  const develop = inIterations(DEVELOP, { 2: { edit: 'hide' }, 5: LAZY, 6: LAZY })
  const played = await playLoop({
    ...LOOP,
    starts: false,
    limit: 2,
    then: 'resume',
    moves: { ...LOOP.moves, develop },
  })
  checkLoop(played)
  expect(played.runs.at(-1)?.result).toMatchObject({
    outcome: 'max_iterations',
    reason: expect.stringContaining(
      'the test suite did not start: no test command is configured and none was found',
    ) as unknown,
  })
})

test('the same, and the developer does nothing more: the first task is open', async () => {
  const played = await playLoop({
    ...LOOP,
    tasks: 2,
    moves: {
      ...LOOP.moves,
      develop: inIterations(LAZY, { 2: DEVELOP, 3: { ...DEVELOP, edit: 'swap' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'failed',
    commits: ['c1', 'c2'],
    reason: expect.stringContaining('a later commit reverted the work on T2') as unknown,
  })
})

test('side by side, a round takes back the task of the one before it: it is done again', async () => {
  const played = await playLoop({
    ...LOOP,
    mode: 'parallel',
    limit: 6,
    tasks: 2,
    moves: {
      ...LOOP.moves,
      develop: inIterations(DEVELOP, {
        1: { adds: { details: { tasks_completed: ['T1'], tasks_remaining: ['T2'] } } },
        2: { edit: 'swap' },
      }),
    },
  })
  expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 3 })
})

test('a further task takes back what was done before it: that was meant', async () => {
  const played = await playLoop({
    ...LOOP,
    then: 'extend',
    moves: { ...LOOP.moves, develop: inIterations(DEVELOP, { 5: { edit: 'swap' } }) },
  })
  checkLoop(played)
  expect(played.runs[1]?.result).toMatchObject({ outcome: 'completed', commits: ['c1', 'c2'] })
})

test('side by side, what one round takes back the next one does again', async () => {
  const played = await playLoop({
    ...LOOP,
    mode: 'parallel',
    limit: 6,
    moves: {
      ...LOOP.moves,
      develop: inIterations(DEVELOP, { 2: { edit: 'take back' } }),
      validate: inIterations(VALIDATE, { 1: { status: 'failed' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 3, reason: null })
})

test('parallel, then auto: what braked the rounds does not end it', async () => {
  const refused = inIterations(VALIDATE, {
    1: { status: 'failed' },
    2: { status: 'failed' },
    3: { status: 'failed' },
  })
  const sentBack = inIterations(VALIDATE, {
    1: { back: 'develop' },
    2: { back: 'develop' },
    3: { back: 'develop' },
  })
  const unfinished = { status: 'partial', names: 'none', left: 'own' } as const
  const late = inIterations(VALIDATE, { 1: { went: 'too late' } })
  const worlds: Partial<LoopWorld['moves']>[] = [
    { validate: refused },
    {
      develop: inIterations(DEVELOP, { 1: unfinished, 2: unfinished, 3: unfinished }),
      validate: sentBack,
    },
    {
      develop: inIterations(DEVELOP, { 1: unfinished }),
      debug: inIterations(DEBUG, { 1: { went: 'too late' } }),
      validate: late,
    },
  ]
  for (const moves of worlds)
    for (let at = 8; at < 70; at++) {
      const played = await playLoop({
        ...LOOP,
        mode: 'parallel',
        limit: 9,
        tasks: 2,
        events: [{ at, what: 'auto' }],
        moves: { ...LOOP.moves, ...moves },
      })
      checkLoop(played)
      expect(resultOf(played), `auto from step ${at}`).toMatchObject({ outcome: 'completed' })
    }
})

test('a person has it validated twice, then auto: debug has its turn', async () => {
  for (let at = 8; at < 40; at++) {
    const played = await playLoop({
      ...LOOP,
      mode: 'interactive',
      limit: 12,
      chosen: {
        'menu-1': 'develop',
        'menu-2': 'validate',
        'menu-3': 'validate',
        'menu-4': 'exit',
      },
      events: [{ at, what: 'auto' }],
      moves: {
        ...LOOP.moves,
        validate: inIterations(VALIDATE, { 3: { status: 'failed' }, 4: { status: 'failed' } }),
      },
    })
    checkLoop(played)
    expect(['completed', 'user_exit'], `auto from step ${at}`).toContain(resultOf(played).outcome)
  }
})

test.each(['complete', 'validate'] as const)(
  'complete goes back to %s, and nothing is open: the loop is completed',
  async (back) => {
    const played = await playLoop({
      ...LOOP,
      moves: { ...LOOP.moves, complete: [{ ...rightOf('complete'), back }] },
    })
    checkLoop(played)
    expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 4, reason: null })
  },
)

test('a validate lists the test that failed before, as its form asks: it holds nothing up', async () => {
  const played = await playLoop({
    ...LOOP,
    failing: [0],
    moves: {
      ...LOOP.moves,
      develop: [{ ...DEVELOP, edit: 'write' }],
      validate: [{ ...VALIDATE, lists: true }],
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed',
    iterations: 4,
    reviewNeeded: false,
    reason: expect.stringContaining('1 test failed before the run and still does') as unknown,
  })
})

test('a person edits seven files at once: develop sees each', async () => {
  const played = await playLoop({ ...LOOP, events: [{ at: 8, what: 'many edits' }] })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({ outcome: 'completed' })
})

test.each(['lint gone', 'lint hangs', 'coverage fails'] as const)(
  '%s, and it ran at the base: a person looks at the loop',
  async (edit) => {
    const played = await playLoop({
      ...LOOP,
      moves: { ...LOOP.moves, develop: [{ ...DEVELOP, edit }] },
    })
    checkLoop(played)
    expect(resultOf(played)).toMatchObject({ outcome: 'completed', reviewNeeded: true })
    expect(resultOf(played).reason).toMatch(/^l.* before the run and .* now: /)
  },
)

test('work is rightly withdrawn, its task needs no change, and validate agrees', async () => {
  // A develop that is not given the task names it all the same.
  const none = { edit: 'take back', names: 'none', noChange: 'others' } as const
  const played = await playLoop({
    ...LOOP,
    moves: {
      ...LOOP.moves,
      develop: inIterations(
        { ...DEVELOP, ...none, edit: 'nothing' },
        { 2: { edit: 'write', names: 'own', noChange: 'none' }, 5: none },
      ),
      validate: inIterations(VALIDATE, { 3: { status: 'failed' } }),
    },
  })
  checkLoop(played)
  expect(resultOf(played)).toMatchObject({
    outcome: 'completed',
    reviewNeeded: true,
    nothingCommitted: true,
    reason: expect.stringContaining('the committed work was reverted') as unknown,
  })
})

test.each(['lint gone', 'lint hangs', 'coverage fails'] as const)(
  '%s, and the loop is stopped once it is validated: a person looks at the one that continues',
  async (edit) => {
    let straight = 0
    for (let at = 10; at < 20; at++) {
      const played = await playLoop({
        ...LOOP,
        events: [{ at, what: 'stop' }],
        then: 'resume',
        moves: { ...LOOP.moves, develop: [{ ...DEVELOP, edit }] },
      })
      checkLoop(played)
      const [first, second] = played.runs
      if (first?.result.outcome !== 'stopped') continue
      expect(second?.result, `stopped at step ${at}`).toMatchObject({
        outcome: 'completed',
        reviewNeeded: true,
      })
      const later = played.facts.turns.all.filter((one) => one.at > first.to)
      if (later.every(({ who }) => who === 'complete')) straight += 1
    }
    expect(straight, 'runs that continue with complete').toBeGreaterThan(0)
  },
)

test.each(['titles', 'twice'] as const)(
  'a develop names its tasks by %s, and does them: the loop is completed without a further turn',
  async (names) => {
    const played = await playLoop({
      ...LOOP,
      tasks: 2,
      moves: { ...LOOP.moves, develop: [{ ...DEVELOP, names }] },
    })
    checkLoop(played)
    expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 5, reason: null })
  },
)
