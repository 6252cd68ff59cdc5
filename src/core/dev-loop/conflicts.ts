// A file that no merge can join is a question: whose version of it counts.
import { ParallelAction } from '../../contract/dev-loop/loop-input.js'
import type { Conflict } from '../../contract/dev-loop/loop-record.js'
import type { Question } from '../../contract/question.js'
import { oneLine } from '../text/one-line.js'
import { joinNames } from '../text/join-names.js'

const BASE = 'base'
const ALL = ': all'

/** Whose version is taken: of this file, or of every file left that the worker changed. */
export type Choice = { whose: ParallelAction | 'base'; all: boolean }

/**
 * Asks for one file. `left`: files that still conflict, this one included; `askedAt`: epoch
 * milliseconds.
 */
export function conflictQuestion(
  { file, workers }: Conflict,
  p: { id: string; left: number; askedAt: number },
): Question {
  const wholes = [...workers, BASE]
  const options = [...wholes, ...(p.left > 1 ? wholes.map((one) => `${one}${ALL}`) : [])]
  const [first] = workers
  const recommended = workers.includes('develop') ? 'develop' : first
  const more = p.left > 1 ? ` (${p.left - 1} more file${p.left === 2 ? '' : 's'} after it)` : ''
  return {
    id: p.id,
    kind: 'conflict',
    askedAt: p.askedAt,
    options,
    recommended,
    text: `${oneLine(file)} was changed by ${joinNames(workers)} in ways that cannot be merged: whose version counts?${more}`,
    descriptions: Object.fromEntries(options.map((option) => [option, meaning(choiceOf(option))])),
  }
}

/**
 * What an option of a conflict means.
 *
 * @throws Error where it is none
 */
export function choiceOf(option: string): Choice {
  const all = option.endsWith(ALL)
  const name = all ? option.slice(0, -ALL.length) : option
  return { whose: name === BASE ? BASE : ParallelAction.parse(name), all }
}

function meaning({ whose, all }: Choice): string {
  if (whose === BASE)
    return all
      ? 'Leave every file that conflicts as it was before'
      : 'Leave the file as it was before'
  return all
    ? `Take the version of ${whose} here, and of every other file that conflicts and ${whose} changed`
    : `Take the version of ${whose}, whole`
}
