// The part of `ratchet status ID` that follows the line and the iterations of an open run: agents
// at work, usage, branch.
import pc from 'picocolors'
import type { PendingActivity } from '../../client/pending.js'
import type { StatusReply } from '../../contract/result.js'
import type { FoundRun } from '../find/find-run.js'
import { Clocks, carriedOf } from '../live/model.js'
import { durationText } from '../../core/text/duration-text.js'
import { spentText } from '../live/view.js'

/** What a look at the run saw; absent if the run could not be asked. */
export type Told = { status: StatusReply; pending: readonly PendingActivity[] }

const ANSWER_MS = 5_000
const row = (label: string, text: string): string => `${label.padEnd(13)}${text}`

/** Returns the lines; for a run that cannot be asked, those that the server knows. */
export async function wholeLines(
  { server, handle, project, uiUrl }: FoundRun,
  told: Told | undefined,
): Promise<string[]> {
  const { within } = await import('../../client/overview.js')
  const now = Date.now()
  const answer =
    told === undefined
      ? undefined
      : await within(server.ratchet.client, ANSWER_MS, () => handle.state()).catch(() => undefined)
  const { startedAt, spent } = carriedOf(answer)
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
