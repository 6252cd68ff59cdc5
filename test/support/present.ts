/**
 * Leaves out the keys without a value: TypeScript gives each row of a table the keys of all rows.
 */
export function present<T>(row: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(row).filter((entry): entry is [string, T] => entry[1] !== undefined),
  )
}
