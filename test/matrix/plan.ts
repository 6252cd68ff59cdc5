// Maps a number to a case, that is, which run is struck where; the same on every machine.
//
// The cases are listed, not drawn: the numbers from 1 to the length of the list cover each case
// once, in an order that mixes all kinds in any range. Later additions get the numbers after them,
// so that a number keeps its meaning.
import type { FaultPoint } from '../../src/adapters/failpoint.js'

const FIRST_MODES = ['fix', 'cycle', 'auto', 'parallel', 'interactive'] as const
/**
 * `approved`: a fix whose plan a person approves; `prep`: a preparation that asks a person;
 * `generated`: a fix that writes the tests first; `planned`: one of a session that another tool left
 * with a planned fix, whose record is archived at the end.
 */
export const MODES = [...FIRST_MODES, 'approved', 'prep', 'generated', 'planned'] as const
export type Mode = (typeof MODES)[number]

/** How often an undisturbed run passes each point; compared with a trace. */
export const POINTS: Record<Mode, Partial<Record<FaultPoint, number>>> = {
  fix: {
    'accept:begin': 2,
    'accept:done': 2,
    'answer:done': 3,
    'answer:files': 3,
    'answer:read': 3,
    'commit:begin': 3,
    'commit:done': 3,
    'commit:noted': 3,
    'commit:published': 3,
    'prepare:done': 1,
    'record:begin': 6,
    'record:copies': 6,
    'record:done': 6,
    'record:file': 48,
    'record:notes': 6,
    'rollback:begin': 1,
    'rollback:done': 1,
    'session:file': 1,
    'session:tasks': 1,
    'tests:begin': 5,
    'tests:done': 5,
    'turn:begin': 6,
    'turn:done': 6,
    'turn:noted': 3,
  },
  cycle: {
    'answer:done': 9,
    'answer:read': 9,
    'commit:begin': 3,
    'commit:done': 3,
    'commit:noted': 3,
    'prepare:done': 1,
    'record:begin': 3,
    'record:copies': 6,
    'record:done': 3,
    'record:file': 11,
    'record:notes': 6,
    'tests:begin': 4,
    'tests:done': 4,
    'turn:begin': 9,
    'turn:done': 9,
  },
  auto: {
    'answer:done': 5,
    'answer:files': 5,
    'answer:read': 5,
    'commit:begin': 5,
    'commit:done': 5,
    'prepare:done': 1,
    'record:begin': 7,
    'record:copies': 7,
    'record:done': 7,
    'record:file': 16,
    'record:notes': 12,
    'tests:begin': 2,
    'tests:done': 2,
    'turn:begin': 5,
    'turn:done': 5,
  },
  parallel: {
    'answer:done': 7,
    'answer:files': 7,
    'answer:read': 7,
    'clones:done': 1,
    'commit:begin': 3,
    'commit:done': 3,
    'merge:begin': 2,
    'merge:commits': 2,
    'merge:done': 1,
    'merge:moved': 1,
    'prepare:done': 1,
    'record:begin': 7,
    'record:copies': 7,
    'record:done': 7,
    'record:file': 17,
    'record:notes': 14,
    'tests:begin': 2,
    'tests:done': 2,
    'turn:begin': 7,
    'turn:done': 7,
  },
  interactive: {
    'answer:done': 6,
    'answer:files': 6,
    'answer:read': 6,
    'commit:begin': 5,
    'commit:done': 5,
    'prepare:done': 1,
    'record:begin': 7,
    'record:copies': 7,
    'record:done': 7,
    'record:file': 17,
    'record:notes': 13,
    'tests:begin': 2,
    'tests:done': 2,
    'turn:begin': 6,
    'turn:done': 6,
  },
  approved: {
    'accept:begin': 1,
    'accept:done': 1,
    'answer:done': 1,
    'answer:files': 1,
    'answer:read': 1,
    'commit:begin': 1,
    'commit:done': 1,
    'commit:noted': 1,
    'commit:published': 1,
    'prepare:done': 1,
    'record:begin': 5,
    'record:copies': 5,
    'record:done': 5,
    'record:file': 32,
    'record:notes': 5,
    'session:file': 1,
    'session:tasks': 1,
    'tests:begin': 3,
    'tests:done': 3,
    'turn:begin': 2,
    'turn:done': 2,
    'turn:noted': 1,
  },
  prep: {
    'answer:done': 2,
    'package:kept': 1,
    'prepare:done': 1,
    'record:begin': 1,
    'record:done': 1,
    'turn:begin': 2,
    'turn:done': 2,
  },
  generated: {
    'answer:done': 3,
    'commit:begin': 1,
    'commit:done': 1,
    'commit:noted': 1,
    'mutants:changed': 10,
    'prepare:done': 1,
    'record:begin': 7,
    'record:copies': 7,
    'record:done': 7,
    'record:file': 39,
    'record:notes': 7,
    'session:file': 1,
    'session:tasks': 1,
    'tests:begin': 3,
    'tests:done': 3,
    'turn:begin': 4,
    'turn:done': 4,
  },
  planned: {
    'accept:begin': 1,
    'accept:done': 1,
    'archive:begun': 1,
    'archive:listed': 1,
    'archive:moved': 1,
    'commit:begin': 1,
    'commit:done': 1,
    'commit:noted': 1,
    'commit:published': 1,
    'prepare:done': 1,
    'record:begin': 4,
    'record:copies': 4,
    'record:done': 4,
    'record:file': 31,
    'record:notes': 4,
    'restore:begin': 1,
    'restore:done': 1,
    'session:file': 1,
    'session:tasks': 1,
    'tests:begin': 3,
    'tests:done': 3,
    'turn:begin': 1,
    'turn:done': 1,
    'turn:noted': 1,
  },
}
/**
 * Depends on the files at each pass of a point, so it strikes the first and the last pass. All
 * other blows strike the first.
 */
