// Sequences of a cycle and a loop that were judged wrong once, each by its name.
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/output/ending.js'
import { checkCycle } from './dev/check-cycle.js'
import { checkLoop } from './dev/check-loop.js'
import { CYCLE, LAZY, LOOP, resultOf } from './dev/named-worlds.js'
import { RIGHT } from './dev/phase-answers.js'
import { playCycle, playLoop, type PlayedCycle } from './dev/play.js'
import { rightOf } from './dev/worker-answers.js'

const LOW = Array.from({ length: 30 }, (_, n) => `[low] remark ${n}`)
const BURIED = [...LOW, '[high] orders are lost on restart']

describe('a loop', () => {
  test('a lazy develop that names no task is asked, and a commit of debug closes nothing for it', async () => {
    const played = await playLoop({
      ...LOOP,
      moves: {
        ...LOOP.moves,
        init: [{ ...rightOf('init'), next: 'debug' }],
        debug: [{ ...rightOf('debug'), edit: 'write' }],
        develop: [LAZY],
      },
    })
    checkLoop(played)
    const result = resultOf(played)
    expect(result).toMatchObject({
      outcome: 'failed',
      commits: ['c1'],
      reason: expect.stringContaining('T1 is not done: piece of work 1') as unknown,
    })
    expect(exitCodeOf(result)).toBe(1)
    expect(played.facts.turns.all.map(({ step }) => step)).toContain('iteration-3/develop.retry')
  })

  test('a further task for an open loop that needs no change: validate looks at the claim, and the exit code is 1', async () => {
    const played = await playLoop({
      ...LOOP,
      events: [{ at: 11, what: 'extend' }],
      moves: {
        ...LOOP.moves,
        develop: Array.from({ length: 10 }, (_, iteration) =>
          iteration === 4 ? ({ ...LAZY, noChange: 'own' } as const) : rightOf('develop'),
        ),
      },
    })
    checkLoop(played)
    const result = resultOf(played)
    expect(result).toMatchObject({ outcome: 'completed', commits: ['c1'], nothingCommitted: true })
    expect(exitCodeOf(result)).toBe(1)
    expect(played.facts.turns.all.map(({ who }) => who)).toEqual([
      'init',
      'develop',
      'validate',
      'develop',
      'validate',
      'complete',
    ])
  })

  test('auto with 7 of 8 workers spent, continued as parallel: its rounds count from there', async () => {
    const played = await playLoop({
      ...LOOP,
      limit: 8,
      tasks: 12,
      // Before the record of the seventh worker.
      events: [{ at: 25, what: 'parallel' }],
      moves: {
        ...LOOP.moves,
        develop: [{ ...rightOf('develop'), status: 'partial', left: 'own', names: 'none' }],
      },
    })
    checkLoop(played)
    expect(resultOf(played)).toMatchObject({
      outcome: 'max_iterations',
      iterations: 15,
      reason: expect.stringContaining('the 15 rounds are spent') as unknown,
    })
  })

  test('interactive: a lazy develop, and a validate that commits a test: complete names the open task', async () => {
    const played = await playLoop({
      ...LOOP,
      mode: 'interactive',
      chosen: {
        'menu-1': 'develop',
        'menu-2': 'validate',
        'menu-3': 'complete',
        'complete-3': 'complete anyway',
      },
      moves: {
        ...LOOP.moves,
        develop: [LAZY],
        validate: [{ ...rightOf('validate'), edit: 'write' }],
      },
    })
    checkLoop(played)
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      confirmedByPerson: true,
      reason: expect.stringContaining('T1 is not done: piece of work 1') as unknown,
    })
  })

  test.each(['Make tests pass', 'Fix the tests'])(
    '%s: a test that stays red holds the loop up',
    async (task) => {
      const played = await playLoop({
        ...LOOP,
        task,
        limit: 8,
        failing: [0, 1],
        moves: { ...LOOP.moves, develop: [{ ...rightOf('develop'), edit: 'write' }] },
      })
      expect(resultOf(played).outcome).not.toBe('completed')
    },
  )

  test('a validate that names issues in the words of the other form holds the loop up', async () => {
    const lines = ['- issues: ["[high] no input is checked"]']
    const played = await playLoop({
      ...LOOP,
      limit: 3,
      moves: { ...LOOP.moves, validate: [{ ...rightOf('validate'), adds: { lines } }] },
    })
    expect(resultOf(played)).toMatchObject({
      outcome: expect.not.stringMatching('completed') as unknown,
      reason: expect.stringContaining('no input is checked') as unknown,
    })
  })

  test('a severe finding behind thirty remarks holds the loop up', async () => {
    const details = { findings: BURIED }
    const played = await playLoop({
      ...LOOP,
      limit: 3,
      moves: { ...LOOP.moves, validate: [{ ...rightOf('validate'), adds: { details } }] },
    })
    expect(resultOf(played)).toMatchObject({
      outcome: expect.not.stringMatching('completed') as unknown,
      reason: expect.stringContaining('orders are lost on restart') as unknown,
    })
  })

  test.each([
    ['in words', { tasks_completed: ['T1', 'T2 (not started yet)'] }],
    ['in one sentence', { tasks_completed: 'T1; T2 remains' }],
    ['as objects', { tasks_completed: [{ id: 'T1' }, { id: 'T2', status: 'not_started' }] }],
  ])('a task that develop names as not done, %s, is open', async (_, details) => {
    const played = await playLoop({
      ...LOOP,
      tasks: 2,
      limit: 6,
      moves: { ...LOOP.moves, develop: [{ ...rightOf('develop'), adds: { details } }] },
    })
    const develops = played.facts.turns.all.filter(({ who }) => who === 'develop')
    expect(develops.length).toBeGreaterThan(1)
    // The second develop has T2, and says again that it is not started.
    expect(resultOf(played).outcome).not.toBe('completed')
  })
})

