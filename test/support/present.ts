import { defined } from '../../src/core/text/defined.js'

/**
 * Leaves out the keys without a value: TypeScript gives each row of a table the keys of all rows.
 */
export function present<T>(row: Readonly<Record<string, T | undefined>>): Record<string, T> {
  return defined(row) as Record<string, T>
}
