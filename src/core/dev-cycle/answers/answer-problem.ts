// What is wrong with an answer that can be read: one prompt asks for it again.
import { shortList } from '../../text/short-text.js'
import { gradeProblem, isUngraded } from '../../answers/severity.js'
import { isUnclear } from '../../answers/no-issue.js'
import type { PhaseBlock } from './phase-block.js'
import { namedTasks } from '../promised.js'

/**
 * One sentence, or `undefined`.
 *
 * @param planned ids of the plan's tasks, for the answer of CD
 * @param titles of these tasks, by id
 */
export function answerProblem(
  block: PhaseBlock,
  planned: readonly string[],
  titles?: ReadonlyMap<string, string>,
): string | undefined {
  if (block.unread !== undefined) return block.unread
  const unclear = [...block.issues, ...block.blockers].find((text) => isUnclear(text))
  if (unclear !== undefined)
    return `${JSON.stringify(unclear)} can be read as an issue and as none: give issues and blockers as lists, one entry each, and [] for none`
  // Only an issue of VAS holds up by its grade alone.
  const ungraded =
    block.claimed === undefined ? undefined : block.issues.find((text) => isUngraded(text))
  if (ungraded !== undefined) return gradeProblem(ungraded, 'issue')
  const worked = block.status === 'success' || block.status === 'partial'
  if (
    !worked ||
    planned.length === 0 ||
    (block.noChange ?? []).length > 0 ||
    namedTasks(block.tasksNamed ?? [], planned, titles).length > 0
  )
    return undefined
  return `tasks_completed names no task of plan.json: give the ids of those that are done, as [${shortList([...planned], planned.length, 3)}], or [] and no_change with a reason`
}
