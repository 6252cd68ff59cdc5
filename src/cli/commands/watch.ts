// ratchet watch: follows a run to its end; a closed one is shown as it ended, from its record where the
// server has forgotten it.
import { cycleFiles } from '../../adapters/records/cycle/place.js'
import type { Context } from '../context.js'
import { cycleDamage, cycleObstacle, cycleOf, cycleResult } from '../cycles.js'
import { badInput } from '../errors.js'
import { checkedId, findRunIfAny } from '../find-run.js'
import { followToEnd, showEnd } from '../follow.js'
import { readSession } from '../record.js'
import { sessionOf } from '../sessions.js'
import { needWorker } from '../wake.js'

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const wanted = checkedId(typed)
  const found = await findRunIfAny(context, wanted)
  if ('refusal' in found) return showRecorded(context, wanted, found.refusal)
  if (!found.overview.open) return showEnd(context, found, await found.handle.result())
  await needWorker(context, found, '')
  return followToEnd(context, found)
}

function showRecorded(context: Context, wanted: string, refusal: Error): number {
  const session = sessionOf(context, wanted)
  if (session === undefined) return showCycle(context, wanted, refusal)
  const result = readSession(session.project, session.runId)?.result
  if (result === undefined) throw badInput(`no run has the session ${session.name}`, session.dir, `go on with it: ratchet resume ${session.name}`)
  return showEnd(context, { id: session.runId, kind: 'test-fix', uiUrl: null, project: session.project }, { result })
}

function showCycle(context: Context, wanted: string, refusal: Error): number {
  const cycle = cycleOf(context, wanted)
  if (cycle === undefined) throw refusal
  const result = cycleResult(cycle)
  if (result === undefined) throw cycleObstacle(cycle, false) ?? badInput([`no run has the cycle ${cycle.id}`, cycleDamage(cycle)].filter((text) => text !== undefined).join(', and '), cycleFiles(cycle.project, cycle.name).master, `go on with it: ratchet resume ${cycle.id}`)
  return showEnd(context, { id: cycle.id, kind: 'dev-cycle', uiUrl: null, project: cycle.project }, { result })
}
