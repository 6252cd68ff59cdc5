// Checks that an activity of a project's host touches only that project.
//
// The task queue of a host accepts tasks from everyone who reaches the server's port, even without
// a workflow of Ratchet: a path in an input is a request, not a fact. Without this check they could
// have the worker run the configuration of another directory under this user: a sandboxed agent
// could leave its sandbox. What a workflow may request is still possible.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { FileRef } from '../../contract/files.js'
import { fileName, idProblem } from '../../contract/ids.js'
import { Workspace } from '../../contract/workspace.js'
import { nameOfBranch } from '../../adapters/git/ratchet-refs.js'
import { layout } from '../../adapters/state-dir.js'
import { isInside } from '../../adapters/workspace/environment.js'
import type { HostDeps } from './deps.js'
import { asFailure } from './failure.js'

type Deps = Pick<HostDeps, 'dirs' | 'project' | 'projectKey'>
type Fields = Record<string, unknown>

/** Names that become names of files. */
const IDS = ['run', 'name', 'session', 'cycleId', 'loopId']
/** Keys that only a workspace has. */
const WORKSPACE_KEYS = ['root', 'cwd', 'isolation', 'keep']
/** Deeper than any input of ours. */
const DEPTH = 20

/** The same activities, each of which first refuses an input that names places of others. */
export function onlyOwn<A extends Record<string, (input: never) => Promise<unknown>>>(
  deps: Deps,
  activities: A,
): A {
  const looked = Object.entries(activities).map(([name, run]) => [
    name,
    async (input: never): Promise<unknown> => {
      const problem = foreignIn(deps, input)
      if (problem !== undefined)
        throw asFailure(
          new RefusalError(
            BAD_INPUT,
            problem,
            deps.project,
            'start runs with ratchet, or as docs/scripts.md says',
          ),
        )
      return run(input)
    },
  ])
  return Object.fromEntries(looked) as A
}

/** What an input names that is not this project's, or `undefined`. */
export function foreignIn(deps: Deps, input: unknown): string | undefined {
  if (!isFields(input)) return 'the input of an activity must be an object'
  const { project } = input
  if (project !== undefined && !isOwnProject(deps, project))
    return `project: ${said(project)} is not the project of this worker`
  for (const field of IDS) {
    const id = input[field]
    const problem =
      id === undefined
        ? undefined
        : typeof id === 'string'
          ? idProblem(fileName(id))
          : 'must be a text'
    if (problem !== undefined) return `${field}: ${problem}`
  }
  return foreignBelow(deps, input, 0)
}

function foreignBelow(deps: Deps, value: unknown, depth: number): string | undefined {
  if (depth > DEPTH) return 'the input of an activity is nested too deep'
  if (Array.isArray(value))
    return first(value.map((one: unknown) => () => foreignBelow(deps, one, depth + 1)))
  if (!isFields(value)) return undefined
  const { recordDir, record } = value
  return first([
    () => (hasOne(value, WORKSPACE_KEYS) ? foreignWorkspace(deps, value) : undefined),
    () => (isReference(value) ? foreignFile(deps, value) : undefined),
    () =>
      recordDir !== undefined && !isRecord(deps, recordDir)
        ? `recordDir: ${said(recordDir)} is no record of this project`
        : undefined,
    () =>
      isFields(record) && record['dir'] !== undefined && !isRecord(deps, record['dir'])
        ? `record.dir: ${said(record['dir'])} is no record of this project`
        : undefined,
    () => first(Object.values(value).map((one) => () => foreignBelow(deps, one, depth + 1))),
  ])
}

// One of its keys makes it a workspace: what a stranger leaves out must not turn the check off.
function foreignWorkspace(deps: Deps, value: Fields): string | undefined {
  const problem = shapeProblem(Workspace.strict().safeParse(value))
  if (problem !== undefined) return `workspace: ${problem}`
  const { project, root, keep, cwd, branch, isolation } = value
  const below = layout.workspace(deps.dirs, deps.projectKey, '.')
  if (!isOwnProject(deps, project))
    return `workspace.project: ${said(project)} is not the project of this worker`
  if (
    !isPath(root) ||
    (isolation === 'in-place' ? root !== repositoryOf(deps.project) : !isBelow(root, below))
  )
    return `workspace.root: ${said(root)} is no workspace of this project`
  if (!isPath(cwd) || !isInside(cwd, root))
    return `workspace.cwd: ${said(cwd)} is not in the workspace`
  if (keep !== undefined && !(isPath(keep) && isBelow(keep, below)))
    return `workspace.keep: ${said(keep)} is no directory of a run of this project`
  if (typeof branch !== 'string' || nameOfBranch(branch) === undefined)
    return `workspace.branch: ${said(branch)} is no branch of a run`
  return undefined
}

function isReference(value: Fields): boolean {
  return 'path' in value && (hasOne(value, ['sha256', 'bytes']) || Object.keys(value).length === 1)
}

function foreignFile(deps: Deps, value: Fields): string | undefined {
  const problem = shapeProblem(FileRef.strict().safeParse(value))
  if (problem !== undefined) return `a reference to a file: ${problem}`
  return isOwnFile(deps, value['path'])
    ? undefined
    : `${said(value['path'])} is no file of a run of this project`
}

function hasOne(value: Fields, keys: readonly string[]): boolean {
  return keys.some((key) => key in value)
}

function shapeProblem({ error }: z.ZodSafeParseResult<unknown>): string | undefined {
  const issue = error?.issues[0]
  return issue === undefined ? undefined : `${issue.path.join('.')} ${issue.message}`.trim()
}

// By any name of the directory: a run may have been started through a link.
function isOwnProject({ project }: Deps, named: unknown): boolean {
  if (named === project) return true
  return isPath(named) && existsSync(named) && realpathSync(named) === project
}

function isOwnFile(deps: Deps, file: unknown): boolean {
  const turns = path.dirname(layout.turn(deps.dirs, ''))
  return (
    isPath(file) &&
    ([layout.workspace(deps.dirs, deps.projectKey, '.'), turns].some((dir) => isBelow(file, dir)) ||
      isRecord(deps, file))
  )
}

function isRecord({ project }: Deps, file: unknown): boolean {
  return isPath(file) && isBelow(file, path.join(project, '.workflow'))
}

// Where git would look for it; a project may be a subfolder.
function repositoryOf(project: string): string | undefined {
  for (let dir = project; ; dir = path.dirname(dir)) {
    if (existsSync(path.join(dir, '.git'))) return dir
    if (dir === path.dirname(dir)) return undefined
  }
}

const isBelow = (file: string, dir: string): boolean =>
  isInside(file, dir) && path.relative(dir, file) !== ''
const isPath = (value: unknown): value is string =>
  typeof value === 'string' && path.isAbsolute(value)
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const said = (value: unknown): string =>
  typeof value === 'string' ? value.slice(0, 200) : typeof value

function first(looks: readonly (() => string | undefined)[]): string | undefined {
  for (const look of looks) {
    const problem = look()
    if (problem !== undefined) return problem
  }
  return undefined
}
