// What differs between the five workers of a loop, in one table, and the sections that several of
// their prompts have.
import type { LoopBrief } from '../../../contract/dev-loop/loop-step.js'
import type { LoopAction, LoopMode } from '../../../contract/dev-loop/loop-input.js'
import type { LoopTask } from '../../../contract/dev-loop/action-reading.js'
import { code, oneLine } from '../../text/one-line.js'

/**
 * Absolute paths as the worker sees them. `workersDir` has copies of the other workers' output
 * files; the state file is the record's own and only read; the last two are there where the project
 * has them.
 */
export type LoopPaths = {
  workspace: string
  progress: string
  outputFile: string
  progressFile: string
  workersDir: string
  stateFile: string
  projectTech?: string
  guidelines?: string
}

type Duty = { goal: string; allowed: string; forbidden: string }

/** The texts of one worker; `parallel` replaces its duty if others work at the same time. */
export type WorkerTexts = Duty & { parallel?: Duty; leaves: string; quality: readonly string[] }

const NO_FILE = 'changing any file of the project: changes are reverted'

/** The five workers of a loop. */
export const WORKER_TEXTS: Readonly<Record<LoopAction, WorkerTexts>> = {
  init: {
    goal: 'understand the task and the project, and break the work down into 3 to 7 tasks T1, T2, …',
    allowed: 'reading the code, its tests and its documents; commands that change nothing',
    forbidden: `building any of the tasks; ${NO_FILE}`,
    leaves:
      'what you learned about the project, the tasks with the reason for their order, and prerequisites',
    quality: [
      'Each task can be built and checked by itself, in one turn, tests included',
      'Together they cover the whole task, and nothing else',
      'If the analysis fails: one task that is the description. Missing project context is not a failure',
    ],
  },
  develop: {
    goal: 'build the one task of this turn, with its tests',
    allowed: 'the code of this task, its tests, and what open findings ask for',
    forbidden:
      'the other tasks; the configuration of tests and the test command; deleting a test, or bending it to match the code',
    parallel: {
      goal: 'build all pending tasks, without tests',
      allowed: 'the code of all pending tasks',
      forbidden:
        'tests: the validate worker writes them in its own clone; changes that no task needs: the clones are merged',
    },
    leaves: 'what was built and why, what is left, what blocks',
    quality: [
      'A task is complete when its description holds and your change is in the tree; name it in `tasks_completed`. List a task that needs no change in `no_change`, with the reason; any other task remains: say what is missing',
      'The code reads like the code around it, with no placeholder left behind',
      'You ran what you wrote, as far as it can be run',
    ],
  },
  debug: {
    goal: 'find the root causes of what is wrong',
    allowed:
      'reading, running and experimenting; a small edit that proves a cause. What you leave in the tree is kept and committed: undo the other experiments, and name what you left',
    forbidden:
      'any repair beyond what proves a cause: develop does that from your findings; building tasks; changing tests',
    parallel: {
      goal: 'list the problems that the tasks will meet in the code as it is',
      allowed: 'reading and running; a list of the problems in the code as it is now',
      forbidden:
        'writing code or tests: develop writes the code in its own clone, and validate the tests',
    },
    leaves: 'each hypothesis with what you tried and saw, including the refuted ones',
    quality: [
      'Each hypothesis can be tested, and has its evidence',
      'A cause explains what was seen, by its mechanism; call a guess a guess',
      'A finding names file and line, and what to do about it',
    ],
  },
  validate: {
    goal: 'say whether what was built is what was asked for, and what is missing',
    allowed: 'reading and running; adding tests for what is not covered',
    forbidden:
      'changing the implementation, or the configuration of tests: changes there are reverted; weakening or deleting tests',
    parallel: {
      goal: 'plan how the tasks are tested, and write their tests',
      allowed:
        'a strategy for testing the pending tasks, and the tests themselves. They may fail until the clones are merged: develop builds the code at the same time',
      forbidden:
        'changing the implementation, or the configuration of tests: changes there are reverted',
    },
    leaves: 'what was checked and how, each failure with its explanation, what no test covers',
    quality: [
      'Each failure has its place, its cause as far as you know it, and what repairs it',
      'A new test can fail, and its name states what it promises',
      'Numbers are the measured ones',
    ],
  },
  complete: {
    goal: 'summarise what the loop has done, and suggest how to commit it and what may come next',
    allowed: 'reading, also the outputs of the other workers and the diff',
    forbidden: `repairing anything; ${NO_FILE}`,
    leaves: 'the summary of the loop',
    quality: [
      'State what is open as plainly as what is done',
      'A missing output makes the summary partial, not wrong',
      'The commit message says what changed and why, first line at most 72 characters',
    ],
  },
}

