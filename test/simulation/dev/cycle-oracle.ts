// What is open at the end of a run of a cycle, by the contract's table and by what its host saw. It
// asks no rule of the product: a task is done where its developer named it and that iteration made
// a commit, and so on, row by row.
import { PHASES, type Phase } from '../../../src/contract/dev-cycle/discovery.js'
import type { CycleFacts } from './cycle-host.js'
import { blockerText, decisionOf, type PhaseMove } from './phase-answers.js'
import type { Ran } from './play.js'
import { isRewritten, isSameTree, lost, worse } from './project.js'
import { answered, extendedIn, untoldEdits, type Turn } from './turns.js'
import { commitsOf, contradict, isGone, type Work } from './undone.js'
import { meaning } from './wordings.js'
import { COVERAGE_NEEDED } from './world.js'

/**
 * `review`: why a person has to look at the run although nothing is open. `unmoved`: it committed
 * nothing.
 */
export type Judged = { open: string[]; review: string[]; unmoved: boolean }

type Said = Turn<PhaseMove> & { said: PhaseMove }

/** The state of a cycle when a run of it has ended. */
export function judgedCycle(
  {
    world,
    project,
    turns,
    commits,
    plan,
    head,
  }: Pick<CycleFacts, 'world' | 'project' | 'turns' | 'commits' | 'plan'> & { head: string },
  { from, to }: Pick<Ran, 'from' | 'to'>,
): Judged {
  const said = answered(turns.all.filter(({ at }) => at <= to))
  const own = commits.filter(({ commit, at }) => commit !== null && at > from && at <= to)
  const all = commits.filter(({ commit, at }) => commit !== null && at <= to)
  const developed = said.filter(
    ({ who, said: { status } }) => who === 'cd' && (status === 'success' || status === 'partial'),
  )
  const before = turns.all.filter(({ at }) => at <= to)
  const agrees = agreesAbout(head, before, said)
  const lookedAt = validations(before).at(-1)?.at ?? 0

  // Until EP has ended its first turn there is no plan: who names a task names one of that plan.
  const first = turns.all.find(
    ({ who, outcome }) => who === 'ep' && (outcome === 'completed' || outcome === 'timed_out'),
  )
  // What was done before a further task may be taken back for it.
  const isFollowed = world.then !== 'extend' && turns.extended === 0
  const worked = plan().map((task) => {
    const about = developed.filter((one) =>
      [...one.about, ...(first !== undefined && one.at < first.at ? first.about : [])].some(
        ({ id, text }) => id === task.id && text === task.text,
      ),
    )
    const naming = about.filter((one) => named(one).includes(task.id))
    const work = all.flatMap(({ commit, iteration, at }): Work[] =>
      commit !== null && naming.some((one) => one.iteration === iteration) ? [{ commit, at }] : [],
    )
    return { task, about, work }
  })
  const tasks = worked.map(({ task, about, work }) => {
    const isUndone = isFollowed && isGone(project, commitsOf(work), head)
    const isContradicted = isUndone && worked.some((other) => contradict(project, work, other.work))
    const done = work.length > 0 && (!isUndone || isContradicted)
    // A validation agrees only to what was claimed before it.
    const unchanged = about.some((one) => one.at < lookedAt && unneeded(one).includes(task.id))
    return { ...task, isContradicted, done, unchanged }
  })
  const speaksForAll =
    !developed.some((one) => named(one).length + unneeded(one).length > 0) &&
    agrees &&
    own.length > 0
  const left = tasks.filter(({ done, unchanged }) => !done && !(unchanged && agrees))
  const allUnchanged =
    tasks.length > 0 && tasks.every(({ done, unchanged }) => done || unchanged) && agrees
  const isUndone =
    all.length > 0 &&
    isFollowed &&
    isSameTree(project.base, project.treeOf(head)) &&
    !(allUnchanged && tasks.every(({ unchanged }) => unchanged))
  return {
    open: [
      ...(speaksForAll ? [] : left.map(({ id }) => `task ${id}`)),
      ...(all.length > 0 || allUnchanged ? [] : ['nothing is committed']),
      ...(isUndone ? ['what was committed is taken back'] : []),
      ...worse(project.base, project.treeOf(head), world),
      ...(agrees ? [] : ['no validation agrees']),
      ...untoldEdits(turns, 'cd', to),
      ...undecided(said, before),
      ...(world.prep === undefined || covers(said) ? [] : ['the gate is not reached']),
      ...PHASES.flatMap((phase) => blockedAt(phase, said)),
    ],
    review: [
      ...(speaksForAll && left.length > 0 ? ['no task was named'] : []),
      ...tasks.flatMap(({ id, isContradicted: is }) => (is ? [`${id} is contradicted`] : [])),
      ...(world.suite ? [] : ['no tests']),
      ...lost(project.base, project.treeOf(head)),
      ...(isRewritten(project.treeOf(head), world) ? ['an existing test was changed'] : []),
      ...(own.length === 0 && all.length === 0 ? ['nothing was committed'] : []),
    ],
    unmoved: !own.some(({ at }) => at > extendedIn(turns, { from, to })),
  }
}

