// The sessions of an agent that analyses and fixes. They are counted here, apart from the state of
// the run, so that what the run continues can be compared with what it may.
import fc from 'fast-check'
import type { SentTurn } from '../../src/contract/turn-input.js'
import type { TurnResult } from '../../src/contract/turn.js'
import type { World } from './world.js'

/** What the one agent of a world reports of its sessions; numbers of turns count from 1. */
export type SessionWorld = {
  /** Tokens of 1,000 that a turn adds to the context; `undefined`: it reports none. */
  adds?: number | undefined
  /** Bytes that a turn adds to the transcript. */
  bytes: number
  /** Turns in which the agent cannot resume, and those in which it serves no second prompt. */
  lost: number[]
  inVain: number[]
  /** Turns with a crash, and with a weak analysis. */
  crashes: number[]
  weak: number[]
  /** The id of a session changes with each turn. */
  renames: boolean
}

const turns = fc.array(fc.integer({ min: 1, max: 24 }), { maxLength: 3 })
export const sessionWorlds: fc.Arbitrary<SessionWorld> = fc.record({
  adds: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined, freq: 2 }),
  bytes: fc.integer({ min: 1_000, max: 150_000 }),
  lost: turns,
  inVain: turns,
  crashes: turns,
  weak: turns,
  renames: fc.boolean(),
})

type Session = {
  turns: number
  used: number
  bytes: number
  head: string
  /** Why no turn may continue it. */
  closed?: string
}

/** The bounds of ADR 34, as numbers of their own. */
const MOST = { part: 0.5, size: 1_000, turns: 2, bytes: 200_000 }

export class Sessions {
  /** Turns that continued a session of an earlier one. */
  continued = 0
  /** What was wrong with a session that a turn was to continue. */
  readonly wrong: string[] = []
  private readonly open = new Map<string, Session>()
  private begun = 0
  private count = 0
  private needsNew = false

  constructor(private readonly world: NonNullable<World['sessions']>) {}

  /** The agent of both roles. */
  static readonly AGENTS = { 'cli-planning-agent': ['one'], 'test-fix-agent': ['one'] }

  /** Another run of the record begins, which knows no session of this one. */
  startAgain(): void {
    this.open.clear()
    this.needsNew = false
  }

  /** A fix was rolled back, the branch has gone back, or an analysis was degraded. */
  close(why: string): void {
    for (const session of this.open.values()) session.closed ??= why
  }

  /** The number of the turn that begins. */
  begin(input: SentTurn): number {
    this.count += 1
    const { sessionId, knows, key } = input
    if (sessionId === undefined || knows === undefined) return this.count
    const session = this.open.get(sessionId)
    const problem = session === undefined ? 'is not known' : this.problemOf(session, input)
    if (problem !== undefined) this.wrong.push(`${key}: the session ${problem}`)
    return this.count
  }

  private problemOf(session: Session, { ask, knows }: SentTurn): string | undefined {
    const isFresh =
      ask.about === 'diagnose' && (ask.strategy === 'reflective' || ask.strategy === 'surgical')
    const { adds } = this.world
    if (session.closed !== undefined) return `is left: ${session.closed}`
    if (isFresh) return 'is continued for a fresh look'
    if (this.needsNew) return 'is continued by an agent that needs a new one'
    if (knows?.turns !== session.turns) return `has ${session.turns} turns, not ${knows?.turns}`
    if (knows.head !== session.head) return `saw ${session.head}, not ${knows.head}`
    if (adds !== undefined)
      return session.used > MOST.part * MOST.size ? 'has used half of its context' : undefined
    if (session.turns >= MOST.turns) return `has ${session.turns} turns of unknown context`
    return session.bytes > MOST.bytes ? `has ${session.bytes} bytes` : undefined
  }

  /** The result of a turn, with its session. */
  end(n: number, input: SentTurn, result: TurnResult): TurnResult {
    if (result.attempts === 0) return result
    const { adds, bytes, lost, inVain, crashes, renames } = this.world
    const asked = input.sessionId === undefined ? undefined : this.open.get(input.sessionId)
    const isNewTask = input.knows !== undefined
    const needsNew = asked !== undefined && isNewTask && inVain.includes(n)
    const isSame = asked !== undefined && !needsNew && !lost.includes(n)
    if (needsNew) this.needsNew = true
    if (isSame && isNewTask) this.continued += 1
    const session = isSame ? asked : { turns: 0, used: 0, bytes: 0, head: '' }
    session.turns += 1
    session.used += adds ?? 0
    session.bytes += bytes
    session.head = input.expectHead
    const id = isSame && !renames ? (input.sessionId as string) : `s${++this.begun}`
    this.open.set(id, session)
    const isCut = result.outcome !== 'completed'
    const crashed = crashes.includes(n)
    const isWeak = result.read?.kind === 'analysis' && result.read.weak !== undefined
    if (isCut) session.closed ??= result.outcome
    if (crashed) session.closed ??= 'a crash'
    if (isWeak) session.closed ??= 'a weak analysis'
    return {
      ...result,
      sessionId: id,
      crashes: crashed ? 1 : 0,
      session: {
        turns: session.turns,
        bytes: session.bytes,
        ...(adds === undefined ? {} : { used: session.used, size: MOST.size }),
        ...(isSame && renames && input.sessionId !== undefined
          ? { continues: input.sessionId }
          : {}),
        ...(needsNew ? { needsNew: true as const } : {}),
      },
    }
  }
}
