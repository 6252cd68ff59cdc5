// Calls the supervisor of a user: HTTP on 127.0.0.1, with the port and the token of a file that
// only the user can read.
import { existsSync } from 'node:fs'
import { z } from 'zod'
import { ProcessIdentity } from '../../contract/registry.js'
import { storedJson } from '../files/stored-json.js'
import { isAlive } from '../process/identity.js'
import { layout, type Dirs } from '../state-dir.js'
import { reply } from './http-reply.js'

const CALL_MS = 20_000

/** `supervisor.json`, mode 0600; `version` is that of the package it was started from. */
export const SupervisorRecord = z.object({
  identity: ProcessIdentity,
  port: z.number().int(),
  token: z.string(),
  version: z.string().optional(),
})
export type SupervisorRecord = z.infer<typeof SupervisorRecord>

/** The living supervisor of this state directory. */
export function recordedSupervisor(dirs: Dirs): SupervisorRecord | undefined {
  const record = storedJson(layout.supervisor(dirs), SupervisorRecord)
  return record !== undefined && isAlive(record.identity) ? record : undefined
}

/**
 * Whether a supervisor was killed: it named itself and is gone. One that was stopped has removed
 * its file.
 */
export function supervisorWasKilled(dirs: Dirs): boolean {
  return existsSync(layout.supervisor(dirs)) && recordedSupervisor(dirs) === undefined
}

/** The supervisor lives, and has not answered in time. */
export class SilentSupervisorError extends Error {
  override readonly name = 'SilentSupervisorError'
}

/**
 * Calls the supervisor; `undefined` where it ended meanwhile.
 *
 * @throws SilentSupervisorError
 */
export async function callSupervisor(
  record: SupervisorRecord,
  route: string,
  body?: unknown,
  withinMs = CALL_MS,
): Promise<{ code: number; body: unknown } | undefined> {
  const [method = '', path = ''] = route.split(' ')
  try {
    const sent = body === undefined ? '' : JSON.stringify(body)
    const headers = {
      authorization: `Bearer ${record.token}`,
      connection: 'close',
      'content-length': Buffer.byteLength(sent),
    }
    const signal = AbortSignal.timeout(withinMs)
    // Not by fetch: loading it takes longer than the call.
    const { status: code, text } = await reply(
      { host: '127.0.0.1', port: record.port, method, path, headers, signal },
      sent,
    )
    return { code, body: JSON.parse(text) as unknown }
  } catch (error) {
    if (!isAlive(record.identity) || isRefused(error)) return undefined
    throw new SilentSupervisorError(
      `the supervisor (process ${record.identity.pid}) does not answer: ${(error as Error).message}`,
      { cause: error },
    )
  }
}

// A supervisor that is about to end has closed its port first.
function isRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNREFUSED' || code === 'ECONNRESET'
}
