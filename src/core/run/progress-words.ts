// Describes in one sentence what a step on the host is doing: the first thing that the Web UI shows
// of a pending activity, next to facts for programs.
import { firstChars } from '../text/test-text.js'
import { oneLine } from '../text/one-line.js'
import { countedWords } from '../test-progress/counted.js'

/** A heartbeat must stay below 1 kB. */
const EVENT_CHARS = 120

const STATES: Record<string, string> = {
  slot: 'waiting for a free agent slot of this host',
  starting: 'the agent is starting',
  running: 'at work',
  ending: 'the agent is ending',
  other_worker: 'another worker is ending this turn',
}
const EVENTS: Record<string, string> = { text: 'writing', thought: 'thinking', plan: 'planning' }

/**
 * Returns "claude as code-developer: at work for 1 min 47 s, last tool: npm test, about 190 tokens
 * written"; `undefined` if the facts suffice.
 */
export function progressWords(details: Record<string, unknown>): string | undefined {
  const { phase, state, agent, role, elapsedMs, lastEvent, tokens } = details
  const time = typeof elapsedMs === 'number' && elapsedMs >= 1_000 ? ` for ${span(elapsedMs)}` : ''
  if (typeof phase === 'string') return testsWords(phase, time, details)
  if (typeof state !== 'string' || state === '') return undefined
  const who = typeof agent === 'string' && typeof role === 'string' ? `${agent} as ${role}: ` : ''
  if (who === '') return undefined // the state is already a sentence
  const said = typeof tokens === 'number' ? `, about ${tokens} tokens written` : ''
  const event =
    typeof lastEvent === 'string' && lastEvent !== '' && state === 'running'
      ? `, ${eventWords(lastEvent)}`
      : ''
  return `${who}${STATES[state] ?? state}${state === 'running' ? time : ''}${event}${said}`
}

// The progress of the tests if it is known, else the amount of output.
function testsWords(
  phase: string,
  time: string,
  { lines, affected, counted }: Record<string, unknown>,
): string {
  const far = countedWords(counted)
  const first = typeof affected === 'string' ? `, affected tests: ${affected}` : ''
  if (far !== undefined)
    return `${phase === 'tests' ? '' : `${phase}, `}${far}, under way${time}${first}`
  return `${phase}: under way${time}${typeof lines === 'number' ? `, ${lines} line${lines === 1 ? '' : 's'} of output` : ''}${first}`
}

function eventWords(event: string): string {
  const tool = /^tool (.+)$/s.exec(event)?.[1]
  return firstChars(
    tool === undefined
      ? (EVENTS[event] ?? `last: ${oneLine(event)}`)
      : `last tool: ${oneLine(tool)}`,
    EVENT_CHARS,
  )
}

/** "47 s", "1 min 47 s", "2 h 5 min". */
function span(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`
}
