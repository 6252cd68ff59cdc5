// ratchet archive: moves the records of ended runs to the archive, or lists what they left to do.
import { existsSync } from 'node:fs'
import { archive, finishArchiving } from '../../adapters/records/archive.js'
import { readManifest } from '../../adapters/records/archive-manifest.js'
import { prepFiles } from '../../adapters/records/prep/prep-paths.js'
import { userDirs } from '../../adapters/state-dir.js'
import { loadConfig } from '../../adapters/config/config.js'
import { durationProblem, durationMs } from '../../contract/duration.js'
import { followUpsIn, type ArchiveEntry } from '../../core/records/archive-entry.js'
import type { Context } from '../context.js'
import { ofKept, ofSession, recordsOf, type EndedRecord } from '../find/archivable.js'
import { checkedId, hadRuns } from '../find/find-run.js'
import { keptIn } from '../find/run-record.js'
import { sessionOf } from '../find/sessions.js'
import { badInput } from '../output/errors.js'
import { projectDir } from '../start/project-dir.js'
import { startServer, type Server } from '../start/server.js'

type Options = { all?: boolean; older?: string }
type Kept = { name: string; reason: string }

const DAY_MS = 86_400_000
const LABEL = 10
const row = (label: string, text: string): string => `${label.padEnd(LABEL)}${text}`

export async function run(context: Context, [typed]: string[], options: Options): Promise<number> {
  const wanted = typed === undefined ? undefined : checkedId(typed)
  const olderMs = options.older === undefined ? undefined : ageOf(options.older)
  if (wanted !== undefined && (options.all === true || olderMs !== undefined))
    throw badInput(
      'an id and --all or --older cannot be used together',
      'ratchet archive',
      'use one of them',
    )
  const project = projectDir(context.project)
  const now = Date.now()
  const offset = loadConfig(project).config.timezone
  const dirs = userDirs(context.server.env)
  let server: Promise<Server> | undefined
  const isOpen = async (workflowId: string): Promise<boolean> => {
    if (!hadRuns(context.server)) return false
    server ??= startServer(context)
    return (await (await server).ratchet.find(workflowId)) === 'open'
  }
  let records: EndedRecord[] | undefined
  const { finished, warnings } = await finishArchiving(project, {
    dirs,
    wants: async ({ session_id: name, workflow_id: id, kind }) => {
      if (wanted !== undefined && wanted !== name && wanted !== id) return false
      // The entry may name another run than the record that would be moved.
      records ??= recordsOf(project)
      const here = records.filter((one) => one.name === name && one.kind === kind)
      for (const one of [id ?? name, ...here.map(({ workflowId }) => workflowId)])
        if (await isOpen(one)) return false
      return true
    },
  })
  const chosen =
    wanted !== undefined
      ? finished.length > 0
        ? []
        : [named(context, project, wanted)]
      : options.all === true || olderMs !== undefined
        ? recordsOf(project).filter(
            ({ ended, endedAt }) =>
              ended && (olderMs === undefined || (endedAt ?? now) <= now - olderMs),
          )
        : []
  const archived: ArchiveEntry[] = [...finished]
  const kept: Kept[] = []
  for (const record of chosen) {
    const { name, workflowId } = record
    if (await isOpen(workflowId)) {
      const reason = `the run ${workflowId} is open`
      if (wanted !== undefined)
        throw badInput(reason, workflowId, `end it first: ratchet stop ${workflowId}`)
      kept.push({ name, reason })
      continue
    }
    try {
      archived.push(await archive(record, { now, offset, dirs }))
    } catch (error) {
      if (wanted !== undefined || !(error instanceof Error)) throw error
      kept.push({ name, reason: error.message })
    }
  }
  for (const warning of warnings) context.out.warn(`warning: ${warning}`)
  const followUps = followUpsIn(
    chosen.length > 0 || finished.length > 0 || wanted !== undefined
      ? archived
      : readManifest(project).entries,
  )
  context.out.answer({ archived, kept, followUps }, [
    ...archived.map((entry) => row('archived', `${entry.session_id}: ${entry.archive_path}`)),
    ...kept.map(({ name, reason }) => row('kept', `${name}: ${reason}`)),
    ...followUps.map(({ number, kind, text }, n) =>
      row(n === 0 ? 'left to do' : '', ` ${number}  ${kind}  ${text}`),
    ),
    ...(followUps.length === 0 ? [] : [row('start one', ' ratchet fix --follow-up <n>')]),
    ...(archived.length + kept.length + followUps.length === 0 ? ['nothing to archive'] : []),
  ])
  return 0
}

function named(context: Pick<Context, 'project'>, project: string, wanted: string): EndedRecord {
  const session = sessionOf(context.project, wanted, project)
  const kept = session === undefined ? keptIn(project, wanted) : undefined
  const place = session?.archived === true ? session.dir : kept?.archived
  if (place !== undefined)
    throw badInput(`${wanted} is archived already`, place, `see it with: ratchet report ${wanted}`)
  if (session !== undefined) return ofSession(session)
  if (kept !== undefined) return ofKept(kept)
  if (isPreparation(project, wanted))
    throw badInput(
      `${wanted} is a preparation, whose package stays where its command reads it`,
      'ratchet archive',
      `see its package with: ratchet watch ${wanted}`,
    )
  throw badInput(
    `this project has no record of ${wanted}`,
    project,
    'list the runs with: ratchet status --all',
  )
}

/** One that failed has no record, and is known by its name. */
function isPreparation(project: string, name: string): boolean {
  return name.startsWith('prep-') || existsSync(prepFiles(project, name).progress)
}

/** Days besides the units of durations, as records are kept for long. */
function ageOf(typed: string): number {
  const days = /^(\d+(?:\.\d+)?)d$/.exec(typed)?.[1]
  if (days !== undefined) return Number(days) * DAY_MS
  const problem = durationProblem(typed)
  if (problem !== undefined) throw badInput(`--older ${problem}`, typed, 'write it like 30d or 12h')
  return durationMs(typed)
}
