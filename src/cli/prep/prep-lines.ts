// The lines about the end of a preparation: its package, as it stands in its file, and the command
// that uses it.
import { existsSync, readFileSync } from 'node:fs'
import { DIMENSIONS } from '../../contract/prep/prep-draft.js'
import type { RunResult } from '../../contract/result.js'
import { usageText } from '../../core/run/run-usage.js'
import { fieldOf } from '../../core/text/field-of.js'
import { jsonOf } from '../../core/text/json.js'
import { oneLine } from '../../core/text/one-line.js'

const ITEM_SHOWN = 200
const ITEMS_SHOWN = 10
/** Longest task that is repeated in a command. */
const TASK_SHOWN = 200

const row = (name: string, text: string): string => `  ${name.padEnd(17)}${text}`

export function prepEndLines(result: RunResult, uiUrl: string | null): string[] {
  const { id, package: made, outcome, reason, recordDir, usage } = result
  const raw =
    made !== undefined && existsSync(made.file)
      ? jsonOf(readFileSync(made.file, 'utf8'))
      : undefined
  return [
    `${outcome.replaceAll('_', ' ')}${raw === undefined ? '' : `, quality ${said(fieldOf(fieldOf(raw, 'task'), 'quality_score'))} of 10`}`,
    ...(reason === null ? [] : [row('reason', reason)]),
    ...(raw === undefined ? [] : packageLines(raw)),
    ...(made === undefined ? [] : [row('package', made.file)]),
    ...(made?.earlier === undefined ? [] : [row('before it', made.earlier)]),
    ...(made === undefined ? [] : [row('next', nextLine(made, fieldOf(raw, 'task')))]),
    ...(outcome === 'failed' && usage.turns > 0
      ? [row('next', `read what the agent said: ratchet logs ${id}`)]
      : []),
    ...(recordDir === null ? [] : [row('record', recordDir)]),
    ...(usage.turns === 0 ? [] : [row('usage', usageText(usage, 'agent turn'))]),
    ...(uiUrl === null ? [] : [row('web ui', uiUrl)]),
  ]
}

/** What is in a package, for a person to read. A person may have edited it in any way. */
function packageLines(raw: unknown): string[] {
  const task = fieldOf(raw, 'task')
  const environment = fieldOf(raw, 'environment')
  return [
    ...DIMENSIONS.map((name) => {
      const part = fieldOf(fieldOf(task, 'dimensions'), name)
      return row(
        name.replace('_', ' '),
        `${said(fieldOf(part, 'score'))}  ${said(fieldOf(part, 'value'))}`,
      )
    }),
    ...list('task', fieldOf(raw, 'tasks'), (one) => said(fieldOf(one, 'description'))),
    ...list(
      'assumed',
      fieldOf(raw, 'assumptions'),
      (one) => `${said(fieldOf(one, 'about'))}: ${said(fieldOf(one, 'text'))}`,
    ),
    ...list(
      'answered',
      fieldOf(raw, 'answers'),
      (one) => `${said(fieldOf(one, 'question'))} ${said(fieldOf(one, 'answer'))}`,
    ),
    ...list(
      'source',
      fieldOf(task, 'source_refs'),
      (one) => `${said(fieldOf(one, 'path'))} (${said(fieldOf(one, 'status')).replace('_', ' ')})`,
    ),
    ...list('warning', fieldOf(fieldOf(environment, 'prerequisites'), 'warnings'), said),
  ]
}

function list(name: string, items: unknown, text: (item: unknown) => string): string[] {
  const all: unknown[] = Array.isArray(items) ? items : []
  const more = all.length - ITEMS_SHOWN
  return [
    ...all.slice(0, ITEMS_SHOWN).map((one, n) => row(n === 0 ? name : '', text(one))),
    ...(more > 0 ? [row('', `and ${more} more`)] : []),
  ]
}

function said(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? '–'), ITEM_SHOWN)
}

function nextLine(
  { for: command, file, prep_status: status }: NonNullable<RunResult['package']>,
  task: unknown,
): string {
  if (status !== 'ready')
    return 'say more in the task and prepare it again, or correct the package and set prep_status to "ready"'
  const original = fieldOf(task, 'original')
  const isShort = typeof original === 'string' && original.length <= TASK_SHOWN
  const words = isShort && oneLine(original) === original ? quoted(original) : '"<the same task>"'
  return `ratchet ${command} --prep ${quoted(file)} ${words}`
}

/** One word for a shell. */
function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
