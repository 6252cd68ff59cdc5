// Decides how much of each list a prompt of a cycle contains: the largest amount that fits. The
// task always keeps 4,000 characters, and each failing test its name.
import { DECISION_CHARS } from '../decisions.js'
import type { FailureDetail } from './prompt-measured.js'

/** Characters that a prompt has, its first line included. */
export const PROMPT_CHARS = 24_000
/** Room for the first line, which the driver writes. */
export const FIRST_LINE = 1_000

/** `edits`: lines of a person's edit; `decision`, `task`, `feedback`: characters of each. */
export type PromptDetail = FailureDetail & {
  edits: number
  decision: number
  task: number
  feedback: number
}

const DETAILS: readonly PromptDetail[] = [
  {
    error: 200,
    file: 300,
    edits: Infinity,
    decision: DECISION_CHARS,
    task: Infinity,
    feedback: Infinity,
  },
  { error: 100, file: 300, edits: 5, decision: 400, task: Infinity, feedback: Infinity },
  { error: 80, file: 200, edits: 2, decision: 200, task: 8_000, feedback: 8_000 },
  { error: 60, file: 100, edits: 0, decision: 100, task: 4_000, feedback: 4_000 },
  { error: 40, file: 40, edits: 0, decision: 60, task: 4_000, feedback: 2_000 },
]

/**
 * The prompt with as much as fits.
 *
 * @param build what it is with an amount
 */
export function withinPrompt(build: (detail: PromptDetail) => string): string {
  let prompt = ''
  for (const detail of DETAILS) {
    prompt = build(detail)
    if (prompt.length <= PROMPT_CHARS - FIRST_LINE) break
  }
  return prompt
}
