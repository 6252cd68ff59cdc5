// Reads the answer of a worker: its WORKER_RESULT block, the DETAILED_OUTPUT after it, and its
// questions.
//
// The last valid block of its own action counts; an echoed sample has no status. An unknown status
// is `unknown`, never success; success with blockers is only partial. A worker that asks instead of
// answering needs no block.
import { LOOP_ACTIONS, type LoopAction } from '../../../contract/dev-loop/loop-input.js'
import {
  WORKER_ITEM_CHARS,
  WORKER_ITEMS,
  type WorkerReading,
  type WorkerStatus,
} from '../../../contract/dev-loop/action-reading.js'
import { isNone, isReserved, isSample, statusIn } from '../../answers/agent-values.js'
import { keptItems } from '../../dev-cycle/kept-items.js'
import { SUMMARY_CHARS } from '../../dev-cycle/answers/phase-block.js'
import { isUnclear } from '../../answers/no-issue.js'
import { gradeProblem, isUngraded } from '../../answers/severity.js'
import { oneLine } from '../../text/one-line.js'
import { headingOf, resultBlocks, textOf, type ResultBlock } from '../../answers/result-block.js'
import { firstChars, plainText, textWithin } from '../../text/test-text.js'
import { readQuestions } from './clarification.js'
import { jsonBlocks } from './json-block.js'
import { detailsOf, saidIn } from './action-details.js'
import { EXTRA_KEYS, extrasOf } from './action-extras.js'
import { workerForm } from '../prompts/action-form.js'
import { namesBlocked, type Titles } from './task-claims.js'

/** Most of a DETAILED_OUTPUT that is kept, in bytes of UTF-8. */
export const DETAIL_BYTES = 64_000

