// The host of a world: commits are trees, and test runs are compared as real result lists are.
import { CancelledFailure } from '@temporalio/common'
import { MAIN_QUEUE } from '../../src/contract/names.js'
import type { RunResult } from '../../src/contract/result.js'
import { Restored, type TestFixState } from '../../src/contract/test-fix/test-fix-state.js'
import type { RunTestsInput } from '../../src/contract/step.js'
import type { StoredRun, StoredTest } from '../../src/contract/test-run.js'
import { ANALYSIS, PREPARED, TEST_TASK, turnResult } from '../support/stub-host.js'
import { isFixOrRetest } from '../../src/core/test-fix/queue.js'
import { partsHost, type Several } from './parts.js'
import { proposalsOf } from './proposals.js'
import { Sessions } from './sessions.js'
import { suiteOf } from './suite.js'
import { execute, firstTree, flakyTests, moved, type Tree, type World } from './world.js'
import type {
  Accepted,
  AcceptFixInput,
  CommitFixInput,
  Confirmation,
  ConfirmInput,
  GoBackInput,
  RecordInput,
  RollBackInput,
  TakeOutInput,
} from '../../src/contract/test-fix/test-fix-step.js'
import type { FixPart } from '../../src/contract/test-fix/task.js'
import type { SentTurn } from '../../src/contract/turn-input.js'
import type { TurnResult } from '../../src/contract/turn.js'

export type Played = {
  result: RunResult
  state: TestFixState
  /** Trees by commit. */
  trees: ReadonlyMap<string, Tree>
  head: Tree
  /** Iterations that the run which ended last was given while it was open. */
  extended: number
  /** Iterations that the session had ended, and had begun, before the run that ended last. */
  done: number
  before: number
  /** Full test runs of that run, those with canaries included. */
  runs: number
  /** Last full runs of all tasks that decided nothing: each is made again. */
  lost: number
  /**
   * Changes of test files that were accepted, measured and not undone, as trees, and what each was
   * made on; the last one counts.
   */
  replaced: { tree: Tree; on: Tree; files: readonly string[] }[]
  /** Executions of the last change of tests that was undone. */
  runsOfUndone: number
  /** Tests that the run has found to be flaky. */
  knownFlaky: ReadonlySet<string>
  /** Refutations by canaries. */
  refuted: number
  /** Trees that were the best state when an iteration ended, the oldest first. */
  bests: Tree[]
  /** Most best states in a row that no canary had looked at when a turn was bought. */
  unseen: number
  /** Keys of the turns that were bought. */
  turns: string[]
  /** Sessions of the one agent that analyses and fixes, where there is one. */
  sessions: Sessions | undefined
  /** Turns that fixed several causes. */
  several: readonly Several[]
  /** What each flaky test did on each tree. */
  seen: ReadonlyMap<Tree, ReadonlyMap<string, ReadonlySet<StoredTest['status']>>>
}

/** Repeatable numbers from 0 to 1. */
function numbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** For how long a provider limits an agent. */
const LIMIT_MS = 600_000

export type SimulatedHost = {
  activities: Record<string, (input: never, cancelled?: boolean) => unknown>
  /** Begins another run of the session: it counts its own full runs. */
  startsAgain: () => void
  /** What the run did to it, once it has ended. */
  ended: () => Omit<Played, 'result' | 'extended'>
}