describe('a cycle', () => {
  const IDLE = { ...RIGHT, edit: 'nothing' } as const
  const turnsOf = ({ facts }: PlayedCycle) => facts.turns.all.map(({ step }) => step)

  test('the suite does not start once, and the developer rightly changes nothing: the same commit is measured again', async () => {
    const played = await playCycle({
      ...CYCLE,
      outages: [2],
      moves: { ...CYCLE.moves, cd: [{ ...RIGHT, edit: 'write' }, IDLE, IDLE, IDLE] },
    })
    checkCycle(played)
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      commits: ['c1'],
      reason: null,
    })
    expect(played.facts.measured.map(({ run }) => run?.commit)).toEqual(['base', 'c1', 'c1'])
    expect(turnsOf(played)).toContain('iteration-1/vas/validate-again')
  })

  test('nothing that was measured is open: the commit is not measured again', async () => {
    const played = await playCycle({
      ...CYCLE,
      limit: 2,
      moves: {
        ...CYCLE.moves,
        cd: [{ ...RIGHT, edit: 'write' }, IDLE, IDLE, IDLE],
        vas: [{ ...RIGHT, ready: 'false' }],
      },
    })
    checkCycle(played)
    expect(resultOf(played)).toMatchObject({ outcome: 'completed_with_issues', iterations: 2 })
    expect(played.facts.measured.map(({ run }) => run?.commit)).toEqual(['base', 'c1'])
  })

  test('a test that failed before the cycle was flaky once, and fails again: it holds nothing up', async () => {
    const played = await playCycle({
      ...CYCLE,
      failing: [0],
      flaky: [0],
      moves: {
        ...CYCLE.moves,
        cd: [
          { ...RIGHT, edit: 'write' },
          IDLE,
          { ...RIGHT, edit: 'repair' },
          IDLE,
          { ...RIGHT, edit: 'break' },
          IDLE,
        ],
        vas: [...Array.from({ length: 4 }, () => ({ ...RIGHT, ready: 'false' as const })), RIGHT],
      },
    })
    checkCycle(played)
    expect(
      played.facts.measured.map(({ run }) => (run?.kind === 'measured' ? run?.flaky : undefined)),
    ).toEqual([0, 0, 1, 0])
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed',
      iterations: 3,
      reason: expect.stringContaining('1 test failed before the run and still does') as unknown,
    })
  })

  test('the developer claims no_change after the validation: VAS is asked about it', async () => {
    const played = await playCycle({
      ...CYCLE,
      moves: {
        ...CYCLE.moves,
        cd: [
          { ...RIGHT, edit: 'write', names: 'first', decision: 1 },
          { ...IDLE, names: 'none', noChange: 'all' },
        ],
      },
    })
    checkCycle(played)
    expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(turnsOf(played)).toContain('iteration-1/vas/validate-again')
    expect(played.facts.turns.all.at(-1)?.asked).toContain('"noChange":[{"id":"TASK-002"')
    expect(played.facts.measured.map(({ run }) => run?.commit)).toEqual(['base', 'c1'])
  })

  test('VAS does not agree with that claim: the task is open', async () => {
    const played = await playCycle({
      ...CYCLE,
      limit: 1,
      moves: {
        ...CYCLE.moves,
        cd: [
          { ...RIGHT, edit: 'write', names: 'first', decision: 1 },
          { ...IDLE, names: 'none', noChange: 'all' },
        ],
        vas: [RIGHT, { ...RIGHT, status: 'partial' }],
      },
    })
    checkCycle(played)
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed_with_issues',
      reason: expect.stringContaining('no validation agrees') as unknown,
    })
  })

  test('a severe issue that ends in a parenthesis holds the cycle up', async () => {
    const SEVERE = '[high] save() drops its second argument (optional)'
    const played = await playCycle({
      ...CYCLE,
      moves: {
        ...CYCLE.moves,
        vas: [{ ...RIGHT, adds: { lines: ['- issues:', `  - ${SEVERE}`] } }],
      },
    })
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed_with_issues',
      reason: expect.stringContaining(SEVERE) as unknown,
    })
  })

  test('titles behind the ids of its tasks: a developer that is honest completes the cycle', async () => {
    const lines = [
      '- tasks_completed: ["TASK-001: the cart", "TASK-002: checkout without a login"]',
    ]
    const played = await playCycle({
      ...CYCLE,
      moves: { ...CYCLE.moves, cd: [{ ...RIGHT, adds: { lines } }] },
    })
    checkCycle(played)
    expect(resultOf(played)).toMatchObject({ outcome: 'completed', iterations: 1 })
  })

  test('a task that the developer skipped is open', async () => {
    const played = await playCycle({
      ...CYCLE,
      limit: 1,
      moves: { ...CYCLE.moves, cd: [{ ...RIGHT, names: 'skips' }] },
    })
    checkCycle(played)
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed_with_issues',
      reason: expect.stringContaining('TASK-002 is not done') as unknown,
    })
  })

  test('a severe issue behind thirty remarks holds the cycle up', async () => {
    const details = { issues: BURIED }
    const played = await playCycle({
      ...CYCLE,
      limit: 2,
      moves: { ...CYCLE.moves, vas: [{ ...RIGHT, adds: { details } }] },
    })
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed_with_issues',
      reason: expect.stringContaining('orders are lost on restart') as unknown,
    })
  })

  test('a validation with a requirement that is not met is no success', async () => {
    const played = await playCycle({
      ...CYCLE,
      limit: 2,
      moves: {
        ...CYCLE.moves,
        vas: [{ ...RIGHT, adds: { details: { requirements_met: '0/5' } } }],
      },
    })
    expect(resultOf(played)).toMatchObject({
      outcome: 'completed_with_issues',
      reason: expect.stringContaining('0 of 5 requirements are met') as unknown,
    })
  })

  test.each(['Make tests pass', 'Fix the tests'])(
    '%s: a test that stays red holds the cycle up',
    async (task) => {
      const played = await playCycle({
        ...CYCLE,
        task,
        limit: 2,
        failing: [0, 1],
        moves: { ...CYCLE.moves, cd: [{ ...RIGHT, edit: 'write' }] },
      })
      expect(resultOf(played).outcome).not.toBe('completed')
    },
  )
})
