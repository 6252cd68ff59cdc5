// A project without files: a tree is which of its tests fail and why, which are gone, and whether
// the suite starts. Agents are lists of moves that change trees.
import fc from 'fast-check'
import type { StoredTest } from '../../src/contract/test-run.js'
import { sessionWorlds, type SessionWorld } from './sessions.js'
import { notLoaded } from '../../src/core/test-results/stand-ins.js'

/**
 * Tests by name; a failing one by its reason, and by the line of its file that it gets to: 1, or as
 * in `fails first 0 at 3`. `gone` tests are not there, `forged` ones fail and
 * are reported as passing, `skipped` ones do not run, `varies`: it passes under another name in
 * each execution.
 */
export type Tree = {
  tests: Readonly<
    Record<string, 'passes' | 'forged' | 'gone' | 'skipped' | 'varies' | `fails ${string}`>
  >
  starts: boolean
  /** The command ends with exit code 0 and no report: in every run, or in all but the first. */
  exits?: 'always' | 'later' | undefined
  /** No test command is found. */
  hidden?: boolean
  /** A test file that cannot be loaded: none of its tests runs. */
  unloaded?: string | undefined
  lines: number
}

/**
 * What an accepted change of tests does: they pass; they pass and a test of the file that passed
 * fails; they pass and those of the other file fail, or cannot be loaded; the patch applies no
 * more; the suite does not start with it.
 */
export type Patch = 'right' | 'harmful' | 'elsewhere' | 'unloads' | 'gone' | 'no start'

/** What an agent does in one iteration. Numbers choose among the tests that there are. */
export type Move =
  | {
      do:
        | 'repair'
        | 'break'
        | 'move'
        | 'further'
        | 'less far'
        | 'remove'
        | 'rename'
        | 'forge'
        | 'skip'
        | 'vary'
      picks: number[]
    }
  // Repairs, and changes tests, which are restored; is limited by its provider first; breaks, and
  // claims that all pass.
  | { do: 'tamper' | 'limited' | 'lie'; picks: number[] }
  // Repairs, and its time is over; repairs once its provider is back.
  | { do: 'times out' | 'unavailable'; picks: number[] }
  // An analysis or a fix that changes nothing proposes to change failing tests of one file.
  | { do: 'propose'; picks: number[]; by: 'analysis' | 'fix'; patch: Patch }
  | { do: 'trade'; repaired: number[]; broken: number[] }
  // The suite starts no more; it starts; the command ends with exit code 0 and no report; no command
  // is found.
  | { do: 'no start' | 'start' | 'exits' | 'exits later' | 'hide' }
  | { do: 'nothing' | 'no analysis' | 'fails' }
  | { do: 'add'; passing: number; failing: number }
  // Fixes several causes, if it is asked for several; the first one otherwise.
  | { do: 'several'; parts: Move[] }

export type World = {
  tests: number
  failing: number[]
  flaky: number[]
  starts: boolean
  moves: Move[]
  limit: number
  flakiness: number
  /** Whether the runner can be told to run some files; it can where nothing is said. */ selects?: boolean
  /** A person stops it before its n-th activity answers. */ stopsAt?: number | undefined
  /** A person resumes the session once it was stopped. */
  resumes?: boolean
  /** A person pauses it then, and resumes it once it is paused. */
  pausesAt?: { n: number; mode: 'turn' | 'now' } | undefined
  /**
   * A person adds iterations before its n-th activity answers, or at a question before that; or
   * while canaries look at a state.
   */
  extendsAt?: { n: number | 'canaries'; by: number } | undefined
  /**
   * What a person says to proposed test changes, where one is there; or to a run that ended with
   * some of them open.
   */
  person?: 'accepts' | 'refuses' | 'accepts later' | undefined
  /** One agent analyses and fixes, with these sessions. Otherwise each role has its own agent. */
  sessions?: SessionWorld | undefined
}

