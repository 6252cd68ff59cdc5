// A host of preparations without files or agents: activities that answer from a script and log
// every call.
import { ApplicationFailure } from '@temporalio/activity'
import type {
  HostActivities,
  LightActivities,
  PrepActivities,
} from '../../../src/activities/index.js'
import { MAIN_QUEUE, SEARCH_ATTRIBUTES } from '../../../src/contract/names.js'
import type { PrepQuestion, PrepReading } from '../../../src/contract/prep/prep-draft.js'
import type { PrepPrepared, RecordPrepInput } from '../../../src/contract/prep/prep-step.js'
import type { SentTurn } from '../../../src/contract/turn-input.js'
import type { TurnResult } from '../../../src/contract/turn.js'
import { parsedHost } from '../hosts/parsed-host.js'
import { cancelled, notifyOf, turnResult } from '../stub-host.js'

export type PrepScript = {
  /** Answer of a turn; by default a draft that is ready and asks nothing. */
  turn?: (turn: SentTurn, call: number) => Partial<TurnResult> & { waitForCancel?: boolean }
  prepared?: Partial<PrepPrepared>
  /** Failure of the nth record. */
  record?: (call: number) => string | undefined
}

export type PrepHost = {
  activities: Pick<LightActivities, 'serverFacts'> &
    Pick<HostActivities, 'agentTurn' | 'settleTurn' | 'beatAtOnce' | 'notify'> &
    PrepActivities
  turns: SentTurn[]
  records: RecordPrepInput[]
}

const PREPARED: PrepPrepared = {
  workspace: {
    project: '/repo',
    root: '/state/tree',
    cwd: '/state/tree',
    branch: 'ratchet/prep-1',
    base: 'base',
    isolation: 'clone',
  },
  head: 'base',
  name: 'prep-1',
  recordDir: '/repo/.workflow/.prep/prep-1',
  configHash: 'c',
  testCommand: 'npm test',
  agents: { 'requirements-analyst': ['one'] },
  limits: { agentTurnMs: 600_000, convergeMs: 60_000, idleMs: 600_000 },
  timezone: '+08:00',
  environment: {
    testFramework: 'vitest',
    warnings: [],
    hasProjectTech: false,
    hasGuidelines: false,
  },
  warnings: [],
}

export const SCOPE_QUESTION: PrepQuestion = {
  id: 'Q1',
  text: 'Which files?',
  options: ['all', 'one'],
  recommended: 'one',
  about: 'scope',
}

/** What is read of a draft: all clear by default. */
export function prepReading(
  scores: Partial<PrepReading['scores']> = {},
  questions: PrepQuestion[] = [],
): PrepReading {
  const all = { objective: 2, success_criteria: 2, scope: 2, constraints: 2, context: 2 }
  return { kind: 'prep', scores: { ...all, ...scores }, questions }
}

export function prepHost(script: PrepScript = {}): PrepHost {
  const turns: SentTurn[] = []
  const records: RecordPrepInput[] = []
  const activities: PrepHost['activities'] = {
    serverFacts: () =>
      Promise.resolve({
        searchAttributes: Object.keys(SEARCH_ATTRIBUTES),
        queue: MAIN_QUEUE,
        project: '/repo',
        projectKey: 'a1b2c3d4e5f6',
      }),
    preparePrep: () => Promise.resolve({ ...PREPARED, ...script.prepared }),
    agentTurn: async (turn) => {
      turns.push(turn)
      const { waitForCancel = false, ...answer } = script.turn?.(turn, turns.length) ?? {}
      if (waitForCancel) {
        await cancelled()
        return turnResult('stopped', { agent: turn.agent, sessionId: 's-1' })
      }
      return turnResult('completed', {
        agent: turn.agent,
        sessionId: 's-1',
        answer: { path: `/state/turns/${turns.length}`, sha256: 'a', bytes: 1 },
        read: prepReading(),
        ...answer,
      })
    },
    beatAtOnce: () => Promise.resolve(),
    settleTurn: ({ agent, reason }) => Promise.resolve(turnResult('stopped', { agent, reason })),
    notify: notifyOf({}, []),
    recordPrep: (input) => {
      records.push(input)
      const failure = script.record?.(records.length)
      if (failure !== undefined) throw ApplicationFailure.retryable(failure)
      return Promise.resolve({
        warnings: [],
        package:
          input.draft === undefined
            ? undefined
            : {
                for: input.for,
                file: '/repo/.workflow/.cycle/prep-package.json',
                prep_status: input.result.outcome === 'ready' ? 'ready' : 'needs_refinement',
                quality_score: 10,
              },
      })
    },
  }
  return { activities: parsedHost(activities), turns, records }
}
