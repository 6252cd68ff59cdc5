// Reads the PHASE_RESULT block of an agent's answer, and its PHASE_DETAILS.
//
// A block without a status is invalid: a prompt asks for it again. An unknown status is `unknown`,
// never success; success with blockers or with requirements that are not met is only partial. The
// details only add to the block, and never remove anything.
import { CYCLE_ROLES } from '../../../contract/dev-cycle/cycle-state.js'
import { PHASES, type Phase } from '../../../contract/dev-cycle/discovery.js'
import {
  bare,
  count,
  fraction,
  isNone,
  isReserved,
  isSample,
  isUnread,
  items,
  percent,
  statusIn,
  yesNo,
} from '../../answers/agent-values.js'
import { isGradedHigh } from '../../answers/severity.js'
import { taskEntry } from '../../answers/named-tasks.js'
import { jsonObjects, type JsonObject } from '../../answers/fenced-json.js'
import { fieldOf } from '../../text/field-of.js'
import { jsonOf } from '../../text/json.js'
import { oneLine } from '../../text/one-line.js'
import {
  countOf,
  listOf,
  percentOf,
  resultBlocks,
  textOf,
  type ResultBlock,
} from '../../answers/result-block.js'
import { keptItems } from '../kept-items.js'
import {
  ITEM_CHARS,
  ITEMS_KEPT,
  PLAN_TASKS_TRACKED,
  type AskedDecision,
  type Claimed,
} from '../../../contract/dev-cycle/phase-reading.js'

/** Longest summary, in characters. */
export const SUMMARY_CHARS = 500
/**
 * Most decisions that are looked at, and that are kept with so many options of so many characters.
 */
const DECISIONS_READ = 50
const ENTRIES_READ = 200
const DECISIONS_KEPT = 5
const OPTIONS_KEPT = 6
const OPTION_CHARS = 100
/** Longest word that is quoted because it cannot be read, in characters. */
const WORD_CHARS = 50
/** Why a task needs no change, where there are more of them than items travel of another list. */
const WHY_SHORT = 80

export type PhaseStatus = 'success' | 'partial' | 'failed' | 'unknown'

/** Lists are bounded, one line an entry. */
export type PhaseBlock = {
  status: PhaseStatus
  summary: string
  issues: string[]
  blockers: string[]
  /** What the agent finds missing or wrong in the plan. */
  planIssues: string[]
  decisions: AskedDecision[]
  /** CD only: entries that name tasks. */
  tasksNamed?: string[]
  /** CD only. */
  noChange?: { id: string; why: string }[]
  /** CD only: changed files, as it says. */
  filesChanged?: number
  /** VAS only. */
  claimed?: Claimed
  /** What cannot be read in it, in one sentence. */
  unread?: string
}

const DETAILS = [
  'issues',
  'findings',
  'blockers',
  'plan_issues',
  'decisions',
  'failed_tests',
  'removed_tests',
  'test_pass_rate',
  'coverage',
  'requirements_met',
  'critical_issues',
  'ready_for_production',
  'tasks_completed',
  'no_change',
] as const
const KEYS = [
  ...DETAILS,
  'phase',
  'status',
  'summary',
  'files_written',
  'version',
  'plan_version',
  'files_modified',
  'files_changed',
  'archived',
  'requirements_count',
  'edge_cases_count',
  'new_items',
  'task_count',
  'critical_path_length',
  'tests_passing',
  'debug_cycles',
]

const WORDS: readonly (readonly [PhaseStatus, RegExp])[] = [
  [
    'partial',
    /^(?:partial|partially|incomplete|in_progress|needs_\w+|(?:success|completed?|done|pass|passed)_with_(?:\w+_)?(?:issues?|warnings?|errors?|problems?|failures?))$/,
  ],
  [
    'success',
    /^(?:success|successful|successfully|succeeded|complete|completed|done|ok|okay|pass|passed|finished|implemented)$/,
  ],
  ['failed', /^(?:fail|failed|failure|error|errored|blocked)$/],
]

/**
 * The last block of the phase that has a status; `problem` is what a prompt says that asks for it
 * again.
 */
export function readPhaseBlock(
  text: string,
  phase: Phase,
): { ok: true; block: PhaseBlock } | { ok: false; problem: string } {
  const blocks = resultBlocks(text, 'PHASE_RESULT', KEYS)
  const own = blocks.filter((block) => (phaseOf(block) ?? phase) === phase)
  const last = own.findLast((block) => textOf(block, 'status') !== undefined)
  if (last !== undefined) return { ok: true, block: phaseBlock(last, phase) }
  const other = blocks.findLast((block) => !own.includes(block))
  if (blocks.length === 0)
    return { ok: false, problem: 'there is no PHASE_RESULT block in the answer' }
  if (own.length === 0 && other !== undefined)
    return {
      ok: false,
      problem: `the PHASE_RESULT block is that of "${phaseOf(other) ?? ''}", not of "${phase}"`,
    }
  return {
    ok: false,
    problem: 'the PHASE_RESULT block has no status: it is only the sample, or not filled in',
  }
}

