// What is sent to start a dev cycle or a dev loop: its id, its checked input, and the summary in
// the Web UI.
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import { CycleInput } from '../contract/dev-cycle/cycle-input.js'
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { cycleId, idProblem, loopId, prepId } from '../contract/ids.js'
import { PrepInput } from '../contract/prep/prep-input.js'
import { parseInput } from '../contract/test-fix/test-fix-input.js'
import { LoopInput } from '../contract/dev-loop/loop-input.js'
import type { Kind } from '../contract/names.js'
import { code, oneLine } from '../core/text/one-line.js'

/** Characters of a task in that line; the server takes 400 bytes. */
const SUMMARY_CHARS = 100

export type Start<Input> = { workflowId: string; input: Input; summary: string }

/**
 * Reads the input of a cycle.
 *
 * @param id of the run (default: the `cycleId`, else a new one)
 * @throws RefusalError `BadInput`
 */
export function cycleStart(raw: unknown, id?: string): Start<CycleInput> {
  const input = checkedInput(CycleInput, raw)
  return started(input, id ?? input.cycleId ?? cycleId(Date.now(), randomBytes(8)), input.cycleId)
}

/** The same for a loop and its `loopId`. */
export function loopStart(raw: unknown, id?: string): Start<LoopInput> {
  const input = checkedInput(LoopInput, raw)
  return started(input, id ?? input.loopId ?? loopId(Date.now(), randomBytes(8)), input.loopId)
}

/** The same for a preparation, which has no earlier id. */
export function prepStart(raw: unknown, id?: string): Start<PrepInput> {
  const input = checkedInput(PrepInput, raw)
  return started(input, id ?? prepId(Date.now(), randomBytes(8)), undefined)
}

function started<Input extends { task?: string | undefined }>(
  input: Input,
  workflowId: string,
  before: string | undefined,
): Start<Input> {
  const problem = idProblem(workflowId)
  if (problem !== undefined) throw refused(`id: ${problem}`)
  return {
    workflowId,
    input,
    summary:
      input.task === undefined ? `continue ${before ?? workflowId}` : summaryLine(input.task),
  }
}

/** A text for the line that the Web UI shows as the summary of a run. */
export function summaryLine(text: string): string {
  return oneLine(text, SUMMARY_CHARS)
}

const WHAT: Record<Kind, string> = {
  'test-fix':
    'Ratchet measures the tests, lets an agent repair what fails, and keeps only what the tests confirm.',
  'dev-cycle':
    "Four agents write requirements, plan, develop and validate; each iteration is measured with the project's own tests.",
  'dev-loop':
    "Workers develop, debug and validate one after the other; a validation is measured with the project's own tests.",
  prep: 'An agent explores the project, asks, and drafts the package that a development run reads.',
}

/**
 * Returns the Markdown for a person who meets a run in the Web UI for the first time. Only the
 * first link of a run keeps it.
 */
export function startDetails(kind: Kind, id: string): string {
  return `${WHAT[kind]}\n\nFor its progress, what it waits for and how to answer, see *Current Details* next to this. In a terminal: ${code(`ratchet watch ${id}`)}`
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
