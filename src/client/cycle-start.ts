// What is sent to start a dev cycle: its id, its checked input, and the line that the Web UI shows beside it.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { CycleInput } from '../contract/cycle-input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { cycleId, idProblem } from '../contract/ids.js'
import { parseInput } from '../contract/input.js'
import { oneLine } from '../core/one-line.js'

/** Characters of a task in that line; the server takes 400 bytes. */
const SUMMARY_CHARS = 100

/**
 * Reads the input of a cycle.
 *
 * @param id of the run (default: the `cycleId`, else a new one)
 * @throws RefusalError `BadInput`
 */
export function cycleStart(raw: unknown, id?: string): { workflowId: string; input: CycleInput; summary: string } {
  const input = checkedInput(CycleInput, raw)
  const workflowId = id ?? input.cycleId ?? cycleId(Date.now(), randomBytes(8))
  const problem = idProblem(workflowId)
  if (problem !== undefined) throw refused(`id: ${problem}`)
  return { workflowId, input, summary: input.task === undefined ? `go on with ${input.cycleId ?? workflowId}` : oneLine(input.task, SUMMARY_CHARS) }
}

/** An input as its schema has it. Throws a RefusalError `BadInput` that names the field. */
export function checkedInput<T>(schema: z.ZodType<T>, raw: unknown): T {
  const input = parseInput(schema, raw)
  if (!input.ok) throw refused(input.problem)
  return input.value
}

function refused(problem: string): RefusalError {
  return new RefusalError(BAD_INPUT, problem, 'input', 'correct it')
}
