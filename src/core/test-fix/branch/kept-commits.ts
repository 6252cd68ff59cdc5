// Commits of a kept fix: `git log` of the branch alone says what was changed, by which strategy,
// what was measured, and which fixes were rolled back since the commit before.
import type { FixCause, FixPart, Strategy } from '../../../contract/test-fix/task.js'
import type { RolledBack } from '../../../contract/test-fix/test-fix-state.js'
import type { AcceptedCommit } from '../../../contract/test-fix/test-fix-step.js'
import { percentText, ratesText } from '../../test-results/pass-rate.js'
import { oneLine } from '../../text/one-line.js'
import { shortList } from '../../text/short-text.js'
import { firstChars } from '../../text/test-text.js'

/** Longest summary in a subject; a longer one is whole in the body. */
const SUMMARY_CHARS = 60

export type KeptFix = {
  /** `IMPL-fix-N`. */
  task: string
  summary: string
  strategy: Strategy
  /** Its independent causes, their commits, and those that were left out, if it has several. */
  causes?: readonly FixCause[] | undefined
  parts?: readonly FixPart[] | undefined
  out?: readonly string[] | undefined
  agent?: string | undefined
  /** Pass rates; absent if there is nothing to compare with. */
  measured?: { before: number | null; after: number | null } | undefined
  /** Fixes that were rolled back since the last commit of the branch. */
  rolledBack: readonly RolledBack[]
}

/** The commits of a kept fix, one for each of its causes; the last one has the measured tree. */
export function keptCommits(fix: KeptFix): AcceptedCommit[] {
  const { causes = [], parts = [], out = [], strategy, measured, agent } = fix
  const kept = parts
    .filter(({ task }) => !out.includes(task))
    .map(({ task }) => ({
      task,
      summary: causes.find((cause) => cause.task === task)?.cause ?? fix.summary,
    }))
  const all = kept.length === 0 ? [{ task: fix.task, summary: fix.summary }] : kept
  return all.map(({ task, summary }, n) => {
    const others = all.filter((one) => one.task !== task).map((one) => one.task)
    const isLast = n === all.length - 1
    const rates =
      measured === undefined
        ? []
        : [
            isLast
              ? ratesText(measured.before, measured.after)
              : `measured with ${all.at(-1)?.task}`,
          ]
    const { short, rest } = subjectPart(summary)
    return {
      task,
      subject: `fix(${task}): ${short} (${[strategy, ...rates].join(', ')})`,
      body: [
        rest,
        agent === undefined ? undefined : `Made by ${agent}.`,
        isLast && others.length > 0 ? `Measured together with ${shortList(others)}.` : undefined,
        isLast ? rolledBackText(fix.rolledBack) : undefined,
      ]
        .filter((part) => part !== undefined && part !== '')
        .join('\n\n'),
      trailers: {
        'Ratchet-Strategy': strategy,
        ...(measured === undefined || !isLast
          ? {}
          : {
              'Ratchet-Before': percentText(measured.before),
              'Ratchet-After': percentText(measured.after),
            }),
      },
    }
  })
}

/** One line for each fix that was rolled back; empty if none was. */
export function rolledBackText(rolledBack: readonly RolledBack[]): string {
  return rolledBack
    .map(({ task, before, after }) => `rolled back: ${task}, ${ratesText(before, after)}`)
    .join('\n')
}

/** Cuts a summary at a word; `rest` is all of it if it was cut. */
function subjectPart(summary: string): { short: string; rest?: string } {
  const line = oneLine(summary).replace(/[.;,:]+$/, '')
  if (line === '') return { short: 'test fix' }
  if (line.length <= SUMMARY_CHARS) return { short: line }
  const end = line.lastIndexOf(' ', SUMMARY_CHARS - 1)
  const short = end > 0 ? `${line.slice(0, end)}…` : firstChars(line, SUMMARY_CHARS)
  return { short, rest: oneLine(summary) }
}
