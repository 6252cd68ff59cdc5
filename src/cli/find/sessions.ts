// Finds test sessions by their files alone: which one a name means, which can continue, and what
// prevents it. Works without a server.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { recordName, sessionProblem, testFixWorkflowId } from '../../contract/ids.js'
import type { RefusalError } from '../../contract/failures.js'
import { findRepo, resolve } from '../../adapters/git/repo.js'
import {
  findSession,
  listSessions,
  type Session,
} from '../../adapters/records/test-fix/sessions.js'
import { registeredProjects } from '../../adapters/config/registry.js'
import { projectKey, userDirs } from '../../adapters/state-dir.js'
import type { Context, ProjectChoice } from '../context.js'
import { CommandError, EXIT, badInput } from '../output/errors.js'
import { projectDir } from '../start/project-dir.js'
import { readRecord } from './session-record.js'
import { serverFlags } from '../start/server.js'

export type ProjectSession = Session & {
  project: string
  /**
   * Id under which its run continues: its earlier id, else the one that belongs to its name here.
   */
  runId: string
}

/**
 * Returns the session of this name, or of the run with this id, in this project or the one whose
 * key is in the id.
 *
 * @param project the run's, if it is known
 */
export function sessionOf(
  choice: ProjectChoice,
  wanted: string,
  project?: string,
): ProjectSession | undefined {
  for (const one of project === undefined ? projectsOf(choice, wanted) : [project]) {
    const found =
      findSession(one, recordName(wanted, undefined)) ??
      listSessions(one).find((session) => session.workflowId === wanted)
    if (found !== undefined) return inProject(one, found)
  }
  return undefined
}

function projectsOf(project: ProjectChoice, wanted: string): string[] {
  const here = projectDir(project)
  const prefix = /\.([0-9a-f]{6})$/.exec(wanted)?.[1]
  if (prefix === undefined || projectKey(here).startsWith(prefix)) return [here]
  return registeredProjects(userDirs(project.env))
    .filter((known) => known.key.startsWith(prefix))
    .map((known) => known.path)
}

/** Returns every session of a project, the latest first. */
export function sessionsOf(project: string): ProjectSession[] {
  return listSessions(project).map((session) => inProject(project, session))
}

function inProject(project: string, session: Session): ProjectSession {
  return { ...session, project, runId: runIdOf(project, session.name, session.workflowId) }
}

/**
 * Returns the id under which the run of a session continues in a project.
 *
 * @param recorded the id in its record
 */
export function runIdOf(project: string, name: string, recorded: string | undefined): string {
  const own =
    sessionProblem(name) === undefined ? testFixWorkflowId(name, projectKey(project)) : name
  // A copied project contains the id of a run of the original.
  const isElsewhere = recorded?.startsWith(`${name}.`) === true && recorded !== own
  return recorded === undefined || isElsewhere ? own : recorded
}

/** Returns the sessions that `ratchet fix` continues without being asked, if no run has them. */
export function unfinished(sessions: readonly ProjectSession[]): ProjectSession[] {
  return sessions.filter(
    (session) =>
      session.marked && session.standing === 'unfinished' && obstacle(session) === undefined,
  )
}

/** Returns why a session cannot continue, or `undefined`. */
export function obstacle(session: ProjectSession): RefusalError | undefined {
  const { name, dir, standing, status, archived, problem, workflowId } = session
  if (archived === true)
    return badInput(`the session ${name} is archived`, dir, 'start a new one with: ratchet fix')
  // A run with an id of its own keeps its record under that.
  const ownName = workflowId !== undefined && recordName(workflowId, undefined) === name
  if (
    problem !== undefined &&
    !(ownName && sessionProblem(name) !== undefined && standing !== 'unknown')
  )
    return badInput(
      `the session ${name} cannot continue: ${problem}`,
      dir,
      'correct it, or start a new one with: ratchet fix',
    )
  if (standing === 'completed')
    return badInput(
      `the session ${name} is ${status}`,
      dir,
      `apply its changes with: ratchet apply ${name}, or start a new one with: ratchet fix`,
    )
  return undefined
}

/**
 * The same if a user asks to continue it: a completed session can only be applied while its branch
 * exists.
 */
export async function refusalOf(session: ProjectSession): Promise<RefusalError | undefined> {
  const problem = obstacle(session)
  if (problem === undefined || session.archived === true || session.standing !== 'completed')
    return problem
  const branch = readRecord(session.project, session.name)?.branch ?? `ratchet/${session.name}`
  if ((await resolve(await findRepo(session.project), `refs/heads/${branch}`)) !== undefined)
    return problem
  return badInput(
    problem.message,
    problem.where,
    session.workflowId === undefined
      ? `archive it with: ratchet archive ${session.name}, or start a new one with: ratchet fix`
      : `its branch ${branch} no longer exists; start a new one with: ratchet fix`,
  )
}

const IterationState = z.object({ current_iteration: z.number().int() })

/**
 * The iteration that a session is in, also one that has only begun; 0 where its record says nothing
 * of it.
 */
export function iterationOf({ dir }: Pick<Session, 'dir'>): number {
  try {
    return (
      IterationState.safeParse(
        JSON.parse(readFileSync(path.join(dir, '.process', 'iteration-state.json'), 'utf8')),
      ).data?.current_iteration ?? 0
    )
  } catch (error) {
    if (
      ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ||
      error instanceof SyntaxError
    )
      return 0
    throw error
  }
}

/** The refusal to choose between several sessions; its document has them all. */
export function severalSessions(
  context: Pick<Context, 'project' | 'server'>,
  sessions: readonly ProjectSession[],
): CommandError {
  const flags = [
    ...(context.project.named === undefined ? [] : [`--project ${context.project.named}`]),
    serverFlags(context.server),
  ].filter((flag) => flag !== '')
  const command = (flag: string): string => ['ratchet fix', flag, ...flags].join(' ')
  const rows = sessions.map(({ name, status, updatedAt, dir, project }) => ({
    name,
    status,
    updatedAt: new Date(updatedAt).toISOString(),
    dir: path.relative(project, dir),
    command: command(`--resume-session ${name}`),
  }))
  const width = (key: 'name' | 'status'): number => Math.max(...rows.map((row) => row[key].length))
  return new CommandError(EXIT.usage, {
    type: 'SeveralSessions',
    message: `${sessions.length} sessions are unfinished`,
    where: rows
      .map(
        (row) =>
          `${row.name.padEnd(width('name'))}  ${row.status.padEnd(width('status'))}  ${row.updatedAt.slice(0, 16).replace('T', ' ')} UTC  ${row.dir}`,
      )
      .join('\n'),
    next: [
      ...rows.map((row) => row.command),
      `a new one: ${command('--session WFS-test-<name>')}`,
    ].join('\n'),
    sessions: rows,
  })
}
