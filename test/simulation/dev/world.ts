// Worlds of cycles and loops: a project, agents, a person, and what comes from outside.
import fc from 'fast-check'
import type { CycleInput } from '../../../src/contract/dev-cycle/cycle-input.js'
import type { Phase } from '../../../src/contract/dev-cycle/discovery.js'
import type { Prep } from '../../../src/contract/dev-cycle/prep-package.js'
import type { LoopAction, LoopMode } from '../../../src/contract/dev-loop/loop-input.js'
import { phaseMoves, type PhaseMove } from './phase-answers.js'
import type { ProjectWorld } from './project.js'
import { workerMoves, type WorkerMove } from './worker-answers.js'

/** What comes from outside before the `at`-th step of the host. */
export type Event = {
  at: number
  what: 'pause' | 'pause now' | 'stop' | 'extend' | 'edit' | 'many edits' | LoopMode
}

/**
 * What every world has. `answers`: what a person chooses, by question. `then`: what follows the
 * end.
 */
export type DevWorld = ProjectWorld & {
  requireGreen: boolean
  limit: number
  tasks: number
  events: Event[]
  answers: number[]
  /** What a person chooses at a question, by its id; `answers` has the others. */
  chosen?: Record<string, string>
  /** Turns that the run may buy; 0 is no limit. */
  turns: number
  then: 'nothing' | 'extend' | 'resume'
  /** The iteration from which every agent does its work and says so. */
  rightFrom: number
  /** Iterations in which every agent fails. */
  allFail: number[]
  /** The task, where it is not "Add a store". */
  task?: string
  /** Who never changes anything. */
  lazy: 'none' | 'developer' | 'all'
}

/** What a prep package demands of the coverage, in percent. */
export const COVERAGE_NEEDED = 80

export const PREP: Prep = {
  convergence: {
    test_pass_rate: 90,
    coverage: COVERAGE_NEEDED,
    max_critical_bugs: 0,
    max_open_issues: 3,
  },
  phase_gates: {
    zero_to_one: { iterations: [1], exit_criteria: {} },
    one_to_hundred: { iterations: [2, 3], exit_criteria: {} },
  },
  agent_focus: { zero_to_one: {}, one_to_hundred: {} },
  source_refs: [],
}

export type CycleWorld = DevWorld & {
  prep?: Prep | undefined
  input: Pick<CycleInput, 'scheduling' | 'parallel' | 'interactive'>
  moves: Record<Phase, PhaseMove[]>
}

const OF_BOTH: Event['what'][] = ['pause', 'pause now', 'stop', 'extend', 'edit', 'many edits']
const eventsOf = (...what: Event['what'][]): fc.Arbitrary<Event[]> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant<Event[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.record({ at: fc.integer({ min: 3, max: 60 }), what: fc.constantFrom(...what) }),
        { minLength: 1, maxLength: 3 },
      ),
    },
  )

export const devWorld = {
  tests: fc.integer({ min: 1, max: 6 }),
  failing: fc.oneof(
    { weight: 2, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }) },
  ),
  flaky: fc.oneof(
    { weight: 5, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(5), { minLength: 1, maxLength: 2 }) },
  ),
  outages: fc.oneof(
    { weight: 5, arbitrary: fc.constant<number[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.integer({ min: 2, max: 8 }), { minLength: 1, maxLength: 1 }),
    },
  ),
  starts: fc.oneof(
    { weight: 9, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  suite: fc.oneof(
    { weight: 9, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  lint: fc.oneof(
    { weight: 4, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  requireGreen: fc.oneof(
    { weight: 5, arbitrary: fc.constant(false) },
    { weight: 1, arbitrary: fc.constant(true) },
  ),
  tasks: fc.integer({ min: 1, max: 3 }),
  events: eventsOf(...OF_BOTH),
  answers: fc.array(fc.nat(9), { minLength: 1, maxLength: 6 }),
  turns: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 12 }) },
  ),
  allFail: fc.oneof(
    { weight: 7, arbitrary: fc.constant<number[]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 2 }),
    },
  ),
  lazy: fc.oneof(
    { weight: 8, arbitrary: fc.constant<DevWorld['lazy']>('none') },
    { weight: 2, arbitrary: fc.constantFrom<DevWorld['lazy'][]>('developer', 'all') },
  ),
  then: fc.oneof(
    { weight: 3, arbitrary: fc.constant<DevWorld['then']>('nothing') },
    { weight: 1, arbitrary: fc.constantFrom<DevWorld['then'][]>('extend', 'resume') },
  ),
}

export const cycleWorlds: fc.Arbitrary<CycleWorld> = fc.record({
  ...devWorld,
  limit: fc.integer({ min: 1, max: 5 }),
  rightFrom: fc.integer({ min: 1, max: 8 }),
  input: fc.record({
    scheduling: fc.constantFrom('parallel' as const, 'staged' as const),
    parallel: fc.integer({ min: 1, max: 4 }),
    interactive: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  }),
  prep: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constant(PREP) },
  ),
  moves: fc.record({ ra: phaseMoves(4), ep: phaseMoves(4), cd: phaseMoves(1), vas: phaseMoves(2) }),
})

const MODES: LoopMode[] = ['auto', 'parallel', 'interactive']

/**
 * `blocked`: tasks that no develop can do. `thenMode`: the mode in which it
 * is begun again, where that is another one.
 */
export type LoopWorld = DevWorld & {
  mode: LoopMode
  thenMode?: LoopMode | undefined
  moves: Record<LoopAction, WorkerMove[]>
  blocked: string[]
}

export const loopWorlds: fc.Arbitrary<LoopWorld> = fc.record({
  ...devWorld,
  mode: fc.constantFrom(...MODES),
  thenMode: fc.option(fc.constantFrom(...MODES), { nil: undefined }),
  events: eventsOf(...OF_BOTH, ...MODES),
  blocked: fc.oneof(
    { weight: 5, arbitrary: fc.constant<string[]>([]) },
    {
      weight: 1,
      arbitrary: fc.uniqueArray(fc.constantFrom('T1', 'T2', 'T3'), { minLength: 1, maxLength: 2 }),
    },
  ),
  limit: fc.integer({ min: 1, max: 24 }),
  rightFrom: fc.integer({ min: 1, max: 24 }),
  moves: fc.record({
    init: workerMoves('init', 5),
    develop: workerMoves('develop', 2),
    debug: workerMoves('debug', 3),
    validate: workerMoves('validate', 3),
    complete: workerMoves('complete', 5),
  }),
})

/** Workers that do right, but for tasks that are blocked. */
export const blockedWorlds: fc.Arbitrary<LoopWorld> = fc
  .record({
    ids: fc.uniqueArray(fc.constantFrom('T1', 'T2', 'T3', 'T4', 'T5'), { maxLength: 4 }),
    tasks: fc.integer({ min: 2, max: 5 }),
  })
  .map(({ ids, tasks }) => ({
    tests: 2,
    failing: [],
    flaky: [],
    outages: [],
    starts: true,
    suite: true,
    lint: true,
    requireGreen: false,
    tasks,
    events: [],
    answers: [0],
    turns: 0,
    then: 'nothing',
    mode: 'auto',
    limit: 40,
    rightFrom: 1,
    allFail: [],
    lazy: 'none',
    blocked: ids.filter((id) => Number(id.slice(1)) <= tasks).slice(0, tasks - 1),
    moves: { init: [], develop: [], debug: [], validate: [], complete: [] },
  }))
