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
import { usageText } from '../../core/run/run-usage.js'
import type { ShownRun } from './shown-run.js'

const row = (label: string, text: string): string => `${label.padEnd(13)}${text}`

type Told = Pick<RunFacts, 'status' | 'pending' | 'state'>

/**
 * Adds the lines and the usage; for a run that has not answered, the lines that the server knows.
 */
export function inFull(
  { line, ...shown }: ShownRun,
  found: Pick<FoundRun, 'project' | 'uiUrl'>,
  told: Told | undefined,
): ShownRun {
  const usage = carriedOf(told?.state).spent?.usage
  return {
    ...shown,
    line: { ...line, ...(usage === undefined ? {} : { usage }) },
    more: wholeLines(found, told),
  }
}

function wholeLines(
  { project, uiUrl }: Pick<FoundRun, 'project' | 'uiUrl'>,
  told: Told | undefined,
): string[] {
  const now = Date.now()
  const { startedAt, spent } = carriedOf(told?.state)
  const spentLine =
    spent?.budget === undefined
      ? ''
      : spentText(spent, { colors: pc.createColors(false), unicode: true })
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
    ...(spent === undefined || spent.usage.turns === 0
      ? []
      : [row('usage', usageText(spent.usage, 'agent turn'))]),
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
            `${durationText(now - startedAt)} ago, at most ${iterationsText(told?.status.maxIterations ?? 0)}`,
          ),
        ]),
    ...(project === undefined ? [] : [row('project', project)]),
    ...(uiUrl === null ? [] : [row('web ui', uiUrl)]),
  ]
}

function iterationsText(most: number): string {
  return `${most} iteration${most === 1 ? '' : 's'}`
}
