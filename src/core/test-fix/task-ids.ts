// The order of task ids, which may be dotted: IMPL-001 < IMPL-001.3 < IMPL-001.5 < IMPL-002 <
// IMPL-010.

/**
 * Compares two ids part by part, parts end at `.`, `-` and between digits and letters.
 *
 * Numbers by value and before words, a beginning before what it begins. 0 only for equal ids.
 */
export function compareIds(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at], right[at]]
    if (one === undefined) return -1
    if (other === undefined) return 1
    const order = compareParts(one, other)
    if (order !== 0) return order
  }
  return compareText(a, b) // 01 and 1, "." and "-": some order, always the same
}

function partsOf(id: string): string[] {
  return id.match(/\d+|[^\d.-]+/g) ?? []
}

function compareParts(a: string, b: string): number {
  const [first, second] = [/^\d/.test(a), /^\d/.test(b)]
  if (first !== second) return first ? -1 : 1
  if (!first) return compareText(a, b)
  // By length, then as text: a number of any size, without rounding.
  const [x, y] = [a.replace(/^0+(?=\d)/, ''), b.replace(/^0+(?=\d)/, '')]
  return x.length === y.length ? compareText(x, y) : x.length - y.length
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
