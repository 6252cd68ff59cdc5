// Renders a followed run as plain lines: what changed since the last look. Pure.
import { CycleNotes } from '../../contract/dev-cycle/cycle-record.js'
import type { Kind } from '../../contract/names.js'
import type { Question } from '../../contract/question.js'
import { TestFixOutcome, type IterationSummary, type StatusReply } from '../../contract/result.js'
import { cycleVersion } from '../../core/dev-cycle/documents/versions.js'
import { CHANGE } from '../../core/run/approval.js'
import { deadlineText } from '../../core/run/question-silence.js'
import { newEntries } from '../../core/run/new-entries.js'
import { percentText } from '../../core/test-results/pass-rate.js'

/** What one look at a run saw. */
export type Look = {
  status: StatusReply
  waitingFor: string
  now: readonly string[]
  questions: Question[]
}

/** Phases in which a run has ended. */
const OUTCOMES: readonly string[] = [
  ...TestFixOutcome.options,
  ...CycleNotes.shape.outcome.unwrap().options,
  'user_exit',
  'max_iterations',
  'ready',
  'needs_refinement',
]

const LABEL = 13
const label = (text: string): string => `${text.padEnd(LABEL - 1)} `

/**
 * Returns lines for everything that is new since the last look.
 *
 * @param asking `without questions` if they are asked as prompts
 */
export function progressLines(
  before: Look | undefined,
  look: Look,
  asking: 'with commands' | 'without questions' = 'with commands',
): string[] {
  const { status } = look
  const lines = historyLines(
    status.history,
    newEntries(before?.status.history, status.history),
    status.kind,
  )
  const moved = before?.status.phase !== status.phase
  const over = OUTCOMES.includes(status.phase) // the end is printed elsewhere
  // Shows what the agents work on; the line of the iteration has only the result.
  if (moved && status.kind === 'dev-cycle' && status.phase === 'feedback')
    lines.push(
      `${label('measured')}${status.passRate === null ? 'nothing' : percentText(status.passRate)}`,
    )
  // An open question says itself what the run waits for.
  const asked = look.questions.length > 0 && /^person\b/.test(look.waitingFor)
  if (!over && !asked && (moved || before.waitingFor !== look.waitingFor))
    lines.push(`${label(moved ? status.phase : 'waiting')}${look.waitingFor}`)
  for (const doing of look.now)
    if (before?.now.includes(doing) !== true) lines.push(`${label('')}${doing}`)
  const known = new Set(before?.questions.map((q) => q.id))
  for (const question of asking === 'with commands' ? look.questions : [])
    if (!known.has(question.id))
      lines.push(...questionLines(status.id, question, look.questions.length))
  return lines
}

/**
 * Returns the lines that stay above the live view: finished iterations, and questions that are not
 * asked here.
 */
export function finishedLines(
  before: Look | undefined,
  look: Look,
  asking: 'with commands' | 'without questions',
): string[] {
  const { status } = look
  const known = new Set(before?.questions.map((q) => q.id))
  const asked = asking === 'with commands' ? look.questions.filter(({ id }) => !known.has(id)) : []
  return [
    ...historyLines(
      status.history,
      newEntries(before?.status.history, status.history),
      status.kind,
    ),
    ...asked.flatMap((question) => questionLines(status.id, question, look.questions.length)),
  ]
}

/**
 * Returns one line for each iteration from index `from` on; for a dev cycle with the version of its
 * documents, for a dev loop one for each worker.
 */
export function historyLines(
  history: readonly IterationSummary[],
  from: number,
  kind: Kind = 'test-fix',
): string[] {
  return history.slice(from).flatMap((entry, n) => {
    if (kind === 'dev-loop' && entry.iteration > 0) return [workerLine(entry)]
    const details = iterationDetails(entry)
    const version =
      kind === 'dev-cycle' && entry.iteration > 0 ? `v${cycleVersion(entry.iteration)}  ` : ''
    return [
      `${label(entry.iteration === 0 ? 'baseline' : `iteration ${entry.iteration}`)}${version}${rateText(entry, history.slice(0, from + n))}${details === '' ? '' : `  ${details}`}`,
      ...(entry.note === undefined ? [] : [`${label('')}${entry.note}`]),
    ]
  })
}

