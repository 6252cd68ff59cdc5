// Loads the record of a run that continues without its workflow. A damaged record is rebuilt first,
// and the damaged file kept.
import { BAD_INPUT, RefusalError } from '../contract/failures.js'
import { hasFolders, readRecord } from '../adapters/records/read-record.js'
import type { Rebuilt } from '../adapters/records/rebuild-record.js'
import type { RecordFields, RecordFiles, StateFile } from '../adapters/records/record-definition.js'

/** `base`: a requested base, which is refused, as a continued run has one. */
export type RecordOf = { project: string; name: string; base: string | undefined }

type Loaded<R> = {
  record: R
  warnings: string[]
  refuse: (message: string, next: string) => never
}

/** @throws RefusalError `BadInput` if there is no record, or it cannot continue */
export async function loadRecord<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  { project, name, base }: RecordOf,
  rebuild: () => Promise<Rebuilt<R>>,
): Promise<Loaded<R>> {
  const { kind } = definition
  const files = definition.paths(project, name)
  const refuse = (message: string, next: string): never => {
    throw new RefusalError(BAD_INPUT, message, files.master, next)
  }
  const found = readRecord(definition, project, name)
  if (found.state === 'none' && !hasFolders(definition, files))
    return refuse(
      `${kind === 'cycle' ? 'Cycle' : 'Loop'} not found: ${name}`,
      'list the runs with: ratchet status --all',
    )
  if (found.state === 'newer')
    return refuse(
      `the record of ${name} has schema ${found.schema}, written by a newer version of Ratchet`,
      'update Ratchet, then try again',
    )
  const whole =
    found.state === 'ok'
      ? { record: found.record, warnings: [] }
      : await rebuilt(
          found.state === 'damaged' ? `was damaged (${found.problem})` : 'was gone',
          rebuild,
        )
  if (base !== undefined)
    refuse(
      `base cannot be set for ${name}, which continues from its last state`,
      `remove --base, or start a new ${kind} with: ratchet ${kind} "…"`,
    )
  return { ...whole, refuse }
}

async function rebuilt<R>(
  damage: string,
  rebuild: () => Promise<Rebuilt<R>>,
): Promise<{ record: R; warnings: string[] }> {
  const { record, kept, notes } = await rebuild()
  return {
    record,
    warnings: [
      `the record ${damage} and has been rebuilt${kept === undefined ? '' : `; the damaged file is kept as ${kept}`}`,
      ...notes,
    ],
  }
}

/** What a kind of run says of its record. `T`: the state that it continues with. */
export type Continuing<R, T> = {
  rebuild: () => Promise<Rebuilt<R>>
  restore: (record: R) => T
  /** Nothing is left to do. */
  isDone: (record: R) => boolean
  task: (restored: T) => string | undefined
  extensionProblem: (restored: T, text: string) => string | undefined
}

export type Continued<T> = {
  restored: T
  /** Absent if the record does not know the branch. */
  continueFrom: { branch: string; base: string } | undefined
  warnings: string[]
}

/**
 * Restores the state of a cycle or loop that continues, perhaps with a further task.
 *
 * @throws RefusalError `BadInput` as `loadRecord`, or if nothing is left to do, the task is lost or
 * the further task cannot be added
 */
export async function continueRun<R extends RecordFields, F extends RecordFiles, T>(
  definition: StateFile<R, F>,
  { extend, ...of }: RecordOf & { extend: string | undefined },
  { rebuild, restore, isDone, task, extensionProblem }: Continuing<R, T>,
): Promise<Continued<T>> {
  const { record, warnings, refuse } = await loadRecord(definition, of, rebuild)
  const { name } = of
  if (isDone(record) && extend === undefined)
    refuse(`${name} is completed`, `give it a further task: ratchet extend ${name} "…"`)
  const restored = restore(record)
  if ((task(restored) ?? '') === '' && extend === undefined)
    refuse(
      `the task of ${name} was lost with its record`,
      `give it again: ratchet extend ${name} "<task>"`,
    )
  const problem = extend === undefined ? undefined : extensionProblem(restored, extend)
  if (problem !== undefined)
    refuse(
      `extend: ${problem}`,
      'shorten it, or put the rest into a file of the repository and name it',
    )
  if (record.failure_reason !== undefined)
    warnings.push(`the ${definition.kind} had ended as failed: ${record.failure_reason}`)
  const { branch, base } = record.ratchet
  return {
    restored,
    warnings,
    continueFrom: branch === undefined || base === undefined ? undefined : { branch, base },
  }
}

/**
 * Refuses a new run whose record exists. A retry of the same step finds its own record at most as
 * it began.
 *
 * @param isOwn tells whether a record has the task of the new run
 */
export function refuseSecond<R extends RecordFields, F extends RecordFiles>(
  definition: StateFile<R, F>,
  project: string,
  name: string,
  isOwn: (record: R) => boolean,
): void {
  const { kind, paths } = definition
  const found = readRecord(definition, project, name)
  if (
    found.state === 'none' ||
    (found.state === 'ok' && isOwn(found.record) && found.record.completed_at === undefined)
  )
    return
  throw new RefusalError(
    BAD_INPUT,
    `a record of ${name} already exists`,
    paths(project, name).master,
    `continue it with: ratchet ${kind} --${kind}-id ${name}, or use another id`,
  )
}
