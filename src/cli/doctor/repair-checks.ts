// What dead processes and deleted projects have left behind, and how it is mended. Nothing here
// ends what lives, and nothing removes work that is nowhere else.
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
import { fail, mendable, pass, warn, type Check } from './check.js'
import type { Context } from '../context.js'
import { startServer } from '../start/server.js'

/** Every check of what is left behind; one line each, also where there is nothing. */
export async function repairChecks(context: Context, project: string): Promise<Check[]> {
  const dirs = userDirs(context.env)
  return [
    await checkSupervisor(context, dirs),
    ...(await checkAttributes(context, dirs)),
    checkProcesses(dirs),
    checkClaims(dirs),
    ...checkRegistrations(dirs),
    ...(await checkDownloads(dirs)),
    ...(await checkWorkspaces(dirs)),
    ...checkIgnoreFile(project),
  ]
}

async function checkSupervisor(context: Context, dirs: Dirs): Promise<Check> {
  const [{ recordedSupervisor }, { livingChildren }, { recordedServer }] = await Promise.all([
    import('../../dev-server/control.js'),
    import('../../dev-server/children.js'),
    import('../../dev-server/server.js'),
  ])
  const record = layout.supervisor(dirs)
  if (recordedSupervisor(dirs) !== undefined) return pass('supervisor', 'running')
  const left = livingChildren(dirs).length + (recordedServer(dirs) === undefined ? 0 : 1)
  if (left > 0)
    return mendable(
      'supervisor',
      `it is gone, and ${left} process${left === 1 ? ' it watched runs' : 'es it watched run'} on`,
      {
        ask: 'Start another supervisor, which takes them over?',
        run: async () => {
          const { ratchet } = await startServer(context)
          await ratchet.close()
          return 'another supervisor watches them'
        },
      },
    )
  if (!existsSync(record)) return pass('supervisor', 'not running, starts on demand')
  return mendable('supervisor', 'not running; the file of a dead one is left', {
    ask: `Remove ${record}?`,
    run: () => {
      if (recordedSupervisor(dirs) === undefined) rmSync(record, { force: true })
      return Promise.resolve('its file was removed')
    },
  })
}

// Of the local server; those of a server of the user's own are not ours to register.
async function checkAttributes(context: Context, dirs: Dirs): Promise<Check[]> {
  const { recordedServer } = await import('../../dev-server/server.js')
  const server = recordedServer(dirs)
  if (server === undefined || context.address !== undefined || context.profile !== undefined)
    return []
  const { attributeProblems, prepareNamespace } = await import('../../dev-server/namespace.js')
  const problems = await attributeProblems(server.address)
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
    mendable('search attribs', `not registered: ${missing.join(', ')}`, {
      ask: `Register ${missing.join(', ')}?`,
      run: async () => {
        await prepareNamespace(server.address, server.nonce)
        return `registered ${missing.join(', ')}; open runs go on without, new ones have them`
      },
    }),
  ]
}

// Steps whose worker has died begin again by themselves; what they had started may be running
// still.
function checkProcesses(dirs: Dirs): Check {
  const runs = abandonedRuns(dirs).filter((run) => findMarked(MARKERS.run, run).length > 0)
  const looks = deadLooks(dirs)
  if (runs.length + looks.length === 0) return pass('processes', 'none is left of dead workers')
  const what = [
    ...runs.map((run) => `of the run ${run}, whose worker has died`),
    ...(looks.length === 0
      ? []
      : [`of ${looks.length} first look${looks.length === 1 ? '' : 's'} that did not end`]),
  ]
  return mendable('processes', `left: ${what.join('; ')}`, {
    ask: `End what is left ${what.join(', and ')}?`,
    run: async () => {
      let ended = 0
      // Looked at again: a worker may have taken the run up meanwhile.
      for (const run of abandonedRuns(dirs).filter((one) => runs.includes(one)))
        ended += await endMarked(MARKERS.run, run)
      for (const id of deadLooks(dirs)) await removeLook(dirs, id)
      return `${ended} process${ended === 1 ? '' : 'es'} ended, ${looks.length} first look${looks.length === 1 ? '' : 's'} removed`
    },
  })
}

function checkClaims(dirs: Dirs): Check {
  const find = (): string[] =>
    [layout.slots(dirs), ...inside(layout.locks(dirs))]
      .filter((dir) => existsSync(dir) && lstatSync(dir).isDirectory())
      .flatMap(deadClaims)
  const dead = find()
  if (dead.length === 0) return pass('claims', 'none of dead processes')
  return mendable('claims', `${dead.length} of dead processes; they hold nobody up`, {
    ask: `Remove ${dead.length} claim${dead.length === 1 ? '' : 's'} of dead processes?`,
    run: () => {
      const gone = find()
      for (const file of gone) unlinkSync(file)
      return Promise.resolve(`${gone.length} removed`)
    },
  })
}

// The next ratchet command in such a project registers it again; this tells which file it is.
function checkRegistrations(dirs: Dirs): Check[] {
  const damaged = damagedRegistrations(dirs)
  if (damaged.length === 0) return []
  return [
    mendable('projects', `not registered, as these files are damaged: ${damaged.join(', ')}`, {
      ask: `Put ${damaged.length} damaged file${damaged.length === 1 ? '' : 's'} aside?`,
      run: () =>
        Promise.resolve(
          `kept as ${damagedRegistrations(dirs).map(keepAside).join(', ')}; any ratchet command in its project registers it again`,
        ),
    }),
  ]
}

async function checkDownloads(dirs: Dirs): Promise<Check[]> {
  const bin = path.join(dirs.cache, 'bin')
  const left = (): string[] => inside(bin).filter((dir) => path.basename(dir).startsWith('get-'))
  const { tryLock } = await import('../../dev-server/lock.js')
  if (left().length === 0) return []
  const lock = path.join(bin, 'lock')
  const taken = tryLock(lock)
  if ('holder' in taken) return [] // somebody is getting it right now
  taken.lock.release()
  return [
    mendable('downloads', `${left().length} that did not end, in ${bin}`, {
      ask: 'Remove what is left of them?',
      run: async () => {
        const mine = tryLock(lock)
        if ('holder' in mine) return 'nothing, as somebody gets the server just now'
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

// Of projects whose directory is gone. `ratchet clean` is for those that are there.
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
            `${kept.length} of projects that are gone hold commits that may be nowhere else`,
            kept
              .map(({ dir }) => `look at ${path.join(dir, 'tree')}, then remove ${dir}`)
              .join('\n'),
          ),
        ]),
    ...(free.length === 0
      ? []
      : [
          mendable(
            'workspaces',
            `${free.length} of projects that are gone, without work of their own`,
            {
              ask: `Remove ${free.length} workspace${free.length === 1 ? '' : 's'} of projects that are gone?`,
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

// In doubt it does.
async function holdsWork(dir: string): Promise<boolean> {
  try {
    const prepared = await readPrepared(dir)
    if (prepared === undefined) return existsSync(path.join(dir, 'tree'))
    const repo = await workspaceRepo(prepared.workspace)
    // Objects were borrowed from the project: what needs one cannot be asked any more.
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
    mendable('ignore file', `${place} is not hidden from git`, {
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
