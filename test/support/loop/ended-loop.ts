// What the record of a loop says, and what its agents were asked.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { LoopRecord, WorkerOutput } from '../../../src/contract/dev-loop/loop-record.js'
import type { LoopAction } from '../../../src/contract/dev-loop/loop-input.js'
import type { Question } from '../../../src/contract/question.js'
import type { RunHandle } from '../../../src/client/index.js'
import { markers, type RunUser } from '../runs/real-run.js'
import { waitFor } from '../wait.js'

export const loopFile = (project: string, file: string): string =>
  path.join(project, '.workflow/.loop', file)
export const recordOf = (project: string, id: string): LoopRecord =>
  LoopRecord.parse(JSON.parse(readFileSync(loopFile(project, `${id}.json`), 'utf8')))
export const outputOf = (project: string, id: string, action: LoopAction): WorkerOutput =>
  WorkerOutput.parse(
    JSON.parse(readFileSync(loopFile(project, `${id}.workers/${action}.output.json`), 'utf8')),
  )
/** Turns of a project's workers, in their order: `init`, `develop clarify`. */
export const turnsOf = (user: RunUser, name: string): string[] =>
  markers(user, name).map(
    (m) => `${m.role.replace('loop-', '')}${m.turn === 'work' ? '' : ` ${m.turn}`}`,
  )
/** Waits for an open question that fits. */
export const asked = (
  run: RunHandle,
  fits: (question: Question) => boolean = () => true,
): Promise<Question> =>
  waitFor(async () => (await run.questions()).find(fits), {
    what: 'a question',
    timeoutMs: 120_000,
  })
