/**
 * Does something with each of many items, so many at a time that no limit of open files is reached.
 */
export async function inBatches<T>(
  items: readonly T[],
  use: (item: T) => Promise<void>,
  atOnce = 64,
): Promise<void> {
  for (let i = 0; i < items.length; i += atOnce)
    await Promise.all(items.slice(i, i + atOnce).map(use))
}
