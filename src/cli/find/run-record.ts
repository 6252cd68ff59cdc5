// Reads dev cycles and dev loops from their records alone: which one an id means, how it ended, and
// what keeps it from continuing. Works without a server.
import type { RefusalError } from '../../contract/failures.js'
import type { IterationSummary, RunResult, RunStatus } from '../../contract/result.js'
import { fileName } from '../../contract/ids.js'
import { archivedNames, archivedPlace } from '../../adapters/records/archive.js'
import { cycleFiles, cycleNames } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { loopFiles, loopNames } from '../../adapters/records/dev-loop/loop-paths.js'
import { registeredProjects } from '../../adapters/config/registry.js'
import { userDirs, type Dirs } from '../../adapters/state-dir.js'
import type { ProjectChoice } from '../context.js'
import { keptCycle } from './kept-cycles.js'
import { nounOf, type KeptKind } from './kept-kind.js'
import { badInput } from '../output/errors.js'
import { keptLoop, type OpenWork } from './kept-loops.js'
import { nearest } from './nearest.js'
import { projectPath } from '../start/project-dir.js'

/** Kinds of run with a state file of their own. */
export type KeptRun = {
  kind: KeptKind
  project: string
  /** Name of its files. */
  name: string
  /** Workflow id: the one in its record, else the one the user typed. */
  id: string
  /** Its state file. */
  file: string
  /** What is wrong with the state file, as half a sentence. */
  damage?: string
  /** The schema of a state file that a later version wrote. */
  newer?: number
  /** Absent if the state file cannot be read. */
  standing?: { status: RunStatus; phase: string; iteration: number; passRate: number | null }
  /** Present if it has ended. */
  result?: RunResult
  history: IterationSummary[]
  /** Lines about its iterations, for a record without summaries. */
  lines: string[]
  /** Finished iterations; an interrupted one runs again. */
  spent: number
  branch?: string
  base?: string
  /** Of a loop. */
  open?: OpenWork
  /** Directory of an archived one: it holds the record as it lay in the project. */
  archived?: string
}

const KINDS = {
  'dev-cycle': { keptIn: keptCycle, namesIn: cycleNames, filesOf: cycleFiles },
  'dev-loop': { keptIn: keptLoop, namesIn: loopNames, filesOf: loopFiles },
} as const satisfies Record<
  KeptKind,
  {
    keptIn: (project: string, wanted: string) => KeptRun | undefined
    namesIn: (project: string) => string[]
    filesOf: (project: string, name?: string) => { dir: string; master: string }
  }
>

const ALL = Object.keys(KINDS) as KeptKind[]

/** Returns the path of its state file, which may not exist. */
export function keptFile(project: string, id: string, kind: KeptKind): string {
  return KINDS[kind].filesOf(project, id).master
}

/**
 * Returns the cycle or loop of a project by its id, even if its state file is gone; `undefined` if
 * there is none.
 */
export function keptIn(project: string, wanted: string, kind?: KeptKind): KeptRun | undefined {
  for (const one of kind === undefined ? ALL : [kind]) {
    const found = KINDS[one].keptIn(project, wanted)
    if (found !== undefined) return found
  }
  return archivedIn(project, wanted, kind)
}

// Of several with the same name the newest.
function archivedIn(
  project: string,
  wanted: string,
  kind: KeptKind | undefined,
): KeptRun | undefined {
  const name = fileName(wanted)
  const places = archivedNames(project)
    .filter(
      (one) =>
        one === name || (one.startsWith(`${name}-`) && /^-\d+$/.test(one.slice(name.length))),
    )
    .flatMap((one) => archivedPlace(project, one) ?? [])
  for (const place of places.reverse())
    for (const one of kind === undefined ? ALL : [kind]) {
      const found = KINDS[one].keptIn(place, wanted)
      if (found !== undefined) return { ...found, project, archived: place }
    }
  return undefined
}

/**
 * Returns the cycle or loop of this id in this project, else in another one of this user.
 *
 * @param project the run's, if it is known
 */
export function keptOf(
  choice: ProjectChoice,
  wanted: string,
  project?: string,
): KeptRun | undefined {
  if (project !== undefined) return keptIn(project, wanted)
  for (const one of [
    projectPath(choice),
    ...registeredProjects(userDirs(choice.env)).map((known) => known.path),
  ]) {
    const found = keptIn(one, wanted)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the cycles or loops of a project that have a record. */
export function keptRuns(project: string, kind: KeptKind): KeptRun[] {
  const { namesIn, keptIn: inProject } = KINDS[kind]
  return namesIn(project).flatMap((name) => inProject(project, name) ?? [])
}

/** Returns the ids of the readable cycles or loops of a project. */
export function keptIds(project: string, kind: KeptKind): string[] {
  const { namesIn, keptIn: inProject } = KINDS[kind]
  return namesIn(project).map((name) => inProject(project, name)?.id ?? name)
}

/** Returns the refusal for an unknown cycle or loop, with the nearest ids of this project. */
export function keptNotFound(choice: ProjectChoice, id: string, kind: KeptKind): RefusalError {
  const { filesOf } = KINDS[kind]
  const noun = nounOf(kind)
  const project = projectPath(choice)
  const near = nearest(id, keptIds(project, kind))
  const message = `${noun[0]?.toUpperCase() ?? ''}${noun.slice(1)} not found`
  return badInput(
    message,
    `${id} is neither on the server nor in ${filesOf(project).dir}`,
    near.length === 0
      ? `start one with: ratchet ${noun} "<task>"`
      : `${noun}s of this project: ${near.join(', ')}`,
  )
}

/** Returns the project of this user that has the record of a cycle or loop. */
export function projectOfKept(dirs: Dirs, id: string, kind: KeptKind): string | undefined {
  return registeredProjects(dirs).find((known) => keptIn(known.path, id, kind) !== undefined)?.path
}

/**
 * Returns how many iterations are left of a total.
 *
 * @throws RefusalError `BadInput` if none is left
 */
export function furtherIterations(
  { kind, id, spent }: Pick<KeptRun, 'kind' | 'id' | 'spent'>,
  inAll: number,
): number {
  if (inAll > spent) return inAll - spent
  throw badInput(
    `the ${nounOf(kind)} ${id} has used ${spent} of ${inAll} iterations`,
    '--max-iterations',
    `use ${spent + 1} or more`,
  )
}

/**
 * Returns why it cannot continue, or `undefined`. A further task continues even a completed one; a
 * damaged or missing state file is rebuilt.
 */
export function keptObstacle(
  { kind, id, file, newer, standing, result, archived }: KeptRun,
  extended: boolean,
): RefusalError | undefined {
  const noun = nounOf(kind)
  if (archived !== undefined)
    return badInput(
      `the ${noun} ${id} is archived`,
      archived,
      `start a new one with: ratchet ${noun} "<task>"`,
    )
  if (newer !== undefined)
    return badInput(
      `the record of the ${noun} ${id} was written by a later version (schema ${newer})`,
      file,
      'update ratchet',
    )
  // Open items can be worked on with further iterations.
  if (extended || standing?.status !== 'completed' || result?.outcome === 'completed_with_issues')
    return undefined
  return badInput(
    `the ${noun} ${id} is ${(result?.outcome ?? 'completed').replaceAll('_', ' ')}`,
    file,
    `give it a further task: ratchet extend ${id} "<task>"`,
  )
}
