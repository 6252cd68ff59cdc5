// Stores unused answers to the analysis prompt next to the used one: a person may find them useful.
// An answer that is read again keeps its number.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { RefusedAnalysis } from '../../../contract/test-fix/task.js'
import { iterationFiles } from '../../../core/test-fix/fix-task.js'
import { jsonOf } from '../../../core/text/json.js'
import { writeWhole } from '../write-file.js'

/** `turn`: key of the turn that gave the answer. */
export type Refused = { turn: string; agent: string; reason: string; answer: string }

/** Of a reason, so much travels; and so many answers are named. */
const REASON_CHARS = 200
const NAMED = 8

/** Keeps an answer, and returns all that this run has refused in the iteration. */
export async function keepRefused(
  recordDir: string,
  iteration: number,
  { turn, agent, reason, answer }: Refused,
): Promise<RefusedAnalysis[]> {
  const kept = all(recordDir, iteration)
  if (!kept.some((one) => one.turn === turn)) {
    const file = iterationFiles(iteration).refused(Math.max(0, ...kept.map(({ nth }) => nth)) + 1)
    const front = Object.entries({ turn, agent, reason }).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    )
    await writeWhole(path.join(recordDir, file), ['---', ...front, '---', '', answer].join('\n'))
  }
  return refusedOf(recordDir, iteration, path.posix.dirname(turn))
}

/**
 * Answers that were refused in an iteration, in their order. `within`: part of the keys of their
 * turns, as all of a run or of one try of the iteration.
 */
export function refusedOf(recordDir: string, iteration: number, within: string): RefusedAnalysis[] {
  const found = all(recordDir, iteration).filter(({ turn }) => turn.startsWith(`${within}/`))
  return found.slice(-NAMED).map(({ agent, reason, nth }) => ({
    agent,
    reason: reason.slice(0, REASON_CHARS),
    file: iterationFiles(iteration).refused(nth),
  }))
}

function all(recordDir: string, iteration: number): (Omit<Refused, 'answer'> & { nth: number })[] {
  const process = path.join(recordDir, '.process')
  const pattern = new RegExp(`^iteration-${iteration}-refused-(\\d+)\\.md$`)
  const numbers = listed(process).flatMap((name) => Number(pattern.exec(name)?.[1] ?? 0) || [])
  return numbers
    .sort((a, b) => a - b)
    .map((nth) => {
      const text = readFileSync(
        path.join(recordDir, iterationFiles(iteration).refused(nth)),
        'utf8',
      )
      const field = (name: string): string => {
        const value = jsonOf(new RegExp(`^${name}: (".*")$`, 'm').exec(text)?.[1] ?? '')
        return typeof value === 'string' ? value : ''
      }
      return { nth, turn: field('turn'), agent: field('agent'), reason: field('reason') }
    })
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
