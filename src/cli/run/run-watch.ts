// ratchet watch: follows a run to its end. A closed run is shown with its end, from its record if
// the server has deleted it.
import type { Context } from '../context.js'
import { badInput } from '../output/errors.js'
import { checkedId, findRunIfAny } from '../find/find-run.js'
import { followToEnd, showEnd } from '../follow/follow.js'
import { nounOf } from '../find/kept-kind.js'
import { keptObstacle, keptOf } from '../find/run-record.js'
import { readSession } from '../find/session-record.js'
import { sessionOf } from '../find/sessions.js'
import { requireWorker } from '../start/start-worker.js'

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const wanted = checkedId(typed)
  const found = await findRunIfAny(context, wanted)
  if ('refusal' in found) return showRecorded(context, wanted, found.refusal)
  if (!found.overview.open) return showEnd(context.out, found, await found.handle.result())
  await requireWorker(context, found, '')
  return followToEnd(context.out, found)
}

function showRecorded(
  context: Pick<Context, 'project' | 'out'>,
  wanted: string,
  refusal: Error,
): number {
  const session = sessionOf(context.project, wanted)
  if (session === undefined) return showKept(context, wanted, refusal)
  const result = readSession(session.project, session.runId)?.result
  if (result === undefined)
    throw badInput(
      `no run has the session ${session.name}`,
      session.dir,
      `continue it with: ratchet resume ${session.name}`,
    )
  return showEnd(
    context.out,
    { id: session.runId, kind: 'test-fix', uiUrl: null, project: session.project },
    { result },
  )
}

function showKept(
  context: Pick<Context, 'project' | 'out'>,
  wanted: string,
  refusal: Error,
): number {
  const kept = keptOf(context.project, wanted)
  if (kept === undefined) throw refusal
  const { kind, id, project, file, damage, result } = kept
  if (result === undefined)
    throw (
      keptObstacle(kept, false) ??
      badInput(
        [`no run has the ${nounOf(kind)} ${id}`, damage]
          .filter((text) => text !== undefined)
          .join(', and '),
        file,
        `continue it with: ratchet resume ${id}`,
      )
    )
  return showEnd(context.out, { id, kind, uiUrl: null, project }, { result })
}
