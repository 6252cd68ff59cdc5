// The project of a cycle or a loop, without files: a tree is its tests, its lint and its command;
// commits are trees.
import { ApplicationFailure } from '@temporalio/common'
import type { Quality } from '../../../src/contract/quality.js'
import type { RunTestsInput } from '../../../src/contract/step.js'
import type { TestRun } from '../../../src/contract/test-run.js'
import type { LeftByCommits, RunCommitInput, TakenBack } from '../../../src/contract/workspace.js'
import { differing, isTakenBack } from '../../../src/core/run/task-work.js'
import { suiteOf } from '../suite.js'
import { execute, firstTree, flakyTests, moved, type Tree, type World } from '../world.js'
import { randomOf } from './random.js'

/**
 * `lint`: passes; or its script is gone, or it does not end. `runs`: the test command is there.
 * `cover`: coverage was measured at the base; now its run fails, or succeeds without a number.
 */
export type Code = Tree & {
  lint: boolean | 'gone' | 'hangs'
  runs: boolean
  cover?: 'fails' | 'silent'
  /** A further file. */
  other?: number
  /** An existing test has another content. */
  rewritten?: number
}

/**
 * What a turn does to the code. `repair all` repairs all that is wrong; `write` changes it and
 * breaks nothing; `rewrite test` gives an existing test another content; `take back` makes it what it was at the base, `swap` as well, but for a further
 * file.
 */
export type Edit =
  | 'repair all'
  | 'write'
  | 'rewrite test'
  | 'nothing'
  | 'take back'
  | 'swap'
  | 'break'
  | 'repair'
  | 'trade'
  | 'remove'
  | 'add failing'
  | 'no start'
  | 'no lint'
  | 'lint gone'
  | 'lint hangs'
  | 'coverage fails'
  | 'coverage silent'
  | 'no command'
  | 'hide'
export const EDITS: readonly Edit[] = [
  'write',
  'rewrite test',
  'nothing',
  'take back',
  'swap',
  'break',
  'repair',
  'trade',
  'remove',
  'add failing',
  'no start',
  'no lint',
  'lint gone',
  'lint hangs',
  'coverage fails',
  'coverage silent',
  'no command',
  'hide',
]

/**
 * `suite`: there are tests at all. `flaky`: tests that fail at random where they pass. `outages`:
 * full runs that do not start, by number, independent of the code.
 */
export type ProjectWorld = Pick<World, 'tests' | 'failing' | 'starts' | 'flaky'> & {
  suite: boolean
  lint: boolean
  outages: number[]
}

export type Commit = { commit: string; parent: string; tree: Code }

export type Project = {
  base: Code
  treeOf: (commit: string) => Code
  commit: (parent: string, tree: Code) => string | null
  measure: (input: RunTestsInput) => Promise<TestRun>
  quality: (commit: string) => Quality
  /** As the host says it of a commit: every file is as it was at another one. */
  takenBack: (
    commit: string,
    p: Pick<RunCommitInput, 'workFrom' | 'tasks'>,
    made?: readonly string[],
  ) => TakenBack
  /** As the host says it of a commit. */
  changedInRun: (commit: string) => Pick<LeftByCommits, 'changedInRun'>
  /** A commit of a clone. */
  committedApart: (commit: string, parent: string, tree: Code) => void
  commits: () => readonly Commit[]
  /** The tree that a commit was made on. */
  before: (commit: string) => Code
}

export function edited(tree: Code, edit: Edit, n: number, base: Code): Code {
  const after = editedFiles(tree, edit, n, base)
  // The same edit of the same file leaves the same content, and another one another content.
  return after.lines === tree.lines + 1
    ? { ...after, lines: randomOf(`${tree.lines} ${edit}`) }
    : after
}

