// What each worker adds to its block: tasks, findings, a root cause, counts, a suggested commit.
// Nothing here is needed: a worker that prints only the block is read too.
import type { LoopAction } from '../../../contract/dev-loop/loop-input.js'
import {
  TASKS_KEPT,
  WORKER_ITEM_CHARS,
  WORKER_ITEMS,
  type NoChange,
  type WorkerClaim,
  type WorkerReading,
} from '../../../contract/dev-loop/action-reading.js'
import {
  bare,
  count,
  fraction,
  isNone,
  isSample,
  percent,
  sentence,
} from '../../answers/agent-values.js'
import { keptItems } from '../../dev-cycle/kept-items.js'
import { oneLine } from '../../text/one-line.js'
import { percentOf, resultBlocks, textOf } from '../../answers/result-block.js'
import { shortList } from '../../test-fix/test-fix-view.js'
import { firstChars, plainText } from '../../text/test-text.js'
import { breakdown } from './breakdown.js'
import {
  detail,
  detailList,
  saidIn,
  sectionOf,
  textIn,
  valueIn,
  type Details,
} from './action-details.js'
import { defined } from '../../text/defined.js'

/** Longest suggested commit message, in characters. */
export const MESSAGE_CHARS = 2_000
/** Task ids that are kept, and entries of a list that are looked at. */
const IDS_KEPT = 50
const ENTRIES_READ = 200

/** Keys of a block besides those of every worker. */
export const EXTRA_KEYS = [
  'tasks_completed',
  'completed_tasks',
  'tasks_remaining',
  'pending_tasks',
  'no_change',
  'findings',
  'root_cause',
  'failures',
  'failed_tests',
  'removed_tests',
  'test_results',
  'tests',
  'tests_passing',
  'coverage',
  'recommendations',
  'branch_strategy',
  'ready_for_pr',
  'metrics',
  'tasks_blocked',
  'blocked_tasks',
]

type Extras = Partial<
  Pick<
    WorkerReading,
    | 'tasks'
    | 'tasksCompleted'
    | 'tasksRemaining'
    | 'noChange'
    | 'findings'
    | 'rootCause'
    | 'claimed'
    | 'removedTests'
    | 'suggestion'
    | 'recommendations'
  >
>

/** What the worker of this action adds; keys it says nothing about are missing. */
export function extrasOf(action: LoopAction, details: Details): Extras {
  if (action === 'init') return defined({ tasks: breakdown(details) })
  if (action === 'develop')
    return defined({
      tasksCompleted: ids(details, ['tasks_completed', 'completed_tasks']),
      tasksRemaining: ids(details, ['tasks_remaining', 'remaining_tasks', 'pending_tasks']),
      noChange: unchanged(details),
    })
  if (action === 'debug') return diagnosis(details)
  if (action === 'validate')
    return defined({
      claimed: claimedBy(details),
      findings: failuresIn(details),
      removedTests: removedIn(details),
    })
  return defined({
    suggestion: suggestionIn(details),
    recommendations: detailList(details, ['recommendations']),
  })
}

/**
 * What to ask a develop again that says it is done, and names none of the tasks that it was given.
 */
export function namingProblem(
  {
    status,
    tasksCompleted = [],
    tasksRemaining = [],
    noChange = [],
  }: Pick<WorkerReading, 'status' | 'tasksCompleted' | 'tasksRemaining' | 'noChange'>,
  given: readonly string[],
): string | undefined {
  const named = new Set([...tasksCompleted, ...tasksRemaining, ...noChange.map(({ id }) => id)])
  if (status !== 'success' || given.length === 0 || given.some((id) => named.has(id)))
    return undefined
  return `tasks_completed names none of the tasks: give the ids of those that are done, as [${shortList([...given], given.length, 3)}], or no_change with a reason`
}

/** Whether the worker names a task that it could not do. */
export function namesBlocked(details: Details): boolean {
  const inTasks = ['tasks_remaining', 'remaining_tasks', 'pending_tasks', 'tasks'].some((name) => {
    const value = detail(details, [name])
    return (
      Array.isArray(value) &&
      value
        .slice(0, ENTRIES_READ)
        .some(
          (one: unknown) => textIn(one, 'status', WORKER_ITEM_CHARS)?.toLowerCase() === 'blocked',
        )
    )
  })
  return (
    inTasks || [...saidIn(details, 'tasks_blocked'), ...saidIn(details, 'blocked_tasks')].length > 0
  )
}

