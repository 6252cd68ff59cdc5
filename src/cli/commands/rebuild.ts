// ratchet rebuild: writes the state file of a dev cycle anew, from what its run knows, else from the
// files that its agents wrote. Source: 003 "State Rebuild".
import path from 'node:path'
import { z } from 'zod'
import { CycleState } from '../../contract/cycle.js'
import { CycleStatus } from '../../contract/cycle-record.js'
import { fileName } from '../../contract/ids.js'
import { loadConfig } from '../../adapters/config.js'
import { cycleFiles } from '../../adapters/records/cycle/place.js'
import { rebuildCycle } from '../../adapters/records/cycle/rebuild.js'
import type { RebuildOptions } from '../../adapters/records/cycle/rebuild.js'
import type { Context } from '../context.js'
import { cycleNotFound, cycleOf } from '../cycles.js'
import { EXIT, badInput, describeError, isUnanswered } from '../errors.js'
import { checkedId, findRunIfAny, isSessionId } from '../find-run.js'
import type { FoundRun } from '../find-run.js'
import { projectDir } from '../project.js'
import { sessionOf } from '../sessions.js'

const ANSWER_MS = 10_000

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const wanted = checkedId(typed)
  if (isSessionId(wanted) || sessionOf(context, wanted) !== undefined) throw noCycle(wanted)
  const found = await serverKnows(context, wanted)
  if (found !== undefined && found.kind !== 'dev-cycle') throw noCycle(wanted)
  const cycle = cycleOf(context, found?.id ?? wanted, found?.project) ?? cycleOf(context, wanted)
  const project = cycle?.project ?? found?.project ?? (found === undefined ? undefined : projectDir(context))
  if (project === undefined) throw cycleNotFound(context, wanted)
  const id = found?.id ?? cycle?.id ?? wanted
  const known = found === undefined ? undefined : await askRun(context, found)
  const { kept, notes } = await rebuildCycle(project, fileName(id), { ...known, at: Date.now(), offset: loadConfig(project).config.timezone })
  const file = cycleFiles(project, id).master
  const isWhole = known === undefined && kept === undefined && cycle?.read.state === 'ok'
  const from = known === undefined ? 'from the files of the cycle' : 'from what its run knows'
  const keptFile = kept === undefined ? null : path.join(path.dirname(file), kept)
  context.answer({ id, file, rebuilt: !isWhole, source: known === undefined ? 'files' : 'run', kept: keptFile, notes }, [
    isWhole ? `${file} is whole, and was left as it is` : `${file} was written anew ${from}`,
    ...(keptFile === null ? [] : [`  kept     ${keptFile}`]),
    ...notes.map((note, n) => `  ${(n === 0 ? 'lost' : '').padEnd(9)}${note}`),
    ...(found?.overview.open === true ? [] : [`  see      ratchet status ${id}`]),
  ])
  return EXIT.done
}

// The files do without a server, so that none is no reason to refuse.
async function serverKnows(context: Context, wanted: string): Promise<FoundRun | undefined> {
  try {
    const found = await findRunIfAny(context, wanted)
    return 'refusal' in found ? undefined : found
  } catch (error) {
    if (describeError(error).exitCode !== EXIT.unavailable) throw error
    context.warn(`warning: no server could be asked, the files of the cycle count: ${(error as Error).message}`)
    return undefined
  }
}

/** What of the answer of the `state` query is needed. */
const Known = z.object({ state: CycleState, status: z.object({ status: CycleStatus }) })

async function askRun(context: Context, { handle, server, overview }: FoundRun): Promise<Pick<RebuildOptions, 'from' | 'status' | 'result'> | undefined> {
  const { within } = await import('../../client/overview.js')
  try {
    const known = Known.safeParse(await within(server.ratchet.client, ANSWER_MS, () => handle.state()))
    if (!known.success) return undefined
    const end = overview.open ? undefined : await handle.result()
    return { from: known.data.state, status: known.data.status.status, ...(end !== undefined && 'result' in end ? { result: end.result } : {}) }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    context.warn('warning: no worker answers for the run, the files of the cycle count')
    return undefined
  }
}

function noCycle(id: string): Error {
  return badInput(`${id} is no dev cycle; a test-fix session needs no rebuild`, 'ratchet rebuild', `its files are read anew by: ratchet resume ${id}`)
}
