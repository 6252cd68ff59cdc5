// A runner that has written its whole report and does not exit, as something that its tests opened
// is still open.
import { statSync } from 'node:fs'
import path from 'node:path'
import { stopwatch } from '../stopwatch.js'
import type { TestPlan } from './command.js'
import { readReport } from './reports/read-report.js'
import { BrokenReportError } from './reports/report.js'

/** How long it may do nothing behind its report. */
export const IDLE_MS = 10_000

export type Idle = {
  /** It printed something. */
  onOutput(): void
  /** Whether its report is complete and it has done nothing for `idleMs` since. */
  isDone(): boolean
}

/**
 * Watches one execution. Only a report that the runner writes at its end has an end of its own; go
 * ends by itself.
 */
export function watchIdle(plan: TestPlan, reportFile: string, cwd: string, idleMs = IDLE_MS): Idle {
  const files = [
    reportFile,
    ...(plan.ownReport === undefined ? [] : [path.resolve(cwd, plan.ownReport)]),
  ]
  let since = stopwatch()
  let seen = ''
  let incomplete = ''
  return {
    onOutput() {
      since = stopwatch()
    },
    isDone() {
      if (plan.report.by !== 'flags' || plan.followed) return false
      const [file, stamp = ''] =
        files.map((one) => [one, stampOf(one)] as const).find(([, found]) => found !== undefined) ??
        []
      if (stamp !== seen) [since, seen] = [stopwatch(), stamp]
      if (file === undefined || since() < idleMs || stamp === incomplete) return false
      if (isComplete(file, plan, cwd)) return true
      incomplete = stamp
      return false
    },
  }
}

function stampOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true ? `${found.mtimeMs} ${found.size}` : undefined
}

// The readers take whole reports only: with the closing tag, as whole JSON, up to the last event.
function isComplete(file: string, plan: TestPlan, cwd: string): boolean {
  try {
    return readReport(file, plan.report.format, cwd).tests.length > 0
  } catch (error) {
    if (error instanceof BrokenReportError) return false
    throw error
  }
}
