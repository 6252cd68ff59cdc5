// What the Web UI shows of a run: details in Markdown, and search attributes, upserted on change only.
import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import { defineSearchAttributeKey } from '@temporalio/common'
import { SEARCH_ATTRIBUTES } from '../../contract/names.js'
import type { SearchAttribute } from '../../contract/names.js'
import type { Question } from '../../contract/question.js'
import type { StatusReply } from '../../contract/result.js'
import { code, plainLine } from '../../core/one-line.js'
import { historyTable } from '../../core/test-fix-view.js'

type Values = Partial<Record<SearchAttribute, string | number | boolean>>

export class Details {
  #shown: Values = {}
  #registered: readonly string[] = []

  /** An attribute the server does not know would fail the workflow task for ever. */
  register(known: readonly string[]): void {
    this.#registered = known
  }

  show(status: StatusReply, questions: Question[]): void {
    setCurrentDetails(markdown(status, questions))
  }

  upsert(values: Values): void {
    const changed = (Object.entries(values) as [SearchAttribute, string | number | boolean][]).filter(
      ([name, value]) => this.#registered.includes(name) && this.#shown[name] !== value,
    )
    if (changed.length === 0) return
    upsertSearchAttributes(changed.map(([name, value]) => ({ key: defineSearchAttributeKey(name, SEARCH_ATTRIBUTES[name]), value }) as never))
    for (const [name, value] of changed) this.#shown[name] = value
  }
}

/** Characters of a question, and of what a run waits for. */
const QUESTION_SHOWN = 500

/**
 * The run as a person reads it who never saw the code. Blocks stand apart by blank lines: the Web UI joins
 * lines that do not. What agents and people wrote stays in its line: it cannot ask a question of its own.
 */
export function markdown(status: StatusReply, questions: Question[]): string {
  const blocks = [
    `**${status.id}** · ${status.status} · ${status.phase} · iteration ${status.iteration} of ${status.maxIterations}`,
    `Waiting for: ${plainLine(status.waitingFor, QUESTION_SHOWN)}`,
  ]
  if (status.branch !== null) blocks.push(`Branch: \`${status.branch}\``)
  if (status.history.length > 0) blocks.push(historyTable(status.history, ' of ').join('\n'))
  for (const q of questions) {
    blocks.push(`**Question** ${code(q.text, QUESTION_SHOWN)}`, q.options.map((o) => optionLine(q, o)).join('\n'))
    const { amount } = q
    blocks.push(`Answer with the update \`answer\`:`, code(JSON.stringify({ questionId: q.id, choice: q.recommended ?? q.options[0] ?? 'text' }), QUESTION_SHOWN))
    if (amount !== undefined) blocks.push(`or, with the number of ${amount.unit} to add, for example:`, code(JSON.stringify({ questionId: q.id, choice: amount.option, text: amount.usual }), QUESTION_SHOWN))
  }
  return blocks.join('\n\n')
}

function optionLine({ recommended, descriptions = {} }: Question, option: string): string {
  const meaning = descriptions[option]
  return `- ${plainLine(option)}${meaning === undefined ? '' : `: ${plainLine(meaning)}`}${option === recommended ? ' (recommended)' : ''}`
}
