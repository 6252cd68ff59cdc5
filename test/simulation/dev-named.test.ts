// Sequences of a cycle and a loop that were judged wrong once, each by its name.
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/output/ending.js'
import { checkLoop } from './dev/check-loop.js'
import { playLoop, type PlayedLoop } from './dev/play.js'
import { rightOf } from './dev/worker-answers.js'
import type { DevWorld, LoopWorld } from './dev/world.js'

const WORLD: DevWorld = {
  tests: 3,
  failing: [],
  starts: true,
  suite: true,
  lint: true,
  requireGreen: false,
  limit: 20,
  tasks: 1,
  events: [],
  answers: [0],
  turns: 0,
  then: 'nothing',
  rightFrom: 99,
  allFail: [],
  lazy: 'none',
}

describe('a loop', () => {
  const LOOP: LoopWorld = {
    ...WORLD,
    mode: 'auto',
    blocked: [],
    moves: {
      init: [rightOf('init')],
      develop: [rightOf('develop')],
      debug: [rightOf('debug')],
      validate: [rightOf('validate')],
      complete: [rightOf('complete')],
    },
  }
  const LAZY = { ...rightOf('develop'), edit: 'nothing', names: 'none' } as const
  const resultOf = ({ runs: [ran] }: PlayedLoop) => {
    if (ran === undefined) throw new Error('no run')
    return ran.result
  }

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
})
