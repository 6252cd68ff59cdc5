// What the workers of a loop do and say, as text: the product reads it as it reads the answers of
// real ones.
import fc from 'fast-check'
import type { LoopAction } from '../../../src/contract/dev-loop/loop-input.js'
import type { WorkerReading } from '../../../src/contract/dev-loop/action-reading.js'
import { readWorker } from '../../../src/core/dev-loop/answers/action-block.js'
import { namingProblem } from '../../../src/core/dev-loop/answers/task-claims.js'
import { workerForm } from '../../../src/core/dev-loop/prompts/action-form.js'
import type { Went } from './phase-answers.js'
import { EDITS, type Edit } from './project.js'
import { meaning, WORDINGS } from './wordings.js'

/** One turn of a worker. What does not concern its action is not looked at. */
export type WorkerMove = {
  went: Went
  status: 'success' | 'partial' | 'failed' | 'blocked' | 'splendid'
  edit: Edit
  /** Tasks that a develop names as done, as left, and as needing no change. */
  names: 'none' | 'own' | 'all' | 'unknown' | 'count' | 'skips' | 'twice' | 'titles'
  left: 'none' | 'own' | 'others'
  noChange: 'none' | 'own' | 'others' | 'unknown'
  back: 'null' | 'develop' | 'debug' | 'validate' | 'complete' | 'the beginning'
  next: 'null' | 'debug' | 'develop'
  /** Place of a wording. */
  finding: number
  /** A validate lists the tests that fail, as its form asks. */
  lists?: boolean
  /** Rounds of questions before it answers. */
  asks: 0 | 1 | 9
  /** The file that it changes in parallel with others: the shared one cannot be merged. */
  file: 'own' | 'shared'
  /** Further lines of the block, which count before those above, and further details. */
  adds?: { lines?: string[]; details?: object }
}

const RIGHT: WorkerMove = {
  went: 'answers',
  status: 'success',
  edit: 'repair all',
  names: 'own',
  left: 'none',
  noChange: 'none',
  back: 'null',
  next: 'null',
  finding: 0,
  asks: 0,
  file: 'own',
}

/** A turn that does its work and says so; only a develop changes anything. */
export function rightOf(action: LoopAction): WorkerMove {
  return action === 'develop' ? RIGHT : { ...RIGHT, edit: 'nothing' }
}

const often = <T>(usual: T, others: fc.Arbitrary<T>, weight = 5): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others })
const odd: fc.Arbitrary<WorkerMove> = fc.record({
  went: often<Went>(
    'answers',
    fc.constantFrom<Went[]>(
      'no block',
      'block on retry',
      'late',
      'too late',
      'fails',
      'fails once',
      'dies',
      'limited',
    ),
  ),
  status: often<WorkerMove['status']>(
    'success',
    fc.constantFrom('partial', 'failed', 'blocked', 'splendid'),
    3,
  ),
  edit: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Edit>('repair all') },
    { weight: 3, arbitrary: fc.constantFrom(...EDITS) },
  ),
  names: often<WorkerMove['names']>(
    'own',
    fc.constantFrom('none', 'all', 'unknown', 'count', 'skips', 'twice', 'titles'),
    2,
  ),
  left: often<WorkerMove['left']>('none', fc.constantFrom('own', 'others')),
  noChange: often<WorkerMove['noChange']>('none', fc.constantFrom('own', 'others', 'unknown')),
  back: often<WorkerMove['back']>(
    'null',
    fc.constantFrom('develop', 'debug', 'validate', 'complete', 'the beginning'),
    4,
  ),
  next: often<WorkerMove['next']>('null', fc.constantFrom('debug', 'develop')),
  finding: often(0, fc.nat(WORDINGS.length - 1), 2),
  lists: fc.boolean(),
  asks: often<WorkerMove['asks']>(0, fc.constantFrom(1, 9), 9),
  file: often<WorkerMove['file']>('own', fc.constant('shared'), 2),
})
export const workerMoves = (action: LoopAction, weight: number): fc.Arbitrary<WorkerMove[]> =>
  fc.array(
    fc.oneof({ weight, arbitrary: fc.constant(rightOf(action)) }, { weight: 2, arbitrary: odd }),
    { minLength: 1, maxLength: 6 },
  )

