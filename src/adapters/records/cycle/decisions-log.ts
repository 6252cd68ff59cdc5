// `coordination/decisions.log`: each decision once for each status it has had, one JSON object a line.
import { Decision } from '../../../contract/cycle-record.js'
import { recordLog, writeOwn } from './own-files.js'

/** Appends what is new. `timestamp`: ISO 8601. */
export async function appendDecisions(file: string, decisions: readonly Decision[], timestamp: string): Promise<void> {
  const log = recordLog(file)
  const known = new Set(linesOf(log).map(keyOf))
  const lines = decisions.filter((decision) => !known.has(keyOf(decision))).map((decision) => `${JSON.stringify({ timestamp, ...decision })}\n`)
  if (lines.length > 0) await writeOwn(file, `${log === '' || log.endsWith('\n') ? log : `${log}\n`}${lines.join('')}`)
}

/** The decisions of a log as they were noted last. */
export function readDecisions(text: string): Decision[] {
  return [...new Map(linesOf(text).map((decision) => [decision.id, decision])).values()]
}

function linesOf(log: string): Decision[] {
  return log.split('\n').flatMap((line) => {
    try {
      return Decision.safeParse(JSON.parse(line)).data ?? []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
}

function keyOf({ id, status }: Decision): string {
  return `${id} ${status}`
}
