// The prompt that starts a worker. It keeps what the worker must know in full; lists get the
// remaining room, and say what they leave out.
import type { LoopBrief } from '../../../contract/dev-loop/loop-step.js'
import { editsSection } from '../../dev-cycle/documents/person-edits.js'
import { packageMark } from '../../dev-cycle/plan-tasks.js'
import { PROMPT_CHARS } from '../../dev-cycle/prompts/prompt-work.js'
import { code, oneLine } from '../../text/one-line.js'
import { bounded, fenced, joined, section } from '../../prompts/prompt-parts.js'
import {
  aboutMinutes,
  askingLine,
  dutyOf,
  taskLines,
  WORKER_TEXTS,
  type LoopPaths,
} from './prompt-action-parts.js'
import { measuredSection, stateSection, type Detail } from './prompt-action-state.js'
import { workerForm } from './action-form.js'

export type { LoopPaths } from './prompt-action-parts.js'

/** Room for the first line, which the driver writes. */
const FIRST_LINE = 1_000

// The first that fits is taken; the last cuts the description, which the state file has whole.
const DETAILS: readonly Detail[] = [
  { items: 20, chars: 300, description: Infinity, failing: 20, task: 4_000 },
  { items: 10, chars: 200, description: Infinity, failing: 20, task: 2_000 },
  { items: 5, chars: 160, description: Infinity, failing: 20, task: 1_000 },
  { items: 5, chars: 100, description: Infinity, failing: 20, task: 1_000 },
  { items: 3, chars: 120, description: Infinity, failing: 5, task: 500 },
  { items: 2, chars: 60, description: 8_000, failing: 3, task: 200 },
]
/** Where the details of a worker begin whose turn crashed twice. */
const SIMPLIFIED = 4

type Worker = {
  loop: LoopBrief
  roleText: string
  paths: LoopPaths
  limitMs: number
  simplified: boolean
  words?: string | undefined
}

/**
 * Returns the work prompt of one worker; at most `PROMPT_CHARS` with its first line.
 *
 * @param p.limitMs how long the turn may take
 * @param p.words what a person added to the choice of this worker
 * @param p.simplified shorter context, after the same turn crashed twice
 */
export function workerPrompt(p: Worker): string {
  const details = p.simplified ? DETAILS.slice(SIMPLIFIED) : DETAILS
  let prompt = ''
  for (const detail of details) {
    prompt = withDetail(p, detail)
    if (prompt.length <= PROMPT_CHARS - FIRST_LINE) break
  }
  return prompt
}

function withDetail({ loop, roleText, paths, limitMs, words }: Worker, detail: Detail): string {
  const { action } = loop
  const tasks = taskLines(loop, detail)
  return joined([
    section('## TASK ASSIGNMENT', [assignment(loop, limitMs)]),
    firstStepsSection(paths, othersOf(loop).length > 0),
    '---',
    `Goal: Execute the ${action} action for loop ${oneLine(loop.loopId)}: ${dutyOf(loop).goal}`,
    scope(loop, paths),
    context(loop, paths),
    deliverables(loop, paths),
    listed('Quality bar:', WORKER_TEXTS[action].quality),
    stateSection(loop, detail),
    measuredSection(loop, detail),
    section('## TASK DESCRIPTION', [
      ...packageMark(loop.description),
      fenced(
        bounded(
          loop.description,
          detail.description,
          'of the description: the state file has all of it',
        ),
      ),
      ...(tasks.length === 0 ? [] : ['', '### TASKS OF THIS TURN', '', ...tasks]),
    ]),
    editsSection(loop.edits ?? [], paths.progress),
    words === undefined
      ? ''
      : section('## SAID BY A PERSON', [
          loop.action === 'init'
            ? 'A person has read the breakdown and did not approve it. Make it again, with this change:'
            : 'A person chose this turn and said:',
          '',
          fenced(words),
        ]),
    section('## YOUR ROLE', [roleText]),
    section('## EXPECTED OUTPUT', [askingLine(loop.mode), '', workerForm(action)]),
    `Execute the ${action} action now.`,
  ])
}

function assignment(
  { action, mode, parallel, iteration, maxIterations }: LoopBrief,
  limitMs: number,
): string {
  const bound = mode === 'interactive' ? '' : ` of ${maxIterations}`
  const others = parallel
    ? ' Others work at the same time, each in its own clone; Ratchet merges the clones afterwards. Keep to your own duty, so that they merge.'
    : ''
  return `You are the ${action} worker of a development loop, in iteration ${iteration}${bound}.${others} You have ${aboutMinutes(limitMs)}.`
}

function firstStepsSection(
  { projectTech, guidelines, progressFile }: LoopPaths,
  others: boolean,
): string {
  const steps = [
    '**Read role definition**: it is below, under YOUR ROLE',
    ...[projectTech, guidelines]
      .filter((path) => path !== undefined)
      .map((path) => `Read: ${oneLine(path)}`),
    `Read ${oneLine(progressFile)} if it exists: it says what you did before. Continue from it`,
    ...(others
      ? [
          'Read the outputs of the other workers, named under Context, as far as your action needs them',
        ]
      : []),
  ]
  return section(
    '### MANDATORY FIRST STEPS (Agent Execute)',
    steps.map((step, n) => `${n + 1}. ${step}`),
  )
}

function scope(loop: LoopBrief, { workspace, progress }: LoopPaths): string {
  const { allowed, forbidden } = dutyOf(loop)
  return listed('Scope:', [
    `Allowed: ${allowed}`,
    `Forbidden: ${forbidden}`,
    'Forbidden to every worker: commits, stashes, other branches (Ratchet commits after the turn); processes that outlive it; claims about what you did not run',
    `Directory limit: ${oneLine(workspace)}; notes below ${oneLine(progress)}`,
  ])
}

function context(loop: LoopBrief, paths: LoopPaths): string {
  const others = othersOf(loop).map(
    ({ action, status }) => `${code(`${action}.output.json`)} (${status})`,
  )
  return listed('Context:', [
    `Loop ID: ${oneLine(loop.loopId)}`,
    `Action: ${loop.action}`,
    `State File: ${oneLine(paths.stateFile)} (read only)`,
    `Output File: ${oneLine(paths.outputFile)} (Ratchet writes it from your answer)`,
    `Progress File: ${oneLine(paths.progressFile)}`,
    `Other Workers: ${others.length === 0 ? 'none has ended yet' : `their outputs are in ${oneLine(paths.workersDir)}: ${others.join(', ')}`}`,
  ])
}

function othersOf({ action, workers }: LoopBrief): LoopBrief['workers'] {
  return workers.filter((worker) => worker.action !== action)
}

function deliverables({ action }: LoopBrief, paths: LoopPaths): string {
  return listed('Deliverables:', [
    'the WORKER_RESULT block, exactly as under EXPECTED OUTPUT',
    `${oneLine(paths.progressFile)}, in Markdown: ${WORKER_TEXTS[action].leaves}`,
  ])
}

function listed(heading: string, items: readonly string[]): string {
  return [heading, ...items.map((item) => `- ${item}`)].join('\n')
}
