// ratchet extend: gives a test-fix run more iterations, or a dev cycle or loop a further task. An
// open run takes them at once; a closed one is started again with them and followed.
import { randomUUID } from 'node:crypto'
import { MAX_ITERATIONS } from '../../contract/test-fix/test-fix-input.js'
import type { LoopMode } from '../../contract/dev-loop/loop-input.js'
import type { Context } from '../context.js'
import { badInput } from '../output/errors.js'
import { checkedId, isSessionId, type FoundRun } from '../find/find-run.js'
import { followToEnd } from '../follow/follow.js'
import { checkedTask, extendOpenCycle, extendOpenLoop } from '../start/further-task.js'
import {
  findResumable,
  startCycleAgain,
  startLoopAgain,
  startSession,
} from '../start/resume-run.js'
import {
  answerStarted,
  askingMode,
  loopMode,
  raiseIterations,
  refuseSandbox,
  sandboxUse,
  wholeNumber,
  startCommand,
  type ModeOptions,
  type SandboxOption,
} from '../options.js'
import { giveOwn } from '../start/own-environment.js'
import { tryStartWorker } from '../start/start-worker.js'

type Options = ModeOptions & SandboxOption & { detach?: boolean; maxIterations?: string }
type Iterations = { inAll: number } | { further: number }

export async function run(
  context: Context,
  [typed, ...words]: string[],
  options: Options,
): Promise<number> {
  const { out } = context
  const id = checkedId(typed)
  const text = words.join(' ')
  const number = wholeNumber(options.maxIterations, '--max-iterations')
  const mode = askingMode(options, 'ratchet extend')
  const sandbox = sandboxUse(options.sandbox)
  // Refuses what the name alone shows to be wrong before anything is started.
  if (isSessionId(id)) iterations(text, number)
  const found = await findResumable(context, id, text !== '')
  if ('session' in found) {
    const requested = iterations(text, number)
    const started = await startSession(context, found.session, {
      ...mode,
      sandbox,
      ...('inAll' in requested
        ? { maxIterations: requested.inAll }
        : { extend: requested.further }),
    })
    return options.detach === true ? answerStarted(out, started) : followToEnd(out, started)
  }
  if ('kept' in found) {
    const { kept } = found
    const requested = {
      extend: checkedTask(kept.id, text, kept.kind),
      maxIterations: number,
      sandbox,
    }
    const started =
      kept.kind === 'dev-cycle'
        ? await startCycleAgain(context, kept, { ...mode, ...requested })
        : await startLoopAgain(context, kept, { ...loopModeOf(options), ...requested })
    return options.detach === true ? answerStarted(out, started) : followToEnd(out, started)
  }
  const { open } = found
  if (open.kind === 'prep')
    throw badInput(
      `${open.id} is a preparation, which takes no further task`,
      'ratchet extend',
      `start another one with: ${startCommand(open.kind)}`,
    )
  refuseSandbox(open.id, options.sandbox)
  await giveOwn(context.server, open)
  return open.kind === 'test-fix'
    ? extendTestFix(context, open, iterations(text, number))
    : extendTask(context, open, checkedTask(open.id, text, open.kind), number)
}

async function extendTestFix(
  context: Pick<Context, 'server' | 'out'>,
  open: FoundRun,
  requested: Iterations,
): Promise<number> {
  if ('inAll' in requested) await raiseIterations(open, requested.inAll)
  else await open.handle.extend(requested.further, randomUUID())
  const { maxIterations } = await open.handle.status()
  await tryStartWorker(context, open)
  context.out.answer({ id: open.id, uiUrl: open.uiUrl, maxIterations }, [
    `${open.id} now has a limit of ${maxIterations} iterations`,
  ])
  return 0
}

async function extendTask(
  context: Pick<Context, 'server' | 'out'>,
  open: FoundRun,
  task: string,
  number: number | undefined,
): Promise<number> {
  const { said, ...given } = await (open.kind === 'dev-loop' ? extendOpenLoop : extendOpenCycle)(
    open,
    task,
    number,
  )
  await tryStartWorker(context, open)
  context.out.answer({ id: open.id, uiUrl: open.uiUrl, ...given }, [said])
  return 0
}

function loopModeOf(options: Options): { mode?: LoopMode } {
  const mode = loopMode(options, 'ratchet extend')
  return mode === undefined ? {} : { mode }
}

function iterations(text: string, inAll: number | undefined): Iterations {
  const further = text === '' ? undefined : furtherIterations(text)
  if (inAll !== undefined && further === undefined) return { inAll }
  if (inAll === undefined && further !== undefined) return { further }
  throw badInput(
    inAll === undefined
      ? 'no number of further iterations given'
      : 'further iterations and --max-iterations cannot be used together',
    'ratchet extend',
    'use for example: ratchet extend WFS-test-shop 3',
  )
}

function furtherIterations(text: string): number {
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > MAX_ITERATIONS)
    throw badInput(
      `a test-fix run is extended by a number of iterations from 1 to ${MAX_ITERATIONS}, got ${JSON.stringify(text)}`,
      'ratchet extend',
      'use for example: ratchet extend WFS-test-shop 3',
    )
  return number
}