const ON_THE_LAST_TOO = 'everything SIGKILL'

/** How many turns and test runs of each mode can be held half-way. */
export const INSIDE: Record<Mode, { turns: number; tests: number }> = {
  fix: { turns: 6, tests: 5 },
  cycle: { turns: 4, tests: 3 },
  auto: { turns: 3, tests: 2 },
  parallel: { turns: 2, tests: 2 },
  interactive: { turns: 3, tests: 1 },
  approved: { turns: 0, tests: 0 },
  prep: { turns: 0, tests: 0 },
  generated: { turns: 0, tests: 0 },
  planned: { turns: 0, tests: 0 },
}

export const VICTIMS = [
  'agent worker',
  'workflow worker',
  'server',
  'supervisor',
  'agent',
  'everything',
  'activity',
  'run',
  'clock',
  'another worker',
  'disk',
] as const
export type Victim = (typeof VICTIMS)[number]
/**
 * `SIGSTOP`: stops for three seconds; `asleep`: for longer than the server waits for a heartbeat;
 * `takes over`: another worker joins, and the old one is killed.
 */
export type Blow =
  | 'SIGKILL'
  | 'SIGTERM'
  | 'SIGSTOP'
  | 'asleep'
  | 'paused'
  | 'reset'
  | 'two hours on'
  | 'two hours back'
  | 'joins'
  | 'takes over'
  | 'of the record full'
  | 'of the state full'

export type Moment =
  | { at: 'point'; point: FaultPoint; nth: number }
  | { at: 'turn' | 'tests'; nth: number }
  | { at: 'paused' | 'question' }
export type Plan = { mode: Mode; victim: Victim; blow: Blow; moment: Moment }

const BLOWS: Record<Victim, readonly Blow[]> = {
  activity: [],
  run: [],
  clock: [],
  'another worker': [],
  disk: [],
  'agent worker': ['SIGKILL', 'SIGTERM', 'SIGSTOP'],
  'workflow worker': ['SIGKILL', 'SIGTERM'],
  server: ['SIGKILL', 'SIGTERM', 'SIGSTOP'],
  supervisor: ['SIGKILL', 'SIGTERM'],
  agent: ['SIGKILL', 'SIGTERM', 'SIGSTOP'],
  everything: ['SIGKILL', 'SIGSTOP'],
}
/**
 * Slow blows and those by an operator: only in the middle of a step and while the run waits for a
 * person.
 */
