// The first line of every prompt: what scripts, hooks and the playbook agent match on. Public API.
import type { TurnHeader } from '../../contract/turn.js'
import { jsonOf } from '../text/json.js'

export const HEADER_PREFIX = 'ratchet-turn: '

/**
 * `ratchet-turn: ` and the header as compact JSON, keys in the documented order, absent ones left
 * out.
 */
export function turnHeader(header: TurnHeader): string {
  const { run, kind, role, task, iteration, turn, attempt, paths } = header
  const { project, workspace, progress, board, state, task: taskFile } = paths
  // JSON.stringify drops undefined, and keeps the order of writing.
  const ordered = {
    run,
    kind,
    role,
    task,
    iteration,
    turn,
    attempt,
    paths: { project, workspace, progress, board, state, task: taskFile },
  }
  return HEADER_PREFIX + JSON.stringify(ordered)
}

/** The whole prompt: header, blank line, text. */
export function withHeader(header: TurnHeader, text: string): string {
  return `${turnHeader(header)}\n\n${text}`
}

/** The header of a prompt, or `undefined` where its first line is none. */
export function readHeader(prompt: string): TurnHeader | undefined {
  const line = prompt
    .slice(0, prompt.indexOf('\n') === -1 ? undefined : prompt.indexOf('\n'))
    .trim()
  if (!line.startsWith(HEADER_PREFIX)) return undefined
  return jsonOf(line.slice(HEADER_PREFIX.length)) as TurnHeader | undefined
}
