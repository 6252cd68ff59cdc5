// Lists of a record that know more than the state of a run: a state carries the newest entries
// only.

/** Characters of a text that tell two entries apart: a state may carry the rest of it no more. */
const KEY_CHARS = 150

/** Entries of a log that is only appended to: the old ones, then those that are new. */
export function appended<T>(before: readonly T[] = [], now: readonly T[]): T[] {
  const known = new Set(before.map(keyOf))
  return [...before, ...now.filter((one) => !known.has(keyOf(one)))]
}

/** Entries that change: what the state has counts, what it has no more stays. */
export function byKey<T, K>(
  before: readonly T[] = [],
  now: readonly T[],
  key: (entry: T) => K,
): T[] {
  const entries = new Map(before.map((entry) => [key(entry), entry]))
  for (const entry of now) entries.set(key(entry), entry)
  return [...entries.values()]
}

function keyOf(entry: unknown): string {
  return JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'string' ? value.slice(0, KEY_CHARS) : value,
  )
}
