/**
 * Starts a measurement. The returned function gives whole milliseconds since then, independently of
 * changes to the clock.
 */
export function stopwatch(): () => number {
  const began = performance.now()
  return () => Math.round(performance.now() - began)
}
