// The worlds that named sequences start from: every agent does right, and all tests pass.
import type { RunResult } from '../../../src/contract/result.js'
import { RIGHT } from './phase-answers.js'
import { rightOf } from './worker-answers.js'
import type { CycleWorld, DevWorld, LoopWorld } from './world.js'

const WORLD: DevWorld = {
  tests: 3,
  failing: [],
  flaky: [],
  outages: [],
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

export const LOOP: LoopWorld = {
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

export const CYCLE: CycleWorld = {
  ...WORLD,
  limit: 5,
  tasks: 2,
  input: { scheduling: 'staged' },
  moves: { ra: [RIGHT], ep: [RIGHT], cd: [RIGHT], vas: [RIGHT] },
}

/** A develop that changes nothing and names no task. */
export const LAZY = { ...rightOf('develop'), edit: 'nothing', names: 'none' } as const

/** The result of the first run. */
export function resultOf({ runs: [ran] }: { runs: readonly { result: RunResult }[] }): RunResult {
  if (ran === undefined) throw new Error('no run')
  return ran.result
}
