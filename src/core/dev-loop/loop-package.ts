// Decides whether a prep package is used for a loop, and reads the tasks that are ready in it.
import { type LoopTask, TASKS_KEPT } from '../../contract/dev-loop/action-reading.js'
import { PrepTask } from '../../contract/prep/prep-draft.js'
import { packageProblems, refinedIn, type PrepCase } from '../prep/package-checks.js'
import { withRefined } from '../dev-cycle/plan-tasks.js'
import { fieldOf } from '../text/field-of.js'

/** `task`: the typed words, then the refined ones. `tasks`: all pending; none if init plans. */
export type CheckedLoopPackage =
  { ok: true; task: string; tasks: LoopTask[] } | { ok: false; problems: string[] }

/** Checks a package against the project, the time and the task of a loop. */
export function checkLoopPackage(raw: unknown, at: PrepCase): CheckedLoopPackage {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, problems: ['it is not a JSON object'] }
  const listed = fieldOf(raw, 'tasks') ?? []
  const tasks = PrepTask.array().max(TASKS_KEPT).safeParse(listed)
  const refined = refinedIn(raw)
  const problems = [
    ...packageProblems(raw, at),
    ...(tasks.error?.issues ?? [])
      .slice(0, 3)
      .map(({ path, message }) => `${['tasks', ...path].join('.')}: ${message}`),
  ]
  if (problems.length > 0 || !tasks.success || refined === undefined) return { ok: false, problems }
  return {
    ok: true,
    task: withRefined(at.typed, refined, at.brought),
    tasks: tasks.data.map(readyTask),
  }
}

/** A task of the breakdown; what shows that it is done is part of its text. */
function readyTask(
  { description, priority, files, _convergence: done }: PrepTask,
  n: number,
): LoopTask {
  const text = [
    description,
    `Criteria: ${done.criteria.join('; ')}`,
    `Verification: ${done.verification}`,
    `Done: ${done.definition_of_done}`,
  ].join('\n')
  return {
    id: `T${n + 1}`,
    description: text,
    priority,
    status: 'pending',
    files,
  }
}