// `tasks_completed: 2` is a count, and names none.
function ids(details: Details, names: readonly string[]): string[] | undefined {
  const value = detail(details, names)
  const said = Array.isArray(value)
    ? value
        .slice(0, ENTRIES_READ)
        .map((one: unknown) => (typeof one === 'number' ? `T${one}` : (sentence(one) ?? '')))
    : typeof value === 'string'
      ? [value]
      : names.flatMap((name) => textOf(details.block, name) ?? [])
  const found = said.flatMap((one) =>
    [...oneLine(one, WORKER_ITEM_CHARS).matchAll(/\bT-?0*(\d{1,4})\b/gi)].map(
      ([, number = '']) => `T${number}`,
    ),
  )
  if (found.length === 0 && value === undefined && detailList(details, names) === undefined)
    return undefined
  return [...new Set(found)].slice(0, IDS_KEPT)
}

// Tasks that need no change: `[{ "id": "T2", "why": "…" }]`, or `T2: …` in words. One without a
// reason is none.
function unchanged(details: Details): NoChange[] | undefined {
  const value = detail(details, ['no_change'])
  const list: readonly unknown[] = Array.isArray(value)
    ? value.slice(0, ENTRIES_READ)
    : value === undefined
      ? (detailList(details, ['no_change']) ?? [])
      : [value]
  const found = list.flatMap((one): NoChange[] => {
    const text =
      typeof one === 'string'
        ? one
        : `${textIn(one, 'id', WORKER_ITEM_CHARS) ?? ''}: ${['why', 'reason'].map((key) => textIn(one, key, WORKER_ITEM_CHARS)).find((said) => said !== undefined) ?? ''}`
    const [, id = '', why = ''] =
      /^\W{0,5}T-?0*(\d{1,4})\b\W{0,8}(.*)$/i.exec(oneLine(text, WORKER_ITEM_CHARS)) ?? []
    return id === '' || isNone(why) || isSample(why) ? [] : [{ id: `T${id}`, why }]
  })
  return found.length === 0 ? undefined : found.slice(0, TASKS_KEPT)
}

function diagnosis(details: Details): Extras {
  const cause = causeIn(details)
  const findings =
    detailList(details, ['findings'], described) ??
    confirmed(details) ??
    (cause === undefined ? undefined : [cause])
  return defined({ rootCause: cause, findings })
}

function causeIn(details: Details): string | undefined {
  const names = ['root_cause', 'ROOT_CAUSE_ANALYSIS']
  const value = detail(details, names)
  const said = value ?? sectionOf(details, names) ?? textOf(details.block, 'root_cause')
  const inside = ['hypothesis', 'root_cause', 'cause', 'description', 'summary']
  if (typeof said === 'object' && said !== null)
    return inside
      .map((key) => textIn(said, key, WORKER_ITEM_CHARS))
      .find((one) => one !== undefined)
  if (typeof said !== 'string') return undefined
  const field =
    /^\s*(?:[-*+•]\s+)?[*_`]*(?:hypothesis|root[ _]cause|cause)[*_`]*\s*:[*_`]*\s*(.+)$/im.exec(
      said,
    )?.[1]
  const line = bare(oneLine(field ?? said.split('\n')[0] ?? '', WORKER_ITEM_CHARS))
  return isNone(line) || isSample(line) ? undefined : line
}

// The hypotheses that hold; `undefined` where none does.
function confirmed(details: Details): string[] | undefined {
  const value = detail(details, ['hypotheses', 'confirmed_hypotheses', 'confirmed_hypothesis'])
  const holds = (Array.isArray(value) ? value : [value])
    .slice(0, ENTRIES_READ)
    .filter((one: unknown) => {
      const verdict = ['status', 'verdict', 'result']
        .map((key) => textIn(one, key, WORKER_ITEM_CHARS)?.toLowerCase())
        .find((said) => said !== undefined)
      return verdict === undefined
        ? textIn(one, 'confidence', WORKER_ITEM_CHARS)?.toLowerCase() === 'high'
        : /^(?:confirmed|proven|true|holds)\b/.test(verdict)
    })
  const said = keptItems(
    holds.flatMap((one) => sentence(one) ?? []).filter((one) => !isNone(one) && !isSample(one)),
    WORKER_ITEMS,
  )
  return said.length === 0 ? undefined : said
}

function claimedBy(details: Details): WorkerClaim | undefined {
  const value = detail(details, ['TEST_RESULTS', 'tests'])
  const summary =
    valueIn(detail(details, ['summary']), 'passed') === undefined
      ? undefined
      : detail(details, ['summary'])
  const counts = typeof value === 'object' ? value : summary
  const said =
    typeof value === 'string'
      ? value
      : (sectionOf(details, ['TEST_RESULTS']) ??
        ['tests_passing', 'test_results', 'tests']
          .map((key) => textOf(details.block, key))
          .find((one) => one !== undefined) ??
        '')
  const shares = fraction(said)
  const inWords = (word: string): number | undefined =>
    count(
      new RegExp(
        `(?<![\\d.])(\\d{1,9})\\s+(?:tests?\\s+)?${word}|\\b${word}\\b[*_\`"]*\\s*:[*_\`]*\\s*(\\d{1,9})(?![\\d./])`,
        'i',
      )
        .exec(said)
        ?.slice(1)
        .find((one) => (one as string | undefined) !== undefined),
    )
  const claim = {
    passed: count(valueIn(counts, 'passed')) ?? inWords('passed') ?? shares?.part ?? null,
    failed: count(valueIn(counts, 'failed')) ?? inWords('failed') ?? null,
    total: count(valueIn(counts, 'total')) ?? inWords('total') ?? shares?.whole ?? null,
    coverage:
      percent(coverageIn(details) ?? valueIn(counts, 'coverage')) ??
      percentOf(details.block, 'coverage') ??
      percent(sectionOf(details, ['coverage'])?.split('\n')[0]),
  }
  return Object.values(claim).every((one) => one === null) ? undefined : claim
}