/** Characters of a task that is the only one, at least. */
const TASK_CHARS = 1_000
const TASK_FILES = 10
const FILE_CHARS = 120
const ID_CHARS = 20
/** Behind a text that is cut. */
const CUT = ' (cut: the state file has all of it)'

/** Returns the duty of the worker and what it may change, alone or in parallel with others. */
export function dutyOf({ action, parallel }: Pick<LoopBrief, 'action' | 'parallel'>): Duty {
  const texts = WORKER_TEXTS[action]
  return parallel ? (texts.parallel ?? texts) : texts
}

/**
 * The tasks of this turn, one line each, at most `items`, each with `task` characters; for a
 * develop without one, what to do then.
 */
export function taskLines(
  { action, tasks, findings }: LoopBrief,
  { items, task: chars }: { items: number; task: number },
): string[] {
  if (tasks.length === 0) return action === 'develop' ? [nothingPending(findings.length)] : []
  const [only] = tasks
  if (only !== undefined && tasks.length === 1) return [taskLine(only, Math.max(chars, TASK_CHARS))]
  const shown = tasks.slice(0, items).map((task) => taskLine(task, chars))
  return tasks.length > shown.length
    ? [...shown, `- … and ${tasks.length - shown.length} more: the state file has them all`]
    : shown
}

/** A task within so many characters; one that is cut says where the whole text stands. */
export function taskText(description: string, chars: number): string {
  const whole = oneLine(description)
  const text = whole.endsWith(CUT) ? whole.slice(0, -CUT.length) : whole
  return text === whole && text.length <= chars ? whole : `${oneLine(text, chars)}${CUT}`
}

/** When to ask, and who answers. */
export function askingLine(mode: LoopMode): string {
  const who =
    mode === 'interactive'
      ? 'A person answers: always name the option you recommend.'
      : 'No person answers in this mode; Ratchet takes the option you recommend: always name one.'
  return `Ask only what neither the task nor the code decides. ${who}`
}

/** `about 10 minutes`, rounded down, never less than one. */
export function aboutMinutes(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000))
  return `about ${minutes} minute${minutes === 1 ? '' : 's'}`
}

function taskLine(
  { id, description, priority, files, aside, lost, takenBack, claimed }: LoopTask,
  chars: number,
): string {
  const named = files.slice(0, TASK_FILES).map((file) => code(file, FILE_CHARS))
  return `- **${oneLine(id, ID_CHARS)}** [${priority}]: ${taskText(description, chars)}${named.length === 0 ? '' : ` (${named.join(', ')})`}${lost === undefined ? '' : `. What was built for it was lost in the merge of ${code(lost, FILE_CHARS)}`}${takenBack === undefined ? '' : '. A later commit reverted its work: do it again, or name the task in `no_change` and say why that is right'}${aside === undefined || aside.why === '' ? '' : `. The turn before: ${oneLine(aside.why, FILE_CHARS)}${claimed === true ? '. Make the change, or name the task in `no_change` and say why it needs none' : ''}`}`
}

function nothingPending(findings: number): string {
  return findings > 0
    ? 'No task is pending. Repair the open findings under CURRENT STATE.'
    : 'No task is pending. Build what the description asks for and the code does not do yet; if nothing is missing, change nothing and suggest `validate`.'
}
