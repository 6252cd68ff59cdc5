// ratchet rebuild: rewrites the state file of a dev cycle or a dev loop from what its run knows, or
// else from the files of its agents.
import path from 'node:path'
import { z } from 'zod'
import { CycleState } from '../../contract/dev-cycle/cycle-state.js'
import { CycleStatus } from '../../contract/dev-cycle/cycle-record.js'
import { fileName } from '../../contract/ids.js'
import { LoopState } from '../../contract/dev-loop/loop-state.js'
import { LoopStatus } from '../../contract/dev-loop/loop-record.js'
import type { RunResult } from '../../contract/result.js'
import { loadConfig } from '../../adapters/config/config.js'
import { rebuildCycle } from '../../adapters/records/dev-cycle/recover-cycle.js'
import { rebuildLoop } from '../../adapters/records/dev-loop/recover-loop.js'
import type { Context, Output } from '../context.js'
import { EXIT, badInput, describeError, isUnanswered } from '../output/errors.js'
import { checkedId, findRunIfAny, isSessionId, type FoundRun } from '../find/find-run.js'
import { nounOf, type KeptKind } from '../find/kept-kind.js'
import { keptFile, keptNotFound, keptOf } from '../find/run-record.js'
import { startCommand } from '../options.js'
import { projectDir } from '../start/project.js'
import { sessionOf } from '../find/sessions.js'

const ANSWER_MS = 10_000

/** What a run knows: its answer to the `state` query, and its result if it has ended. */
type Known = { answer: unknown; result?: RunResult }
type Written = { kept?: string; notes: string[] }
type When = { at: number; offset: string }

/** The needed part of the answer to the `state` query, by kind of run. */
const KnownCycle = z.object({ state: CycleState, status: z.object({ status: CycleStatus }) })
const KnownLoop = z.object({ state: LoopState, status: z.object({ status: LoopStatus }) })

export async function run(context: Context, [typed]: string[]): Promise<number> {
  const wanted = checkedId(typed)
  if (isSessionId(wanted) || sessionOf(context.project, wanted) !== undefined)
    throw needsNone(wanted)
  const found = await serverKnows(context, wanted)
  if (found?.kind === 'prep')
    throw badInput(
      `${wanted} is a preparation, which has no state file`,
      'ratchet rebuild',
      `start another one with: ${startCommand(found.kind)}`,
    )
  if (found?.kind === 'test-fix') throw needsNone(wanted)
  const before =
    keptOf(context.project, found?.id ?? wanted, found?.project) ?? keptOf(context.project, wanted)
  const project =
    before?.project ??
    found?.project ??
    (found === undefined ? undefined : projectDir(context.project))
  const kind = found?.kind ?? before?.kind ?? kindByName(wanted)
  if (project === undefined) throw keptNotFound(context.project, wanted, kind)
  const id = found?.id ?? before?.id ?? wanted
  const known = found === undefined ? undefined : await askRun(context.out, found)
  const { fromRun, kept, notes } = await REBUILD[kind](project, fileName(id), known, {
    at: Date.now(),
    offset: loadConfig(project).config.timezone,
  })
  const file = keptFile(project, id, kind)
  const isWhole = !fromRun && kept === undefined && before?.standing !== undefined
  const copy = kept === undefined ? null : path.join(path.dirname(file), kept)
  context.out.answer(
    { id, file, rebuilt: !isWhole, source: fromRun ? 'run' : 'files', kept: copy, notes },
    [
      isWhole
        ? `${file} is intact and was not changed`
        : `${file} was rewritten ${fromRun ? 'from the state of its run' : `from the files of the ${nounOf(kind)}`}`,
      ...(copy === null ? [] : [`  kept     ${copy}`]),
      ...notes.map((note, n) => `  ${(n === 0 ? 'lost' : '').padEnd(9)}${note}`),
      ...(found?.overview.open === true ? [] : [`  see      ratchet status ${id}`]),
    ],
  )
  return EXIT.done
}

const REBUILD: Record<
  KeptKind,
  (
    project: string,
    name: string,
    known: Known | undefined,
    when: When,
  ) => Promise<Written & { fromRun: boolean }>
> = {
  async 'dev-cycle'(project, name, known, when) {
    const { data } = KnownCycle.safeParse(known?.answer)
    return {
      ...(await rebuildCycle(project, name, { ...said(data, known), ...when })),
      fromRun: data !== undefined,
    }
  },
  async 'dev-loop'(project, name, known, when) {
    const { data } = KnownLoop.safeParse(known?.answer)
    return {
      ...(await rebuildLoop(project, name, { ...said(data, known), ...when })),
      fromRun: data !== undefined,
    }
  },
}

function said<S, T>(
  data: { state: S; status: { status: T } } | undefined,
  known: Known | undefined,
): { from?: S; status?: T; result?: RunResult } {
  return data === undefined
    ? {}
    : {
        from: data.state,
        status: data.status.status,
        ...(known?.result === undefined ? {} : { result: known.result }),
      }
}

// The files suffice without a server, so a missing server is no error.
async function serverKnows(context: Context, wanted: string): Promise<FoundRun | undefined> {
  try {
    const found = await findRunIfAny(context, wanted)
    return 'refusal' in found ? undefined : found
  } catch (error) {
    if (describeError(error).exitCode !== EXIT.unavailable) throw error
    context.out.warn(
      `warning: no server answers, so the files of the run are used: ${(error as Error).message}`,
    )
    return undefined
  }
}

async function askRun(
  out: Output,
  { handle, server, overview }: FoundRun,
): Promise<Known | undefined> {
  const { within } = await import('../../client/overview.js')
  try {
    const answer = await within(server.ratchet.client, ANSWER_MS, () => handle.state())
    const end = overview.open ? undefined : await handle.result()
    return { answer, ...(end !== undefined && 'result' in end ? { result: end.result } : {}) }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    out.warn('warning: no worker answers for the run, so its files are used')
    return undefined
  }
}

// Guesses the kind of an unknown id from its name.
function kindByName(id: string): KeptKind {
  return id.startsWith('loop-') ? 'dev-loop' : 'dev-cycle'
}

function needsNone(id: string): Error {
  return badInput(
    `${id} is not a dev cycle or loop; a test-fix session needs no rebuild`,
    'ratchet rebuild',
    `continue it with: ratchet resume ${id}, which reads its files`,
  )
}