function editedFiles(tree: Code, edit: Edit, n: number, base: Code): Code {
  const by = (move: Parameters<typeof moved>[1]): Code => ({ ...tree, ...moved(tree, move, n) })
  switch (edit) {
    case 'repair all':
      return {
        tests: Object.fromEntries(Object.keys(tree.tests).map((name) => [name, 'passes'])),
        starts: true,
        lint: true,
        runs: true,
        lines: tree.lines + 1,
        ...(tree.other === undefined ? {} : { other: tree.other }),
      }
    case 'write':
      return { ...tree, lines: tree.lines + 1 }
    case 'rewrite test':
      return { ...tree, rewritten: n, lines: tree.lines + 1 }
    case 'nothing':
      return tree
    case 'take back':
      return isSameTree(tree, base) ? tree : { ...base, tests: { ...goneIn(tree), ...base.tests } }
    case 'swap':
      return { ...base, tests: { ...goneIn(tree), ...base.tests }, other: n }
    case 'break':
      return by({ do: 'break', picks: [n] })
    case 'repair':
      return by({ do: 'repair', picks: [0, 1] })
    case 'trade':
      return by({ do: 'trade', repaired: [0], broken: [n] })
    case 'remove':
      return by({ do: 'remove', picks: [n] })
    case 'add failing':
      return by({ do: 'add', passing: 1, failing: 1 })
    case 'no start':
      return by({ do: 'no start' })
    case 'no lint':
      return { ...tree, lint: false, lines: tree.lines + 1 }
    case 'lint gone':
      return { ...tree, lint: 'gone', lines: tree.lines + 1 }
    case 'lint hangs':
      return { ...tree, lint: 'hangs', lines: tree.lines + 1 }
    case 'coverage fails':
      return { ...tree, cover: 'fails', lines: tree.lines + 1 }
    case 'coverage silent':
      return { ...tree, cover: 'silent', lines: tree.lines + 1 }
    case 'no command':
      return { ...tree, runs: false, lines: tree.lines + 1 }
    case 'hide':
      return by({ do: 'hide' })
  }
}

function goneIn({ tests }: Code): Code['tests'] {
  return Object.fromEntries(Object.keys(tests).map((name) => [name, 'gone']))
}

/** Whether no file differs. */
export function isSameTree({ tests: a, ...one }: Code, { tests: b, ...other }: Code): boolean {
  const told = (tests: Code['tests'], rest: object): string =>
    JSON.stringify([
      Object.entries(tests)
        .filter(([, is]) => is !== 'gone')
        .sort(),
      Object.entries(rest).sort(),
    ])
  return told(a, one) === told(b, other)
}

/** Files that differ. */
export function changedIn(before: Code, after: Code): string[] {
  const [old, now] = [filesOf(before), filesOf(after)]
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (file) => old.get(file) !== now.get(file),
  )
}

function filesOf({ tests, ...rest }: Code): Map<string, string> {
  return new Map(
    [...Object.entries(tests).filter(([, is]) => is !== 'gone'), ...Object.entries(rest)].map(
      ([file, is]) => [file, String(is)],
    ),
  )
}

/** A flaky test fails in one of so many executions. */
const FLAKY_ONE_OF = 3

/** Whether a test is flaky where it passes: what it does says nothing about the work. */
export function flakyIn(world: ProjectWorld): (test: string) => boolean {
  const names = flakyTests({ ...world, moves: [], limit: 1, flakiness: 0 })
  return (test) => names.has(test)
}

