// Finds the ids that a mistyped one may mean.

const NEAREST = 5

/** Returns the ids most similar to a mistyped one, nearest first. */
export function nearest(wanted: string, ids: readonly string[]): string[] {
  const near = ids.map((id) => ({
    id,
    distance: Math.min(
      editDistance(wanted, id),
      editDistance(wanted, id.replace(/\.[0-9a-f]{6}$/, '')),
    ),
  }))
  return near
    .sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1))
    .slice(0, NEAREST)
    .map(({ id }) => id)
}

/** Returns the name that a mistyped one most likely means, or `undefined` if none is similar. */
export function closest(wanted: string, names: readonly string[]): string | undefined {
  const [first] = names
    .map((name) => ({ name, distance: editDistance(wanted, name) }))
    .sort((a, b) => a.distance - b.distance)
  return first !== undefined && first.distance <= Math.max(1, Math.floor(first.name.length / 3))
    ? first.name
    : names.find((name) => wanted.length > 2 && name.startsWith(wanted))
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (next[j - 1] as number) + 1,
          (row[j] as number) + 1,
          (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      )
    row = next
  }
  return row[b.length] as number
}
