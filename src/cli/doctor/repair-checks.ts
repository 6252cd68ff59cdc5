// Checks for remains of dead processes and deleted projects, with their repairs. No repair ends a
// live process or removes the only copy of work.
import { existsSync, lstatSync, readdirSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { MARKERS } from '../../contract/names.js'
import { deadLooks, removeLook } from '../../adapters/preflight-tests.js'
import { removeTree } from '../../adapters/git/user-repository/clean.js'
import { inRepo, refsBelow, workspaceRepo } from '../../adapters/git/repo.js'
import { abandonedRuns } from '../../adapters/activity-journal.js'
import { deadClaims } from '../../adapters/process/claims.js'
import { endMarked } from '../../adapters/process/end.js'
import { findMarked } from '../../adapters/process/find.js'
import { damagedRegistrations, keepAside, projectByKey } from '../../adapters/config/registry.js'
import { layout, userDirs, type Dirs } from '../../adapters/state-dir.js'
import { readPrepared } from '../../adapters/workspace/state.js'
import { fail, repairable, pass, warn, type Check } from './check.js'
import type { Context, ServerChoice } from '../context.js'
import { startServer } from '../start/server.js'

/** Runs every check for remains; one line each, also if there is nothing to repair. */
export async function repairChecks(
  context: Pick<Context, 'server' | 'out'>,
  project: string,
): Promise<Check[]> {
  const dirs = userDirs(context.server.env)
  return [
    await checkSupervisor(context, dirs),
    ...(await checkAttributes(context.server, dirs)),
    checkProcesses(dirs),
    checkClaims(dirs),
    ...checkRegistrations(dirs),
    ...(await checkDownloads(dirs)),
    ...(await checkWorkspaces(dirs)),
    ...checkIgnoreFile(project),
  ]
}

async function checkSupervisor(
  context: Pick<Context, 'server' | 'out'>,
  dirs: Dirs,
): Promise<Check> {
  const [{ recordedSupervisor }, { livingChildren }, { recordedServer }] = await Promise.all([
    import('../../adapters/supervisor/supervisor-call.js'),
    import('../../dev-server/children.js'),
    import('../../dev-server/server-record.js'),
  ])
  const record = layout.supervisor(dirs)
  if (recordedSupervisor(dirs) !== undefined) return pass('supervisor', 'running')
  const left = livingChildren(dirs).length + (recordedServer(dirs) === undefined ? 0 : 1)
  if (left > 0)
    return repairable(
      'supervisor',
      `it was killed, and ${left} process${left === 1 ? ' it watched is' : 'es it watched are'} still running`,
      {
        ask: 'Start another supervisor for them?',
        run: async () => {
          const { ratchet } = await startServer(context)
          await ratchet.close()
          return 'started another supervisor'
        },
      },
    )
  if (!existsSync(record))
    return pass('supervisor', 'not running; the next command that needs it starts it')
  return repairable('supervisor', 'not running; a dead one left its file', {
    ask: `Remove ${record}?`,
    run: () => {
      if (recordedSupervisor(dirs) === undefined) rmSync(record, { force: true })
      return Promise.resolve('removed its file')
    },
  })
}

// Only for the local server: on a user's own server, search attributes are the user's to register.
async function checkAttributes(choice: ServerChoice, dirs: Dirs): Promise<Check[]> {
  const { recordedServer } = await import('../../dev-server/server-record.js')
  const server = recordedServer(dirs)
  if (server === undefined || choice.address !== undefined || choice.profile !== undefined)
    return []
  const { attributeProblems, prepareNamespace } = await import('../../dev-server/api/namespace.js')
  const problems = await attributeProblems(server.api)
  if (problems === undefined) return []
  const { missing, otherType } = problems
  if (otherType.length > 0)
    return [
      fail(
        'search attribs',
        `of another type than ratchet's: ${otherType.join(', ')}`,
        `remove them: temporal operator search-attribute remove --namespace ratchet --name ${otherType.join(' --name ')}, then: ratchet doctor --fix`,
      ),
    ]
  if (missing.length === 0) return [pass('search attribs', 'all registered')]
  return [
    repairable('search attribs', `not registered: ${missing.join(', ')}`, {
      ask: `Register ${missing.join(', ')}?`,
      run: async () => {
        await prepareNamespace(server)
        return `registered ${missing.join(', ')}; new runs use them, open ones continue without`
      },
    }),
  ]
}

// A retry repeats the steps of a dead worker, but processes that it started may still run.
function checkProcesses(dirs: Dirs): Check {
  const runs = abandonedRuns(dirs).filter((run) => findMarked(MARKERS.run, run).length > 0)
  const looks = deadLooks(dirs)
  if (runs.length + looks.length === 0)
    return pass('processes', 'no process of a dead worker is left')
  const what = [
    ...runs.map((run) => `of the run ${run}, whose worker has died`),
    ...(looks.length === 0
      ? []
      : [`of ${looks.length} first test run${looks.length === 1 ? '' : 's'} that did not end`]),
  ]
  return repairable('processes', `left: ${what.join('; ')}`, {
    ask: `End the processes ${what.join(', and ')}?`,
    run: async () => {
      let ended = 0
      // Checks again: a worker may have claimed the run meanwhile.
      for (const run of abandonedRuns(dirs).filter((one) => runs.includes(one)))
        ended += await endMarked(MARKERS.run, run)
      for (const id of deadLooks(dirs)) await removeLook(dirs, id)
      return `${ended} process${ended === 1 ? '' : 'es'} ended, ${looks.length} first test run${looks.length === 1 ? '' : 's'} removed`
    },
  })
}

function checkClaims(dirs: Dirs): Check {
  const find = (): string[] =>
    [layout.slots(dirs), ...inside(layout.locks(dirs))]
      .filter((dir) => existsSync(dir) && lstatSync(dir).isDirectory())
      .flatMap(deadClaims)
  const dead = find()
  if (dead.length === 0) return pass('claims', 'no lock of a dead process is left')
  return repairable('claims', `${dead.length} of dead processes; they block nothing`, {
    ask: `Remove ${dead.length} claim${dead.length === 1 ? '' : 's'} of dead processes?`,
    run: () => {
      const gone = find()
      for (const file of gone) unlinkSync(file)
      return Promise.resolve(`${gone.length} removed`)
    },
  })
}

// The next ratchet command in the project registers it again; the message says where the file is
// kept.
function checkRegistrations(dirs: Dirs): Check[] {
  const damaged = damagedRegistrations(dirs)
  if (damaged.length === 0) return []
  return [
    repairable(
      'projects',
      `not registered, because these files are damaged: ${damaged.join(', ')}`,
      {
        ask: `Rename ${damaged.length} damaged file${damaged.length === 1 ? '' : 's'}?`,
        run: () =>
          Promise.resolve(
            `kept as ${damagedRegistrations(dirs).map(keepAside).join(', ')}; any ratchet command in its project registers it again`,
          ),
      },
    ),
  ]
}

async function checkDownloads(dirs: Dirs): Promise<Check[]> {
  const bin = path.join(dirs.cache, 'bin')
  const left = (): string[] => inside(bin).filter((dir) => path.basename(dir).startsWith('get-'))
  const { tryLock } = await import('../../dev-server/lock.js')
  if (left().length === 0) return []
  const lock = path.join(bin, 'lock')
  const taken = tryLock(lock)
  if ('holder' in taken) return [] // another process is downloading right now
  taken.lock.release()
  return [
    repairable('downloads', `${left().length} interrupted, in ${bin}`, {
      ask: 'Remove their files?',
      run: async () => {
        const mine = tryLock(lock)
        if ('holder' in mine) return 'nothing, because the server is being downloaded right now'
        try {
          const dirsLeft = left()
          for (const dir of dirsLeft) await removeTree(dir)
          return `${dirsLeft.length} removed`
        } finally {
          mine.lock.release()
        }
      },
    }),
  ]
}

// Covers projects whose directory is gone; `ratchet clean` is for the others.
async function checkWorkspaces(dirs: Dirs): Promise<Check[]> {
  const orphans = inside(path.join(dirs.state, 'workspaces'))
    .filter((place) => isGone(dirs, path.basename(place)))
    .flatMap(inside)
  const judged = await Promise.all(
    orphans.map(async (dir) => ({ dir, holdsWork: await holdsWork(dir) })),
  )
  const kept = judged.filter(({ holdsWork: holds }) => holds)
  const free = judged.filter(({ holdsWork: holds }) => !holds)
  return [
    ...(kept.length === 0
      ? []
      : [
          warn(
            'workspaces',
            `${kept.length} of deleted projects hold commits that may exist nowhere else`,
            kept
              .map(({ dir }) => `look at ${path.join(dir, 'tree')}, then remove ${dir}`)
              .join('\n'),
          ),
        ]),
    ...(free.length === 0
      ? []
      : [
          repairable(
            'workspaces',
            `${free.length} of deleted projects, without commits of their own`,
            {
              ask: `Remove ${free.length} workspace${free.length === 1 ? '' : 's'} of deleted projects?`,
              run: async () => {
                for (const { dir } of free) await removeTree(dir)
                return `${free.length} removed`
              },
            },
          ),
        ]),
  ]
}

function isGone(dirs: Dirs, key: string): boolean {
  const project = projectByKey(dirs, key)
  return project !== undefined && !existsSync(project.path)
}

// Returns true if it cannot tell.
async function holdsWork(dir: string): Promise<boolean> {
  try {
    const prepared = readPrepared(dir)
    if (prepared === undefined) return existsSync(path.join(dir, 'tree'))
    const repo = await workspaceRepo(prepared.workspace)
    // Objects are borrowed from the project, so git may fail for lack of them.
    const tips = await refsBelow(repo, 'refs')
    const changed = [
      await inRepo(repo, ['diff-files', '--name-only']),
      await inRepo(repo, ['ls-files', '--others', '--exclude-standard']),
    ]
    return tips.some(({ sha }) => sha !== prepared.workspace.base) || changed.join('').trim() !== ''
  } catch {
    return true
  }
}

function checkIgnoreFile(project: string): Check[] {
  const place = path.join(project, '.workflow')
  const file = path.join(place, '.gitignore')
  if (!existsSync(place) || !lstatSync(place).isDirectory()) return []
  if (existsSync(file)) return [pass('ignore file', file)]
  return [
    repairable('ignore file', `${place} is not ignored by git`, {
      ask: `Write ${file}?`,
      run: () => {
        writeFileSync(file, '*\n', { flag: 'wx' })
        return Promise.resolve(`wrote ${file}`)
      },
    }),
  ]
}

function inside(dir: string): string[] {
  return existsSync(dir) ? readdirSync(dir).map((name) => path.join(dir, name)) : []
}
