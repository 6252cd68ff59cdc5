// Proposed test changes in a session's record, with what a person said to them after the run had
// ended.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { ProposedTestChange } from '../../../contract/test-fix/test-change.js'
import { changeFile, openChanges } from '../../../core/test-fix/test-changes.js'
import { digest } from '../../state-dir.js'
import { readIterationState } from './iteration-state.js'
import { jsonContent } from './sessions.js'
import { writeJson } from '../write-file.js'

const Kept = z.looseObject({
  sha256: z.string(),
  answer: z.enum(['accepted', 'refused']).optional(),
})

/** Proposals of a state with the answers that their files have. */
export function withAnswers(
  dir: string,
  proposals: readonly ProposedTestChange[],
): ProposedTestChange[] {
  return proposals.map((one) =>
    one.answer === undefined && keptOf(dir, one)?.answer === 'refused'
      ? { ...one, answer: 'refused' }
      : one,
  )
}

/** Proposals of a session that no person has answered. */
export function openChangesIn(dir: string): ProposedTestChange[] {
  const read = readIterationState(dir)
  return read === undefined || !('content' in read)
    ? []
    : openChanges({ proposals: withAnswers(dir, read.content.state.proposals ?? []) })
}

/** Notes that a person has refused proposals: the session continues without them. */
export async function refuseChanges(
  dir: string,
  changes: readonly ProposedTestChange[],
): Promise<void> {
  for (const change of changes) {
    const {
      patch: { sha256 },
      number,
      file,
      why,
      iteration,
      agent,
    } = change
    await writeJson(path.join(dir, `${changeFile(number)}.json`), {
      schema: 1,
      number,
      file,
      why,
      iteration,
      agent,
      patch: `${changeFile(number)}.patch`,
      sha256,
      answer: 'refused',
    })
  }
}

/** Text of a kept patch; `undefined` where it is gone, or not the one that was found valid. */
export function patchText({ patch }: ProposedTestChange): string | undefined {
  try {
    const text = readFileSync(patch.path, 'utf8')
    return digest(text) === patch.sha256 ? text : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function keptOf(
  dir: string,
  { number, patch }: ProposedTestChange,
): z.infer<typeof Kept> | undefined {
  const kept = Kept.safeParse(jsonContent(path.join(dir, `${changeFile(number)}.json`))).data
  return kept?.sha256 === patch.sha256 ? kept : undefined
}
