// Waiting for an agent whose provider limits it: a durable timer, and no iteration or attempt spent on it.
// Source: architecture §3; field.md §3.4.
import { condition } from '@temporalio/workflow'
import { isoTime } from '../../core/iso-time.js'
import type { Control } from './control.js'

type LimitedRun = { readonly control: Control; enter: (phase: string, waitingFor: string) => void; readonly ready: { prepared: { timezone?: string } } }

/** Returns when the agent may be tried again; a pause in between is held. `until`: epoch milliseconds. */
export async function limitOver(run: LimitedRun, phase: string, agent: string, until: number): Promise<void> {
  const { control } = run
  for (;;) {
    await control.safePoint()
    const left = until - Date.now()
    if (left <= 0) return
    run.enter(phase, `rate limit: ${agent} may be asked again at ${isoTime(until, run.ready.prepared.timezone ?? '+00:00')}, the run goes on by itself`)
    await condition(() => control.stop !== undefined || control.pause !== undefined, left)
  }
}
