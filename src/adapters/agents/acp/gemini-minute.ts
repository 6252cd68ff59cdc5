// Gemini names the file of a session by the minute: a session that is loaded in the minute in which
// it was opened is emptied by that. So the load waits for the next minute.
import { globSync } from 'tinyglobby'
import path from 'node:path'
import type { Ticker } from '../turn/turn-clock.js'

const MINUTE_MS = 60_000
/** Milliseconds between two looks at the clock. */
const LOOK_MS = 500

/** How gemini calls itself. */
export const GEMINI = 'gemini-cli'

/**
 * Waits until a session can be loaded: not at all, or for less than a minute.
 *
 * @param env of the agent; where its files are not found the session is taken to be fresh
 * @throws the signal's reason
 */
export async function untilLoadable(
  session: string,
  env: Readonly<Record<string, string>>,
  { ticker, signal }: { ticker: Ticker; signal: AbortSignal },
): Promise<void> {
  const began = minute()
  if (!openedIn(began, session, env)) return
  while (minute() === began && !signal.aborted) await ticker.delay(LOOK_MS).over
  signal.throwIfAborted()
}

function openedIn(began: number, session: string, env: Readonly<Record<string, string>>): boolean {
  const home = path.join(env['GEMINI_CLI_HOME'] ?? env['HOME'] ?? '', '.gemini', 'tmp')
  const find = (name: string) =>
    globSync(`*/chats/${name}`, { cwd: home, followSymbolicLinks: false })
  const stamp = new Date(began * MINUTE_MS).toISOString().slice(0, 16).replace(':', '-')
  const files = find(`session-*-${session.slice(0, 8)}.json*`)
  if (files.length > 0)
    return files.some((file) => path.basename(file).startsWith(`session-${stamp}-`))
  // A process writes a file of its own as it starts: where that is, the session's would be too, and
  // nothing is left to be emptied.
  return find(`session-${stamp}-*.json*`).length === 0
}

function minute(): number {
  return Math.floor(Date.now() / MINUTE_MS)
}