// What a worker of a loop did, and the measurement after it, if any.
function workerLine({
  iteration,
  note,
  result,
  files,
  passRate,
  passed,
  total,
  claimed,
}: IterationSummary): string {
  const changed =
    files === undefined || files === 0 ? [] : [`${files} file${files === 1 ? '' : 's'}`]
  const doubted =
    claimed === undefined || claimed === passRate ? '' : `, claimed ${percentText(claimed)}`
  const measured =
    passRate === null
      ? []
      : [
          `${percentText(passRate)}${total === undefined ? '' : ` (${passed ?? 0} of ${total})`}${doubted}`,
        ]
  return `${label(`iteration ${iteration}`)}${[note ?? result.replaceAll('_', ' '), ...changed, ...measured].join(' · ')}`
}

// The rate before and after an iteration. A cycle may measure for the first time at the end of an
// iteration.
function rateText(entry: IterationSummary, before: readonly IterationSummary[]): string {
  const counted = entry.total === undefined ? '' : `  (${entry.passed ?? 0} of ${entry.total})`
  if (entry.iteration === 0) return `${percentText(entry.passRate)}${counted}`
  const result = entry.result.replaceAll('_', ' ')
  return before.length === 0
    ? `${percentText(entry.passRate)}${counted}  ${result}`
    : `${percentText(rateBefore(before))} → ${percentText(entry.passRate)}  ${result}`
}

/**
 * Returns the details of an iteration besides its rate: `surgical, analysis degraded, 2 stuck,
 * failing: 1 high, 2 low`.
 */
export function iterationDetails({
  strategy,
  analysis,
  stuck = 0,
  levels,
}: IterationSummary): string {
  const failing =
    levels === undefined
      ? []
      : (['high', 'medium', 'low'] as const).flatMap((level) =>
          levels[level] > 0 ? [`${levels[level]} ${level}`] : [],
        )
  return [
    ...(strategy === undefined ? [] : [strategy]),
    ...(analysis === 'degraded' ? ['analysis degraded'] : []),
    ...(stuck > 0 ? [`${stuck} stuck`] : []),
    ...(failing.length > 0 ? [`failing: ${failing.join(', ')}`] : []),
  ].join(', ')
}

/**
 * Returns a question with a command that answers it, for copying. The command gives the recommended
 * answer, and names the question if several are open.
 */
export function questionLines(
  id: string,
  question: Question,
  open: number,
  now = Date.now(),
): string[] {
  const options = question.options.map((option) =>
    option === question.recommended ? `${option} (recommended)` : option,
  )
  const answer = question.recommended ?? question.options[0] ?? 'your answer'
  const words = [
    id,
    ...(open > 1 ? ['--question', question.id] : []),
    /^[\w.:-]+$/.test(answer) ? answer : `'${answer.replaceAll("'", "'\\''")}'`,
  ]
  // The only option that takes a text.
  const extended =
    question.kind === 'menu' && question.options.includes('extend')
      ? [
          `${label('')}or:          ratchet answer ${[...words.slice(0, -1), 'extend'].join(' ')} "<further task>"`,
        ]
      : []
  const changed =
    question.kind === 'approval' && question.options.includes(CHANGE)
      ? [
          `${label('')}or:          ratchet answer ${words.slice(0, -1).join(' ')} "<what to change>"`,
        ]
      : []
  const ends = deadlineText(question, now)
  const { amount } = question
  const raised =
    amount === undefined
      ? []
      : [
          `${label('')}or:          ratchet answer ${[...words.slice(0, -1), amount.option, amount.usual].join(' ')}, or another number of ${amount.unit}`,
        ]
  return [
    `${label('question')}${question.text}`,
    ...(options.length > 0 ? [`${label('')}options: ${options.join(', ')}`] : []),
    ...(ends === undefined ? [] : [`${label('')}${ends}`]),
    `${label('')}answer with: ratchet answer ${words.join(' ')}`,
    ...extended,
    ...changed,
    ...raised,
  ]
}

/** Phases after the last iteration, or before the first. */
const UNNAMED: readonly string[] = [...OUTCOMES, 'preparing', 'closing']

/**
 * Returns the current iteration, 0 for the baseline. A test-fix run counts an iteration at its end,
 * the other kinds at its start.
 */
export function iterationNow({
  kind,
  status,
  phase,
  iteration,
  passRate,
}: Pick<StatusReply, 'kind' | 'phase' | 'iteration' | 'passRate'> & { status: string }): number {
  const isOpen = status === 'running' || status === 'paused'
  return kind === 'test-fix' &&
    isOpen &&
    passRate !== null &&
    passRate < 100 &&
    !UNNAMED.includes(phase)
    ? iteration + 1
    : iteration
}

// A rolled back fix leaves the rate unchanged.
function rateBefore(history: readonly IterationSummary[]): number | null {
  return history.filter((entry) => entry.result !== 'rolled_back').at(-1)?.passRate ?? null
}
