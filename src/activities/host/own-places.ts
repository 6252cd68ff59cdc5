// Compares what an input names with what this host knows of the run that the activity belongs to:
// its workspace, record, branch, files and keys.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { FileRef } from '../../contract/files.js'
import { idProblem, RecordName, RunId, TurnKey } from '../../contract/ids.js'
import { TaskFile } from '../../contract/test-fix/task.js'
import {
  Commit,
  CommitOrParent,
  ConfigHash,
  ProjectDir,
  RecordDir,
  StepName,
  Workspace,
} from '../../contract/workspace.js'
import { readClaim } from '../../adapters/agents/turn/turn-store.js'
import { ownerOf } from '../../adapters/owner.js'
import { layout } from '../../adapters/state-dir.js'
import { isInside } from '../../adapters/workspace/environment.js'
import { readPrepared } from '../../adapters/workspace/state.js'
import type { HostDeps } from './deps.js'
import type { Check } from './strict-schema.js'

/** `run`: workflow id of the activity that asks. */
export type Place = Pick<HostDeps, 'dirs' | 'project' | 'projectKey'> & { run: () => string }

/** The check of each schema that names something of a run. */
export function ownPlaces(place: Place): ReadonlyMap<z.ZodType, Check> {
  const checks: [z.ZodType, (value: never) => string | undefined][] = [
    [Workspace, (workspace: Workspace) => foreignWorkspace(place, workspace)],
    [FileRef, ({ path: file }: FileRef) => foreignFile(place, file)],
    [ProjectDir, (project: string) => foreignProject(place, project)],
    [RecordDir, (dir: string) => foreignRecord(place, dir)],
    [RecordName, (name: string) => foreignName(place, name)],
    [RunId, (run: string) => (run === place.run() ? undefined : `${said(run)} is another run`)],
    [TurnKey, (key: string) => foreignKey(place, key)],
    [Commit, (commit: string) => unless(/^[0-9a-f]{7,64}$/, commit, 'commit')],
    [CommitOrParent, (commit: string) => unless(/^[0-9a-f]{7,64}\^?$/, commit, 'commit')],
    [ConfigHash, (hash: string) => unless(/^[0-9a-f]{64}$/, hash, 'digest of a configuration')],
    [StepName, (step: string) => unless(/^[\w./ :#-]{1,300}$/, step, 'name of a step')],
    [TaskFile, (file: string) => unless(/^(?!\.\.?$)[^/\\\0]{1,255}$/, file, 'name of a file')],
  ]
  return new Map(checks)
}

const unless = (form: RegExp, value: string, what: string): string | undefined =>
  form.test(value) ? undefined : `${said(value)} is no ${what}`

// A workspace is what its own directory says, and belongs to the run that it was made for.
function foreignWorkspace(place: Place, workspace: Workspace): string | undefined {
  const { root, keep, isolation } = workspace
  const dir = isolation === 'in-place' ? keep : path.dirname(root)
  if (dir === undefined || !isBelow(dir, workspacesOf(place)))
    return `root: ${said(root)} is no workspace of this project`
  const made = readPrepared(dir)
  // A later step says that it is gone.
  if (made === undefined && isolation === 'clone' && !existsSync(root)) return undefined
  if (made?.run !== place.run()) return `root: ${said(root)} is not the workspace of this run`
  const key = (Object.keys(Workspace.shape) as (keyof Workspace)[]).find(
    (one) => !isDeepStrictEqual(workspace[one], made.workspace[one]),
  )
  return key === undefined
    ? undefined
    : `${key}: ${said(workspace[key])} is not that of the workspace of this run`
}

// By any name of the directory: a run may have been started through a link.
function foreignProject({ project }: Place, named: string): string | undefined {
  const isOwn =
    named === project ||
    (path.isAbsolute(named) && existsSync(named) && realpathSync(named) === project)
  return isOwn ? undefined : `${said(named)} is not the project of this worker`
}

function foreignKey({ run }: Place, key: string): string | undefined {
  return key.startsWith(`${run()}/`) ? undefined : `${said(key)} is the key of another run`
}

function foreignName({ dirs, projectKey, run }: Place, name: string): string | undefined {
  const problem = idProblem(name)
  if (problem !== undefined) return problem
  return ownerOf(dirs, projectKey, name) === run()
    ? undefined
    : `the record ${said(name)} does not belong to this run`
}

/** The record of a session, a cycle, a loop or a preparation, below `.workflow`. */
const RECORD =
  /^(?:(?:active\/)?([^/.][^/]*)|\.(?:cycle|loop)\/([^/]+)\.progress|\.prep\/([^/.][^/]*))$/

function foreignRecord(place: Place, dir: string): string | undefined {
  const [, session, other, prep] = RECORD.exec(inRecords(place, dir) ?? '') ?? []
  const name = session ?? other ?? prep
  return name === undefined ? `${said(dir)} is no record of this project` : foreignName(place, name)
}

function foreignFile(place: Place, file: string): string | undefined {
  if (path.isAbsolute(file) && path.normalize(file) === file) {
    const [name] = path.relative(workspacesOf(place), file).split(path.sep)
    if (isBelow(file, workspacesOf(place)))
      return foreignName(place, name ?? '') && `${said(file)} is a file of another run`
    if (isBelow(file, turnsOf(place)))
      return readClaim(path.dirname(file))?.run === place.run()
        ? undefined
        : `${said(file)} is a file of another run`
    if (inRecords(place, file) !== undefined) return undefined
  }
  return `${said(file)} is no file of a run of this project`
}

/** The path below `.workflow`, by the real path of the project or by the one that was named. */
function inRecords(place: Place, file: string): string | undefined {
  const at = file.lastIndexOf('/.workflow/')
  if (at <= 0 || foreignProject(place, file.slice(0, at)) !== undefined) return undefined
  const below = file.slice(at + '/.workflow/'.length)
  return path.normalize(below) === below && !below.startsWith('..') && below !== '.'
    ? below
    : undefined
}

const workspacesOf = ({ dirs, projectKey }: Place): string =>
  layout.workspace(dirs, projectKey, '.')
const turnsOf = ({ dirs }: Place): string => path.dirname(layout.turn(dirs, ''))
const isBelow = (file: string, dir: string): boolean =>
  path.isAbsolute(file) && isInside(file, dir) && path.relative(dir, file) !== ''
const said = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 200) : 'it')
