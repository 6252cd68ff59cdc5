// Decides whether a dev cycle or a dev loop is done. What was promised and is not shown to be done
// is an open item, and a run is completed only without open items. Convergence, outcome, exit code
// and report all use this rule.
import { ITEM_CHARS, ITEMS_KEPT } from '../../contract/dev-cycle/phase-reading.js'
import type { TestRun } from '../../contract/test-run.js'
import { textKey } from '../dev-cycle/documents/same-text.js'
import { oneLine } from '../text/one-line.js'
import { meantRemovals } from '../test-results/removed-tests.js'
import { firstSentence, flakyNames, flakyReason, shortList } from '../test-fix/test-fix-view.js'

export type OpenKind =
  | 'task'
  | 'no_commit'
  | 'not_measured'
  | 'test'
  | 'missing_test'
  | 'check'
  | 'coverage'
  | 'validation'
  | 'finding'
  | 'decision'
  | 'blocker'
export type OpenItem = { kind: OpenKind; text: string }

/**
 * A task of the plan or the loop. `done`: the developer named it, and a commit of the run covers
 * it. `no_change`: the developer says that it needs none. `lost`: the file whose merge dropped
 * everything that its commit changed. `claimed`: the developer names it, but committed nothing for
 * it.
 */
export type PromisedTask = {
  id: string
  text: string
  state: 'open' | 'done' | 'no_change'
  why?: string | undefined
  lost?: string | undefined
  claimed?: boolean | undefined
}

/**
 * The last validation by VAS or validate. `commit`: the commit that it checked. `null`: not
 * reported.
 */
export type Verdict = {
  commit: string
  status: 'success' | 'partial' | 'failed' | 'unknown'
  ready: boolean | null
  critical: number | null
  summary?: string
  /** Tests whose removal it calls meant. */ removed?: readonly string[] | undefined
  /** It refused the same commit before, in which iteration and why. */ refused?: {
    iteration: number
    why: string
  }
}

export type Evidence = {
  /** The description with its extensions: a test that it names is no longer known before. */
  description: string
  tasks: readonly PromisedTask[]
  /** The developer has named a task by its id in this run. */
  namesTasks: boolean
  /** Something was committed for the last task. */
  committed: boolean
  /** A person has confirmed the end. */
  confirmed?: boolean
  head: string
  run?: TestRun | undefined
  /** Why there is no run. */
  unmeasured?: string | undefined
  /** Tests that failed before the run count like any other. */
  requireGreen: boolean
  /** Sentences about checks of the project that got worse, and its line coverage in percent. */
  checks: readonly string[]
  coverage?: { before: number | null; now: number | null } | undefined
  /** Changed files whose code no test runs, if coverage was measured. */
  untested?: readonly string[] | undefined
  /** Tasks of the plan that are not tracked individually. */
  untracked?: number | undefined
  verdict?: Verdict | undefined
  /** Of severity medium or higher. */
  findings: readonly string[]
  /** `pending`: no decision yet. `untold`: the developer has had no turn since the decision. */
  decisions: readonly { id: string; text: string; state: 'pending' | 'untold' }[]
  blockers: readonly { id: string; text: string }[]
  /** What a person should know about a finished run and no agent can settle. */
  remarks?: readonly string[]
}

/**
 * `items`: what is open, the most certain first. `review`: why a person should look at a finished
 * run. `known`: one sentence about tests that failed before the run and still do. `removed`: tests
 * that were removed on purpose, and how many of them passed before the run.
 */
export type Open = {
  items: OpenItem[]
  review: string[]
  known?: string
  removed?: { total: number; passed: number }
}

/** The measurements. `removed`: tests whose removal the validation of this run calls intended. */
type Measure = Pick<Evidence, 'run' | 'requireGreen' | 'description' | 'checks' | 'coverage'> & {
  removed?: readonly string[]
}

/** Points of line coverage that a run may lose. */
const COVERAGE_POINTS = 1
/** Number of tests that are listed as items. */
const TESTS_NAMED = 10
/** Minimum length of a test title that a description can name. */
const TITLE_CHARS = 6

export function openItems(e: Evidence): Open {
  const agreed = agrees(e)
  const { known } = testItems({ ...e, removed: namedRemoved(e) })
  const { total, passed } = meantRemovals(e.run, namedRemoved(e))
  const items = [
    ...commitItem(e, agreed),
    ...e.findings.map((text): OpenItem => ({ kind: 'finding', text })),
    ...measuredIn(e),
    ...taskItems(e, agreed),
    ...verdictItems(e, agreed),
    ...e.decisions.map(({ id, text, state }): OpenItem => ({
      kind: 'decision',
      text: `${id} ${state === 'pending' ? 'is not decided' : 'is decided, but the developer has not seen it'}: ${text}`,
    })),
    ...e.blockers.map(({ id, text }): OpenItem => ({ kind: 'blocker', text: `${id}: ${text}` })),
  ]
  return {
    items: eachKindFirst(items).map(({ kind, text }) => ({
      kind,
      text: oneLine(text, ITEM_CHARS),
    })),
    review: reviewOf(e, agreed),
    known,
    ...(total === 0 ? {} : { removed: { total, passed } }),
  }
}

