// What is open at the end of a run of a loop, by the contract's table and by what its host saw. It
// asks no rule of the product.
import type { LoopFacts, WorkerSaid } from './loop-host.js'
import type { Judged } from './cycle-oracle.js'
import type { Ran } from './play.js'
import { isRewritten, isSameTree, lost, worse } from './project.js'
import { answered, extendedIn, untoldEdits, type Turn } from './turns.js'
import { commitsOf, contradict, isGone, type Work } from './undone.js'
import { meaning } from './wordings.js'
import { namedBy } from './worker-answers.js'

type Said = Turn<WorkerSaid> & { said: WorkerSaid }
type Seen = Pick<LoopFacts, 'world' | 'project' | 'turns' | 'work'> & {
  head: string
  plan: Ran['plan']
}

/** The state of a loop at the moment `to` of its host. */
export function judgedLoop(
  { world, project, turns, work, head, plan }: Seen,
  { from, to }: Pick<Ran, 'from' | 'to'>,
): Judged {
  const all = turns.all.filter(({ at }) => at <= to)
  const said = answered(all)
  const done = work.filter(({ at, commit }) => at <= to && commit !== null)
  const own = done.filter(({ at }) => at > from)
  const developer = (world.then === 'extend' ? own : done).filter(
    ({ action, developed: isDeveloped }) => action === 'develop' || isDeveloped === true,
  )
  const developed = said.filter((one) => one.who === 'develop' && isOver(one.said))
  const agrees = agreesAbout(head, all, said, work)
  const lookedAt = validations(all).at(-1)?.at ?? 0
  // What was done before a further task may be taken back for it.
  const isFollowed = world.then !== 'extend' && turns.extended === 0
  const workOf = new Map(plan.map(({ id }) => [id, workOn(id, all, work)]))
  const contradicted = (id: string): boolean =>
    [...workOf].some(
      ([other, theirs]) => other !== id && contradict(project, workOf.get(id) ?? [], theirs),
    )
  const tasks = plan.map(({ id }) => {
    const isUndone = isFollowed && isGone(project, commitsOf(workOf.get(id) ?? []), head)
    const isContradicted = isUndone && contradicted(id)
    return {
      id,
      isContradicted,
      isNamed: developed.some(
        (one) => names(one).done.includes(id) || names(one).unchanged.includes(id),
      ),
      done:
        developed.some((one) => isDoneBy(one, id) && committed(one, work)) &&
        (!isUndone || isContradicted),
      // A validation agrees only to what was claimed before it.
      unchanged: developed.some((one) => one.at < lookedAt && names(one).unchanged.includes(id)),
    }
  })
  const naming = developed.some((one) =>
    plan.some(({ id }) => names(one).done.includes(id) || names(one).unchanged.includes(id)),
  )
  // What another worker commits is no work of the developer.
  const speaksForAll = !naming && agrees && developer.length > 0
  const left = tasks.filter((task) => !task.done && !(task.unchanged && agrees))
  const allUnchanged =
    tasks.length > 0 && tasks.every((task) => task.done || task.unchanged) && agrees
  const isUndone =
    done.length > 0 &&
    isFollowed &&
    isSameTree(project.base, project.treeOf(head)) &&
    !(allUnchanged && tasks.every((task) => task.unchanged))
  return {
    open: [
      ...(speaksForAll ? [] : left.map(({ id }) => `task ${id}`)),
      ...untoldEdits(turns, 'develop', to),
      ...forgotten(world, said, plan),
      ...(done.length > 0 || allUnchanged ? [] : ['nothing is committed']),
      ...(isUndone ? ['what was committed is taken back'] : []),
      ...worse(project.base, project.treeOf(head), world),
      ...(agrees ? [] : ['no validation agrees']),
      ...said
        .filter(
          ({ who, at, inClone, said: { move } }) =>
            (who === 'debug' || (who === 'validate' && inClone === true)) &&
            meaning(move.finding).means === 'finding' &&
            !done.some((one) => one.at > at),
        )
        .map(({ step }) => `finding of ${step}`),
    ],
    review: [
      ...(speaksForAll && left.length > 0 ? ['no task was named'] : []),
      ...tasks.flatMap(({ id, done: isDone, isNamed }) =>
        isDone && !isNamed ? [`${id} was not named`] : [],
      ),
      ...tasks.flatMap(({ id, isContradicted: is }) => (is ? [`${id} is contradicted`] : [])),
      ...(world.suite ? [] : ['no tests']),
      ...lost(project.base, project.treeOf(head)),
      ...(isRewritten(project.treeOf(head), world) ? ['an existing test was changed'] : []),
      ...(done.length === 0 ? ['nothing was committed'] : []),
    ],
    unmoved: !own.some(({ at }) => at > extendedIn(turns, { from, to })),
  }
}

