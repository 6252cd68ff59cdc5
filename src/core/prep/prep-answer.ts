// Reads the draft of a prep package in an agent's answer. What is missing or wrong is named, for
// one retry prompt.
import { LoopDraft, PrepDraft, type PrepReading } from '../../contract/prep/prep-draft.js'
import type { PrepFor } from '../../contract/prep/prep-input.js'
import { jsonObjects } from '../answers/fenced-json.js'
import { scoresOf } from './prep-quality.js'
import { refinedText } from './refined-task.js'

export type DraftReading = { ok: true; draft: PrepDraft } | { ok: false; problem: string }

/** Problems that a retry prompt names. */
const NAMED = 10

/**
 * Reads the last JSON object of an answer that has dimensions.
 *
 * @param room most characters of the refined task
 */
export function readDraft(text: string, command: PrepFor, room: number): DraftReading {
  const { objects, broken } = jsonObjects(text)
  const found = objects.find((object) => Object.hasOwn(object, 'dimensions'))
  if (found === undefined)
    return {
      ok: false,
      problem:
        broken === undefined
          ? 'it has no fenced JSON object with "dimensions"'
          : `its fenced JSON is not valid: ${broken}`,
    }
  const parsed = (command === 'loop' ? LoopDraft : PrepDraft).safeParse(found)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    return { ok: false, problem: problems.slice(0, NAMED).join('; ') }
  }
  const { length } = refinedText(parsed.data)
  return length <= room
    ? { ok: true, draft: parsed.data }
    : {
        ok: false,
        problem: `dimensions: the five values have ${length} characters with their names, at most ${room} fit`,
      }
}

/** What the workflow carries of a draft. */
export function readingOf(draft: PrepDraft): PrepReading {
  return {
    kind: 'prep',
    scores: scoresOf(draft),
    questions: draft.questions.map((question, n) => ({ id: `Q${n + 1}`, ...question })),
  }
}