/** Returns one item of each kind, then the others, so that a short list covers every problem. */
function eachKindFirst(items: readonly OpenItem[]): OpenItem[] {
  const isFirst = (item: OpenItem): boolean => items.find(({ kind }) => kind === item.kind) === item
  return [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))]
}

/**
 * Returns what Ratchet measured compared with the state before the run: tests, checks and coverage.
 */
export function measuredItems(e: Measure): OpenItem[] {
  return [
    ...testItems(e).items,
    ...e.checks.map((text): OpenItem => ({ kind: 'check', text })),
    ...coverageItem(e),
  ]
}

/** A validation counts only for the commit that it checked. */
function namedRemoved({ verdict, head }: Evidence): readonly string[] {
  return verdict?.commit === head ? (verdict.removed ?? []) : []
}

/** Returns the measurements, with what the validation of the head says about them. */
export function measuredIn(e: Evidence): OpenItem[] {
  return measuredItems({ ...e, removed: namedRemoved(e) })
}

/** Whether VAS or validate accepts the head without reservation. */
function agrees({ verdict, head, findings }: Evidence): boolean {
  return (
    verdict !== undefined &&
    verdict.commit === head &&
    verdict.refused === undefined &&
    verdict.status === 'success' &&
    verdict.ready !== false &&
    (verdict.critical ?? 0) === 0 &&
    findings.length === 0
  )
}

// A count of finished tasks names none of them. Then a validation of the commit closes all tasks.
function closesAll({ namesTasks, committed, tasks }: Evidence, agreed: boolean): boolean {
  return !namesTasks && committed && agreed && tasks.some(({ state }) => state === 'open')
}

function taskItems(e: Evidence, agreed: boolean): OpenItem[] {
  if (closesAll(e, agreed)) return []
  return e.tasks.flatMap(({ id, text, state, lost, claimed }): OpenItem[] => {
    if (lost !== undefined)
      return [{ kind: 'task', text: `${id} was lost in the merge of ${lost}` }]
    if (state === 'done' || (state === 'no_change' && agreed)) return []
    if (state === 'open' && claimed === true)
      return [
        {
          kind: 'task',
          text: `${id} is named as done, but nothing was committed for it: do it, or give the reason in no_change`,
        },
      ]
    return [
      {
        kind: 'task',
        text:
          state === 'no_change'
            ? `${id} needs no change according to the developer, but no validation agrees`
            : `${id} is not done${text === '' ? '' : `: ${text}`}`,
      },
    ]
  })
}

function commitItem({ committed, tasks }: Evidence, agreed: boolean): OpenItem[] {
  if (
    committed ||
    (agreed &&
      tasks.some(({ state }) => state === 'no_change') &&
      tasks.every(({ state, lost }) => state !== 'open' && lost === undefined))
  )
    return []
  return [{ kind: 'no_commit', text: 'nothing was committed: no file of the project has changed' }]
}

function verdictItems({ verdict, head, findings }: Evidence, agreed: boolean): OpenItem[] {
  if (agreed) return []
  if (verdict === undefined)
    return [{ kind: 'validation', text: 'no validation has checked the work' }]
  if (verdict.commit !== head)
    return [
      {
        kind: 'validation',
        text: `the last validation checked ${verdict.commit.slice(0, 10)}, and the branch is at ${head.slice(0, 10)}`,
      },
    ]
  if (verdict.refused !== undefined)
    return [
      {
        kind: 'validation',
        text: `the validation refused this commit in iteration ${verdict.refused.iteration}, and nothing was committed since: ${verdict.refused.why}`,
      },
    ]
  const says = [
    ...(verdict.status === 'success' ? [] : [`its status is ${verdict.status}`]),
    ...(verdict.ready === false ? ['it is not ready'] : []),
    ...((verdict.critical ?? 0) > 0
      ? [`${verdict.critical} critical issue${verdict.critical === 1 ? '' : 's'}`]
      : []),
  ]
  // Findings explain the refusal.
  if (says.length === 0 || findings.length > 0) return []
  return [
    {
      kind: 'validation',
      text: `the validation does not agree: ${says.join(', ')}${verdict.summary === undefined || verdict.summary === '' ? '' : ` (${verdict.summary})`}`,
    },
  ]
}

function coverageItem({ coverage }: Pick<Evidence, 'coverage'>): OpenItem[] {
  const { before = null, now = null } = coverage ?? {}
  return before === null || now === null || before - now <= COVERAGE_POINTS
    ? []
    : [{ kind: 'coverage', text: `line coverage fell from ${before} % to ${now} %` }]
}

