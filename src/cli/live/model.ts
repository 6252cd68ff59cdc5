// What the live view shows, from what the looks at a run saw. Pure: the time is given.
//
// Elapsed times go by the local clock: a heartbeat says how long something had taken when it was
// sent, and from the moment it was first seen here the clock goes on. So they move while no
// heartbeat comes.
import { z } from 'zod'
import type { PendingActivity } from '../../client/pending.js'
import { Raised, Spending, type Budget } from '../../contract/budget.js'
import { RunUsage } from '../../contract/result.js'
import { raisedBudget } from '../../core/agents/budget.js'
import { oneLine } from '../../core/text/one-line.js'
import { countedWords } from '../../core/test-progress/counted.js'

/** An agent or a step that is under way. */
export type AtWork = {
  /** Role of an agent, or what a step is called. */
  who: string
  /** Name of the agent, where it is one. */
  agent?: string
  /** What it did last, in one line; empty where it said nothing yet. */
  doing: string
  /** Milliseconds that it takes so far. */
  elapsedMs: number
  /** Said so far in this prompt, estimated. */
  tokens?: number
}

/** What was spent, and what may be. */
export type Spent = { usage: RunUsage; budget?: Budget }

/**
 * What a run carries beside its status: since when it works (epoch milliseconds), and what it has
 * spent.
 */
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
 * Reads the answer to the `state` query; empty where it says nothing, as before the workspace is
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

/** Activities in words; what is not here is over before anybody reads it. */
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
  rollBack: 'roll back',
}

/** How far heartbeats may lag behind the clock here without setting it back. */
const JITTER_MS = 3_000

/** Keeps since when each piece of work goes on. One for each run that is followed. */
export class Clocks {
  private seen = new Map<string, { beat: string; at: number; elapsedMs: number }>()

  /** Who is at work, the first one first: the server names them in another order each time. */
  atWork(pending: readonly PendingActivity[], now: number): AtWork[] {
    const next = new Map<string, { beat: string; at: number; elapsedMs: number }>()
    const rows = pending.flatMap((activity): { row: AtWork; since: number }[] => {
      const row = rowOf(activity)
      if (row === undefined) return []
      const key = `${activity.name} ${row.who} ${activity.attempt} ${activity.startedAt ?? 0}`
      const beat = JSON.stringify(activity.progress)
      const before = this.seen.get(key)
      // A new heartbeat sets the clock, an old one lets it run. For less than JITTER_MS it does not
      // go back.
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
    if (state === 'slot') return undefined // it waits, and `waitingFor` says so
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

// How far the tests are, else how much they have printed.
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
