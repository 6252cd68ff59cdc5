// Asks the supervisor about open runs. It says what runs locally in the same answer.
import { z } from 'zod'
import type { Dirs } from '../../adapters/state-dir.js'
import { RunFacts } from '../../contract/result.js'
import {
  callSupervisor,
  recordedSupervisor,
  SilentSupervisorError,
} from '../../adapters/supervisor/supervisor-call.js'
import { type RunsRequest, SupervisorStatus } from '../control.js'
import { localStatus, silent, supervised, unsupervised, type LocalStatus } from '../local-status.js'

/** Longer than the supervisor may take itself. */
const WITHIN_MS = 2_000
const RunsReply = z.object({ status: SupervisorStatus, runs: z.array(RunFacts).nullable() })

/**
 * Returns what runs locally, and the open runs if the supervisor could ask them. Starts nothing,
 * and does not wait long for a supervisor that does not answer.
 */
export async function localRuns(
  dirs: Dirs,
  asked: RunsRequest | undefined,
): Promise<{ status: LocalStatus; runs?: RunFacts[] }> {
  const supervisor = recordedSupervisor(dirs)
  if (supervisor === undefined) return { status: unsupervised(dirs) }
  try {
    if (asked === undefined) return { status: await localStatus(dirs, WITHIN_MS) }
    const reply = await callSupervisor(supervisor, 'POST /runs', asked, WITHIN_MS)
    if (reply === undefined) return { status: unsupervised(dirs) }
    const read = RunsReply.safeParse(reply.body)
    // One of another version has no such answer.
    if (!read.success) return { status: await localStatus(dirs, WITHIN_MS) }
    const { status, runs } = read.data
    return { status: supervised(dirs, supervisor, status), ...(runs === null ? {} : { runs }) }
  } catch (error) {
    if (!(error instanceof SilentSupervisorError)) throw error
    return { status: silent(dirs, supervisor) }
  }
}