function phaseBlock(block: ResultBlock, phase: Phase): PhaseBlock {
  const details = detailsIn(block.rest)
  const both = (key: string): string[] =>
    keptItems([...(listOf(block, key) ?? []), ...items(fieldOf(details, key))])
  const blockers = both('blockers')
  const said = textOf(block, 'status') ?? ''
  const status = statusOf(said)
  const isTakenBack = status === 'success' && isReserved(said)
  const quoted = `status ${JSON.stringify(oneLine(said, WORD_CHARS))}`
  const unmet = phase === 'vas' ? unmetIn(block, details) : undefined
  const ready = phase === 'vas' ? readyIn(block, details) : undefined
  const summary = oneLine(
    // The words themselves say more than how they are read.
    [
      status === 'unknown' || isTakenBack ? quoted : undefined,
      isUnread(ready) ? quotedReady(ready) : undefined,
      unmet,
      textOf(block, 'summary'),
    ]
      .filter((one) => one !== undefined && one !== '')
      .join('; '),
    SUMMARY_CHARS,
  )
  const unread =
    status === 'unknown'
      ? `the ${quoted} is none of success, partial, failed`
      : isTakenBack
        ? `the ${quoted} can be read as success and as partial: give one word, and what is open in issues`
        : isUnread(ready)
          ? `${quotedReady(ready)}: give true or false`
          : undefined
  const filesChanged =
    phase === 'cd'
      ? Math.max(countOf(block, 'files_modified') ?? 0, countOf(block, 'files_changed') ?? 0)
      : 0
  return {
    status:
      status === 'success' && (isTakenBack || blockers.length > 0 || unmet !== undefined)
        ? 'partial'
        : status,
    summary,
    // `findings` is the word of the other form: here it may be of facts.
    issues: keptItems([
      ...both('issues'),
      ...(phase === 'vas' ? both('findings').filter((text) => isGradedHigh(text)) : []),
    ]),
    blockers,
    planIssues: both('plan_issues'),
    decisions: decisionsOf(block, details),
    ...(phase === 'cd' ? tasksIn(block, details) : {}),
    ...(filesChanged === 0 ? {} : { filesChanged }),
    ...(unread === undefined ? {} : { unread }),
    ...(phase === 'vas'
      ? {
          claimed: claimedBy(block, details, {
            failedTests: both('failed_tests'),
            removedTests: both('removed_tests'),
          }),
        }
      : {}),
  }
}

// "tasks_completed: 2" is a count. A list names tasks, and so does what is more than a number.
function tasksIn(
  block: ResultBlock,
  details: JsonObject | undefined,
): Pick<PhaseBlock, 'tasksNamed' | 'noChange'> {
  const said = [
    textOf(block, 'tasks_completed') ?? '',
    ...asList(fieldOf(details, 'tasks_completed')).map((one) => taskEntry(one) ?? ''),
  ]
  const objects = jsonOf(said[0] ?? '')
  const isCount = (text: string): boolean =>
    /^\d+(?:\s*(?:\/|of|out of)\s*\d+)?(?:\s+tasks?)?\.?$/i.test(bare(text))
  const named = [
    ...(isCount(said[0] ?? '')
      ? []
      : Array.isArray(objects)
        ? asList(objects).map((one) => taskEntry(one) ?? '')
        : (listOf(block, 'tasks_completed') ?? [])),
    ...said.slice(1),
  ].filter((text) => text !== '' && !isSample(text))
  const noChange = [
    ...(listOf(block, 'no_change') ?? []),
    ...asList(fieldOf(details, 'no_change')),
  ].flatMap((one) => unchanged(one))
  return {
    ...(named.length === 0 ? {} : { tasksNamed: keptItems(named, PLAN_TASKS_TRACKED) }),
    ...(noChange.length === 0
      ? {}
      : {
          noChange: noChange.slice(0, PLAN_TASKS_TRACKED).map(({ id, why }) => ({
            id,
            why: noChange.length > ITEMS_KEPT ? oneLine(why, WHY_SHORT) : why,
          })),
        }),
  }
}

