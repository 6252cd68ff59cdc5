// ratchet loop: starts a dev loop with a task, or continues one by its id, follows it, and asks the
// questions of an interactive one.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { loopId } from '../../contract/ids.js'
import { parseInput } from '../../contract/test-fix/test-fix-input.js'
import { LoopInput } from '../../contract/dev-loop/loop-input.js'
import type { Context, Output } from '../context.js'
import { badInput } from '../output/errors.js'
import { checkedId, type FoundRun } from '../find/find-run.js'
import { followToEnd, type Followed } from '../follow/follow.js'
import { checkedTask, extendOpenLoop } from '../start/further-task.js'
import {
  begun,
  findResumableIfAny,
  serverFor,
  startLoopAgain,
  type LoopOptions,
} from '../start/resume-run.js'
import { keptNotFound } from '../find/run-record.js'
import {
  answerStarted,
  loopMode,
  raiseIterations,
  refuseSandbox,
  sandboxUse,
  wholeNumber,
  type ModeOptions,
  type SandboxOption,
} from '../options.js'
import { sayPackage } from '../prep/say-package.js'
import { loopPreflight, projectDir } from '../start/project.js'
import { refuseWithId, typedTask } from '../start/typed-task.js'
import { giveOwn, startWithOwn } from '../start/own-environment.js'
import { requireWorker, tryStartWorker } from '../start/start-worker.js'

type Options = ModeOptions &
  SandboxOption & {
    loopId?: string
    mode?: string
    extend?: string
    maxIterations?: string
    base?: string
    prep?: string
    detach?: boolean
  }

const COMMAND = 'ratchet loop'

export async function run(context: Context, words: string[], options: Options): Promise<number> {
  const requested = readOptions(options)
  const followed =
    options.loopId === undefined
      ? await begin(context, await typedTask(words, options.extend, 'dev-loop'), requested, options)
      : await resumeRun(context, words, options.loopId, requested, options)
  return options.detach === true
    ? answerStarted(context.out, followed)
    : followToEnd(context.out, followed)
}

function readOptions(options: Options): LoopOptions {
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const mode = loopMode(options, COMMAND)
  return {
    mode,
    maxIterations,
    sandbox: sandboxUse(options.sandbox),
    ...(options.interactive === true ? { interactive: true } : {}),
  }
}

async function begin(
  context: Context,
  task: string,
  { sandbox, ...requested }: LoopOptions,
  { base, prep: file, detach }: Options,
): Promise<Followed> {
  const { out } = context
  const project = projectDir(context.project)
  const named = file === undefined ? undefined : path.resolve(context.project.cwd, file)
  const input = parseInput(LoopInput, {
    project,
    task,
    ...requested,
    base,
    prep: named,
  })
  if (!input.ok) throw badInput(input.problem, COMMAND, 'correct it')
  const { config, testCommand } = await loopPreflight(project, base, context.project.env)
  sayPackage(out, 'loop', { project, task, named, detach })
  const server = await serverFor(context, project)
  const id = loopId(Date.now(), randomBytes(8), config.config.timezone)
  const handle = await startWithOwn(context.server, server, { project, run: id, sandbox }, () =>
    server.ratchet.startLoop(input.value, { id }),
  )
  return begun(
    out,
    { handle, kind: 'dev-loop', server, project },
    `works in ${project}, ${requested.mode ?? 'interactive'}${testCommand === '' ? ', which has no tests yet' : `, measured with: ${testCommand}`}`,
  )
}

async function resumeRun(
  context: Context,
  words: string[],
  typed: string,
  requested: LoopOptions,
  { extend, base, prep, detach }: Options,
): Promise<Followed> {
  const id = checkedId(typed)
  refuseWithId(id, words, { base, prep }, 'dev-loop')
  const task = extend === undefined ? undefined : checkedTask(id, extend, 'dev-loop')
  const found = await findResumableIfAny(context, id, task !== undefined)
  if ('refusal' in found) throw keptNotFound(context.project, id, 'dev-loop')
  if ('session' in found || ('open' in found ? found.open : found.kept).kind !== 'dev-loop')
    throw badInput(`${id} is not a dev loop`, '--loop-id', `continue it with: ratchet resume ${id}`)
  if ('kept' in found)
    return startLoopAgain(context, found.kept, {
      ...requested,
      ...(task === undefined ? {} : { extend: task }),
    })
  refuseSandbox(id, requested.sandbox)
  await giveOwn(context.server, found.open)
  await resumeOpenRun(context.out, found.open, task, requested)
  if (detach === true) await tryStartWorker(context, found.open)
  else await requireWorker(context, found.open, 'the resume was sent')
  return found.open
}

// An open loop accepts further tasks, more iterations, another mode and a resume.
async function resumeOpenRun(
  out: Output,
  open: FoundRun,
  task: string | undefined,
  { maxIterations, mode }: LoopOptions,
): Promise<void> {
  if (task !== undefined) out.say((await extendOpenLoop(open, task, maxIterations)).said)
  else if (maxIterations !== undefined) await raiseIterations(open, maxIterations)
  await open.handle.resume(mode === undefined ? undefined : { mode })
}
