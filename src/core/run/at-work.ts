// Who is at work, in one line: a person reads it at every look.

const TURN = /^(\S+) \((.+?)\)(, .+)$/

/**
 * Lists the running turns in one line; what all of them share appears once. Their summaries are
 * `role (agent), iteration n, kind`.
 */
export function agentsAtWork(summaries: readonly string[]): string {
  const parts = summaries.map((summary) => TURN.exec(summary))
  const [first] = parts
  if (
    summaries.length < 2 ||
    first === undefined ||
    first === null ||
    parts.some((part) => part?.[3] !== first[3])
  )
    return `agent${summaries.length > 1 ? 's' : ''}: ${summaries.join('; ')}`
  const isOne = parts.every((part) => part?.[2] === first[2])
  const names = parts.map((part) => `${part?.[1] ?? ''}${isOne ? '' : ` (${part?.[2] ?? ''})`}`)
  return `agents: ${names.join(', ')}${isOne ? ` (${first[2] ?? ''})` : ''}${first[3] ?? ''}`
}
