// `coordination/decisions.log`: one JSON object a line. Each decision once for each status it has
// had, and what was decided after each iteration.
import type { CycleState } from '../../../contract/dev-cycle/cycle-state.js'
import { Decision } from '../../../contract/dev-cycle/cycle-record.js'
import { recordLog, writeOwn } from '../safe-files.js'

/** Appends what is new. `time` writes epoch milliseconds as ISO 8601. */
export async function appendDecisions(
  file: string,
  { decisions, iterations, history }: Pick<CycleState, 'decisions' | 'iterations' | 'history'>,
  at: number,
  time: (at: number) => string,
): Promise<void> {
  const log = recordLog(file)
  const known = new Set(linesOf(log).map(keyOf))
  const judged = new Set(objectsOf(log).map((line) => line['iteration']))
  const lines = [
    ...decisions
      .filter((decision) => !known.has(keyOf(decision)))
      .map((decision) => ({ timestamp: time(at), ...decision })),
    ...iterations.flatMap(({ number, completedAt, resolved }) =>
      completedAt === undefined || judged.has(number)
        ? []
        : [
            {
              timestamp: time(completedAt),
              iteration: number,
              decision: resolved ? 'converged' : 'not converged',
              why: history.find((one) => one.iteration === number)?.note ?? '',
            },
          ],
    ),
  ].map((line) => `${JSON.stringify(line)}\n`)
  if (lines.length > 0)
    await writeOwn(file, `${log === '' || log.endsWith('\n') ? log : `${log}\n`}${lines.join('')}`)
}

/** The decisions of a log as they were noted last. */
export function readDecisions(text: string): Decision[] {
  return [...new Map(linesOf(text).map((decision) => [decision.id, decision])).values()]
}

function linesOf(log: string): Decision[] {
  return objectsOf(log).flatMap((line) => Decision.safeParse(line).data ?? [])
}

function objectsOf(log: string): Record<string, unknown>[] {
  return log.split('\n').flatMap((line) => {
    try {
      const value = JSON.parse(line) as Record<string, unknown> | null
      return typeof value === 'object' && value !== null ? [value] : []
    } catch (error) {
      if (error instanceof SyntaxError) return []
      throw error
    }
  })
}

function keyOf({ id, status }: Decision): string {
  return `${id} ${status}`
}