const INSIDE_BLOWS: Partial<Record<Victim, readonly Blow[]>> = {
  'agent worker': ['asleep'],
  server: ['asleep'],
  everything: ['asleep'],
  activity: ['paused', 'reset'],
  run: ['reset'],
  clock: ['two hours on', 'two hours back'],
}
/** Blows of the second list, at every moment. */
const LATER_BLOWS: Partial<Record<Victim, readonly Blow[]>> = {
  'another worker': ['joins', 'takes over'],
  disk: ['of the record full', 'of the state full'],
}
const ASKS: readonly Mode[] = ['parallel', 'interactive']

/** An open approval, and the fix that is bought right after its answer. */
const APPROVALS: readonly Moment[] = [
  { at: 'question' },
  { at: 'point', point: 'turn:begin', nth: 2 },
]
/** The question of a preparation, and its package, of which the old one is copied. */
const PREPARATIONS: readonly Moment[] = [
  { at: 'question' },
  { at: 'point', point: 'package:kept', nth: 1 },
]
/** Tests that are written first: their turn, their commit, a mutant, and the last gate. */
const WRITTEN: readonly Moment[] = [
  { at: 'point', point: 'turn:begin', nth: 2 },
  { at: 'point', point: 'commit:begin', nth: 1 },
  { at: 'point', point: 'mutants:changed', nth: 3 },
  { at: 'point', point: 'turn:done', nth: 4 },
]
/** The planned fix, and each step of the archive. */
const ARCHIVED: readonly Moment[] = [
  { at: 'point', point: 'turn:noted', nth: 1 },
  { at: 'point', point: 'archive:begun', nth: 1 },
  { at: 'point', point: 'archive:moved', nth: 1 },
  { at: 'point', point: 'archive:listed', nth: 1 },
]
const KILLED: readonly Victim[] = [
  'agent worker',
  'workflow worker',
  'server',
  'supervisor',
  'everything',
]

/** All cases: the numbers from 1, and the later additions. */
export const PLANS = plansOf(blowsAt)
export const LATER_PLANS = plansOf((victim) => LATER_BLOWS[victim] ?? [])
const LAST_PLANS: readonly Plan[] = [
  ...killed('approved', APPROVALS),
  ...killed('prep', PREPARATIONS),
  ...killed('generated', WRITTEN),
  ...killed('planned', ARCHIVED),
]

function killed(mode: Mode, moments: readonly Moment[]): Plan[] {
  return moments.flatMap((moment) =>
    KILLED.map((victim) => ({ mode, victim, blow: 'SIGKILL' as const, moment })),
  )
}

function plansOf(blows: (victim: Victim, moment: Moment) => readonly Blow[]): readonly Plan[] {
  const falls = (victim: Victim, blow: Blow, moment: Moment): boolean =>
    moment.at !== 'point' || moment.nth === 1 || ON_THE_LAST_TOO === `${victim} ${blow}`
  return FIRST_MODES.flatMap((mode) =>
    momentsOf(mode).flatMap((moment) =>
      VICTIMS.flatMap((victim) =>
        blows(victim, moment)
          .filter((blow) => falls(victim, blow, moment))
          .map((blow) => ({ mode, victim, blow, moment })),
      ),
    ),
  )
}

function blowsAt(victim: Victim, { at }: Moment): readonly Blow[] {
  if (victim === 'agent') return at === 'turn' ? BLOWS.agent : []
  // test/crash/every-point kills the agent worker at each point. For a process that only stops, the
  // point makes no difference.
  if (at === 'point')
    return BLOWS[victim].filter(
      (blow) => blow !== 'SIGSTOP' && !(victim === 'agent worker' && blow === 'SIGKILL'),
    )
  // No activity runs while the run waits for a person.
  if (victim === 'activity' && at !== 'turn' && at !== 'tests') return []
  return [...BLOWS[victim], ...(INSIDE_BLOWS[victim] ?? [])]
}

