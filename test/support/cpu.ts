// Processor time of work, which a busy machine affects less than wall-clock time.

/** Milliseconds of processor time that `work` takes in this process. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
