// Decides what the live view shows from the looks at a run. Pure: the time is an argument.
// Elapsed times use the local clock. A heartbeat tells how long something had taken when it was
// sent, and the clock runs from the moment it was first seen here, so times move between
// heartbeats.
import { z } from 'zod'
import { type PendingActivity, RunUsage } from '../../contract/result.js'
import { Raised, Spending, type Budget } from '../../contract/budget.js'
import { raisedBudget } from '../../core/agents/budget.js'
import { oneLine } from '../../core/text/one-line.js'
import { countedWords } from '../../core/test-progress/counted.js'

/** An agent or a step in progress. */
export type AtWork = {
  /** Role of an agent, or name of a step. */
  who: string
  /** Name of the agent, if it is one. */
  agent?: string
  /** Its last action, in one line; empty if it has reported none. */
  doing: string
  /** Milliseconds it has taken so far. */
  elapsedMs: number
  /** Estimated output tokens of this prompt so far. */
  tokens?: number
}

/** Usage, and the budget. */
export type Spent = { usage: RunUsage; budget?: Budget }

/** What a run carries besides its status: when it started (epoch milliseconds), and its usage. */
export type Carried = { startedAt?: number; spent?: Spent; warnings: string[] }

const StateReply = z.object({
  state: z.object({
    startedAt: z.number().optional(),
    usage: RunUsage.optional(),
    raised: Raised.optional(),
    warnings: z.array(z.string()).optional(),
    prepared: z.object({ spending: Spending.optional() }).optional(),
  }),
})

/**
 * Reads the answer to the `state` query; empty if it has no such fields, as before the workspace is
 * ready.
 */
export function carriedOf(answer: unknown): Carried {
  const read = StateReply.safeParse(answer).data?.state
  if (read === undefined) return { warnings: [] }
  const { startedAt, usage, raised, warnings = [], prepared } = read
  const budget = prepared?.spending?.budget
  return {
    warnings,
    startedAt,
    ...(usage === undefined
      ? {}
      : {
          spent: {
            usage,
            ...(budget === undefined ? {} : { budget: raisedBudget(budget, raised) }),
          },
        }),
  }
}

/** Names of activities; others are too short to show. */
const STEPS: Record<string, string> = {
  prepareRun: 'workspace',
  prepareCycle: 'workspace',
  prepareLoop: 'workspace',
  cloneWorkers: 'workspace',
  runTests: 'tests',
  confirmResults: 'tests',
  checkQuality: 'quality',
  commitFix: 'commit',
  commitCycle: 'commit',
  commitLoop: 'commit',
  mergeWorkers: 'merge',
  acceptFix: 'commit',
  rollBack: 'roll back',
  goBack: 'go back',
}

/** How far a heartbeat may lag behind the local clock without setting it back. */
const JITTER_MS = 3_000

/** Keeps the start of each piece of work. One instance for each followed run. */
export class Clocks {
  private seen = new Map<string, { beat: string; at: number; elapsedMs: number }>()

  /** Returns who is at work, the first one first: the server lists them in varying order. */
  atWork(pending: readonly PendingActivity[], now: number): AtWork[] {
    const next = new Map<string, { beat: string; at: number; elapsedMs: number }>()
    const rows = pending.flatMap((activity): { row: AtWork; since: number }[] => {
      const row = rowOf(activity)
      if (row === undefined) return []
      const key = `${activity.name} ${row.who} ${activity.attempt} ${activity.startedAt ?? 0}`
      const beat = JSON.stringify(activity.progress)
      const before = this.seen.get(key)
      // A new heartbeat sets the clock, an old one lets it run. It does not go back by less than
      // JITTER_MS.
      const reported =
        row.elapsedMs ??
        (activity.startedAt === undefined ? 0 : Math.max(0, now - activity.startedAt))
      const running = before === undefined ? 0 : before.elapsedMs + (now - before.at)
      const elapsedMs =
        before?.beat === beat ||
        (running > reported && (row.elapsedMs === undefined || running - reported < JITTER_MS))
          ? running
          : reported
      next.set(key, before?.beat === beat ? before : { beat, at: now, elapsedMs })
      return [{ row: { ...row, elapsedMs }, since: activity.startedAt ?? 0 }]
    })
    this.seen = next
    return rows
      .sort((a, b) => a.since - b.since || a.row.who.localeCompare(b.row.who))
      .map(({ row }) => row)
  }
}

function rowOf({
  name,
  running,
  progress = {},
}: PendingActivity): (Omit<AtWork, 'elapsedMs'> & { elapsedMs?: number }) | undefined {
  if (!running) return undefined
  const { state, lastEvent, agent, role, elapsedMs, tokens, phase } = progress
  const elapsed = typeof elapsedMs === 'number' ? { elapsedMs } : {}
  if (typeof agent === 'string') {
    if (state === 'slot') return undefined // it waits, as `waitingFor` shows
    const doing =
      state !== 'running' && typeof state === 'string'
        ? state.replaceAll('_', ' ')
        : typeof lastEvent === 'string'
          ? eventText(lastEvent)
          : ''
    return {
      who: typeof role === 'string' ? role : agent,
      agent,
      doing,
      ...elapsed,
      ...(typeof tokens === 'number' ? { tokens } : {}),
    }
  }
  if (typeof phase === 'string')
    return { who: 'tests', doing: testsDoing(phase, progress), ...elapsed }
  if (typeof state === 'string' && state !== '')
    return /^wait/.test(state)
      ? undefined
      : { who: STEPS[name] ?? 'host', doing: oneLine(state), ...elapsed }
  const step = STEPS[name]
  return step === undefined ? undefined : { who: step, doing: '', ...elapsed }
}

// The progress of the tests, else how much they have printed.
function testsDoing(phase: string, { lines, counted }: Record<string, unknown>): string {
  const far = countedWords(counted) ?? (typeof lines === 'number' ? `${lines} lines` : undefined)
  return oneLine(
    [...(phase === 'tests' ? [] : [phase]), ...(far === undefined ? [] : [far])].join(', '),
  )
}

function eventText(event: string): string {
  const text = oneLine(event)
  return { text: 'writes', thought: 'thinks', plan: 'plans' }[text] ?? text.replace(/^tool /, '')
}
