// Reads the root cause and the findings that debug reports.
import {
  ENTRIES_READ,
  detail,
  detailList,
  sectionOf,
  textIn,
  type Details,
} from './action-details.js'
import { described } from './validate-claims.js'
import { defined } from '../../text/defined.js'
import { textOf } from '../../answers/result-block.js'
import {
  WORKER_ITEM_CHARS,
  WORKER_ITEMS,
  type WorkerReading,
} from '../../../contract/dev-loop/action-reading.js'
import { bare, isNone, isSample, sentence } from '../../answers/agent-values.js'
import { oneLine } from '../../text/one-line.js'
import { keptItems } from '../../dev-cycle/kept-items.js'

/** Returns what debug found; keys it says nothing about are missing. */
export function diagnosis(
  details: Details,
): Partial<Pick<WorkerReading, 'rootCause' | 'findings'>> {
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

// The hypotheses that hold; `undefined` if none does.
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