function unchanged(entry: unknown): { id: string; why: string }[] {
  const [, said = '', because = '', dashed = ''] =
    typeof entry === 'string'
      ? (/^\s*([\w.-]{1,60})\s*(?:[:(–—]\s*(.*?)\)?|\s-\s+(.*))?$/.exec(
          oneLine(entry, ITEM_CHARS),
        ) ?? [])
      : []
  const id = typeof entry === 'string' ? said : wordIn(entry, ['id', 'task', 'task_id'])
  const why =
    typeof entry === 'string'
      ? because || dashed
      : wordIn(entry, ['why', 'reason', 'because', 'description'])
  return id === '' || isSample(id) || isNone(id)
    ? []
    : [{ id: oneLine(id, 60), why: oneLine(why, ITEM_CHARS) }]
}

function wordIn(entry: unknown, keys: readonly string[]): string {
  const value = keys
    .map((key) => fieldOf(entry, key))
    .find((one) => typeof one === 'string' || typeof one === 'number')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]).slice(0, ENTRIES_READ) : []
}

function claimedBy(
  block: ResultBlock,
  details: JsonObject | undefined,
  { failedTests, removedTests }: { failedTests: string[]; removedTests: string[] },
): Claimed {
  const ready = readyIn(block, details)
  const met = countOf(block, 'requirements_met') ?? count(fieldOf(details, 'requirements_met'))
  return {
    passRate:
      percentOf(block, 'test_pass_rate') ??
      percent(fieldOf(details, 'test_pass_rate')) ??
      percentOf(block, 'tests_passing'),
    coverage: percentOf(block, 'coverage') ?? percent(fieldOf(details, 'coverage')),
    failedTests,
    ...(removedTests.length === 0 ? {} : { removedTests }),
    requirementsMet: met,
    criticalIssues:
      countOf(block, 'critical_issues') ?? count(fieldOf(details, 'critical_issues')) ?? null,
    // In words that cannot be read it is not ready.
    ready: isUnread(ready) ? false : (yesNo(ready) ?? null),
  }
}

// "3/5" and "FR: 3/5", in one sentence; "3 (iteration 1 of 5)" is no share. Without a whole all are
// met.
function unmetIn(block: ResultBlock, details: JsonObject | undefined): string | undefined {
  const said = textOf(block, 'requirements_met') ?? fieldOf(details, 'requirements_met')
  const text = typeof said === 'string' ? bare(said) : ''
  const share = /^(?!iteration|step)[\p{L}\s:]*\d+\s*(?:\/|of|out of)\s*\d/iu.test(text)
  const { part, whole } = (share ? fraction(text) : undefined) ?? { part: 0, whole: 0 }
  return part < whole ? `${part} of ${whole} requirements are met` : undefined
}

function readyIn(block: ResultBlock, details: JsonObject | undefined): unknown {
  return textOf(block, 'ready_for_production') ?? fieldOf(details, 'ready_for_production')
}

function quotedReady(said: string): string {
  return `ready_for_production is ${JSON.stringify(oneLine(said, WORD_CHARS))}`
}

function statusOf(said: string): PhaseStatus {
  return statusIn(said, WORDS) ?? 'unknown'
}

function phaseOf(block: ResultBlock): Phase | undefined {
  const said = (textOf(block, 'phase') ?? '').toLowerCase()
  const role = said.replace(/[\s_]+/g, '-')
  return PHASES.find(
    (phase) => new RegExp(`^${phase}\\b`).test(said) || role.startsWith(CYCLE_ROLES[phase]),
  )
}

// The first object behind the block that has a key of the details; one that cannot be read is none.
function detailsIn(rest: string): JsonObject | undefined {
  const objects = jsonObjects(rest).objects.map((object) => {
    const inner = fieldOf(object, 'PHASE_DETAILS')
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? (inner as JsonObject)
      : object
  })
  return objects.findLast((object) => DETAILS.some((key) => Object.hasOwn(object, key)))
}

function decisionsOf(block: ResultBlock, details: JsonObject | undefined): AskedDecision[] {
  const raw = fieldOf(details, 'decisions')
  const asked = [
    ...(listOf(block, 'decisions') ?? []),
    ...(Array.isArray(raw) ? (raw as unknown[]) : []),
  ]
    .slice(0, DECISIONS_READ)
    .flatMap((one): AskedDecision[] => {
      const [description] = keptItems(items([one]))
      if (description === undefined || typeof one === 'number') return []
      const recommended = fieldOf(one, 'recommended')
      const word = typeof recommended === 'string' ? optionsIn([recommended])[0] : undefined
      return [
        {
          description,
          options: optionsIn(fieldOf(one, 'options')),
          ...(word === undefined || isSample(word) ? {} : { recommended: word }),
        },
      ]
    })
  return asked
    .filter((one, i) => asked.findIndex((other) => other.description === one.description) === i)
    .slice(0, DECISIONS_KEPT)
}

function optionsIn(value: unknown): string[] {
  return keptItems(
    items(value).map((option) => oneLine(option, OPTION_CHARS)),
    OPTIONS_KEPT,
  )
}
