// ratchet watch: follows a run to its end; a closed one is shown as it ended.
import type { Context } from '../context.js'
import { findRun } from '../find-run.js'
import { followToEnd, showEnd } from '../follow.js'
import { needWorker } from '../wake.js'

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const found = await findRun(context, typed)
  if (!found.overview.open) return showEnd(context, found, await found.handle.result())
  await needWorker(context, found, '')
  return followToEnd(context, found)
}
