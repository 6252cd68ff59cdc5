// The host of a loop of a world: five workers, three of them side by side in parallel mode, whose
// answers the product reads as text.
import { randomOf } from './random.js'
import { ApplicationFailure } from '@temporalio/common'
import { RestoredLoop, type LoopState } from '../../../src/contract/dev-loop/loop-state.js'
import type { LoopAction, ParallelAction } from '../../../src/contract/dev-loop/loop-input.js'
import { MAIN_QUEUE } from '../../../src/contract/names.js'
import type { RunTestsInput } from '../../../src/contract/step.js'
import { LOOP_PREPARED } from '../../support/loop/loop-host.js'
import { turnResult } from '../../support/stub-host.js'
import { edited, projectOf, type Code, type Edit, type Project } from './project.js'
import { editsFor, played, turnsOf, type Turns } from './turns.js'
import {
  rightOf,
  workerReading,
  workerText,
  type Given,
  type WorkerMove,
} from './worker-answers.js'
import type { LoopWorld } from './world.js'
import type {
  CloneWorkersInput,
  CommitLoopAnswer,
  CommitLoopInput,
  MergeWorkersAnswer,
  MergeWorkersInput,
  PreparedLoop,
  RecordLoopInput,
} from '../../../src/contract/dev-loop/loop-step.js'
import type { SentTurn, SettleInput } from '../../../src/contract/turn-input.js'

/** What was said in a turn, and to what it was given. */
export type WorkerSaid = { move: WorkerMove; given: Given }
/**
 * A commit of a worker, or of a merge. `lost`: what develop did was decided for another version.
 */
export type Work = {
  action: LoopAction | 'merge'
  commit: string | null
  iteration: number
  at: number
  lost?: boolean
  developed?: boolean
  /** The commit of develop in its clone. */
  own?: string
}

export type LoopFacts = {
  world: LoopWorld
  project: Project
  turns: Turns<WorkerSaid>
  work: Work[]
  /** Tasks by id, as the loop has them. */
  tasks: () => LoopState['tasks']
  state: () => LoopState
}
export type LoopHostOfWorld = {
  activities: Record<string, (input: never, cancelled?: boolean) => unknown>
  facts: LoopFacts
}

function moveOf(world: LoopWorld, action: LoopAction, iteration: number): WorkerMove {
  if (world.allFail.includes(iteration)) return { ...rightOf(action), went: 'fails' }
  const move = ownMoveOf(world, action, iteration)
  if (world.lazy === 'all') return { ...move, edit: 'nothing' }
  // It says that all is done, and not what: only that could be closed by the work of another.
  return world.lazy === 'developer' && action === 'develop'
    ? { ...move, edit: 'nothing', names: 'none', noChange: 'none' }
    : move
}

function ownMoveOf(
  { moves, rightFrom }: LoopWorld,
  action: LoopAction,
  iteration: number,
): WorkerMove {
  const own = moves[action]
  return iteration >= rightFrom ? rightOf(action) : (own[iteration % own.length] ?? rightOf(action))
}

const isClone = ({ root }: { root: string }): boolean => root.startsWith('/state/workers/')

