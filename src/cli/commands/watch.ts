// ratchet watch: follows a run to its end; a closed one is shown as it ended.
import type { Context } from '../context.js'
import { findRun } from '../find-run.js'
import { followToEnd, showEnd } from '../follow.js'

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const found = await findRun(context, typed)
  return found.overview.open ? followToEnd(context, found) : showEnd(context, found, await found.handle.result())
}
