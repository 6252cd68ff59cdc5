// What the agents of a cycle do and say, as text: the product reads it as it reads the answers of
// real ones.
import fc from 'fast-check'
import type { PhaseReading } from '../../../src/contract/dev-cycle/phase-reading.js'
import type { Phase } from '../../../src/contract/dev-cycle/discovery.js'
import { answerProblem } from '../../../src/core/dev-cycle/answers/answer-problem.js'
import { readPhaseBlock, type PhaseBlock } from '../../../src/core/dev-cycle/answers/phase-block.js'
import { phaseForm } from '../../../src/core/dev-cycle/prompts/phase-form.js'
import { EDITS, type Edit } from './project.js'
import { meaning, WORDINGS } from './wordings.js'

/**
 * How a turn ends. `late`: it runs out of time, and answers when it is asked to converge; `too
 * late`: not even then.
 */
export type Went =
  | 'answers'
  | 'no block'
  | 'block on retry'
  | 'late'
  | 'too late'
  | 'fails'
  | 'fails once'
  | 'dies'
  | 'limited'

/** One turn of an agent. What does not concern its phase is not looked at. */
export type PhaseMove = {
  went: Went
  status: 'success' | 'partial' | 'failed' | 'splendid'
  /** Place of a wording. */
  issue: number
  /** Numbers of what blocks it, of what a person is to decide; 0 is none. */
  blocker: number
  decision: number
  edit: Edit
  /** Tasks that CD names as done, and as needing no change. */
  names: 'all' | 'first' | 'none' | 'count' | 'unknown' | 'in words' | 'titles' | 'skips' | 'twice'
  noChange: 'none' | 'all' | 'first' | 'unknown'
  /** Files that CD says it changed, true or not. */
  claims: number
  plan: 'same' | 'longer' | 'reworded' | 'shorter'
  ready: 'true' | 'false' | 'n/a' | 'only once FR-003 is met' | 'nein'
  critical: 0 | 1
  rate: '100%' | '50%' | 'n/a'
  /** Further lines of the block, which count before those above, and further details. */
  adds?: { lines?: string[]; details?: object }
  coverage: '90%' | '40%' | 'n/a'
}

/** A turn that does its work and says so. */
export const RIGHT: PhaseMove = {
  went: 'answers',
  status: 'success',
  issue: 0,
  blocker: 0,
  decision: 0,
  edit: 'repair all',
  names: 'all',
  noChange: 'none',
  claims: 1,
  plan: 'same',
  ready: 'true',
  critical: 0,
  rate: 'n/a',
  coverage: '90%',
}

// Mostly one thing is off: where everything is, nothing is ever done.
const often = <T>(usual: T, others: fc.Arbitrary<T>, weight = 5): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others })
const odd: fc.Arbitrary<PhaseMove> = fc.record({
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
  status: often<PhaseMove['status']>('success', fc.constantFrom('partial', 'failed', 'splendid')),
  issue: often(0, fc.nat(WORDINGS.length - 1), 2),
  blocker: often(0, fc.integer({ min: 1, max: 2 })),
  decision: often(0, fc.integer({ min: 1, max: 3 })),
  edit: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Edit>('repair all') },
    { weight: 3, arbitrary: fc.constantFrom(...EDITS) },
  ),
  names: often<PhaseMove['names']>(
    'all',
    fc.constantFrom('first', 'none', 'count', 'unknown', 'in words', 'titles', 'skips', 'twice'),
    2,
  ),
  noChange: often<PhaseMove['noChange']>('none', fc.constantFrom('all', 'first', 'unknown')),
  claims: fc.nat(2),
  plan: often<PhaseMove['plan']>('same', fc.constantFrom('longer', 'reworded', 'shorter')),
  ready: often<PhaseMove['ready']>(
    'true',
    fc.constantFrom('false', 'n/a', 'only once FR-003 is met', 'nein'),
  ),
  critical: often<PhaseMove['critical']>(0, fc.constant(1)),
  rate: often<PhaseMove['rate']>('n/a', fc.constantFrom('100%', '50%')),
  coverage: often<PhaseMove['coverage']>('90%', fc.constantFrom('40%', 'n/a')),
})
const right = fc.constant(RIGHT)
export const phaseMoves = (weight: number): fc.Arbitrary<PhaseMove[]> =>
  fc.array(fc.oneof({ weight, arbitrary: right }, { weight: 2, arbitrary: odd }), {
    minLength: 1,
    maxLength: 6,
  })