const isOver = ({ move: { status } }: WorkerSaid): boolean =>
  status === 'success' || status === 'partial'

const names = ({ said: { move, given } }: Said) => namedBy(move, given)

function isDoneBy(one: Said, id: string): boolean {
  const { move, given } = one.said
  const { done, left } = names(one)
  return (
    !left.includes(id) && (done.includes(id) || (given.own === id && move.status === 'success'))
  )
}

/** What a develop changed is in the branch. */
function committed(one: Said, work: Seen['work']): boolean {
  return workAfter(one, work).some(({ lost }) => lost !== true)
}

function workAfter(one: Turn<WorkerSaid>, work: Seen['work']): Seen['work'] {
  return work.filter(
    ({ action, commit, iteration, at, developed }) =>
      iteration === one.iteration &&
      at > one.at &&
      commit !== null &&
      (one.inClone === true ? action === 'merge' && developed === true : action === 'develop'),
  )
}

/**
 * The commits of develop for a task. Of the one that it was given for itself, also without an answer;
 * in a clone it has several, and one that names none of them did all.
 */
function workOn(id: string, turns: readonly Turn<WorkerSaid>[], work: Seen['work']): Work[] {
  const isFor = ({ task, said }: Turn<WorkerSaid>): boolean => {
    if (task === id) return true
    if (said === undefined || !isOver(said)) return false
    const { given, parallel } = said.given
    const { done, unchanged } = namedBy(said.move, said.given)
    const isUnnamed = parallel && done.length + unchanged.length === 0
    return [...done, ...(isUnnamed ? given : [])].includes(id)
  }
  return turns
    .filter((one) => one.who === 'develop' && isFor(one))
    .flatMap((one) => workAfter(one, work))
    .flatMap(({ commit, ...one }) => (commit === null ? [] : [{ ...one, commit }]))
}

/** Tasks of the breakdown that the loop does not have. */
function forgotten({ tasks }: Seen['world'], said: readonly Said[], plan: Seen['plan']): string[] {
  if (!said.some(({ who }) => who === 'init')) return []
  return Array.from({ length: tasks }, (_, n) => `T${n + 1}`)
    .filter((id) => !plan.some((task) => task.id === id))
    .map((id) => `${id} is forgotten`)
}

/** Validations of the branch: not those in parallel with others. */
export function validations<T extends Turn<WorkerSaid>>(turns: readonly T[]): T[] {
  return turns.filter(({ who, inClone }) => who === 'validate' && inClone !== true)
}

/** The commit that a validation looked at: with what it committed itself. */
export function lookedAt({ head, iteration, at }: Turn<WorkerSaid>, work: Seen['work']): string {
  return (
    work.find(
      (one) =>
        one.action === 'validate' &&
        one.iteration === iteration &&
        one.at > at &&
        one.commit !== null,
    )?.commit ?? head
  )
}

/** What the validations of a commit have found, each wording once. */
export function foundIn(
  head: string,
  turns: readonly Turn<WorkerSaid>[],
  work: Seen['work'],
): string[] {
  const own = validations(answered(turns)).filter((one) => lookedAt(one, work) === head)
  const texts = own
    .map(({ said: { move } }) => meaning(move.finding))
    .filter(({ means }) => means === 'finding')
    .map(({ text }) => text)
  return [...new Set(texts)].sort()
}

function agreesAbout(
  head: string,
  turns: readonly Turn<WorkerSaid>[],
  said: readonly Said[],
  work: Seen['work'],
): boolean {
  const last = validations(turns).at(-1)
  if (last === undefined || lookedAt(last, work) !== head) return false
  const own = validations(said)
  const word = own.findLast(({ iteration, at }) => iteration === last.iteration && at <= last.at)
  // An unknown status is not an answer: it may be asked again.
  const refused = ({ said: { move } }: Said): boolean =>
    (move.status !== 'splendid' &&
      (move.status !== 'success' || !['null', 'complete'].includes(move.back))) ||
    meaning(move.finding).means === 'finding'
  return (
    word !== undefined &&
    word.said.move.status === 'success' &&
    !own.some((one) => lookedAt(one, work) === head && refused(one))
  )
}