// A number, or one of the shares that a coverage report has.
function coverageIn(details: Details): unknown {
  const value = detail(details, ['coverage'])
  return typeof value === 'object'
    ? ['lines', 'line', 'total', 'statements', 'percent']
        .map((key) => valueIn(value, key))
        .find((one) => one !== undefined)
    : value
}

function removedIn(details: Details): string[] | undefined {
  const said = detailList(details, ['removed_tests']) ?? []
  return said.length === 0 ? undefined : keptItems(said, WORKER_ITEMS)
}

function failuresIn(details: Details): string[] | undefined {
  const lists = [['failures'], ['findings'], ['failed_tests']].map((names) =>
    detailList(details, names, described),
  )
  return lists.every((one) => one === undefined)
    ? undefined
    : keptItems(
        lists.flatMap((one) => one ?? []),
        WORKER_ITEMS,
      )
}

// One sentence of a failure: the test, what it says, and where.
function described(entry: unknown): unknown {
  const text = (key: string): string | undefined => textIn(entry, key, WORKER_ITEM_CHARS)
  const [test, error, location] = [text('test'), text('error'), text('location')]
  if (test === undefined && error === undefined) return entry
  return `${[test, error].filter((one) => one !== undefined).join(': ')}${location === undefined ? '' : ` (${location})`}`
}

function suggestionIn(details: Details): WorkerReading['suggestion'] {
  const names = ['COMMIT_SUGGESTION']
  const value = detail(details, names)
  const text = value === undefined ? sectionOf(details, names) : undefined
  const [fields] =
    text === undefined
      ? []
      : resultBlocks(`COMMIT_SUGGESTION:\n${text}`, 'COMMIT_SUGGESTION', [
          'message',
          'files',
          'branch_strategy',
          'ready_for_pr',
        ])
  const inField = fields?.fields.get('message')?.text
  const said =
    typeof value === 'string'
      ? value
      : (valueIn(value, 'message') ??
        valueIn(value, 'commit_message') ??
        inField ??
        (fields?.fields.has('branch_strategy') === true ? undefined : text))
  const message = typeof said === 'string' ? commitMessage(said) : undefined
  if (message === undefined) return undefined
  const branch =
    textIn(value, 'branch_strategy', WORKER_ITEM_CHARS) ??
    (fields === undefined ? undefined : textOf(fields, 'branch_strategy'))
  return {
    message,
    ...(branch === undefined ? {} : { branchStrategy: oneLine(branch, WORKER_ITEM_CHARS) }),
  }
}

/**
 * A message as git keeps it: LF, no control characters, no more than one blank line in a row;
 * `undefined` for none.
 */
function commitMessage(said: string): string | undefined {
  const lines = plainText(said.replace(/\r\n?|[\u2028\u2029]/g, '\n'))
    .split('\n')
    .filter((line) => !/^\s*(?:`{3,}|~{3,})/.test(line))
  const clean = lines.map((line) =>
    line
      .replace(/[\u0080-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
      .trimEnd(),
  )
  const message = bare(
    firstChars(
      clean
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      MESSAGE_CHARS,
    ),
  )
  return isNone(message) || isSample(message) ? undefined : message
}
