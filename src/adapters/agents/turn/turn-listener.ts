// What an agent says and asks while a prompt of its turn runs: kept in the log, told to the clocks
// and to the limit; a permission is answered by the policy, or by a person.
import type { Permissions } from '../../../contract/config/config.js'
import { isWork } from '../../../core/agents/agent-events.js'
import type { TurnLimit } from '../agent-limits.js'
import type { AgentListener, PermissionRequest } from '../agent-port.js'
import type { Attendance } from './turn-callers.js'
import type { PersonWaits } from './person-waits.js'
import type { TurnClock } from './turn-clock.js'
import type { TurnLog } from './turn-log.js'

/** Of the permissions that were denied, this much travels with a result. */
const DENIED_SHOWN = { titles: 5, chars: 100 }

type Turn = {
  log: TurnLog
  clock: TurnClock
  limit: TurnLimit
  attendance: Attendance
  waits: PersonWaits
  policy: Permissions
  /** The session has got its name, or another. */
  onSession: (sessionId: string) => void
  /** The agent has spoken, used a tool, or asked for one; called once. */
  onAct: () => void
}

export class TurnListener implements AgentListener {
  /** A short label of what came last. */
  lastEvent: string | undefined
  /** It used a tool, so a model has answered it. */
  usedTool = false
  private hasActed = false
  private readonly titles = new Set<string>()

  constructor(private readonly turn: Turn) {}

  /** Titles of what was denied, the first few. */
  get denied(): string[] {
    return [...this.titles].slice(0, DENIED_SHOWN.titles)
  }

  onUpdate(raw: unknown): void {
    const { log, clock, limit } = this.turn
    const event = log.update(raw)
    clock.event()
    if (isWork(event)) this.acted()
    if (event.kind === 'tool') clock.tool(event.id, event.running)
    this.usedTool ||= event.kind === 'tool'
    this.lastEvent = log.label(event)
    limit.heard(raw)
  }

  onStderr(text: string): void {
    this.turn.log.stderr(text)
  }

  onSession(sessionId: string): void {
    this.turn.onSession(sessionId)
  }

  async onPermission(asked: PermissionRequest): Promise<'allow' | 'deny'> {
    const { log, clock, attendance, waits, policy } = this.turn
    this.acted()
    const request = log.redactAll(asked) // it becomes a question, which is kept
    const answered = clock.ask()
    const verdict = await (
      policy === 'ask'
        ? attendance.permission(request).finally(waits.begin())
        : Promise.resolve(policy)
    ).finally(answered)
    log.mark('permission', { ...request, verdict })
    if (verdict === 'deny') this.titles.add(request.title.slice(0, DENIED_SHOWN.chars))
    clock.event()
    return verdict
  }

  private acted(): void {
    if (this.hasActed) return
    this.hasActed = true
    this.turn.onAct()
  }
}
