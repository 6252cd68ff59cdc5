// What a piece of work costs in computing time, which a busy machine does not stretch as it does
// the clock.

/** Milliseconds of processor time that `work` takes in this process. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
