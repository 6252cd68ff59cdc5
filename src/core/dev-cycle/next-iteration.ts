// What follows an iteration.

/**
 * `next, one more`: the extension that waits came in with the last iteration, which grants it one
 * of its own.
 */
export type AfterIteration = 'complete' | 'next' | 'next, one more' | 'ask' | 'limit'

/**
 * How many iterations of a cycle are done, by the last one that its record tells of: one that was
 * cut off is done again. Of earlier ones a record that was made again may know the number only.
 */
export function iterationsDone(last: { number: number; isOver: boolean } | undefined): number {
  return last === undefined ? 0 : last.isOver ? last.number : last.number - 1
}

/**
 * Decides what follows an iteration. An extension that waits goes before everything: it is a task
 * not begun yet.
 */
export function afterIteration(d: {
  converged: boolean
  pendingExtensions: number
  iteration: number
  maxIterations: number
  interactive: boolean
}): AfterIteration {
  const spent = d.iteration >= d.maxIterations
  if (d.pendingExtensions > 0) return spent ? 'next, one more' : 'next'
  if (d.converged) return 'complete'
  if (spent) return 'limit'
  return d.interactive ? 'ask' : 'next'
}
