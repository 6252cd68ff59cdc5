// Takes what a person edited in the documents of a cycle's record.
import path from 'node:path'
import type { Phase } from '../../../contract/dev-cycle/discovery.js'
import { cycleVersion } from '../../../core/dev-cycle/documents/versions.js'
import { timestamp } from '../../timestamp.js'
import { recordLog, writeOwn } from '../safe-files.js'
import { allDocuments } from '../dev-cycle/document-names.js'
import { COORDINATION } from '../dev-cycle/cycle-paths.js'
import { takeEdit, type EditsAt } from './take-edit.js'
import { writtenDocuments } from './written-documents.js'

export type { EditsAt } from './take-edit.js'

/** `.ratchet/<id>.progress/<phase>`: none of it a link. */
const PARTS = 3

/**
 * Takes the edits of these agents' documents. None of the agents has a turn.
 *
 * @param progress the record's progress directory
 * @param workspace the progress directory in the workspace
 */
export async function takeEdits(
  progress: string,
  workspace: string,
  phases: readonly Phase[],
  at: EditsAt,
): Promise<void> {
  for (const phase of phases) {
    const dir = path.join(progress, phase)
    const written = await writtenDocuments(dir, allDocuments(phase))
    for (const name of allDocuments(phase)) {
      await takeEdit(
        {
          owner: phase,
          name,
          shown: `${phase}/${name}`,
          file: path.join(dir, name),
          own: path.join(workspace, phase, name),
          parts: PARTS,
          log: path.join(progress, COORDINATION.edits),
          written,
          tell: (change) => noteInChanges(dir, change, at),
        },
        at,
      )
    }
  }
}

/** One line of changes.log for each edit. */
async function noteInChanges(
  dir: string,
  change: string,
  { iteration, at, offset }: EditsAt,
): Promise<void> {
  const file = path.join(dir, 'changes.log')
  const log = recordLog(file)
  const line = JSON.stringify({
    timestamp: timestamp(at, offset),
    version: cycleVersion(iteration),
    agent: 'user',
    action: 'update',
    change,
    iteration,
  })
  if (log.includes(JSON.stringify(change))) return
  await writeOwn(file, `${log}${log === '' || log.endsWith('\n') ? '' : '\n'}${line}\n`)
}