const KEYS = [
  'action',
  'status',
  'summary',
  'files_changed',
  'next_suggestion',
  'loop_back_to',
  'blockers',
  ...EXTRA_KEYS,
]
const DETAILS = /^[\s#*_`>-]{0,20}DETAILED_OUTPUT[*_`]*\s{0,3}(?::[*_`]*\s*(.*)|$)/
const isHeading = headingOf('WORKER_RESULT')

const WORDS: readonly (readonly [WorkerStatus | 'blocked', RegExp])[] = [
  [
    'needs_input',
    /^(?:needs?_(?:more_)?(?:input|info|information|clarification)|blocked_on_(?:input|info|clarification)|(?:waiting|awaiting)(?:_for)?_(?:input|clarification|answers?)|clarification_needed)$/,
  ],
  [
    'partial',
    /^(?:partial|partially|incomplete|inconclusive|in_progress|skipped|(?:success|completed?|done|pass|passed)_with_(?:\w+_)?(?:issues?|warnings?|errors?|problems?|failures?))$/,
  ],
  [
    'success',
    /^(?:success|successful|successfully|succeeded|complete|completed|done|ok|okay|pass|passed|finished|fixed|resolved|solved|implemented|no_changes?(?:_\w+)?|nothing_to_\w+)$/,
  ],
  ['failed', /^(?:fail|failed|failure|error|errored|needs_fix|needs_fixes|needs_fixing)$/],
  ['blocked', /^blocked$/],
]

/**
 * The reading of an answer, bounded; `problem` and `form` are for one retry prompt. Never throws.
 *
 * @param titles of the loop's tasks, by id, where they are known
 */
export function readWorker(
  text: string,
  action: LoopAction,
  titles?: Titles,
): Omit<WorkerReading, 'kind'> {
  const questions = readQuestions(text)
  const blocks = blocksIn(text)
  const block = lastOf(blocks, action)
  if (block !== undefined) return reading(block, text, { action, asked: questions, titles })
  const asks = questions.length > 0
  return {
    action,
    status: asks ? 'needs_input' : 'unknown',
    reported: '',
    summary: '',
    filesClaimed: [],
    next: null,
    questions,
    ...(asks ? {} : { problem: missing(blocks, action), form: workerForm(action) }),
  }
}

/**
 * Everything behind DETAILED_OUTPUT, or behind the block where there is none, at most
 * `DETAIL_BYTES`; empty where nothing is.
 */
export function detailedOutput(text: string, action?: LoopAction): string {
  const block = lastOf(blocksIn(text), action)
  const found = block === undefined ? behind(linesOf(text), 'last') : region(text, block).detailed
  const plain = plainText(
    (found ?? '').replace(/\n\s{0,20}(?:`{3,}|~{3,})\s*$/, (fence) =>
      fencesIn(found ?? '') % 2 === 1 ? '' : fence,
    ),
  ).trim()
  if (isSample(plain.split('\n')[0] ?? '')) return ''
  return textWithin(firstChars(plain, DETAIL_BYTES), DETAIL_BYTES, firstChars)
}

function reading(
  block: ResultBlock,
  text: string,
  {
    action,
    asked,
    titles,
  }: { action: LoopAction; asked: WorkerReading['questions']; titles: Titles | undefined },
): Omit<WorkerReading, 'kind'> {
  const details = detailsOf(block, region(text, block).evidence)
  const reported = oneLine(textOf(block, 'status') ?? '', WORKER_ITEM_CHARS)
  const word = statusIn(reported, WORDS) ?? 'unknown'
  const isTakenBack = word === 'success' && isReserved(reported)
  const said = isTakenBack ? 'partial' : word
  const quoted = `status ${JSON.stringify(oneLine(reported, 50))}`
  const hindered =
    said === 'success' && (saidIn(details, 'blockers').length > 0 || namesBlocked(details))
  // A worker that reports success asks nothing, even if it quotes a question.
  const questions = said === 'success' ? [] : asked
  const status =
    questions.length > 0
      ? 'needs_input'
      : said === 'blocked'
        ? 'failed'
        : hindered
          ? 'partial'
          : said
  const files = saidIn(details, 'files_changed').filter((file) => !/^\d+(?: files?)?$/.test(file))
  const next = textOf(block, 'next_suggestion') ?? ''
  const loopBack = loopBackIn(textOf(block, 'loop_back_to') ?? '')
  const extras = extrasOf(action, details, titles)
  const problem =
    status === 'needs_input' && questions.length === 0
      ? 'it asks for input but names no question'
      : status === 'unknown'
        ? `the ${quoted} is none of success, partial, failed, needs_input`
        : isTakenBack && questions.length === 0
          ? `the ${quoted} can be read as success and as partial: give one word, and what is open in findings or blockers`
          : (unclear([...(extras.findings ?? []), ...saidIn(details, 'blockers')]) ??
            ungraded(extras.findings ?? []))
  return {
    action,
    status,
    reported,
    ...(said === 'blocked' && questions.length === 0 ? { blocked: true } : {}),
    summary: oneLine(
      // The word itself says more than how it is read.
      [isTakenBack ? quoted : '', textOf(block, 'summary') ?? '']
        .filter((one) => one !== '')
        .join('; '),
      SUMMARY_CHARS,
    ),
    filesClaimed: keptItems(files, WORKER_ITEMS),
    next: isNone(next) || isSample(next) ? null : oneLine(next, WORKER_ITEM_CHARS),
    loopBack,
    questions,
    ...extras,
    ...(problem === undefined ? {} : { problem, form: workerForm(action) }),
  }
}

function unclear(entries: readonly string[]): string | undefined {
  const entry = entries.find((text) => isUnclear(text))
  return entry === undefined
    ? undefined
    : `${JSON.stringify(entry)} can be read as a finding and as none: give findings and blockers as lists, one entry each, and [] for none`
}

function ungraded(findings: readonly string[]): string | undefined {
  const finding = findings.find((text) => isUngraded(text))
  return finding === undefined ? undefined : gradeProblem(finding, 'finding')
}

function missing(blocks: readonly ResultBlock[], action: LoopAction): string {
  if (blocks.length === 0) return 'there is no WORKER_RESULT block in the answer'
  const other = blocks.findLast(
    (block) => (actionIn(textOf(block, 'action') ?? '') ?? action) !== action,
  )
  if (other !== undefined && blocks.every((block) => block === other || !isOf(block, action)))
    return `the WORKER_RESULT block is that of "${actionIn(textOf(other, 'action') ?? '') ?? ''}", not of "${action}"`
  return 'the WORKER_RESULT block has no status: it is only the sample, or not filled in'
}

function blocksIn(text: string): ResultBlock[] {
  const blocks = resultBlocks(text, 'WORKER_RESULT', KEYS, (line) => DETAILS.test(line))
  return blocks.some((block) => block.fields.has('status'))
    ? blocks
    : [...blocks, ...jsonBlocks(text)]
}

function lastOf(
  blocks: readonly ResultBlock[],
  action: LoopAction | undefined,
): ResultBlock | undefined {
  return blocks.findLast(
    (block) =>
      textOf(block, 'status') !== undefined && (action === undefined || isOf(block, action)),
  )
}

function isOf(block: ResultBlock, action: LoopAction): boolean {
  return (actionIn(textOf(block, 'action') ?? '') ?? action) === action
}

// `evidence`: what belongs to the block. Details may stand before it, but then before every block.
function region(text: string, block: ResultBlock): { detailed: string; evidence: string } {
  const after = behind(block.rest.split('\n'), 'first')
  if (after !== undefined) return { detailed: after, evidence: block.rest }
  const lines = linesOf(text)
  const before = behind(lines.slice(0, Math.max(0, lines.findIndex(isHeading))), 'last')
  return before === undefined
    ? { detailed: block.rest, evidence: block.rest }
    : { detailed: before, evidence: `${before}\n${block.rest}` }
}

function behind(lines: readonly string[], which: 'first' | 'last'): string | undefined {
  const is = (line: string): boolean => DETAILS.test(line.slice(0, 200))
  const at = which === 'first' ? lines.findIndex(is) : lines.findLastIndex(is)
  return at < 0
    ? undefined
    : [DETAILS.exec(lines[at] ?? '')?.[1] ?? '', ...lines.slice(at + 1)].join('\n')
}

function linesOf(text: string): string[] {
  return text.replace(/\r\n?/g, '\n').split('\n')
}

function fencesIn(text: string): number {
  return text.split('\n').filter((line) => /^\s{0,20}(?:`{3,}|~{3,})/.test(line)).length
}

// "develop", "the debug worker", "validation": an action by its stem.
function actionIn(said: string): LoopAction | undefined {
  const word =
    /[a-z]+/.exec(
      said.toLowerCase().replace(/^(?:[^a-z]|(?:go|loop|back|return|to|the)\b)*/, ''),
    )?.[0] ?? ''
  return LOOP_ACTIONS.find((action) => word.startsWith(action.slice(0, 5)))
}

// "None" means none; an unknown target means develop.
function loopBackIn(text: string): WorkerReading['loopBack'] {
  const said = oneLine(text, WORKER_ITEM_CHARS)
  if (
    isNone(said) ||
    isSample(said) ||
    /^(?:none|null|nil|no|not|n\/?a|nothing|never|false|undefined)\b/i.test(said)
  )
    return undefined
  return { to: actionIn(said) ?? 'develop', said }
}