export function projectOf(world: ProjectWorld): Project {
  const base: Code = {
    ...firstTree({ ...world, moves: [], limit: 1, flakiness: 0 }),
    lint: world.lint,
    runs: true,
  }
  const commits: Commit[] = []
  const trees = new Map<string, Code>([['base', base]])
  const parents = new Map<string, string>()
  const treeOf = (commit: string): Code => {
    const tree = trees.get(commit)
    if (tree === undefined) throw new Error(`no commit ${commit}`)
    return tree
  }
  const isFlaky = flakyIn(world)
  /** Full runs by their step: one that is interrupted runs again under its number. */
  const steps: string[] = []
  let [step, executions] = ['', 0]
  const { measure } = suiteOf(treeOf, (tree) => {
    executions += 1
    return execute(
      tree,
      (name) => isFlaky(name) && randomOf(`${name} ${step} ${executions}`) % FLAKY_ONE_OF === 0,
    )
  })
  return {
    base,
    treeOf,
    commits: () => commits,
    commit: (parent, tree) => {
      if (tree === treeOf(parent)) return null
      const commit = `c${commits.length + 1}`
      trees.set(commit, tree)
      parents.set(commit, parent)
      commits.push({ commit, parent, tree })
      return commit
    },
    measure: async (input) => {
      if (!world.suite)
        throw ApplicationFailure.nonRetryable(
          'no test command is configured and none was found',
          'NoTestCommand',
        )
      const notRun = { commit: input.commit, tail: '', durationMs: 1 }
      step = input.step.split('/').slice(1).join('/')
      executions = 0
      if (!steps.includes(input.step)) steps.push(input.step)
      if (world.outages.includes(steps.indexOf(input.step) + 1))
        return { ...notRun, kind: 'not_started', reason: 'connection to the database refused' }
      return treeOf(input.commit).runs
        ? measure(input)
        : { ...notRun, kind: 'cannot_execute', reason: 'npm: not found' }
    },
    takenBack: (commit, { workFrom = 'base', tasks = [] }, made = [commit]) => {
      const isGone = (own: readonly string[]): boolean =>
        isTakenBack(
          own.map((one) => {
            const before = treeOf(parents.get(one) ?? 'base')
            return {
              changed: changedIn(before, treeOf(one)),
              differs: differing(
                changedIn(before, treeOf(commit)),
                new Set(changedIn(treeOf(workFrom), treeOf(commit))),
                new Set(changedIn(treeOf(workFrom), treeOf(one))),
              ),
            }
          }),
        )
      const ids = tasks.flatMap(({ id, commits: all, own }) =>
        isGone(own === true ? [...all, ...made] : all) ? [id] : [],
      )
      return {
        ...(isSameTree(treeOf(commit), treeOf(workFrom)) ? { takenBack: true } : {}),
        ...(ids.length === 0 ? {} : { tasksTakenBack: ids }),
      }
    },
    changedInRun: (commit) =>
      isRewritten(treeOf(commit), world)
        ? { changedInRun: { files: ['src/a.test.ts'], total: 1 } }
        : {},
    before: (commit) => treeOf(parents.get(commit) ?? 'base'),
    committedApart: (commit, parent, tree) => {
      trees.set(commit, tree)
      parents.set(commit, parent)
    },
    quality: (commit) => {
      const { lint, cover } = treeOf(commit)
      const result = (is: Code['lint']) =>
        typeof is === 'string' ? 'not_run' : is ? 'passed' : 'failed'
      return {
        commit,
        checks: [
          {
            name: 'lint',
            command: 'npm run lint',
            result: result(lint),
            ...(lint === true ? {} : { before: result(base.lint) }),
            ...(lint === 'gone' ? { gone: true } : {}),
            tail: lint === 'gone' ? 'the project no longer has it' : '',
            durationMs: 1,
          },
        ],
        coverage: null,
        ...(cover === undefined ? {} : { coverageBefore: 80 }),
        ...(cover === 'fails' ? { coverageLost: 'its run failed' } : {}),
      }
    },
  }
}

/**
 * What is wrong with a tree and was not before, by the contract: a test, a missing test, a suite, a
 * check.
 */
export function worse(
  base: Code,
  now: Code,
  world: ProjectWorld & { requireGreen: boolean },
): string[] {
  const { suite, requireGreen } = world
  const isFlaky = flakyIn(world)
  const lint = [
    ...(base.lint === true && now.lint === false ? ['lint fails'] : []),
    ...(now.cover === 'silent' ? ['coverage gives no number'] : []),
  ]
  if (!suite) return lint
  if (now.hidden === true) return [...lint, 'no test command is found']
  if (!now.runs) return [...lint, 'the tests cannot be run']
  if (!now.starts) return [...lint, 'the suite does not start']
  const hadStarted = base.starts
  const tests = Object.entries(now.tests).flatMap(([name, is]) => {
    const then = hadStarted ? base.tests[name] : undefined
    if (isFlaky(name)) return []
    if (is === 'passes') return []
    if (is === 'gone') return then === undefined ? [] : [`${name} is missing`]
    return then !== undefined && then !== 'passes' && !requireGreen ? [] : [`${name} fails`]
  })
  return [...lint, ...tests]
}

/** Whether an existing test is not as it was at the base: a person has to look at it. */
export function isRewritten({ rewritten }: Code, { suite }: ProjectWorld): boolean {
  return suite && rewritten !== undefined
}

/** What was checked at the base and could not be now: a person has to look at it. */
export function lost(base: Code, now: Code): string[] {
  return [
    ...(base.lint === true && typeof now.lint === 'string' ? ['lint does not run'] : []),
    ...(now.cover === 'fails' ? ['coverage is not measured'] : []),
  ]
}

/**
 * The open items that are about the failure of a test that failed at the base, or about a check
 * that does not run any more.
 */
export function heldAgainst(
  base: Code,
  { suite, requireGreen }: ProjectWorld & { requireGreen: boolean },
  items: readonly string[],
): string[] {
  const ofLost = items.filter((text) =>
    /^lint ran before the run|^line coverage .* could not be measured/.test(text),
  )
  if (!suite || !base.starts || requireGreen) return ofLost
  return items.filter((text) => {
    if (ofLost.includes(text)) return true
    const [, name = ''] = /\.test > (\w+): (?!it existed)/.exec(text) ?? []
    return base.tests[name]?.startsWith('fails') === true
  })
}
