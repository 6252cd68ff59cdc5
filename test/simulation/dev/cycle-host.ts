// The host of a cycle of a world: four agents on one tree, whose answers the product reads as text.
import { MAIN_QUEUE } from '../../../src/contract/names.js'
import { RestoredCycle, type CycleState } from '../../../src/contract/dev-cycle/cycle-state.js'
import type { Phase } from '../../../src/contract/dev-cycle/discovery.js'
import type { RunTestsInput } from '../../../src/contract/step.js'
import type { TestRun } from '../../../src/contract/test-run.js'
import { CYCLE_PREPARED } from '../../support/cycle/cycle-host.js'
import { turnResult } from '../../support/stub-host.js'
import { phaseReading, phaseText, RIGHT, type PhaseMove, type Planned } from './phase-answers.js'
import { edited, projectOf, type Code, type Project } from './project.js'
import { editsFor, played, turnsOf, type Turns } from './turns.js'
import type { CycleWorld } from './world.js'
import type {
  CommitCycleInput,
  PreparedCycle,
  RecordCycleInput,
} from '../../../src/contract/dev-cycle/cycle-step.js'
import type { SentTurn, SettleInput } from '../../../src/contract/turn-input.js'

/** `open`: what the record says is open after each iteration, with the commits so far. */
export type CycleFacts = {
  world: CycleWorld
  project: Project
  turns: Turns<PhaseMove>
  commits: { commit: string | null; iteration: number; at: number }[]
  /** Full runs. */
  /** Without a run where no test command was found. */
  measured: { run?: TestRun; at: number }[]
  plan: () => Planned[]
  open: { iteration: number; texts: string; commits: number; extensions: number }[]
  state: () => CycleState
}

export type CycleHostOfWorld = {
  activities: Record<string, (input: never, cancelled?: boolean) => unknown>
  facts: CycleFacts
}

/**
 * What an agent does in its turn, by iteration and kind: the order of turns makes no difference.
 */
function moveOf(world: CycleWorld, phase: Phase, iteration: number, step: string): PhaseMove {
  if (world.allFail.includes(iteration)) return { ...RIGHT, went: 'fails' }
  const move = ownMoveOf(world, phase, iteration, step)
  return world.lazy === 'none' ? move : { ...move, edit: 'nothing' }
}

function ownMoveOf(
  { moves, rightFrom }: CycleWorld,
  phase: Phase,
  iteration: number,
  step: string,
): PhaseMove {
  const kind = /\/(?:feedback|validate-again)/.test(step) ? 1 : 0
  const own = moves[phase]
  return iteration >= rightFrom ? RIGHT : (own[((iteration - 1) * 2 + kind) % own.length] ?? RIGHT)
}

function replanned(
  plan: readonly Planned[],
  { plan: how }: PhaseMove,
  iteration: number,
): Planned[] {
  switch (how) {
    case 'same':
      return [...plan]
    case 'longer':
      return [
        ...plan,
        {
          id: `TASK-${String(plan.length + 1).padStart(3, '0')}`,
          text: `further part of iteration ${iteration}`,
        },
      ]
    case 'reworded':
      return plan.map((task, n) =>
        n === 0 ? { ...task, text: `another part of iteration ${iteration}` } : task,
      )
    case 'shorter':
      return plan.length > 1 ? plan.slice(0, -1) : [...plan]
  }
}

