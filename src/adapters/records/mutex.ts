// One writer of a record at a time within this process: four turns end when they like.

const tails = new Map<string, Promise<unknown>>()

/** Runs the writes of a record one after the other, even if an earlier one failed. */
export function oneWriter<T>(master: string, write: () => Promise<T>): Promise<T> {
  const before = tails.get(master) ?? Promise.resolve()
  const mine = before.then(write, write)
  const tail = mine.then(
    () => undefined,
    () => undefined,
  )
  tails.set(master, tail)
  void tail.then(() => {
    if (tails.get(master) === tail) tails.delete(master)
  })
  return mine
}