export function loopHostOf(world: LoopWorld): LoopHostOfWorld {
  const project = projectOf(world)
  const turns = turnsOf<WorkerSaid>()
  const done: Work[] = []
  let tree: Code = project.base
  const clones = new Map<ParallelAction, { edits: Edit[]; iteration: number }>()
  /** Tasks that a turn was given, for its retries. */
  const askedOf = new Map<string, string[]>()
  let last: LoopState | undefined

  const titles = (): Map<string, string> =>
    new Map((last?.tasks ?? []).map(({ id, description }) => [id, description]))
  const givenTo = ({ ask, task, key, workspace }: SentTurn): Given => {
    const all = (last?.tasks ?? []).map(({ id }) => id)
    const told =
      'loop' in ask
        ? ask.loop.tasks.map(({ id }) => id)
        : (askedOf.get(key.replace(/(?:\/clarify-|\.).*$/, '')) ?? [])
    askedOf.set(key, told)
    const measured = 'loop' in ask ? ask.loop.measured : undefined
    const failures =
      measured?.kind === 'measured'
        ? measured.failures.map(({ test, file, error }) => ({ test, error, location: `${file}:1` }))
        : []
    return { own: task, given: told, all, titles: titles(), parallel: isClone(workspace), failures }
  }
  const agentTurn = (sent: SentTurn, cancelled = false) => {
    const action = sent.read?.as === 'worker' ? sent.read.action : 'init'
    const named = sent.read?.as === 'worker' ? (sent.read.tasks ?? []) : []
    const isBlocked =
      action === 'develop' && sent.task !== undefined && world.blocked.includes(sent.task)
    const move: WorkerMove = isBlocked
      ? { ...rightOf(action), status: 'blocked', edit: 'nothing', names: 'none' }
      : moveOf(world, action, sent.iteration)
    const round = Number(/\/clarify-(\d+)/.exec(sent.key)?.[1] ?? 0)
    const clone = isClone(sent.workspace) ? clones.get(action as ParallelAction) : undefined
    const given = givenTo(sent)
    const asks = round < move.asks && action !== 'complete'
    return played(turns, sent, cancelled, {
      who: action,
      inClone: clone !== undefined,
      went: move.went,
      means: asks ? undefined : { move, given },
      about: () => (last?.tasks ?? []).map(({ id, description: text }) => ({ id, text })),
      work: () => {
        if (asks || action === 'init' || action === 'complete') return
        if (clone === undefined) tree = edited(tree, move.edit, sent.iteration, project.base)
        else clone.edits.push(move.edit)
      },
      read: () =>
        workerReading(action, workerText(action, move, given, world.tasks, round), named, titles()),
      silent: () => workerReading(action, 'I am not sure.', []),
    })
  }

  const commitLoop = ({
    action,
    expectHead,
    step,
    workFrom,
    tasks,
  }: CommitLoopInput): CommitLoopAnswer => {
    const commit = project.commit(expectHead, tree)
    done.push({
      action,
      commit,
      iteration: Number(/iteration-(\d+)/.exec(step)?.[1]),
      at: turns.tick(),
    })
    return {
      head: commit ?? expectHead,
      commit,
      ...(commit === null
        ? {}
        : { ...project.takenBack(commit, { workFrom, tasks }), ...project.changedInRun(commit) }),
      files: commit === null ? [] : ['src/a.ts'],
      filesTotal: commit === null ? 0 : 1,
      undone: [],
      undoneTotal: 0,
      changedTests: [],
      warnings: [],
    }
  }
  const mergeWorkers = ({
    expectHead,
    workers,
    choices,
    step,
    workFrom,
    tasks,
  }: MergeWorkersInput): MergeWorkersAnswer => {
    const iteration = Number(/iteration-(\d+)/.exec(step)?.[1])
    const before = project.treeOf(expectHead)
    const changed = workers.flatMap(({ action }) => {
      const { edits = [] } = clones.get(action) ?? {}
      const after = edits.reduce((now, edit) => edited(now, edit, iteration, project.base), before)
      project.committedApart(`of-${action}-${iteration}`, expectHead, after)
      const file =
        moveOf(world, action, iteration).file === 'shared' ? 'src/shared.ts' : `src/${action}.ts`
      return edits.some((edit) => edited(before, edit, iteration, project.base) !== before)
        ? [{ action, edits, file }]
        : []
    })
    const sharing = changed
      .filter(({ file }) => file === 'src/shared.ts')
      .map(({ action }) => action)
    const whose = choices['src/shared.ts']
    const isOpen = sharing.length > 1 && whose === undefined
    const of = (action: ParallelAction) => changed.find((one) => one.action === action)
    const answer = workers.map(({ action }) => ({
      action,
      commit: of(action) === undefined ? null : `of-${action}-${iteration}`,
      files: of(action) === undefined ? [] : [of(action)?.file ?? ''],
      filesTotal: of(action) === undefined ? 0 : 1,
      undone: [],
    }))
    const none: MergeWorkersAnswer = {
      head: expectHead,
      commits: [],
      files: [],
      filesTotal: 0,
      conflicts: [],
      conflictsTotal: 0,
      workers: answer,
      warnings: [],
    }
    if (isOpen)
      return {
        ...none,
        conflicts: [{ file: 'src/shared.ts', workers: sharing, resolution: 'manual' }],
        conflictsTotal: 1,
      }
    const kept = changed.filter(
      ({ action, file }) => sharing.length < 2 || file !== 'src/shared.ts' || whose === action,
    )
    // Side by side, no worker takes back what another one does.
    const isBack = (edit: Edit): boolean => edit === 'swap' || edit === 'take back'
    tree = kept
      .flatMap(({ edits }) => edits)
      .sort((a, b) => Number(isBack(b)) - Number(isBack(a)))
      .reduce((now, edit) => edited(now, edit, iteration, project.base), before)
    // A file that several changed is as none of them left it.
    if (kept.length > 1)
      tree = { ...tree, lines: randomOf(`${before.lines} ${JSON.stringify(kept)}`) }
    // Where everything was decided for the base there is a merge all the same, without a change.
    const commit = project.commit(
      expectHead,
      changed.length > 0 && tree === before ? { ...before } : tree,
    )
    const own = answer.find(({ action }) => action === 'develop')?.commit ?? null
    done.push({
      action: 'merge',
      commit,
      ...(own === null ? {} : { own }),
      iteration,
      at: turns.tick(),
      developed: of('develop') !== undefined,
      lost: of('develop') !== undefined && !kept.some(({ action }) => action === 'develop'),
    })
    return commit === null
      ? none
      : {
          ...none,
          head: commit,
          ...project.takenBack(commit, { workFrom, tasks }, own === null ? [] : [own]),
          ...project.changedInRun(commit),
          commits: [...answer.flatMap((one) => (one.commit === null ? [] : [one.commit])), commit],
          files: kept.map(({ file }) => file),
          filesTotal: kept.length,
        }
  }

  const activities = {
    serverFacts: () => ({
      searchAttributes: [],
      queue: MAIN_QUEUE,
      project: '/repo',
      projectKey: 'k',
    }),
    prepareLoop: ({ loopId }: { loopId?: string }): PreparedLoop => {
      tree = project.treeOf(last?.head ?? 'base') // what was left uncommitted is kept elsewhere
      return {
        ...LOOP_PREPARED,
        requireGreen: world.requireGreen,
        head: last?.head ?? 'base',
        ...(world.turns === 0
          ? {}
          : {
              spending: { onRateLimit: 'wait', unavailableMs: 0, budget: { turns: world.turns } },
            }),
        ...(loopId === undefined || last === undefined
          ? {}
          : { restored: RestoredLoop.parse(last) }),
      }
    },
    reloadLoop: () => ({ problem: 'not read' }),
    runTests: (input: RunTestsInput) => project.measure(input),
    checkQuality: ({ commit }: { commit: string }) => project.quality(commit),
    agentTurn,
    beatAtOnce: () => undefined,
    settleTurn: ({ agent, reason }: SettleInput) => turnResult('failed', { agent, reason }),
    commitLoop,
    cloneWorkers: ({ workers, step, workspace }: CloneWorkersInput, cancelled = false) => {
      if (cancelled) throw ApplicationFailure.nonRetryable('cancelled')
      for (const action of workers)
        clones.set(action, { edits: [], iteration: Number(/iteration-(\d+)/.exec(step)?.[1]) })
      return {
        workspaces: workers.map((action) => ({
          action,
          workspace: {
            ...workspace,
            root: `/state/workers/${action}`,
            cwd: `/state/workers/${action}`,
          },
        })),
        warnings: [],
      }
    },
    mergeWorkers,
    recordLoop: ({ state, result }: RecordLoopInput) => {
      last = structuredClone(state)
      return {
        warnings: [],
        ...editsFor(turns, 'debug', state.edits?.seen ?? 0, result !== undefined),
        ...(result === undefined ? {} : { failures: [] }),
      }
    },
  }
  const state = (): LoopState => {
    if (last === undefined) throw new Error('no record was written')
    return last
  }
  return {
    activities,
    facts: { world, project, turns, work: done, tasks: () => state().tasks, state },
  }
}