export function cycleHostOf(world: CycleWorld): CycleHostOfWorld {
  const project = projectOf(world)
  const turns = turnsOf<PhaseMove>()
  const commits: CycleFacts['commits'] = []
  const measured: CycleFacts['measured'] = []
  const open: CycleFacts['open'] = []
  let work: Code = project.base
  let plan: Planned[] = Array.from({ length: world.tasks }, (_, n) => ({
    id: `TASK-00${n + 1}`,
    text: `part ${n + 1}`,
  }))
  let last: CycleState | undefined
  const told = { warnings: [], foreign: [], board: { entries: 0, skipped: 0, restored: 0 } }

  const noted = ({ state }: RecordCycleInput): void => {
    last = structuredClone(state)
    if (state.iterations.at(-1)?.completedAt === undefined) return
    const entry = {
      iteration: state.iteration,
      texts: [...state.openIssues].sort().join('\n'),
      commits: state.commits.length,
      extensions: state.pendingExtensions.length,
    }
    if (open.at(-1)?.iteration === state.iteration) open.pop()
    open.push(entry)
  }
  const activities = {
    serverFacts: () => ({
      searchAttributes: [],
      queue: MAIN_QUEUE,
      project: '/repo',
      projectKey: 'k',
    }),
    prepareCycle: ({ cycleId }: { cycleId?: string }): PreparedCycle => {
      work = project.treeOf(last?.head ?? 'base') // what was left uncommitted is kept elsewhere
      return {
        ...CYCLE_PREPARED,
        requireGreen: world.requireGreen,
        ...(world.prep === undefined ? {} : { prep: world.prep }),
        head: last?.head ?? 'base',
        ...(world.turns === 0
          ? {}
          : {
              spending: { onRateLimit: 'wait', unavailableMs: 0, budget: { turns: world.turns } },
            }),
        ...(cycleId === undefined || last === undefined
          ? {}
          : { restored: RestoredCycle.parse(last) }),
      }
    },
    reloadCycle: () => ({ problem: 'not read' }),
    runTests: async (input: RunTestsInput) => {
      const one: CycleFacts['measured'][number] = { at: turns.tick() }
      measured.push(one)
      one.run = await project.measure(input)
      return one.run
    },
    checkQuality: ({ commit }: { commit: string }) => project.quality(commit),
    agentTurn: (sent: SentTurn, cancelled = false) => {
      const phase = sent.read?.as === 'phase' ? sent.read.phase : 'ra'
      const done = sent.read?.as === 'phase' ? (sent.read.done ?? []) : []
      const move = moveOf(world, phase, sent.iteration, sent.key)
      return played(turns, sent, cancelled, {
        who: phase,
        went: move.went,
        means: move,
        about: () => plan,
        work: () => {
          if (phase === 'cd') work = edited(work, move.edit, sent.iteration, project.base)
          if (phase === 'ep' && sent.turn === 'work') plan = replanned(plan, move, sent.iteration)
        },
        read: () =>
          phaseReading(
            phase,
            phaseText(phase, move, plan),
            plan,
            plan.map(({ id }) => id).filter((id) => !done.includes(id)),
          ),
        silent: () => phaseReading(phase, 'I am not sure.', plan, []),
      })
    },
    beatAtOnce: () => undefined,
    settleTurn: ({ agent, reason }: SettleInput) => turnResult('failed', { agent, reason }),
    commitCycle: (input: CommitCycleInput) => {
      noted(input.record)
      const commit = project.commit(input.expectHead, work)
      commits.push({ commit, iteration: input.record.state.iteration, at: turns.tick() })
      return {
        head: commit ?? input.expectHead,
        commit,
        ...(commit === null
          ? {}
          : { ...project.takenBack(commit, input), ...project.changedInRun(commit) }),
        files: commit === null ? [] : ['src/a.ts'],
        filesTotal: commit === null ? 0 : 1,
        tampered: [],
        tamperedTotal: 0,
        changedTests: [],
        ...told,
        ...editsFor(turns, 'ra', input.record.state.edits?.seen ?? 0, false),
      }
    },
    recordCycle: (input: RecordCycleInput) => {
      noted(input)
      return {
        ...told,
        ...editsFor(turns, 'ra', input.state.edits?.seen ?? 0, input.result !== undefined),
        ...(input.result === undefined ? {} : { failures: [] }),
      }
    },
  }
  return {
    activities,
    facts: {
      world,
      project,
      turns,
      commits,
      measured,
      plan: () => plan,
      open,
      state: () => {
        if (last === undefined) throw new Error('no record was written')
        return last
      },
    },
  }
}
