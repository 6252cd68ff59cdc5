// ratchet cycle: starts a dev cycle with a task, or continues one by its id, and follows it.
import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { CycleInput, Scheduling } from '../../contract/dev-cycle/cycle-input.js'
import { cycleId } from '../../contract/ids.js'
import { parseInput } from '../../contract/test-fix/test-fix-input.js'
import type { Context, Output } from '../context.js'
import { badInput } from '../output/errors.js'
import { checkedId, type FoundRun } from '../find/find-run.js'
import { followToEnd, type Followed } from '../follow/follow.js'
import { checkedTask, extendOpenCycle } from '../start/further-task.js'
import {
  begun,
  findResumableIfAny,
  serverFor,
  startCycleAgain,
  type CycleOptions,
} from '../start/resume-run.js'
import { keptNotFound } from '../find/run-record.js'
import {
  answerStarted,
  askingMode,
  raiseIterations,
  refuseSandbox,
  sandboxUse,
  wholeNumber,
  type ModeOptions,
  type SandboxOption,
} from '../options.js'
import { sayPackage } from '../prep/say-package.js'
import { cyclePreflight, projectDir } from '../start/project.js'
import { refuseWithId, typedTask } from '../start/typed-task.js'
import { giveOwn, startWithOwn } from '../start/own-environment.js'
import { requireWorker, tryStartWorker } from '../start/start-worker.js'
import { defined } from '../../core/text/defined.js'

type Options = ModeOptions &
  SandboxOption & {
    cycleId?: string
    extend?: string
    parallel?: string
    scheduling?: string
    maxIterations?: string
    base?: string
    prep?: string
    detach?: boolean
  }

/** Agents of a cycle, and the most that work at the same time. */
const MOST_PARALLEL = 4

export async function run(context: Context, words: string[], options: Options): Promise<number> {
  const { out } = context
  const requested = readOptions(options)
  if (requested.scheduling === 'staged' && (requested.parallel ?? 1) > 1)
    out.warn(
      'warning: --parallel has no effect with --scheduling staged, in which the agents work one after the other',
    )
  const followed =
    options.cycleId === undefined
      ? await begin(
          context,
          await typedTask(words, options.extend, 'dev-cycle'),
          requested,
          options,
        )
      : await resumeRun(context, words, options.cycleId, requested, options)
  return options.detach === true ? answerStarted(out, followed) : followToEnd(out, followed)
}

function readOptions(options: Options): CycleOptions {
  const { scheduling } = options
  const maxIterations = wholeNumber(options.maxIterations, '--max-iterations')
  const parallel = wholeNumber(options.parallel, '--parallel')
  if (parallel !== undefined && parallel > MOST_PARALLEL)
    throw badInput(
      `a cycle has ${MOST_PARALLEL} agents, got --parallel ${parallel}`,
      '--parallel',
      `use a number from 1 to ${MOST_PARALLEL}`,
    )
  const known = Scheduling.optional().safeParse(scheduling)
  if (!known.success)
    throw badInput(
      `--scheduling must be ${Scheduling.options.join(' or ')}, got ${JSON.stringify(scheduling)}`,
      '--scheduling',
      `use for example: --scheduling ${Scheduling.options.at(-1) ?? ''}`,
    )
  return {
    ...askingMode(options, 'ratchet cycle'),
    maxIterations,
    sandbox: sandboxUse(options.sandbox),
    parallel,
    scheduling: known.data,
  }
}

async function begin(
  context: Context,
  task: string,
  { sandbox, ...requested }: CycleOptions,
  { base, prep: file, detach }: Options,
): Promise<Followed> {
  const { out } = context
  const project = projectDir(context.project)
  const named = file === undefined ? undefined : path.resolve(context.project.cwd, file)
  const input = parseInput(CycleInput, {
    project,
    task,
    ...requested,
    base,
    prep: named,
  })
  if (!input.ok) throw badInput(input.problem, 'ratchet cycle', 'correct it')
  const { config, testCommand } = await cyclePreflight(project, base, context.project.env)
  sayPackage(out, 'cycle', { project, task, named, detach })
  const server = await serverFor(context, project)
  const id = cycleId(Date.now(), randomBytes(8), config.config.timezone)
  const handle = await startWithOwn(context.server, server, { project, run: id, sandbox }, () =>
    server.ratchet.startCycle(input.value, { id }),
  )
  return begun(
    out,
    { handle, kind: 'dev-cycle', server, project },
    `develops in ${project}${testCommand === '' ? ', which has no tests yet' : `, measured with: ${testCommand}`}`,
  )
}

async function resumeRun(
  context: Context,
  words: string[],
  typed: string,
  requested: CycleOptions,
  { extend, base, prep, detach }: Options,
): Promise<Followed> {
  const id = checkedId(typed)
  refuseWithId(id, words, { base, prep }, 'dev-cycle')
  const task = extend === undefined ? undefined : checkedTask(id, extend)
  const found = await findResumableIfAny(context, id, task !== undefined)
  if ('refusal' in found) throw keptNotFound(context.project, id, 'dev-cycle')
  if ('session' in found || ('open' in found ? found.open : found.kept).kind !== 'dev-cycle')
    throw badInput(
      `${id} is not a dev cycle`,
      '--cycle-id',
      `continue it with: ratchet resume ${id}`,
    )
  if ('kept' in found)
    return startCycleAgain(context, found.kept, {
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

// The settings of an open cycle are fixed; it only accepts further tasks, more iterations and a
// resume.
async function resumeOpenRun(
  out: Output,
  open: FoundRun,
  task: string | undefined,
  { maxIterations, ...options }: CycleOptions,
): Promise<void> {
  const settled = defined(options)
  if (Object.keys(settled).length > 0)
    out.warn(
      `warning: the cycle is open and keeps its settings: ${Object.keys(settled)
        .map((name) => `--${name}`)
        .join(', ')} ha${Object.keys(settled).length === 1 ? 's' : 've'} no effect`,
    )
  if (task !== undefined) out.say((await extendOpenCycle(open, task, maxIterations)).said)
  else if (maxIterations !== undefined) await raiseIterations(open, maxIterations)
  await open.handle.resume()
}