/** A project without tests has nothing to measure; a project whose tests do not run has. */
function testItems({
  run,
  requireGreen,
  description,
  removed = [],
}: Pick<Measure, 'run' | 'requireGreen' | 'description' | 'removed'>): {
  items: OpenItem[]
  known?: string
} {
  if (run === undefined) return { items: [] }
  if (run.kind !== 'measured')
    return {
      items: [
        {
          kind: 'not_measured',
          text: `${run.kind === 'not_started' ? 'the test suite did not start' : 'the tests could not be run'}: ${run.reason}`,
        },
      ],
    }
  const failing = run.total - run.passed
  const before = requireGreen ? undefined : run.comparison?.known
  const named = (before?.tests ?? []).filter((test) => names(description, test))
  const known = (before?.total ?? 0) - named.length
  const meant = meantRemovals(run, removed)
  const open = failing - known - meant.total
  const differently =
    before === undefined || before.differently === 0
      ? ''
      : `, ${before.differently} of them for another reason now`
  const said =
    known <= 0
      ? {}
      : {
          known: `${known} test${known === 1 ? '' : 's'} failed before the run and still ${known === 1 ? 'does' : 'do'}${differently}: ${shortList(
            (before?.tests ?? []).filter((test) => !named.includes(test)),
            known,
            3,
          )}`,
        }
  if (open <= 0)
    return {
      items:
        run.passed > 0 || known > 0
          ? []
          : [{ kind: 'not_measured', text: 'the suite ran no test that passes' }],
      ...said,
    }
  const isKnown = new Set((before?.tests ?? []).filter((test) => !named.includes(test)))
  const shown = run.failures
    .filter(
      ({ file, test, missing }) =>
        !(missing === true && meant.is({ file, test })) &&
        !isKnown.has(file === '' ? test : `${file} > ${test}`),
    )
    .slice(0, TESTS_NAMED)
  const items = shown.map(({ file, test, error, missing }): OpenItem => ({
    kind: missing === true ? 'missing_test' : 'test',
    text: `${file === '' ? '' : `${file} > `}${test}: ${missing === true ? 'it existed before the run and is missing now' : error === '' ? 'failed' : firstSentence(error)}`,
  }))
  return {
    items:
      open > items.length
        ? [
            {
              kind: 'test',
              text: `${open} of ${run.total} tests fail that did not fail before the run${items.length === 0 ? '' : `, ${items.length} of them are named`}`,
            },
            ...items,
          ]
        : items,
    ...said,
  }
}

// "Make the failing tests pass" names all of them.
const ABOUT_TESTS =
  /\b(?:failing|failed|red|broken)\s+(?:unit |integration )?tests?\b|\btests?\s+(?:that |which )?(?:fail|are red|are failing|are broken)|\b(?:all|the|every)\s+(?:unit |integration )?tests?\s+(?:must |should |have to |to )?(?:pass|be green|turn green|green)|\btest suite\s+(?:pass|green|must|should)|失败的测试|测试.{0,6}通过/i

function names(description: string, test: string): boolean {
  if (ABOUT_TESTS.test(description)) return true
  const title = textKey(test.split(' > ').at(-1) ?? '')
  return title.length >= TITLE_CHARS && ` ${textKey(description)} `.includes(` ${title} `)
}

function reviewOf(e: Evidence, agreed: boolean): string[] {
  const {
    run,
    unmeasured,
    tasks,
    committed,
    confirmed,
    untested = [],
    untracked = 0,
    remarks = [],
  } = e
  const gone = meantRemovals(run, namedRemoved(e))
  const unchanged = tasks.filter(({ state }) => state === 'no_change')
  return [
    ...(run === undefined ? [`no test ran: ${unmeasured ?? 'the project has none'}`] : []),
    ...(run?.kind === 'measured' && run.flaky > 0 ? [flakyReason(flakyNames(run))] : []),
    ...(untested.length === 0
      ? []
      : [`no test runs what was changed in ${shortList([...untested], untested.length, 3)}`]),
    ...(untracked === 0
      ? []
      : [
          `the plan has ${tasks.length + untracked} tasks, of which ${untracked} were not tracked individually`,
        ]),
    ...(gone.total === 0
      ? []
      : [
          `${gone.total} test${gone.total === 1 ? '' : 's'} removed on purpose according to the validation: ${shortList(gone.texts, gone.total, 3)}`,
        ]),
    ...(closesAll(e, agreed)
      ? ['the developer named no task of the plan, so the validation closed all of them']
      : []),
    ...unchanged.map(
      ({ id, why }) => `${id} needed no change${why === undefined || why === '' ? '' : `: ${why}`}`,
    ),
    ...(!committed && confirmed !== true ? ['nothing was committed'] : []),
    ...remarks,
  ]
}

/**
 * Returns whether a run has committed something for its last task. `workFrom`: head when that
 * task was added.
 */
export function hasCommitted({
  commits,
  head,
  workFrom,
}: {
  commits: readonly string[]
  head: string
  workFrom?: string | undefined
}): boolean {
  return commits.length > 0 && head !== workFrom
}

/**
 * Returns the items as lines for the state and the record: a bounded list, and how many more there
 * are.
 */
export function openTexts(items: readonly OpenItem[]): string[] {
  const texts = items.slice(0, ITEMS_KEPT).map(({ text }) => text)
  return items.length > ITEMS_KEPT ? [...texts, `… and ${items.length - ITEMS_KEPT} more`] : texts
}