/**
 * `own`: of a develop, the task it was given; `given`: all that it was given. `parallel`: in a clone,
 * with others.
 */
export type Given = {
  own: string | undefined
  given: readonly string[]
  all: readonly string[]
  parallel: boolean
  titles?: ReadonlyMap<string, string>
  failures?: readonly { test: string; error: string; location: string }[]
}

export function namedBy(
  move: WorkerMove,
  { own, given, all }: Given,
): { done: string[]; left: string[]; unchanged: string[] } {
  const mine = own === undefined ? [...given] : [own]
  const others = all.filter((id) => !mine.includes(id))
  return {
    done: {
      none: [],
      own: mine,
      all: [...all],
      unknown: ['T98'],
      count: [],
      skips: mine,
      twice: mine,
      titles: mine,
    }[move.names],
    left: { none: [], own: mine, others }[move.names === 'skips' ? 'others' : move.left],
    unchanged: { none: [], own: mine, others, unknown: ['T97'] }[move.noChange],
  }
}

/** The answer of a turn, with the block that Ratchet asks for. `tasks`: how many init finds. */
export function workerText(
  action: LoopAction,
  move: WorkerMove,
  given: Given,
  tasks: number,
  round: number,
): string {
  if (round < move.asks && action !== 'complete')
    return `CLARIFICATION_NEEDED:\nQ1: Which store for round ${round}? | Options: [sqlite, files] | Recommended: [files]`
  const { done, left, unchanged } = namedBy(move, given)
  const finding = meaning(move.finding).text
  const details: Record<LoopAction, object> = {
    init: {
      tasks: Array.from({ length: tasks }, (_, n) => ({
        id: `T${n + 1}`,
        description: `piece of work ${n + 1}: show what is open, left`,
        priority: n === 1 ? 'high' : 'medium',
        files: [],
      })),
    },
    develop: {
      ...(move.names === 'count'
        ? { tasks_completed: given.all.length }
        : move.names === 'none'
          ? {}
          : move.names === 'skips'
            ? { tasks_completed: [...done, ...left.map((id) => `${id} (not started yet)`)] }
            : move.names === 'twice'
              ? { tasks_completed: [...done.map((id) => `${id}: in progress`), ...done] }
              : move.names === 'titles'
                ? { tasks_completed: done.map((id) => `${id}: ${given.titles?.get(id) ?? ''}`) }
                : { tasks_completed: done }),
      tasks_remaining: move.names === 'skips' ? [] : left,
      ...(unchanged.length === 0
        ? {}
        : { no_change: unchanged.map((id) => ({ id, why: 'it is so already' })) }),
    },
    debug: finding === '' ? {} : { findings: [finding] },
    validate: {
      ...(finding === '' ? {} : { findings: [finding] }),
      ...(move.lists !== true ? {} : { failures: given.failures ?? [] }),
    },
    complete: { commit_suggestion: { message: 'Add a store' } },
  }
  return [
    'WORKER_RESULT:',
    `- action: ${action}`,
    `- status: ${move.status}`,
    `- summary: ${action} has done its part`,
    '- files_changed: []',
    `- next_suggestion: ${move.next}`,
    `- loop_back_to: ${move.back}`,
    ...(move.adds?.lines ?? []),
    '',
    'DETAILED_OUTPUT:',
    'I have looked at it.',
    '',
    '```json',
    JSON.stringify({ ...details[action], ...move.adds?.details }),
    '```',
  ].join('\n')
}

/** What the host reads in an answer. `given`: tasks that a develop in parallel mode has to name. */
export function workerReading(
  action: LoopAction,
  text: string,
  given: readonly string[],
  titles?: ReadonlyMap<string, string>,
): WorkerReading {
  const { problem: unread, form = workerForm(action), ...read } = readWorker(text, action, titles)
  const problem = unread ?? namingProblem(read, given)
  return { kind: 'worker', ...read, ...(problem === undefined ? {} : { problem, form }) }
}
