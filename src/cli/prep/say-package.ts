// Reports before the start whether a new cycle or loop uses a prep package.
import path from 'node:path'
import type { PrepFor } from '../../contract/prep/prep-input.js'
import { readPrepFile } from '../../adapters/records/prep/prep-file.js'
import type { Output } from '../context.js'

const DOES: Record<PrepFor, string> = {
  cycle: 'refines the task and defines when it is done',
  loop: 'refines the task and breaks it down',
}

/** @throws RefusalError `BadInput` where the package that `--prep` names cannot be used */
export function sayPackage(
  out: Output,
  command: PrepFor,
  {
    project,
    task,
    named,
    detach,
  }: {
    project: string
    task: string
    named: string | undefined
    detach: boolean | undefined
  },
): void {
  const prep = readPrepFile(command, project, { typed: task, named, now: Date.now() })
  // Without --detach the run itself reports it to the terminal.
  if (prep.state === 'ignored' && detach === true) out.warn(`warning: ${prep.warning}`)
  if (prep.state === 'used') out.say(`${path.relative(project, prep.file)} ${DOES[command]}`)
}
