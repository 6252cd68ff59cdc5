/**
 * Leaves out the properties that are undefined, so that none of them overrides a default where the
 * result is spread over an object.
 */
export function defined<T extends object>(
  object: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}