/** The numbers of all cases. */
export const CASES: readonly number[] = Array.from(
  { length: PLANS.length + LATER_PLANS.length + LAST_PLANS.length },
  (_, n) => n + 1,
)

/** The case of a number, from 1. */
export function planOf(seed: number): Plan {
  const later = seed - PLANS.length
  const plan =
    later <= 0
      ? PLANS[(seed * STRIDE) % PLANS.length]
      : later <= LATER_PLANS.length
        ? LATER_PLANS[(later * STRIDE) % LATER_PLANS.length]
        : LAST_PLANS[later - LATER_PLANS.length - 1]
  if (plan === undefined) throw new Error('there are no cases')
  return plan
}

/**
 * A prime that does not divide the length of the list, so that every number is a different case.
 */
const STRIDE = 7_919

function momentsOf(mode: Mode): Moment[] {
  return [
    ...Object.entries(POINTS[mode]).flatMap(([point, times]) =>
      [...new Set([1, times])].map((nth) => ({
        at: 'point' as const,
        point: point as FaultPoint,
        nth,
      })),
    ),
    ...(['turns', 'tests'] as const).flatMap((what) =>
      Array.from({ length: INSIDE[mode][what] }, (_, n) => ({
        at: what === 'turns' ? ('turn' as const) : what,
        nth: n + 1,
      })),
    ),
    { at: 'paused' },
    ...(ASKS.includes(mode) ? [{ at: 'question' as const }] : []),
  ]
}

/**
 * Groups cases of one mode into runs, at most `most` in each, so that their moments do not
 * interfere.
 */
export function runsOf(seeds: readonly number[], most: number): { seed: number; plan: Plan }[][] {
  const runs: { seed: number; plan: Plan }[][] = []
  for (const seed of seeds) {
    const one = { seed, plan: planOf(seed) }
    const run = runs.find(
      (cases) => cases.length < most && cases.every(({ plan }) => goTogether(plan, one.plan)),
    )
    if (run === undefined) runs.push([one])
    else run.push(one)
  }
  return runs
}

// A reset run buys later turns again; a changed clock stays changed, and the disk is small.
const ALONE: readonly Victim[] = ['run', 'clock', 'disk']

function goTogether(a: Plan, b: Plan): boolean {
  return (
    a.mode === b.mode &&
    placeOf(a.moment) !== placeOf(b.moment) &&
    !ALONE.includes(a.victim) &&
    !ALONE.includes(b.victim)
  )
}

const placeOf = (moment: Moment): string => (moment.at === 'point' ? moment.point : moment.at)

/** As text, as the table and a failed case name it. */
export function named({ mode, victim, blow, moment }: Plan): string {
  return `${mode}: ${victim} ${blow} ${whenOf(moment)}`
}

export function whenOf(moment: Moment): string {
  if (moment.at === 'point') return `at ${moment.point} (${moment.nth})`
  return 'nth' in moment
    ? `in ${moment.at === 'turn' ? 'turn' : 'test run'} ${moment.nth}`
    : moment.at === 'paused'
      ? 'while paused'
      : 'while it asks'
}

/** Numbers of a text such as `1-300` or `17,42`. */
export function seedsOf(text: string): number[] {
  return text.split(',').flatMap((part) => {
    const [from, to = from] = part.trim().split('-').map(Number)
    if (
      from === undefined ||
      to === undefined ||
      !Number.isInteger(from) ||
      !Number.isInteger(to) ||
      from < 1 ||
      to < from
    )
      throw new Error(`SEEDS must be like 1-300 or 17,42, got ${JSON.stringify(text)}`)
    return Array.from({ length: to - from + 1 }, (_, n) => from + n)
  })
}