const picks = fc.array(fc.nat(199), { minLength: 1, maxLength: 4 })
const part: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('repair' as const), picks }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('break' as const), picks }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('trade' as const), repaired: picks, broken: picks }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('no start' as const, 'nothing' as const) }),
  },
)
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('repair' as const), picks }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'break' as const,
        'move' as const,
        'further' as const,
        'less far' as const,
        'remove' as const,
        'rename' as const,
        'skip' as const,
        'vary' as const,
      ),
      picks,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'tamper' as const,
        'limited' as const,
        'lie' as const,
        'times out' as const,
        'unavailable' as const,
      ),
      picks,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      picks,
      by: fc.constantFrom('analysis' as const, 'fix' as const),
      patch: fc.constantFrom<Patch>(
        'right',
        'right',
        'harmful',
        'elsewhere',
        'unloads',
        'gone',
        'no start',
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('trade' as const), repaired: picks, broken: picks }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'nothing' as const,
        'no start' as const,
        'no analysis' as const,
        'fails' as const,
        'start' as const,
        'exits' as const,
        'exits later' as const,
        'hide' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('forge' as const), picks }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('several' as const),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      passing: fc.nat(3),
      failing: fc.nat(2),
    }),
  },
)

/** Suites of 1 to 200 tests, most of them small, and up to 12 iterations. */
export const worlds: fc.Arbitrary<World> = fc.record({
  tests: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 24 }) },
    { weight: 1, arbitrary: fc.integer({ min: 25, max: 200 }) },
  ),
  failing: fc.array(fc.nat(199), { minLength: 1, maxLength: 12 }),
  flaky: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([]) },
    { weight: 1, arbitrary: fc.array(fc.nat(199), { minLength: 1, maxLength: 3 }) },
  ),
  starts: fc.oneof(
    { weight: 9, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
  moves: fc.array(move, { minLength: 1, maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 12 }),
  flakiness: fc.nat(1_000_000),
  selects: fc.boolean(),
  stopsAt: fc.oneof(
    { weight: 7, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 3, max: 60 }) },
  ),
  resumes: fc.boolean(),
  pausesAt: fc.option(
    fc.record({
      n: fc.integer({ min: 3, max: 60 }),
      mode: fc.constantFrom('turn' as const, 'now' as const),
    }),
    { nil: undefined, freq: 2 },
  ),
  extendsAt: fc.option(
    fc.record({
      n: fc.oneof(fc.integer({ min: 3, max: 60 }), fc.constant('canaries' as const)),
      by: fc.integer({ min: 1, max: 4 }),
    }),
    { nil: undefined, freq: 2 },
  ),
  person: fc.constantFrom(
    undefined,
    'accepts' as const,
    'refuses' as const,
    'accepts later' as const,
  ),
  sessions: fc.option(sessionWorlds, { nil: undefined, freq: 2 }),
})

/** Tests with an even number are in one file, the others in another; a new name stays where it was. */
export const fileOf = (test: string): 'a.test' | 'b.test' =>
  Number(/\d+/.exec(test)?.[0]) % 2 === 0 ? 'a.test' : 'b.test'

const nameOf = (n: number): string => `t${n}`

export function firstTree({ tests, failing, starts }: World): Tree {
  const failed = new Set(failing.map((n) => n % tests))
  return {
    tests: Object.fromEntries(
      Array.from({ length: tests }, (_, n) => [
        nameOf(n),
        failed.has(n) ? (`fails first ${n % 3}` as const) : ('passes' as const),
      ]),
    ),
    starts,
    lines: 0,
  }
}

export function flakyTests({ tests, flaky }: World): Set<string> {
  return new Set(flaky.map((n) => nameOf(n % tests)))
}

function failureOf(state: string): { reason: string; line: number } {
  const [, reason = '', line = '1'] = /^fails (.*?)(?: at (\d+))?$/.exec(state) ?? []
  return { reason, line: Number(line) }
}

/**
 * The tree after a move; the same object where nothing changed. @param n the iteration, for names
 * and reasons of its own
 */
