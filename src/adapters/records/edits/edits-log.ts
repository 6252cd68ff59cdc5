// `edits.ndjson`: what a person edited in the record, one line an edit. It outlives the process
// that found an edit, so the run hears of each edit once its worker is back.
import { z } from 'zod'
import { PersonEdit } from '../../../contract/dev-cycle/person-edit.js'
import { jsonOf } from '../../../core/text/json.js'
import { recordLog, writeOwn } from '../safe-files.js'

const Line = PersonEdit.extend({
  timestamp: z.string(),
  iteration: z.number().int(),
  digest: z.string(),
})
export type EditLine = z.infer<typeof Line>

/** Edits that one answer carries; the next answer has the others. */
const ANSWERED = 5

/** All edits of a record, in order. `log`: its edits.ndjson. */
export function editLines(log: string): EditLine[] {
  return recordLog(log)
    .split('\n')
    .flatMap((line) => Line.safeParse(jsonOf(line)).data ?? [])
}

/**
 * Appends an edit and returns its line. The last edit of the file is the same one where an attempt
 * that was killed noted it.
 *
 * @param done id of the file's last edit that was taken whole
 */
export async function appendEdit(
  log: string,
  edit: Omit<EditLine, 'id'>,
  done?: string,
): Promise<EditLine> {
  const lines = editLines(log)
  const last = lines.findLast(({ file }) => file === edit.file)
  if (
    edit.problem === undefined &&
    last !== undefined &&
    last.problem === undefined &&
    last.digest === edit.digest &&
    last.id !== done
  )
    return last
  const line: EditLine = { id: `EDIT-${String(lines.length + 1).padStart(3, '0')}`, ...edit }
  await writeOwn(log, [...lines, line].map((one) => `${JSON.stringify(one)}\n`).join(''))
  return line
}

/** The edits that a run does not know yet. `seen`: how many it knows. */
export function editsAfter(log: string, seen: number): PersonEdit[] {
  return editLines(log)
    .slice(seen, seen + ANSWERED)
    .map(({ timestamp: _, iteration: __, digest: ___, ...edit }) => edit)
}
