// What a dev loop has promised and not shown: its state as the rule of `open-items` reads it. Next
// action, outcome, the suggested commit and the report of a closed loop ask here.
import type { LoopState } from '../../contract/dev-loop/loop-state.js'
import type { Validation } from '../../contract/dev-loop/loop-record.js'
import type { LoopTask } from '../../contract/dev-loop/action-reading.js'
import { untoldTo } from '../dev-cycle/documents/person-edits.js'
import { oneLine } from '../text/one-line.js'
import { hasCommitted, openItems, takenBackOf } from '../run/open-items.js'
import { holdsUp } from '../answers/severity.js'
import { loopDescription } from './loop-tasks.js'
import { checkTexts, coverageOf, lostTexts } from './validation.js'
import type { Evidence, Open, OpenItem, PromisedTask, Verdict } from '../run/open-evidence.js'

/** What of a state decides. */
export type Promised = Pick<LoopState, 'texts' | 'tasks' | 'findings' | 'commits' | 'head'> &
  Partial<
    Pick<
      LoopState,
      | 'namesTasks'
      | 'workFrom'
      | 'takenBack'
      | 'changedInRun'
      | 'developed'
      | 'confirmed'
      | 'edits'
      | 'validation'
      | 'lastRun'
      | 'unmeasured'
      | 'quality'
    >
  > & { prepared: Pick<LoopState['prepared'], 'requireGreen'> }

/** Items that a reason names. */
const NAMED = 5
const NAMED_CHARS = 160

export function openIn(state: Promised): Open {
  return openItems(evidenceOf(state))
}

/** "2 items are open: …", `undefined` where nothing is. */
export function openLine(items: readonly OpenItem[]): string | undefined {
  if (items.length === 0) return undefined
  const named = items.slice(0, NAMED).map(({ text }) => oneLine(text, NAMED_CHARS))
  return `${items.length === 1 ? '1 item is' : `${items.length} items are`} open: ${named.join('; ')}${items.length > named.length ? `; and ${items.length - named.length} more` : ''}`
}

export function evidenceOf(state: Promised): Evidence {
  const { tasks, validation, findings } = state
  const promised = tasks.map(promise)
  return {
    description: loopDescription(state.texts),
    tasks: promised,
    // One that was never claimed to be done is closed by no validation.
    namesTasks:
      state.namesTasks === true ||
      tasks.some((task, n) => promised[n]?.state === 'open' && task.claimed !== true),
    committed: hasCommitted(state),
    takenBack: takenBackOf(state),
    developed: state.developed === true,
    confirmed: state.confirmed === true,
    head: state.head,
    run: state.lastRun,
    unmeasured: state.unmeasured,
    requireGreen: state.prepared.requireGreen,
    checks: checkTexts(state.quality),
    ...coverageOf(state.quality),
    lost: lostTexts(state.quality),
    changedTests: state.changedInRun,
    ...(validation === undefined ? {} : { verdict: verdictOf(validation) }),
    findings: findings
      .filter(({ status, description }) => status === 'open' && holdsUp(description))
      .map(({ source, description }) => `${source}: ${description}`),
    decisions: untoldTo(state.edits, 'develop').map(({ id, file }) => ({
      id,
      text: `a person edited ${file}`,
      state: 'untold' as const,
    })),
    blockers: [],
  }
}

function promise({
  id,
  description: text,
  status,
  noChange,
  unseen,
  claimed,
  unnamed,
  lost,
  takenBack,
  contradicts,
}: LoopTask): PromisedTask {
  if (lost !== undefined) return { id, text, state: 'open', lost }
  if (takenBack === true) return { id, text, state: 'open', takenBack }
  if (status !== 'completed' || claimed === true) return { id, text, state: 'open' }
  return noChange === undefined
    ? { id, text, state: 'done', contradicts, unnamed }
    : { id, text, state: 'no_change', why: noChange, unseen }
}

// A validation that did not pass never agrees, with any status of its worker.
function verdictOf({ commit, passed, status = 'success', why, removed }: Validation): Verdict {
  return {
    commit,
    status: passed ? 'success' : status === 'success' ? 'failed' : status,
    ready: null,
    critical: null,
    summary: why,
    removed,
  }
}
