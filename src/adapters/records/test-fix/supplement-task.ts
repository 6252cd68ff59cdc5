// The file of IMPL-supplement-N: the task that wrote tests once more, for what is still missing.
import path from 'node:path'
import type { TaskEntry } from '../../../contract/test-fix/task.js'
import { fieldOf } from '../../../core/text/field-of.js'
import { readTask } from '../../../core/test-fix/task-file.js'
import { isGeneration } from '../../../core/test-gen/test-request.js'
import { writeJson } from '../write-file.js'
import { readJson } from './sessions.js'
import { taskContent } from './task-content.js'
import { taskFiles } from './task-files.js'

/** Whether a session has a task whose tests Ratchet plans and measures. */
export function plansTests(recordDir: string): boolean {
  return taskFiles(recordDir).some((file) => {
    const read = readJson(path.join(recordDir, '.task', file))
    return read !== undefined && 'value' in read && isGeneration(read.value)
  })
}

/** @throws RefusalError `BadInput` where the task that wrote the tests is gone */
export async function writeSupplement(
  recordDir: string,
  { task, number, reason }: { task: string; number: number; reason: string },
): Promise<TaskEntry> {
  const id = `IMPL-supplement-${number}`
  const first = taskContent(recordDir, task, undefined).json as Record<string, unknown>
  const context = fieldOf(first, 'context') as Record<string, unknown>
  const content = {
    ...first,
    id,
    title: `Write the tests that are still missing, part ${number}`,
    status: 'pending',
    status_history: [],
    context: {
      ...context,
      requirements: [
        `Write the tests that are still missing: ${reason}`,
        'The missed lines are in coverage-gap.json',
        ...(Array.isArray(context['requirements']) ? (context['requirements'] as unknown[]) : []),
      ],
      depends_on: [],
    },
  }
  const file = `${id}.json`
  const read = readTask(file, content)
  if (!read.ok) throw new Error(`a task that Ratchet made is wrong: ${read.problems.join('; ')}`)
  await writeJson(path.join(recordDir, '.task', file), content)
  return read.entry
}
