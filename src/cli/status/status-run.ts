// The part of `ratchet status ID` that follows the line and the iterations of an open run: agents
// at work, usage, branch.
import pc from 'picocolors'
import type { RunFacts } from '../../contract/result.js'
import type { FoundRun } from '../find/find-run.js'
import { Clocks, carriedOf } from '../live/model.js'
import { enclosureText } from '../../core/run/enclosure-text.js'
import { envText } from '../../core/run/run-environment.js'
import { durationText } from '../../core/text/duration-text.js'
import { spentText } from '../live/view.js'

const row = (label: string, text: string): string => `${label.padEnd(13)}${text}`

/** Returns the lines; for a run that has not answered, those that the server knows. */
export function wholeLines(
  { project, uiUrl }: Pick<FoundRun, 'project' | 'uiUrl'>,
  told: Pick<RunFacts, 'status' | 'pending' | 'state'> | undefined,
): string[] {
  const now = Date.now()
  const { startedAt, spent } = carriedOf(told?.state)
  const spentLine =
    spent === undefined ? '' : spentText(spent, { colors: pc.createColors(false), unicode: true })
  const atWork = told === undefined ? [] : new Clocks().atWork(told.pending, now)
  return [
    ...atWork.map(({ who, agent, doing, elapsedMs }, n) =>
      row(
        n === 0 ? 'at work' : '',
        [
          `${who}${agent === undefined ? '' : ` (${agent})`}`,
          ...(doing === '' ? [] : [doing]),
          durationText(elapsedMs),
        ].join('  '),
      ),
    ),
    ...(told?.status.proposedTestChanges ?? []).map(({ file, why, answer }, n) =>
      row(
        n === 0 ? 'proposed' : '',
        `a change of ${file}: ${why}${answer === undefined ? '' : ` (${answer})`}`,
      ),
    ),
    ...(spentLine === '' ? [] : [row('spent', spentLine)]),
    ...(told?.status.branch == null ? [] : [row('branch', told.status.branch)]),
    ...(told?.status.sandbox === undefined
      ? []
      : [row('sandbox', enclosureText(told.status.sandbox))]),
    ...(told?.status.env === undefined ? [] : [row('shell', envText(told.status.env))]),
    ...(startedAt === undefined
      ? []
      : [
          row(
            'since',
            `${durationText(now - startedAt)} ago, at most ${told?.status.maxIterations ?? 0} iterations`,
          ),
        ]),
    ...(project === undefined ? [] : [row('project', project)]),
    ...(uiUrl === null ? [] : [row('web ui', uiUrl)]),
  ]
}