export function hostOf(world: World): SimulatedHost {
  const base = firstTree(world)
  const [flaky, random] = [flakyTests(world), numbers(world.flakiness)]
  const fails = (name: string): boolean => flaky.has(name) && random() < 0.4
  const trees = new Map<string, Tree>([['base', base]])
  const turns: string[] = []
  const sessions = world.sessions === undefined ? undefined : new Sessions(world.sessions)
  const prepared = sessions === undefined ? PREPARED : { ...PREPARED, agents: Sessions.AGENTS }
  let work = base
  let [made, executions] = [0, 0]
  const limited = new Set<string>()
  let [refuted, unseen] = [0, 0]
  const bestSince = new Set<string>()
  const bests = new Set<Tree>()
  let assessed = ''
  const treeOf = (commit: string): Tree => {
    const tree = trees.get(commit.replace(/\^$/, ''))
    if (tree === undefined) throw new Error(`no commit ${commit}`)
    return tree
  }
  const parents = new Map<string, string>()
  /** Commits before candidates. */
  const before = new Map<string, string>()
  const commitOf = (
    tree: Tree,
    parent: string,
  ): {
    head: string
    commit: string | null
    files: string[]
    filesTotal: number
    tampered: string[]
  } => {
    if (tree === treeOf(parent))
      return { head: parent, commit: null, files: [], filesTotal: 0, tampered: [] }
    const commit = `c${++made}`
    trees.set(commit, tree)
    parents.set(commit, parent)
    return { head: commit, commit, files: [], filesTotal: 0, tampered: [] }
  }
  const moveOf = (iteration: number) =>
    world.moves[(iteration - 1) % world.moves.length] ?? { do: 'nothing' as const }

  const several = partsHost({
    treeOf,
    commitOf,
    parentOf: (commit) => parents.get(commit) ?? commit,
  })

  const runsOf = new Map<Tree, number>()
  const seen = new Map<Tree, Map<string, Set<StoredTest['status']>>>()
  const executed = (tree: Tree): StoredTest[] | undefined => {
    const tests = execute(tree, fails, () => ++executions)
    runsOf.set(tree, (runsOf.get(tree) ?? 0) + 1)
    const ofTree = seen.get(tree) ?? new Map<string, Set<StoredTest['status']>>()
    seen.set(tree, ofTree)
    for (const { test, status } of tests ?? [])
      if (flaky.has(test)) ofTree.set(test, (ofTree.get(test) ?? new Set()).add(status))
    return tests
  }

  const undone = new Set<string>()
  const { measure, stored, replaced } = suiteOf(treeOf, executed)

  /** Tests that were found to be flaky in a full run and before it. */
  const flakyIn = (ref: { path: string } | undefined): string[] =>
    (stored.get(ref?.path ?? '')?.memory ?? []).flatMap(({ flaky: is, test }) =>
      is === true ? [test] : [],
    )

  /** A full run, those that were interrupted included. One that is made again counts once. */
  const begin = (step: string, cancelled: boolean): void => {
    if (!interrupted.delete(step)) begun += 1
    if (!cancelled) return
    interrupted.add(step)
    throw new CancelledFailure('the tests were ended')
  }
  const interrupted = new Set<string>()

  const turnOf = (input: SentTurn, cancelled: boolean, n: number): TurnResult => {
    const move = moveOf(input.iteration)
    if (cancelled) return turnResult('stopped', { agent: input.agent, attempts: 0 })
    unseen = Math.max(unseen, bestSince.size)
    const away = move.do === 'unavailable'
    if ((move.do === 'limited' || away) && !limited.has(input.key)) {
      limited.add(input.key)
      return turnResult(away ? 'unavailable' : 'rate_limited', {
        agent: input.agent,
        attempts: 0,
        limitedUntil: Date.now() + LIMIT_MS,
        ...(away ? { outage: { error: 'HTTP 503' } } : {}),
      })
    }
    const proposes =
      move.do === 'propose' &&
      (move.by === 'analysis' ? input.read?.as === 'analysis' : input.ask.about === 'fix-task')
    // After an accepted change the same iteration may begin again.
    // Other failures are assessed again.
    const { ask } = input
    if (ask.about === 'assess' && ask.lastRun.kind === 'measured')
      assessed = ask.lastRun.fingerprint
    const about = input.key.includes('/assess') ? assessed : ''
    turns.push(`${input.key}${about}${replaced.length === 0 ? '' : `, change ${replaced.length}`}`)
    if (move.do === 'fails')
      return turnResult('failed', { agent: input.agent, reason: 'exited with code 1' })
    const weak = world.sessions?.weak.includes(n) === true
    if (input.read?.as === 'analysis')
      return turnResult('completed', {
        agent: input.agent,
        read:
          move.do === 'no analysis'
            ? { kind: 'unusable', problem: 'no JSON', form: '' }
            : {
                ...ANALYSIS,
                ...(weak ? { weak: 'confidence 0.2' } : {}),
                task: `IMPL-fix-${input.read.iteration}`,
                file: `IMPL-fix-${input.read.iteration}.json`,
                cause: `c${input.iteration}`,
                ...(input.read.several === true && move.do === 'several' && move.parts.length > 1
                  ? { causes: several.causesOf(input.read.iteration, move) }
                  : {}),
                ...(proposes ? { points: 0 } : {}),
              },
        ...(proposes ? { proposes: 1 } : {}),
      })
    if (input.ask.about === 'fix-task')
      work = moved(treeOf(input.expectHead), move, input.iteration)
    return turnResult(move.do === 'times out' ? 'timed_out' : 'completed', {
      agent: input.agent,
      ...(proposes ? { proposes: 1 } : {}),
      ...(move.do === 'lie' ? { tail: 'All tests pass now.' } : {}),
    })
  }

  let last: RecordInput | undefined
  let [begun, lost] = [0, 0]
  let [runsBefore, iterationsDone, iterationsBefore] = [0, 0, 0]
  const activities = {
    serverFacts: () => ({
      searchAttributes: [],
      queue: MAIN_QUEUE,
      project: '/repo',
      projectKey: 'k',
    }),
    prepareRun: () => {
      const { iteration = 0, pending, head, lastRun } = last?.state ?? {}
      iterationsDone = iteration
      iterationsBefore = Math.max(iteration, pending?.iteration ?? 0)
      return last === undefined
        ? { ...prepared, head: 'base', tasks: [TEST_TASK] }
        : {
            ...prepared,
            head: last.state.head,
            tasks: last.state.queue.filter((task) => !isFixOrRetest(task)),
            // A stop went back behind a fix that no run had judged: nothing is left to compare it with.
            restored: Restored.parse({
              ...last.state,
              lastRun:
                typeof pending?.commit === 'string' && pending.commit !== head
                  ? undefined
                  : lastRun,
            }),
          }
    },
    reloadConfig: () => ({ problem: 'not read' }),
    runTests: async (input: RunTestsInput, cancelled = false) => {
      begin(input.step, cancelled)
      const known = flakyIn(input.compare?.lastFull).length
      const run = await measure(input)
      if (!input.step.includes('/final-')) return run
      // Where a flaky test fails in the last run of a task, or shows itself, the run returns to the
      // loop.
      const isSpoilt =
        run.kind !== 'measured' ||
        (flaky.size > 0 && (run.failed > 0 || flakyIn(run.results).length > known))
      if (isSpoilt) lost += 1
      return run
    },
    ...proposalsOf({
      treeOf,
      moveOf,
      commitOf,
      storedAt: (path) => stored.get(path) as StoredRun,
    }),
    agentTurn: (input: SentTurn, cancelled = false) => {
      const n = sessions?.begin(input) ?? 0
      const result = turnOf(input, cancelled, n)
      return sessions?.end(n, input, result) ?? result
    },
    beatAtOnce: () => undefined,
    degradedAnalysis: ({ iteration }: { iteration: number }) => {
      sessions?.close('a degraded analysis')
      return {
        ...ANALYSIS,
        quality: 'degraded',
        task: `IMPL-fix-${iteration}`,
        file: `IMPL-fix-${iteration}.json`,
        cause: `d${iteration}`,
      }
    },
    commitFix: (input: CommitFixInput) => {
      const iteration = Number(/\d+/.exec(input.step)?.[0])
      const move = moveOf(iteration)
      const committed =
        input.causes !== undefined && move.do === 'several'
          ? several.commitParts(input, move, iteration)
          : {
              ...commitOf(work, input.expectHead),
              tampered: move.do === 'tamper' ? ['a.test'] : [],
            }
      if (input.candidate !== undefined) before.set(committed.head, input.expectHead)
      return committed
    },
    takeOut: (input: TakeOutInput) => {
      const taken = several.takeOut(input)
      before.set(taken.head, before.get(input.expectHead) ?? input.expectHead)
      return taken
    },
    acceptFix: ({ expectHead, commits }: AcceptFixInput): Accepted => {
      const parts = commits.map(({ task }) => ({ task, commit: `c${++made}` }))
      const { commit: head } = parts.at(-1) as FixPart
      for (const { commit } of parts) {
        trees.set(commit, treeOf(expectHead))
        parents.set(commit, before.get(expectHead) ?? expectHead)
      }
      return { head, parts }
    },
    rollBack: ({ expectHead }: RollBackInput) => {
      sessions?.close('the branch went back')
      const head = before.get(expectHead) ?? expectHead
      work = treeOf(head)
      return { head }
    },
    goBack: ({ expectHead, toTree, step }: GoBackInput) => {
      sessions?.close('the branch went back')
      if (/^test-change-\d+\/back$/.test(step)) undone.add(expectHead)
      work = treeOf(toTree.endsWith('^') ? (parents.get(toTree.slice(0, -1)) as string) : toTree)
      return commitOf(work, expectHead)
    },
    confirmResults: (
      { results, step, early = false }: ConfirmInput,
      cancelled = false,
    ): Confirmation => {
      if (!early)
        begin(step, cancelled) // of a few files it is no full run
      else if (cancelled) throw new CancelledFailure('the tests were ended')
      if (early && world.selects === false) return { verdict: 'later' }
      bestSince.clear()
      const tree = treeOf(stored.get(results.path)?.commit ?? '')
      const isForged = Object.values(tree.tests).includes('forged')
      refuted += isForged ? 1 : 0
      return isForged ? { verdict: 'refuted', files: ['a.test'] } : { verdict: 'confirmed' }
    },
    recordRun: (input: RecordInput) => {
      last = input
      const { start, earlier = [], best, confirmation } = input.state
      if (best !== undefined) bests.add(treeOf(best.commit))
      if (best !== undefined && best.commit !== 'base' && confirmation?.commit !== best.commit)
        bestSince.add(best.commit)
      // What a run has left stands no more.
      for (const one of bestSince)
        if (![start, ...earlier, best].some((known) => known?.commit === one)) bestSince.delete(one)
      return { warnings: [], failures: [] }
    },
    settleTurn: () => turnResult('failed'),
  }
  return {
    activities: activities,
    startsAgain() {
      runsBefore = begun
      lost = 0
      sessions?.startAgain()
    },
    ended() {
      if (last === undefined) throw new Error('no record was written')
      return {
        state: last.state,
        trees,
        head: treeOf(last.state.head),
        runs: begun - runsBefore,
        lost,
        done: iterationsDone,
        before: iterationsBefore,
        replaced: replaced
          .filter(({ commit }) => !undone.has(commit))
          .map(({ commit, files }) => ({
            tree: treeOf(commit),
            on: treeOf(parents.get(commit) ?? commit),
            files,
          })),
        runsOfUndone: Math.max(
          0,
          ...[...undone].slice(-1).map((one) => runsOf.get(treeOf(one)) ?? 0),
        ),
        knownFlaky: new Set(flakyIn(last.state.lastFull)),
        refuted,
        bests: [...bests],
        unseen,
        turns,
        sessions,
        several: several.done,
        seen,
      }
    },
  }
}
