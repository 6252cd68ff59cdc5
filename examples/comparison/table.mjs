// The results of the three ways as table cells.
import { CLAIM } from './model.mjs'
import { TURNS, WAIT_MS } from './simple-ways.mjs'

export const WAYS = { hand: 'by hand', loop: 'in a loop', ratchet: 'with Ratchet' }

/** One row a case, one column a way. @param rows `{ title, facts: { hand, loop, ratchet } }`; the first is the undisturbed one */
export function comparison(rows) {
  const [undisturbed] = rows
  return table(
    ['', ...Object.values(WAYS)],
    rows.map(({ title, facts, disturbed }) => [
      title,
      ...Object.keys(WAYS).map((way) =>
        cell(facts[way], disturbed ? undisturbed.facts[way] : undefined),
      ),
    ]),
  )
}

/** Input tokens where nothing goes wrong. */
export function input(agent, facts) {
  return table(
    [`${agent}, input tokens`, 'all', 'cached', 'new'],
    Object.entries(WAYS).map(([way, title]) => [
      title,
      thousands(facts[way].input.all),
      thousands(facts[way].input.cached),
      thousands(facts[way].input.all - facts[way].input.cached),
    ]),
  )
}

export function times(agent, seconds) {
  return table(
    [`${agent}, in seconds`, 'to the first model call', 'to the end'],
    seconds.map(({ title, first, end }) => [title, shown(first), shown(end)]),
  )
}

function cell(facts, undisturbed) {
  const more = undisturbed === undefined ? 0 : facts.calls - undisturbed.calls
  const again = facts.waited || more === 0 ? '' : `, ${more} more`
  return [`${facts.passing} of 12`, `${facts.calls} calls${again}`, ...remarks(facts)].join('; ')
}

function remarks({ waited, endless, said, passing, own, outcome, blocked, history, typed }) {
  if (waited) return [`still waiting after ${WAIT_MS / 1_000} s`]
  if (endless) return [`never ends, cut after ${TURNS} turns`]
  const told =
    outcome === undefined
      ? []
      : [
          ...(blocked === undefined
            ? []
            : [`blocked after iteration ${blocked.iterations}, then resumed`]),
          ...(outcome === 'success' ? [] : [`ends as ${outcome}`]),
          ...history.flatMap(({ iteration, note, result }) =>
            result === 'rolled_back'
              ? [`fix ${iteration} rolled back`]
              : /restored/.test(note ?? '')
                ? [`fix ${iteration}: tests restored`]
                : [],
          ),
        ]
  const wrong =
    passing === 12
      ? []
      : said === CLAIM
        ? ['says that all 12 pass']
        : said === 'npm test passes'
          ? [`ends: npm test passes, with ${own.skipped} tests skipped`]
          : []
  return [...told, ...wrong, ...(typed > 1 ? [`${typed} commands typed`] : [])]
}

function thousands(tokens) {
  return `${(tokens / 1_000).toFixed(1)} k`
}

function shown(ms) {
  return ms === undefined ? '' : (ms / 1_000).toFixed(1)
}

function table(head, rows) {
  const widths = head.map((_, n) => Math.max(...[head, ...rows].map((row) => row[n].length)))
  const line = (row) => `| ${row.map((text, n) => text.padEnd(widths[n])).join(' | ')} |`
  return [
    line(head),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.map(line),
  ].join('\n')
}
