// Shows runs as this command finds them with Temporal's client: open ones by asking them, closed
// ones by their result.
import type { RunResult, RunFacts } from '../../contract/result.js'
import type { ListOptions } from '../../client/list-query.js'
import { waitingFor } from '../../client/waiting.js'
import type { LocalStatus } from '../../dev-server/local-status.js'
import { projectOf, type FoundRun } from '../find/find-run.js'
import { recordedResult } from '../find/session-record.js'
import { endLines, endedError } from '../output/ending.js'
import { isUnanswered } from '../output/errors.js'
import { runUrl, workerState, type Server } from '../start/server.js'
import { shownOpen } from './open-run.js'
import { ofResult } from './recorded-runs.js'
import { NOTHING, type ShownRun } from './shown-run.js'
import { inFull } from './status-run.js'
import { isoTime } from './when.js'

const ANSWER_MS = 5_000

/** Returns the runs that the filters select. */
export async function listedRuns(
  server: Server,
  filters: ListOptions,
  known: LocalStatus | undefined,
): Promise<ShownRun[]> {
  const { overview } = await import('../../client/overview.js')
  return Promise.all(
    (await server.ratchet.list(filters)).map(async ({ id, kind }) => {
      const seen = await overview(server.ratchet.client, id)
      if (seen === undefined)
        return {
          line: {
            id,
            kind,
            status: 'failed',
            phase: 'gone',
            iteration: 0,
            passRate: null,
            waitingFor: NOTHING,
          },
          history: [],
        }
      const found = {
        id,
        kind,
        overview: seen,
        handle: server.ratchet.attach(id),
        server,
        project: projectOf(server.dirs, seen),
        uiUrl: runUrl(server, id),
      }
      return withTimes(found, await (seen.open ? openRun(found, known) : closedRun(found)))
    }),
  )
}

/**
 * Returns one run in full: also its agents at work, usage and branch, or how it ended.
 *
 * @param archived directory of its record, if that was archived
 */
export async function wholeRun(
  found: FoundRun,
  known: LocalStatus | undefined,
  archived?: string,
): Promise<ShownRun> {
  return withTimes(
    found,
    await (found.overview.open
      ? openRun(found, known, { isWhole: true })
      : closedRun(found, { isWhole: true, archived })),
  )
}

async function withTimes(
  { overview, server, project }: FoundRun,
  shown: ShownRun,
): Promise<ShownRun> {
  const { began } = await import('../../client/overview.js')
  const startedAt = isoTime(await began(server.ratchet.client, overview))
  return {
    ...shown,
    about: {
      startedAt,
      ...(overview.closedAt === undefined ? {} : { endedAt: isoTime(overview.closedAt) }),
      project,
    },
  }
}

async function openRun(
  found: FoundRun,
  known: LocalStatus | undefined,
  { isWhole = false } = {},
): Promise<ShownRun> {
  const { id, handle, server, project } = found
  const [pending, worker] = await Promise.all([
    handle.pending(),
    workerState(server, project, known),
  ])
  const told = await toldBy(found, isWhole)
  const whole = (shown: ShownRun): ShownRun =>
    isWhole ? inFull(shown, found, told && { ...told, pending }) : shown
  if (told !== undefined) return whole(shownOpen({ id, ...told, pending }, worker))
  // The server itself knows the rest.
  const { kind, phase = 'unknown', iteration = 0, passRate = null } = found.overview
  return whole({
    line: {
      id,
      kind,
      status: 'running',
      phase,
      iteration,
      passRate,
      waitingFor: waitingFor(
        id,
        `host: no workflow worker answers; start one with: ratchet watch ${id}`,
        pending,
        worker,
      ),
    },
    history: [],
  })
}

// `undefined` for a run that does not answer.
async function toldBy(
  { handle, server }: FoundRun,
  isWhole: boolean,
): Promise<Pick<RunFacts, 'status' | 'questions' | 'state'> | undefined> {
  const { within } = await import('../../client/overview.js')
  const { client } = server.ratchet
  try {
    const told = await within(client, ANSWER_MS, async () => {
      const status = await handle.status()
      return { status, questions: status.questions > 0 ? await handle.questions() : [] }
    })
    if (!isWhole) return { ...told, state: undefined }
    const state = await within(client, ANSWER_MS, () => handle.state()).catch(() => undefined)
    return { ...told, state }
  } catch (error) {
    if (!isUnanswered(error)) throw error
    return undefined
  }
}

async function closedRun(
  found: FoundRun,
  { isWhole = false, archived }: { isWhole?: boolean; archived?: string | undefined } = {},
): Promise<ShownRun> {
  const { id, kind, project, uiUrl, overview } = found
  const shown = (result: RunResult): ShownRun => {
    if (!isWhole) return ofResult(result)
    const moved = archived === undefined ? result : { ...result, recordDir: archived }
    return { ...ofResult(result), more: howItEnded(moved, uiUrl) }
  }
  const end = await found.handle.result()
  if ('result' in end) return shown(end.result)
  const recorded = end.ended.kind === 'canceled' ? recordedResult(project, id) : undefined
  if (recorded !== undefined) return shown(recorded)
  const { message } = endedError(id, end.ended, kind)
  const { iteration = 0, passRate = null } = overview
  return {
    line: {
      id,
      kind: overview.kind,
      status: 'failed',
      phase: overview.state.toLowerCase(),
      iteration,
      passRate,
      waitingFor: `${NOTHING}: ${message}`,
    },
    history: [],
  }
}

// The first line repeats what the line of the run says.
function howItEnded(result: RunResult, uiUrl: string | null): string[] {
  return endLines(result, uiUrl)
    .slice(1)
    .map((line) => line.replace(/^ {2}/, ''))
}
