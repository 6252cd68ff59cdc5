// The turns of a run as its host sees them: what was asked, what came of it, and when.
import { ApplicationFailure } from '@temporalio/common'
import type { SentTurn } from '../../../src/contract/turn-input.js'
import type { PersonEdit } from '../../../src/contract/dev-cycle/person-edit.js'
import type { TurnReading, TurnResult } from '../../../src/contract/turn.js'
import { turnResult } from '../../support/stub-host.js'
import type { Went } from './phase-answers.js'

/**
 * `part`: the turn that its retries and convergence belong to. `asked`: everything that it was
 * asked, as text. `said`: what the agent meant by its answer, where it gave one in the form;
 * `about`: the tasks that there were then.
 */
export type Turn<M> = {
  key: string
  part: string
  step: string
  iteration: number
  turn: SentTurn['turn']
  asked: string
  head: string
  at: number
  outcome: TurnResult['outcome'] | 'died'
  who: string
  /** The one that it is for, if it is for one. */
  task?: string
  said?: M
  about: readonly { id: string; text: string }[]
  inClone?: true
}

export type Turns<M> = {
  all: Turn<M>[]
  /** How far the host is: grows with every turn and commit. */
  now: () => number
  tick: () => number
  /** Turns that were begun after a stop. */
  late: string[]
  stopped: boolean
  /** When the last further task came from a person; 0: none did. */
  extended: number
  /** Documents that a person edited. `found`: when the host said so. */
  edits: { id: string; found?: number }[]
}

export function turnsOf<M>(): Turns<M> {
  let now = 0
  return {
    all: [],
    now: () => now,
    tick: () => (now += 1),
    late: [],
    stopped: false,
    extended: 0,
    edits: [],
  }
}

const stepOf = (key: string): string => key.split('/').slice(2).join('/')
const partOf = (key: string): string =>
  stepOf(key).replace(/(?:\.retry|\.converge|\.simplified|\.\d+)+$/, '')

export type Play<M> = {
  who: string
  went: Went
  /** Missing where it only asks. */ means: M | undefined
  about: () => readonly { id: string; text: string }[]
  /** It has a clone of its own. */ inClone?: boolean
  work: () => void
  read: () => TurnReading
  silent: () => TurnReading
}

/**
 * One turn by its move: `work` does it, `read` is what the product reads in its answer, `silent` in
 * one without the form.
 */
export function played<M>(
  turns: Turns<M>,
  sent: SentTurn,
  cancelled: boolean,
  { who, went, means, about, inClone, work, read, silent }: Play<M>,
): TurnResult {
  const { key, iteration, turn, ask, expectHead: head, agent } = sent
  const [step, part] = [stepOf(key), partOf(key)]
  const before = turns.all.filter(
    (one) => one.key.startsWith(key.replace(step, part)) && one.outcome !== 'stopped',
  ).length
  if (turns.stopped && !cancelled) turns.late.push(step)
  const done = (
    outcome: Turn<M>['outcome'],
    reading?: TurnReading,
    rest: Partial<TurnResult> & { said?: M } = {},
  ): TurnResult => {
    const { said, ...more } = rest
    turns.all.push({
      key,
      part,
      step,
      iteration,
      turn,
      asked: JSON.stringify(ask),
      head,
      at: turns.tick(),
      outcome,
      who,
      ...(sent.task === undefined ? {} : { task: sent.task }),
      about: structuredClone(about()),
      ...(inClone === true ? { inClone } : {}),
      ...(said === undefined ? {} : { said }),
    })
    if (outcome === 'died')
      throw ApplicationFailure.nonRetryable('the worker is lost', 'WorkerLost')
    return turnResult(outcome, {
      agent,
      sessionId: `s-${part}`,
      ...(reading === undefined ? {} : { read: reading }),
      ...more,
    })
  }
  if (cancelled) return done('stopped')
  const answers = (): TurnResult => {
    work()
    return done('completed', read(), means === undefined ? {} : { said: means })
  }
  const mumbles = (outcome: 'completed' | 'timed_out'): TurnResult => {
    work()
    return done(outcome, silent(), outcome === 'completed' ? {} : { reason: 'ran out of time' })
  }
  const isRetry = /\.(?:retry|converge)$/.test(step)
  switch (went) {
    case 'answers':
      return answers()
    case 'no block':
      return mumbles('completed')
    case 'block on retry':
      return isRetry ? answers() : mumbles('completed')
    case 'late':
      return isRetry ? answers() : mumbles('timed_out')
    case 'too late':
      return mumbles('timed_out')
    case 'fails':
      return done('failed', undefined, { reason: 'exited with code 1' })
    case 'fails once':
      return before > 0 ? answers() : done('failed', undefined, { reason: 'exited with code 1' })
    case 'dies':
      return step.endsWith('.simplified') ? answers() : done('died')
    case 'limited':
      return before > 0
        ? answers()
        : done('rate_limited', undefined, {
            reason: 'too many requests',
            limitedUntil: Date.now() + 60_000,
          })
  }
}

/**
 * What a record or a commit answers: edits that the state does not know. `ends`: nothing follows
 * it.
 */
export function editsFor(
  turns: Turns<unknown>,
  phase: PersonEdit['phase'],
  seen: number,
  ends: boolean,
): { edits?: PersonEdit[] } {
  const news = turns.edits.slice(seen)
  if (!ends) for (const edit of news) edit.found ??= turns.tick()
  return news.length === 0
    ? {}
    : {
        edits: news.map(({ id }) => ({
          id,
          phase,
          file: `${phase}/notes.md`,
          change: [`+ a word about ${id}`],
        })),
      }
}

/** Edits that the developer had no turn about since they were found. */
export function untoldEdits(turns: Turns<unknown>, developer: string, to: number): string[] {
  const told = turns.all.filter(
    ({ who, outcome, at }) => who === developer && outcome === 'completed' && at <= to,
  )
  return turns.edits
    .filter(
      ({ id, found }) =>
        found !== undefined && found <= to && !told.some(({ asked }) => asked.includes(id)),
    )
    .map(({ id }) => `edit: ${id}`)
}

/** When the last further task of a run came from a person; 0: none did. */
export function extendedIn(
  { extended }: Turns<unknown>,
  { from, to }: { from: number; to: number },
): number {
  return extended > from && extended <= to ? extended : 0
}

/**
 * Keys of turns that were bought again after they had ended. A turn that was stopped, or had to
 * wait, continues under its key.
 */
export function boughtTwice({ all }: Turns<unknown>): string[] {
  return all
    .filter((one, n) =>
      all
        .slice(0, n)
        .some(
          ({ key, outcome }) =>
            key === one.key && outcome !== 'stopped' && outcome !== 'rate_limited',
        ),
    )
    .map(({ key }) => key)
}

/** The turns whose answer counts: the last one in the form of each part, oldest first. */
export function answered<M>(turns: readonly Turn<M>[]): (Turn<M> & { said: M })[] {
  const inForm = turns.filter(
    (one): one is Turn<M> & { said: M } => one.outcome === 'completed' && one.said !== undefined,
  )
  return inForm.filter(
    (one, n) =>
      !inForm
        .slice(n + 1)
        .some(
          (other) => other.part === one.part && other.key.split('/')[1] === one.key.split('/')[1],
        ),
  )
}
