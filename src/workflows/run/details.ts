// Renders a run for the Web UI: details in Markdown, and search attributes, upserted only on
// change.
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import { defineSearchAttributeKey } from '@temporalio/common'
import { SEARCH_ATTRIBUTES, type SearchAttribute } from '../../contract/names.js'
import type { Question } from '../../contract/question.js'
import type { RunUsage, StatusReply } from '../../contract/result.js'
import { CHANGE } from '../../core/run/approval.js'
import { silenceText } from '../../core/run/question-silence.js'
import { durationText } from '../../core/text/duration-text.js'
import { isoTime } from '../../core/text/iso-time.js'
import { dollars } from '../../core/text/money.js'
import { code, plainLine } from '../../core/text/one-line.js'
import { historyTable } from '../../core/run/iteration-summary.js'

type Values = Partial<Record<SearchAttribute, string | number | boolean>>

export class Details {
  #shown: Values = {}
  #registered: readonly string[] = []

  /** An attribute that the server does not know would fail the workflow task for ever. */
  register(known: readonly string[]): void {
    this.#registered = known
  }

  show(status: StatusReply, questions: Question[], more: More): void {
    setCurrentDetails(markdown(status, questions, more))
  }

  upsert(values: Values): void {
    const changed = (
      Object.entries(values) as [SearchAttribute, string | number | boolean][]
    ).filter(([name, value]) => this.#registered.includes(name) && this.#shown[name] !== value)
    if (changed.length === 0) return
    upsertSearchAttributes(
      changed.map(
        ([name, value]) =>
          ({ key: defineSearchAttributeKey(name, SEARCH_ATTRIBUTES[name]), value }) as never,
      ),
    )
    for (const [name, value] of changed) this.#shown[name] = value
  }
}

/** What a status does not contain: the task as given, the usage, and the offset of times. */
export type More = {
  task?: string | undefined
  usage?: RunUsage | undefined
  timezone?: string | undefined
}

/** Maximum length of a question, of an answer, and of what a run waits for. */
const QUESTION_SHOWN = 500

const ABOUT = {
  'test-fix': 'Fixes the failing tests of',
  'dev-cycle': 'Develops in',
  'dev-loop': 'Works in',
  prep: 'Prepares a task in',
} as const
const EXTEND = {
  'test-fix': { iterations: 3 },
  'dev-cycle': { task: 'the further task' },
  'dev-loop': { task: 'the task' },
  prep: undefined,
} as const

/**
 * Describes the run for readers who do not know the code: its purpose and what it waits for, the
 * questions, as only they need a person, then the past. Blocks are separated by blank lines, as the
 * Web UI joins other lines. Texts of agents and people stay in one line, so that they cannot
 * imitate a question.
 */
export function markdown(
  status: StatusReply,
  questions: Question[],
  { task, usage, timezone = '+00:00' }: More = {},
): string {
  const isOpen = status.status === 'running' || status.status === 'paused'
  const rate = status.passRate === null ? [] : [`${status.passRate} % of the tests pass`]
  const blocks = [
    `**${ABOUT[status.kind]}** ${code(status.project)}${task === undefined ? '' : `: ${code(task, QUESTION_SHOWN)}`}`,
  ]
  blocks.push(
    [
      `**${status.status}**`,
      ...(status.phase === status.status ? [] : [status.phase.replaceAll('_', ' ')]),
      ...(status.kind === 'prep'
        ? []
        : [`iteration ${status.iteration} of ${status.maxIterations}`]),
      ...rate,
    ].join(' · '),
  )
  if (isOpen) blocks.push(`**Waiting for** ${plainLine(status.waitingFor, QUESTION_SHOWN)}`)
  blocks.push(...questions.flatMap((question) => questionBlocks(question, timezone)))
  if (status.history.length > 0) blocks.push(historyTable(status.history, ' of ').join('\n'))
  if (usage !== undefined && usage.turns > 0) blocks.push(used(usage))
  if (status.branch !== null)
    blocks.push(
      `The work so far is the branch ${code(status.branch)}; ${code(`ratchet apply ${status.id}`)} applies it to the working tree.`,
    )
  if (isOpen)
    blocks.push(
      `To steer it: *More Actions*, then *Send a Signal* with \`pause\`, \`resume\` or \`stop\`${extendText(status.kind)}`,
    )
  return blocks.join('\n\n')
}

function extendText(kind: StatusReply['kind']): string {
  const sample = EXTEND[kind]
  return sample === undefined
    ? ''
    : `, or *Send an Update* with \`extend\` and ${code(JSON.stringify(sample))}`
}

function questionBlocks(q: Question, timezone: string): string[] {
  const { amount } = q
  const blocks = [`**Question** ${code(q.text, QUESTION_SHOWN)}`, ...silence(q, timezone)]
  if (q.options.length > 0)
    blocks.push(
      `Answer it under *More Actions*, *Send an Update*, with \`answer\` and one of these lines:`,
      q.options
        .filter((o) => q.kind !== 'approval' || o !== CHANGE)
        .map((o) => optionLine(q, o))
        .join('\n'),
    )
  else
    blocks.push(
      `Answer it under *More Actions*, *Send an Update*, with \`answer\` and this line, with your own text:`,
      answerWith(q, { text: '…' }),
    )
  if (q.options.length > 0 && q.kind === 'clarification')
    blocks.push('or as free text:', answerWith(q, { text: '…' }))
  if (q.kind === 'approval' && q.options.includes(CHANGE))
    blocks.push('or, with what to change in your own words:', answerWith(q, { text: '…' }))
  if (q.kind === 'menu' && q.options.includes('extend'))
    blocks.push('or, with a further task:', answerWith(q, { choice: 'extend', text: '…' }))
  if (amount !== undefined)
    blocks.push(
      `or, with the number of ${amount.unit} to add, for example:`,
      answerWith(q, { choice: amount.option, text: amount.usual }),
    )
  return blocks
}

// The page is written only when something happens, so it names the moment besides the time left.
function silence(q: Question, timezone: string): string[] {
  if (q.onDeadline === undefined) return []
  const then = code(silenceText(q), QUESTION_SHOWN)
  if (q.remainingMs !== undefined)
    return [
      `The run is paused, so the clock stands still: ${durationText(q.remainingMs)} are left for an answer, then ${then}`,
    ]
  if (q.deadline === undefined) return []
  return [
    `**Without an answer** by ${isoTime(q.deadline, timezone)}, ${durationText(q.deadline - Date.now())} from the last change of this page: ${then}`,
  ]
}

function optionLine(question: Question, option: string): string {
  const meaning = question.descriptions?.[option]
  return `- **${plainLine(option)}**${option === question.recommended ? ' (recommended)' : ''}${meaning === undefined ? '' : `: ${plainLine(meaning)}`} ${answerWith(question, { choice: option })}`.trimEnd()
}

/** The JSON of an answer, for copying; empty if it is too long to be shown in full. */
function answerWith({ id }: Question, answer: Record<string, string>): string {
  const json = JSON.stringify({ questionId: id, ...answer })
  return json.length > QUESTION_SHOWN ? '' : code(json, QUESTION_SHOWN)
}

function used({ turns, inputTokens, outputTokens, costUsd, estimated }: RunUsage): string {
  const cost = costUsd === undefined ? '' : `, $${dollars(costUsd)}`
  return `Used so far: ${turns} turn${turns === 1 ? '' : 's'} of agents, ${estimated ? 'about ' : ''}${inputTokens + outputTokens} tokens${cost}`
}
