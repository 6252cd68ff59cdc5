// ratchet resume: continues a paused run, or a session, cycle or loop whose run has ended, then
// follows the run.
import type { Kind } from '../../contract/names.js'
import type { Context } from '../context.js'
import { badInput } from '../output/errors.js'
import type { FoundRun } from '../find/find-run.js'
import { followToEnd, type Followed } from '../follow/follow.js'
import {
  findResumable,
  startCycleAgain,
  startLoopAgain,
  startSession,
  type Resumable,
  type SandboxChosen,
} from '../start/resume-run.js'
import {
  answerStarted,
  askingMode,
  isAttended,
  loopMode,
  raiseIterations,
  refuseSandbox,
  sandboxUse,
  wholeNumber,
  type ModeOptions,
  type SandboxOption,
} from '../options.js'
import { giveOwn } from '../start/own-environment.js'
import { requireWorker, tryStartWorker } from '../start/start-worker.js'

type Options = ModeOptions &
  SandboxOption & { detach?: boolean; maxIterations?: string; mode?: string }

const COMMAND = 'ratchet resume'

export async function run(context: Context, [typed]: string[], options: Options): Promise<number> {
  const { out } = context
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  loopMode(options, COMMAND) // refuses an invalid mode before the run is looked up
  const found = await findResumable(context, typed)
  if (!('open' in found)) {
    const started = await startAgain(context, found, options, {
      ...(maxIterations === undefined ? {} : { maxIterations }),
      sandbox: sandboxUse(options.sandbox),
    })
    return options.detach === true ? answerStarted(out, started) : followToEnd(out, started)
  }
  refuseSandbox(found.open.id, options.sandbox)
  await giveOwn(context.server, found.open)
  await resumeOpen(found.open, options, maxIterations)
  if (options.detach === true) {
    await tryStartWorker(context, found.open)
    return answerStarted(out, found.open)
  }
  await requireWorker(context, found.open, 'the resume was sent')
  return followToEnd(out, found.open)
}

async function startAgain(
  context: Context,
  found: Exclude<Resumable, { open: unknown }>,
  options: Options,
  requested: { maxIterations?: number } & SandboxChosen,
): Promise<Followed> {
  if ('session' in found) {
    refuseMode('test-fix', found.session.name, options)
    return startSession(context, found.session, {
      ...requested,
      ...askingMode(options, COMMAND),
      ...(isAttended(context.out, options) ? { attended: true } : {}),
    })
  }
  const { kept } = found
  refuseMode(kept.kind, kept.id, options)
  if (kept.kind === 'dev-cycle')
    return startCycleAgain(context, kept, { ...askingMode(options, COMMAND), ...requested })
  const mode = loopMode(options, COMMAND)
  return startLoopAgain(context, kept, {
    mode,
    ...(options.interactive === true ? { interactive: true } : {}),
    ...requested,
  })
}

async function resumeOpen(
  open: FoundRun,
  options: Options,
  maxIterations: number | undefined,
): Promise<void> {
  refuseMode(open.kind, open.id, options)
  // Before the resume: the run may have paused in its last iteration.
  if (maxIterations !== undefined) await raiseIterations(open, maxIterations)
  const mode = open.kind === 'dev-loop' ? loopMode(options, COMMAND) : undefined
  await open.handle.resume(mode === undefined ? undefined : { mode })
}

function refuseMode(kind: Kind, id: string, { mode }: Options): void {
  if (mode !== undefined && kind !== 'dev-loop')
    throw badInput(`--mode is for dev loops, and ${id} is not one`, '--mode', 'remove it')
}
