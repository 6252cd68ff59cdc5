// The content of one task file, as an agent gets it. The session was checked when it was opened;
// this looks again, because a file may have been changed or lost since.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../../contract/failures.js'
import { fieldOf } from '../../../core/text/field-of.js'
import { readTask } from '../../../core/test-fix/task-file.js'
import type { PromptTask } from '../../../core/test-fix/prompts/prompt-task.js'
import { taskFiles, whyUnreadable } from './task-files.js'

/**
 * The answer has the path of its file.
 *
 * @param file its name below `.task/`; where it is not known, the file with the task's id
 * @throws RefusalError `BadInput` where it is not there or not a task
 */
export function taskContent(
  recordDir: string,
  id: string,
  file: string | undefined,
): Omit<PromptTask, 'path'> & { file: string } {
  const name =
    file ??
    taskFiles(recordDir).find((one) => idIn(path.join(recordDir, '.task', one)) === id) ??
    `${id}.json`
  if (!/^[\w][\w.-]*\.json$/.test(name))
    // Before it becomes a path
    throw new Error(`not the name of a task file: ${JSON.stringify(name)}`)
  const at = path.join(recordDir, '.task', name)
  const refuse = (what: string): RefusalError =>
    new RefusalError(
      BAD_INPUT,
      `${id}: ${what}`,
      at,
      `correct it, then: ratchet fix --resume-session ${path.basename(recordDir)}`,
    )
  const unreadable = existsSync(at) ? whyUnreadable(at) : undefined
  if (unreadable !== undefined) throw refuse(`the task file ${unreadable}`)
  const json = readJson(at)
  if (json === undefined) throw refuse('the task file is gone')
  if ('problem' in json) throw refuse(json.problem)
  const read = readTask(name, json.value)
  if (!read.ok) throw refuse(read.problems.join('; '))
  return {
    id: read.entry.id,
    title: read.entry.title,
    type: read.entry.type,
    agent: `@${read.entry.role}`,
    json: json.value,
    file: at,
  }
}

function idIn(file: string): unknown {
  const read = whyUnreadable(file) === undefined ? readJson(file) : undefined
  return read !== undefined && 'value' in read ? fieldOf(read.value, 'id') : undefined
}

function readJson(file: string): { value: unknown } | { problem: string } | undefined {
  try {
    return { value: JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) as unknown }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    if (error instanceof SyntaxError) return { problem: `it is not JSON: ${error.message}` }
    throw error
  }
}
