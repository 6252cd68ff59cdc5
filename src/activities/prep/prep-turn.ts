// Reads the draft in the answer of a turn.
import { readFileSync } from 'node:fs'
import type { TurnRead } from '../../contract/turn-input.js'
import type { TurnReading, TurnResult } from '../../contract/turn.js'
import { readDraft, readingOf } from '../../core/prep/prep-answer.js'
import { prepForm } from '../../core/prep/prep-prompt.js'

export function readPrepDraft(
  read: Extract<TurnRead, { as: 'prep' }>,
  { answer }: TurnResult,
): TurnReading {
  const found = readDraft(readFileSync(answer.path, 'utf8'), read.for, read.room)
  return found.ok
    ? readingOf(found.draft)
    : { kind: 'unusable', problem: found.problem.slice(0, 500), form: prepForm(read.for) }
}
