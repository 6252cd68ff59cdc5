// Decides whether a dev cycle or a dev loop is done. What was promised and is not shown to be done
// is an open item, and a run is completed only without open items. Convergence, outcome, exit code
// and report all use this rule.
import { ITEM_CHARS, ITEMS_KEPT } from '../../contract/dev-cycle/phase-reading.js'
import { oneLine } from '../text/one-line.js'
import { meantRemovals } from '../test-results/removed-tests.js'
import { shortList } from '../text/short-text.js'
import { flakyNames, flakyReason } from './describe-run.js'
import {
  type Evidence,
  type Open,
  agrees,
  namedRemoved,
  type OpenItem,
  closesAll,
} from './open-evidence.js'
import { testItems, measuredIn } from './measured-items.js'

/** Changed tests that the reason names; the result has twenty. */
const TESTS_NAMED = 5

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

function taskItems(e: Evidence, agreed: boolean): OpenItem[] {
  if (closesAll(e, agreed)) return []
  return e.tasks.flatMap(({ id, text, state, lost, takenBack, claimed, unseen }): OpenItem[] => {
    if (lost !== undefined)
      return [{ kind: 'task', text: `${id} was lost in the merge of ${lost}` }]
    if (state === 'open' && takenBack === true)
      return [
        {
          kind: 'task',
          text: `a later commit reverted the work on ${id}: every file that it changed is as it was before`,
        },
      ]
    if (state === 'done' || (state === 'no_change' && agreed && unseen !== true)) return []
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

function commitItem({ committed, takenBack, tasks }: Evidence, agreed: boolean): OpenItem[] {
  const isUndone = takenBack === 'run' && tasks.some(({ state }) => state === 'done')
  if (
    committed ||
    (agreed &&
      !isUndone &&
      tasks.some(({ state }) => state === 'no_change') &&
      tasks.every(({ state, lost }) => state !== 'open' && lost === undefined))
  )
    return []
  return [
    {
      kind: 'no_commit',
      text:
        takenBack !== undefined
          ? 'a later commit reverted the work on the task: every file is as it was before'
          : 'nothing was committed: no file of the project has changed',
    },
  ]
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

function reviewOf(e: Evidence, agreed: boolean): string[] {
  const {
    run,
    unmeasured,
    tasks,
    committed,
    takenBack,
    confirmed,
    untested = [],
    changedTests,
    untracked = 0,
    lost = [],
    remarks = [],
  } = e
  const gone = meantRemovals(run, namedRemoved(e))
  const unchanged = tasks.filter(({ state }) => state === 'no_change')
  return [
    ...(run === undefined ? [`no test ran: ${unmeasured ?? 'the project has none'}`] : []),
    ...(run?.kind === 'measured' && run.flaky > 0 ? [flakyReason(flakyNames(run))] : []),
    ...(changedTests === undefined
      ? []
      : [
          `existing tests were changed: ${shortList(changedTests.files, changedTests.total, TESTS_NAMED)}`,
        ]),
    ...lost,
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
    ...unnamedTasks(e, agreed),
    ...tasks.flatMap(({ id, contradicts }) =>
      contradicts === undefined
        ? []
        : [`${contradicts} and ${id} contradict each other: each reverts the work of the other`],
    ),
    ...unchanged.map(
      ({ id, why }) => `${id} needed no change${why === undefined || why === '' ? '' : `: ${why}`}`,
    ),
    ...(!committed && confirmed !== true
      ? [takenBack !== undefined ? 'the committed work was reverted' : 'nothing was committed']
      : []),
    ...remarks,
  ]
}

function unnamedTasks(e: Evidence, agreed: boolean): string[] {
  if (closesAll(e, agreed))
    return ['the developer named no task of the plan, so the validation closed all of them']
  const ids = e.tasks.flatMap(({ id, state, unnamed }) =>
    state === 'done' && unnamed === true ? [id] : [],
  )
  if (!agreed || ids.length === 0) return []
  const which = shortList(ids, ids.length, 3)
  return [
    `the developer did not name ${which} as done, so the validation closed ${ids.length === 1 ? 'it' : 'them'}`,
  ]
}

/**
 * Returns whether a run has committed something for its last task. `workFrom`: head when that
 * task was added; `takenBack`: its commits leave nothing.
 */
export function hasCommitted({
  commits,
  head,
  workFrom,
  takenBack,
}: {
  commits: readonly string[]
  head: string
  workFrom?: string | undefined
  takenBack?: true | undefined
}): boolean {
  return commits.length > 0 && head !== workFrom && takenBack !== true
}

/** Returns what the commits of a run leave as it was; `undefined` where a file has changed. */
export function takenBackOf({
  takenBack,
  workFrom,
}: {
  takenBack?: true | undefined
  workFrom?: string | undefined
}): Evidence['takenBack'] {
  if (takenBack !== true) return undefined
  return workFrom === undefined ? 'run' : 'task'
}

/**
 * Returns the items as lines for the state and the record: a bounded list, and how many more there
 * are.
 */
export function openTexts(items: readonly OpenItem[]): string[] {
  const texts = items.slice(0, ITEMS_KEPT).map(({ text }) => text)
  return items.length > ITEMS_KEPT ? [...texts, `… and ${items.length - ITEMS_KEPT} more`] : texts
}

/** Returns how many items the lines of `openTexts` stand for. */
export function openCount(texts: readonly string[]): number {
  const more = /^… and (\d+) more$/.exec(texts.at(-1) ?? '')?.[1]
  return more === undefined ? texts.length : texts.length - 1 + Number(more)
}
