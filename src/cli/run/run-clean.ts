// ratchet clean: removes what closed runs left outside the working tree. Without --force it keeps
// commits that exist nowhere else, and everything of their run. Records always stay.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { projectKey, userDirs } from '../../adapters/state-dir.js'
import { removeTree } from '../../adapters/git/user-repository/clean.js'
import { diskUse, sizeText } from '../../adapters/files/disk-use.js'
import type { Context } from '../context.js'
import { EXIT, badInput } from '../output/errors.js'
import { checkedId, hadRuns } from '../find/find-run.js'
import { isOpen, leftovers, namesOf, remove, type Leftovers, type Removed } from '../leftovers.js'
import { projectDir } from '../start/project-dir.js'
import { startServer, type Server } from '../start/server.js'

type Kept = { name: string; reason: string }
type Options = { all?: boolean; force?: boolean; cache?: boolean; dryRun?: boolean }

export async function run(context: Context, [typed]: string[], options: Options): Promise<number> {
  const wanted = typed === undefined ? undefined : checkedId(typed)
  if (wanted !== undefined && options.all === true)
    throw badInput('an id and --all cannot be used together', 'ratchet clean', 'use one of them')
  if (wanted === undefined && options.all !== true && options.cache !== true)
    throw badInput('no run named', 'ratchet clean', 'name a run, or use --all or --cache')

  const dryRun = options.dryRun === true
  const removed: Removed[] = []
  const kept: Kept[] = []
  let refused = false
  if (wanted !== undefined || options.all === true) {
    const project = projectDir(context.project)
    const dirs = userDirs(context.project.env)
    const found =
      wanted === undefined
        ? await namesOf(dirs, project)
        : [await named(context.project.env, project, wanted)]
    const server =
      found.length > 0 && hadRuns(context.server) ? await startServer(context) : undefined
    for (const name of found) {
      const left = leftovers(dirs, project, name)
      const reason = await openReason(server, left)
      if (reason !== undefined && wanted !== undefined)
        throw badInput(reason, left.workflowId, `end it first: ratchet stop ${left.workflowId}`)
      const done =
        reason === undefined
          ? await remove(left, { force: options.force === true, dryRun })
          : { kept: reason }
      if (!('kept' in done)) removed.push(done)
      else {
        kept.push({ name, reason: done.kept })
        if (reason === undefined) refused = true // --all does not mean open runs
      }
    }
  }
  const cacheBytes =
    options.cache === true
      ? await cleanCache(context.project.env, { force: options.force === true, dryRun })
      : undefined
  const cache = cacheBytes !== undefined
  const [done, stays] = dryRun ? ['would remove', 'would keep'] : ['removed', 'kept']
  const label = (text: string): string => text.padEnd(dryRun ? 14 : 9)
  const total = [...removed.map((one) => one.bytes ?? 0), cacheBytes ?? 0].reduce(
    (sum, bytes) => sum + bytes,
    0,
  )
  context.out.answer({ removed, kept, cache, bytes: total, ...(dryRun && { dryRun }) }, [
    ...removed.map((one) => `${label(done)}${one.name}: ${describe(one)}`),
    ...kept.map((one) => `${label(stays)}${one.name}: ${one.reason}`),
    ...(cache ? [`${label(done)}downloaded and built programs, ${sizeText(cacheBytes)}`] : []),
    ...(removed.length + (cache ? 1 : 0) > 1 ? [`${label('')}${sizeText(total)} in all`] : []),
    ...(removed.length + kept.length === 0 && !cache ? ['nothing to clean'] : []),
    ...(kept.some((one) => one.reason.includes('nowhere else'))
      ? ['apply them with: ratchet apply <id>, or delete them with --force']
      : []),
  ])
  return refused ? EXIT.otherwise : EXIT.done
}

async function named(env: NodeJS.ProcessEnv, project: string, wanted: string): Promise<string> {
  const name = wanted
    .replace(new RegExp(`\\.${projectKey(project).slice(0, 6)}$`), '')
    .replaceAll(':', '-')
  const known = await namesOf(userDirs(env), project)
  if (!known.includes(name))
    throw badInput(
      `the run ${wanted} has nothing to clean`,
      project,
      known.length === 0
        ? 'nothing to do: no run of this project has anything to clean'
        : `runs with something to clean: ${known.join(', ')}`,
    )
  return name
}

async function openReason(
  server: Server | undefined,
  left: Leftovers,
): Promise<string | undefined> {
  return server !== undefined && (await isOpen(server, left))
    ? `the run ${left.workflowId} is open`
    : undefined
}

/** Returns the bytes that were freed; `undefined` if there were none. */
async function cleanCache(
  env: NodeJS.ProcessEnv,
  { force, dryRun }: { force: boolean; dryRun: boolean },
): Promise<number | undefined> {
  const dirs = userDirs(env)
  const { localStatus } = await import('../../dev-server/index.js')
  if (!force && !dryRun && (await localStatus(dirs)).server !== undefined)
    throw badInput(
      'the local server runs from the cache',
      dirs.cache,
      'stop it first: ratchet dev --stop',
    )
  const entries = existsSync(dirs.cache)
    ? readdirSync(dirs.cache).map((entry) => path.join(dirs.cache, entry))
    : []
  if (entries.length === 0) return undefined
  const bytes = (await diskUse(entries)) ?? 0
  for (const entry of dryRun ? [] : entries) await removeTree(entry)
  return bytes
}

function describe({ workspace, branch, refs, turns, bytes }: Removed): string {
  const parts = [
    workspace ? 'workspace' : '',
    branch === null ? '' : `branch ${branch}`,
    refs === 0 ? '' : `${refs} ref${refs === 1 ? '' : 's'}`,
    turns === 0 ? '' : `${turns} agent turn${turns === 1 ? '' : 's'}`,
    bytes === null || bytes === 0 ? '' : sizeText(bytes),
  ]
  return parts.filter((part) => part !== '').join(', ') || 'nothing was left'
}