export function moved(tree: Tree, move: Move, n: number): Tree {
  const names = (is: (state: string) => boolean): string[] =>
    Object.entries(tree.tests)
      .filter(([, state]) => is(state))
      .map(([name]) => name)
  const chosen = (from: readonly string[], picks: readonly number[]): string[] =>
    from.length === 0 ? [] : [...new Set(picks.map((pick) => from[pick % from.length] as string))]
  const set = (changes: Readonly<Record<string, Tree['tests'][string]>>): Tree =>
    Object.keys(changes).length === 0
      ? tree
      : { ...tree, tests: { ...tree.tests, ...changes }, lines: tree.lines + 1 }
  const to = (
    all: readonly string[],
    state: Tree['tests'][string],
  ): Record<string, Tree['tests'][string]> => Object.fromEntries(all.map((name) => [name, state]))
  const failing = names((state) => state !== 'passes')
  const passing = names((state) => state === 'passes')
  switch (move.do) {
    case 'repair':
    case 'tamper':
    case 'limited':
    case 'times out':
    case 'unavailable':
      return set(to(chosen(failing, move.picks), 'passes'))
    case 'break':
    case 'lie':
      return set(to(chosen(passing, move.picks), `fails broken ${n}`))
    case 'trade':
      return set({
        ...to(chosen(failing, move.repaired), 'passes'),
        ...to(chosen(passing, move.broken), `fails traded ${n}`),
      })
    case 'move':
      return set(
        to(
          chosen(
            failing.filter((name) => tree.tests[name] !== 'gone'),
            move.picks,
          ),
          `fails moved ${n % 4}`,
        ),
      )
    case 'further':
    case 'less far':
      return set(
        Object.fromEntries(
          chosen(
            failing.filter((name) => tree.tests[name]?.startsWith('fails ')),
            move.picks,
          ).map((name) => {
            const { reason, line } = failureOf(tree.tests[name] ?? '')
            const next = Math.max(1, move.do === 'further' ? line + 1 : line - 1)
            return [name, `fails ${reason} at ${next}` as const]
          }),
        ),
      )
    case 'remove':
      return set(to(chosen(Object.keys(tree.tests), move.picks), 'gone'))
    case 'forge':
      return set(
        to(
          chosen(
            failing.filter((name) => tree.tests[name] !== 'gone'),
            move.picks,
          ),
          'forged',
        ),
      )
    case 'skip':
      return set(
        to(
          chosen(
            Object.keys(tree.tests).filter((name) => tree.tests[name] !== 'gone'),
            move.picks,
          ),
          'skipped',
        ),
      )
    case 'vary':
      return set(to(chosen(passing, move.picks), 'varies'))
    case 'rename':
      return set(
        Object.fromEntries(
          chosen(passing, move.picks).flatMap((name) => [
            [name, 'gone'],
            [`${name}r${n}`, 'passes'],
          ]),
        ),
      )
    case 'add':
      return set({
        ...to(
          Array.from({ length: move.passing }, (_, k) => `n${n}p${k}`),
          'passes',
        ),
        ...to(
          Array.from({ length: move.failing }, (_, k) => `n${n}f${k}`),
          `fails new ${n}`,
        ),
      })
    case 'no start':
      return { ...tree, starts: false, lines: tree.lines + 1 }
    case 'start':
      return tree.starts && tree.exits === undefined && tree.hidden !== true
        ? tree
        : { ...tree, starts: true, exits: undefined, hidden: false, lines: tree.lines + 1 }
    case 'hide':
      return { ...tree, hidden: true, lines: tree.lines + 1 }
    case 'exits':
    case 'exits later':
      return {
        ...tree,
        exits: move.do === 'exits' ? 'always' : 'later',
        lines: tree.lines + 1,
      }
    case 'several':
      return moved(tree, move.parts[0] ?? { do: 'nothing' }, n)
    case 'nothing':
    case 'no analysis':
    case 'fails':
    case 'propose':
      return tree
  }
}

/**
 * One execution of a tree's tests.
 *
 * @param fails whether a flaky test fails this time
 * @param time in the name of a test whose name varies
 */
export function execute(
  { tests, starts, unloaded }: Tree,
  fails: (name: string) => boolean,
  time: () => number = () => 0,
): StoredTest[] | undefined {
  if (!starts) return undefined
  const ran = Object.entries(tests).flatMap(([test, state]): StoredTest[] => {
    if (state === 'gone' || fileOf(test) === unloaded) return []
    if (state === 'skipped') return [{ file: fileOf(test), test, status: 'skipped' }]
    if (state === 'varies')
      return [{ file: fileOf(test), test: `${test} at ${time()}`, status: 'passed' }]
    if (state === 'forged') return [{ file: fileOf(test), test, status: 'passed' }]
    if (state !== 'passes') {
      const { reason, line } = failureOf(state)
      const said = reason.replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] as string)
      const error = `Error: ${said}\n    at ${fileOf(test)}:${line}:1`
      return [{ file: fileOf(test), test, status: 'failed', error }]
    }
    return [
      fails(test)
        ? { file: fileOf(test), test, status: 'failed', error: 'Error: shaky' }
        : { file: fileOf(test), test, status: 'passed' },
    ]
  })
  return unloaded === undefined
    ? ran
    : [...ran, notLoaded({ file: unloaded, error: 'Error: no export' })]
}
