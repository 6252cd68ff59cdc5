// Arguments of the control signals. A signal handler must never throw, so every payload is
// accepted.
import { z } from 'zod'

export const PauseMode = z.enum(['turn', 'now'])
export type PauseMode = z.infer<typeof PauseMode>
export type PauseRequest = { mode: PauseMode; reason: string }

/** Reads `{"mode","reason"}`, a bare mode, a bare reason, or anything else. */
export function readPause(raw: unknown): PauseRequest {
  if (typeof raw === 'string') {
    const mode = PauseMode.safeParse(raw)
    return mode.success
      ? { mode: mode.data, reason: '' }
      : { mode: 'turn', reason: raw.slice(0, 200) }
  }
  return { mode: PauseMode.safeParse(field(raw, 'mode')).data ?? 'turn', reason: readReason(raw) }
}

/** Reads `{"reason"}`, a bare string, or anything else. */
export function readReason(raw: unknown): string {
  const reason = typeof raw === 'string' ? raw : field(raw, 'reason')
  return typeof reason === 'string' ? reason.slice(0, 200) : ''
}

function field(raw: unknown, name: string): unknown {
  return typeof raw === 'object' && raw !== null
    ? (raw as Record<string, unknown>)[name]
    : undefined
}