export type Planned = { id: string; text: string }

export const blockerText = (phase: Phase, n: number): string => `${phase} cannot reach service ${n}`
export const decisionOf = (phase: Phase, n: number): string =>
  `Which store does ${phase} use for part ${n}`

/** The answer of a turn, with the block that Ratchet asks for. */
export function phaseText(phase: Phase, move: PhaseMove, plan: readonly Planned[]): string {
  const issue = meaning(move.issue)
  const ids = plan.map(({ id }) => id)
  const named = {
    all: `[${ids.join(', ')}]`,
    first: `[${ids[0] ?? ''}]`,
    none: '[]',
    count: String(ids.length),
    unknown: '[TASK-999]',
    'in words': ids.map((id) => `${id} is done`).join('; '),
    titles: JSON.stringify(ids.map((id) => `${id}: a page without pending orders`)),
    twice: JSON.stringify([...ids.map((id) => `${id} (not done in the first pass)`), ...ids]),
    skips: JSON.stringify(ids.map((id, n) => ({ id, status: n === 0 ? 'done' : 'skipped' }))),
  }[move.names]
  const unchanged = { none: [], all: ids, first: ids.slice(0, 1), unknown: ['TASK-998'] }[
    move.noChange
  ]
  const details = {
    ...(move.blocker === 0 ? {} : { blockers: [blockerText(phase, move.blocker)] }),
    ...(move.decision === 0
      ? {}
      : {
          decisions: [
            {
              description: decisionOf(phase, move.decision),
              options: ['sqlite', 'files'],
              recommended: 'files',
            },
          ],
        }),
    ...(phase !== 'cd' || unchanged.length === 0
      ? {}
      : { no_change: unchanged.map((id) => ({ id, why: 'it is so already' })) }),
    ...move.adds?.details,
  }
  return [
    'I have looked at it.',
    '',
    'PHASE_RESULT:',
    `- phase: ${phase}`,
    `- status: ${move.status}`,
    `- summary: ${phase} has done its part`,
    ...(phase === 'cd' ? [`- files_changed: ${move.claims}`, `- tasks_completed: ${named}`] : []),
    ...(phase === 'vas'
      ? [
          `- test_pass_rate: ${move.rate}`,
          `- coverage: ${move.coverage}`,
          `- critical_issues: ${move.critical}`,
          `- ready_for_production: ${move.ready}`,
        ]
      : []),
    ...(issue.text === ''
      ? ['- issues: []']
      : issue.means === 'nothing'
        ? [`- issues: ${issue.text}`]
        : ['- issues:', `  - ${issue.text}`]),
    ...(move.adds?.lines ?? []),
    '',
    ...(Object.keys(details).length === 0
      ? []
      : ['PHASE_DETAILS:', '', '```json', JSON.stringify(details), '```']),
  ].join('\n')
}

/** What the host reads in an answer. @param open tasks of the plan that are not done */
export function phaseReading(
  phase: Phase,
  text: string,
  plan: readonly Planned[],
  open: readonly string[],
): PhaseReading {
  const read = readPhaseBlock(text, phase)
  const { unread: _, ...said }: PhaseBlock = read.ok
    ? read.block
    : {
        status: 'unknown' as const,
        summary: '',
        issues: [],
        blockers: [],
        planIssues: [],
        decisions: [],
      }
  const titles = new Map(plan.map((task) => [task.id, task.text]))
  const problem = read.ok
    ? answerProblem(read.block, phase === 'cd' ? open : [], titles)
    : read.problem
  return {
    kind: 'phase',
    phase,
    ...said,
    files: [`${phase}.md`],
    missing: [],
    invalid: [],
    foreign: [],
    ...(phase === 'ep'
      ? { plan: { tasks: plan.length, criticalPath: [], named: plan.map((task) => ({ ...task })) } }
      : {}),
    ...(problem === undefined ? {} : { problem, form: phaseForm(phase) }),
  }
}
