/**
 * Begins to measure. The function that is returned gives whole milliseconds since then, whatever is
 * done to the clock meanwhile.
 */
export function stopwatch(): () => number {
  const began = performance.now()
  return () => Math.round(performance.now() - began)
}
