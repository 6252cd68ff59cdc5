// The plan's tasks, and which of them the developer has done. A task counts as done where the
// developer names it in an iteration that has committed something; what a plan no longer has is no
// longer promised. A person's word about a task counts before the planner's.
import type { CyclePromise, PhaseResult } from '../../contract/dev-cycle/cycle-state.js'
import type { TaskWork } from '../../contract/workspace.js'
import { afterCommit, followed, isWorkOf, withCommits } from '../run/task-work.js'
import { tasksIn, type Mention } from '../answers/named-tasks.js'
import { textKey } from './documents/same-text.js'

/**
 * Ids that the entries of a list name as done: the entry is the id, or has it as a word. `titles`:
 * of the tasks, where they are known.
 */
export function namedTasks(
  said: readonly string[],
  ids: readonly string[],
  titles?: ReadonlyMap<string, string>,
): string[] {
  const { done } = tasksIn(said, mentionsOf(ids), titles)
  return ids.filter((id) => done.includes(id))
}

function mentionsOf(ids: readonly string[]): (text: string) => Mention[] {
  const known = new Map(ids.map((id) => [id.toLowerCase(), id]))
  return (text) => {
    // An id of several words counts only as a whole, without what an object says of its state.
    const named = text.replace(/ \((?:done|not done: .*)\)$/, '')
    const whole = known.get(named.trim().toLowerCase())
    if (whole !== undefined) return [{ id: whole, from: 0, to: named.length }]
    return [...text.matchAll(/[\p{L}\p{N}._-]+/gu)].flatMap(({ 0: match, index }) => {
      const word = match.replace(/[.]+$/, '')
      const id = known.get(word.toLowerCase())
      return id === undefined ? [] : [{ id, from: index, to: index + word.length }]
    })
  }
}

/** Whether the developer says of any task of the plan how it stands. */
export function namesTasks(
  promised: readonly CyclePromise[],
  cd: Pick<PhaseResult, 'tasksNamed' | 'noChange'> | undefined,
): boolean {
  const { done, left } = tasksIn(
    [...(cd?.tasksNamed ?? []), ...(cd?.noChange ?? []).map(({ id }) => id)],
    mentionsOf(promised.map(({ id }) => id)),
  )
  return done.length + left.length > 0
}

/**
 * The plan's tasks as EP has them now. One of the same id and text keeps what is known of it, as
 * does one that the plan calls done: the plan alone closes none. A task that a person added stays,
 * and one of `removed`, which a person took out, does not come back.
 */
export function planned(
  before: readonly CyclePromise[],
  plan: readonly { id: string; text: string; done?: boolean | undefined }[],
  removed: readonly { id: string; text: string }[] = [],
): CyclePromise[] {
  const persons = before.filter(({ byPerson }) => byPerson === true)
  const wanted = plan.filter(
    ({ id, text }) => !removed.some((one) => one.id === id || textKey(one.text) === textKey(text)),
  )
  const tasks = wanted.map(({ id, text, done }): CyclePromise => {
    const known =
      persons.find((one) => one.id === id) ??
      before.find((one) => one.id === id && (done === true || textKey(one.text) === textKey(text)))
    return known === undefined
      ? { id, text, state: 'open' }
      : { ...known, ...(known.byPerson === true ? {} : { text }) }
  })
  return [...tasks, ...persons.filter(({ id }) => !tasks.some((task) => task.id === id))]
}

/**
 * Returns the tasks after a turn of CD, once its work is committed.
 *
 * @param commits of this iteration
 * @param known the tasks when CD ended its turn: a task that was reworded since is not meant. Empty
 * if there was no plan yet
 * @param takenBack every file is as it was: a task that was done may need no change after all
 */
export function worked(
  before: readonly CyclePromise[],
  cd: Pick<PhaseResult, 'status' | 'tasksNamed' | 'noChange'> | undefined,
  commits: readonly string[],
  known: readonly CyclePromise[] = [],
  takenBack = false,
): CyclePromise[] {
  if (cd === undefined || (cd.status !== 'success' && cd.status !== 'partial')) return [...before]
  const named = namedIn(before, cd)
  const isKnown = ({ id, text }: CyclePromise): boolean =>
    known.length === 0 || known.some((one) => one.id === id && textKey(one.text) === textKey(text))
  return before.map((task): CyclePromise => {
    if (!isKnown(task)) return task
    const { takenBack: isGone, undoneBy: _, claimed: __, commits: ___, ...plain } = task
    const unchanged = (cd.noChange ?? []).find(
      ({ id }) => id.toLowerCase() === task.id.toLowerCase(),
    )
    if (unchanged !== undefined)
      return task.state === 'done' && !takenBack
        ? task
        : { ...plain, state: 'no_change', why: unchanged.why }
    if (!named.includes(task.id)) return task
    // What took the work of a task back is no work of it, and neither opens nor closes it.
    const isDone = task.state === 'done' || isGone === true
    const now = isWorkOf(task.id, named, isDone) ? withCommits(task, commits) : task
    if (task.state === 'done') return now
    return commits.length > 0 && isGone !== true
      ? {
          id: task.id,
          text: task.text,
          state: 'done',
          ...(task.byPerson === true ? { byPerson: true } : {}),
          ...(now.commits === undefined ? {} : { commits: now.commits }),
          ...(task.contradicts === undefined ? {} : { contradicts: task.contradicts }),
        }
      : { ...now, claimed: true }
  })
}

/**
 * The tasks whose work the next commit may take back. `cd`: what it has said in this iteration.
 */
export function tasksFollowed(
  promised: readonly CyclePromise[],
  cd: Pick<PhaseResult, 'tasksNamed'> | undefined,
): TaskWork[] {
  const own = namedIn(promised, cd)
  return followed(promised, ({ state }) => state === 'done', own)
}

/**
 * Open again, where a commit has taken back everything that was changed for a task.
 *
 * @param cd what it has said in this iteration
 */
export function withTakenBack(
  promised: readonly CyclePromise[],
  asked: readonly TaskWork[],
  ids: readonly string[],
  cd: Pick<PhaseResult, 'tasksNamed'> | undefined,
): CyclePromise[] {
  const own = namedIn(promised, cd)
  return afterCommit(promised, asked, { ids, own }, (task) => ({ ...task, state: 'open' }))
}

function namedIn(
  promised: readonly CyclePromise[],
  cd: Pick<PhaseResult, 'tasksNamed'> | undefined,
): string[] {
  return namedTasks(
    cd?.tasksNamed ?? [],
    promised.map(({ id }) => id),
    new Map(promised.map(({ id, text }) => [id, text])),
  )
}

/** Tasks of which the developer says that they need no change, with its reasons. */
export function unchangedTasks(
  promised: readonly CyclePromise[] = [],
): { id: string; why: string }[] {
  return promised.flatMap(({ id, state, why = '' }) => (state === 'no_change' ? [{ id, why }] : []))
}

/** Tasks of the plan that are done; `undefined` where there is no plan. */
export function doneTasks(promised: readonly CyclePromise[] = []): number | undefined {
  return promised.length === 0 ? undefined : promised.filter(({ state }) => state !== 'open').length
}
