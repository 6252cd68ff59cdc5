// Lists of an agent's, made fit to travel.
import { ITEM_CHARS, ITEMS_KEPT } from '../../contract/dev-cycle/phase-reading.js'
import { oneLine } from '../text/one-line.js'

/** The first items, each one line and once: `ITEMS_KEPT` of `ITEM_CHARS`. */
export function keptItems(list: readonly string[], most = ITEMS_KEPT): string[] {
  return [
    ...new Set(list.map((item) => oneLine(item, ITEM_CHARS)).filter((item) => item !== '')),
  ].slice(0, most)
}