/** What the last validation says of the coverage is enough: no script measures it. */
function covers(said: readonly Said[]): boolean {
  const last = validations(said).at(-1) as Said | undefined
  return last !== undefined && Number.parseInt(last.said.coverage) >= COVERAGE_NEEDED
}

function validations(turns: readonly Turn<PhaseMove>[]): Turn<PhaseMove>[] {
  return turns.filter(
    ({ who, turn, part }) => who === 'vas' && (turn === 'validate' || part.includes('/validate')),
  )
}

/**
 * VAS looked at the head last, agrees without reservation, and has not refused the same commit
 * before.
 */
function agreesAbout(
  head: string,
  turns: readonly Turn<PhaseMove>[],
  said: readonly Said[],
): boolean {
  const last = validations(turns).at(-1)
  if (last === undefined || last.head !== head) return false
  const own = said.filter(({ who, part }) => who === 'vas' && part.includes('/validate'))
  const word = own.filter(({ part, at }) => part === last.part && at <= last.at).at(-1)
  const refused = (one: Said): boolean =>
    one.said.status === 'partial' ||
    one.said.status === 'failed' ||
    !['true', 'n/a'].includes(one.said.ready) ||
    one.said.critical > 0 ||
    meaning(one.said.issue).means === 'finding'
  return (
    word !== undefined &&
    word.said.status === 'success' &&
    !own.some((one) => one.head === head && refused(one))
  )
}

function named({ said: { names }, about }: Said): string[] {
  const ids = about.map(({ id }) => id)
  if (['all', 'in words', 'titles', 'twice'].includes(names)) return ids
  return names === 'first' || names === 'skips' ? ids.slice(0, 1) : []
}

function unneeded({ said: { noChange }, about }: Said): string[] {
  const ids = about.map(({ id }) => id)
  return noChange === 'all' ? ids : noChange === 'first' ? ids.slice(0, 1) : []
}

/** Decisions that the developer had no turn about since. */
function undecided(said: readonly Said[], turns: readonly Turn<PhaseMove>[]): string[] {
  const asked = new Map<string, number>()
  for (const {
    who,
    said: { decision },
    at,
  } of said) {
    const text = decisionOf(who as Phase, decision)
    if (decision !== 0 && !asked.has(text)) asked.set(text, at)
  }
  return [...asked]
    .filter(
      ([text, at]) =>
        !turns.some(
          (one) =>
            one.who === 'cd' &&
            one.outcome === 'completed' &&
            one.at > at &&
            one.asked.includes(`${text} → `),
        ),
    )
    .map(([text]) => `decision: ${text}`)
}

/** An agent whose last word was that something blocks it. */
function blockedAt(phase: Phase, said: readonly Said[]): string[] {
  const last = said.filter(({ who }) => who === phase).at(-1)
  return last === undefined || last.said.blocker === 0
    ? []
    : [`blocker: ${blockerText(phase, last.said.blocker)}`]
}
