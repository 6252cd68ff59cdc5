// Asks the supervisor where a browser finds the Web UI.
import { z } from 'zod'
import { callSupervisor, recordedSupervisor } from '../../adapters/supervisor/supervisor-call.js'
import type { Dirs } from '../../adapters/state-dir.js'
import { LocalStartError } from '../failures.js'
import { LINK_PATH } from './ui-session.js'

const Reply = z.object({ url: z.string() })

/**
 * Returns the address for a browser, and whether it counts only once, as that of a private server.
 *
 * @throws {LocalStartError} if nothing runs
 */
export async function uiLink(dirs: Dirs): Promise<{ url: string; once: boolean }> {
  const supervisor = recordedSupervisor(dirs)
  const answer = supervisor && (await callSupervisor(supervisor, 'POST /ui', {}))
  const reply = Reply.safeParse(answer?.body)
  if (!reply.success)
    throw new LocalStartError(
      'the local server has stopped meanwhile',
      dirs.state,
      'run it again: ratchet ui',
    )
  const { url } = reply.data
  return { url, once: new URL(url).pathname === LINK_PATH }
}
