// Lists of an agent's, made fit to travel.
import { ITEM_CHARS, ITEMS_KEPT } from '../../contract/dev-cycle/phase-reading.js'
import { severityOf } from '../answers/severity.js'
import { oneLine } from '../text/one-line.js'

const RANKS = { high: 0, medium: 1, low: 2 }

/**
 * The items, each one line and once: at most `ITEMS_KEPT` of `ITEM_CHARS`. Of a longer list the
 * most severe come first, so that none of them is cut.
 */
export function keptItems(list: readonly string[], most = ITEMS_KEPT): string[] {
  const all = [
    ...new Set(list.map((item) => oneLine(item, ITEM_CHARS)).filter((item) => item !== '')),
  ]
  return all.length <= most
    ? all
    : all
        .map((text) => ({ text, rank: RANKS[severityOf(text)] }))
        .sort((a, b) => a.rank - b.rank)
        .slice(0, most)
        .map(({ text }) => text)
}
