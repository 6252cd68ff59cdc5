// ratchet prep: starts a preparation, follows it, and has a person edit its package.
import { randomBytes } from 'node:crypto'
import { prepId } from '../../contract/ids.js'
import { PrepFor, PrepInput } from '../../contract/prep/prep-input.js'
import type { RunResult } from '../../contract/result.js'
import { parseInput } from '../../contract/test-fix/test-fix-input.js'
import { readPrepFile } from '../../adapters/records/prep/prep-file.js'
import type { Context } from '../context.js'
import { follow, showEnd, type End } from '../follow/follow.js'
import {
  answerStarted,
  askingMode,
  sandboxUse,
  type ModeOptions,
  type SandboxOption,
} from '../options.js'
import { badInput, EXIT } from '../output/errors.js'
import { prepPreflight, projectDir } from '../start/project.js'
import { startWithOwn } from '../start/own-environment.js'
import { begun, serverFor } from '../start/resume-run.js'
import { wordsOrInput } from '../start/typed-task.js'
import { editFile } from './edit-file.js'

type Options = ModeOptions & SandboxOption & { edit?: boolean; detach?: boolean }

const COMMAND = 'ratchet prep'

export async function run(
  context: Context,
  [typed = '', ...words]: string[],
  options: Options,
): Promise<number> {
  const { out } = context
  const { auto } = askingMode(options, COMMAND)
  const sandbox = sandboxUse(options.sandbox)
  const command = PrepFor.safeParse(typed).data
  if (command === undefined)
    throw badInput(
      `${JSON.stringify(typed)} is neither cycle nor loop`,
      COMMAND,
      `name the command that reads the package, as in: ${COMMAND} cycle "<task>"`,
    )
  if (options.edit === true && (out.ask === undefined || options.detach === true))
    throw badInput(
      '--edit needs a terminal, and neither --json nor --detach',
      COMMAND,
      'leave it out, and edit the file that the command names',
    )
  const task = await wordsOrInput(words)
  if (task.trim() === '')
    throw badInput('the task is missing', COMMAND, `give one: ${COMMAND} ${command} "<task>"`)
  const project = projectDir(context.project)
  const input = parseInput(PrepInput, { project, for: command, task, auto })
  if (!input.ok) throw badInput(input.problem, COMMAND, 'correct it')
  const { config } = await prepPreflight(project, command, context.project.env)
  const server = await serverFor(context, project)
  const id = prepId(Date.now(), randomBytes(8), config.config.timezone)
  const handle = await startWithOwn(context.server, server, { project, run: id, sandbox }, () =>
    server.ratchet.startPrep(input.value, { id }),
  )
  const followed = begun(
    out,
    { handle, kind: 'prep', server, project },
    `prepares a ${command} in ${project}`,
  )
  if (options.detach === true) return answerStarted(out, followed)
  const end = await follow(out, followed)
  const made = 'result' in end ? end.result.package : undefined
  if (options.edit !== true || made === undefined) return showEnd(out, followed, end)
  await editFile(made.file, context.project.env)
  const checked = readPrepFile(command, project, { typed: task, now: Date.now() })
  if (checked.state === 'used') return showEnd(out, followed, judgedAgain(end, made, 'ready'))
  const problems = checked.state === 'ignored' ? checked.problems : ['the file is gone']
  for (const problem of problems) out.warn(`warning: ${made.file}: ${problem}`)
  showEnd(out, followed, judgedAgain(end, made, 'needs_refinement'))
  return EXIT.otherwise
}

/** The end of the run, with what the edit has made of its package. */
function judgedAgain(
  end: End,
  made: NonNullable<RunResult['package']>,
  status: 'ready' | 'needs_refinement',
): End {
  return 'result' in end
    ? {
        result: {
          ...end.result,
          outcome: status,
          reason: status === 'ready' ? null : end.result.reason,
          package: { ...made, prep_status: status },
        },
      }
    : end
}
