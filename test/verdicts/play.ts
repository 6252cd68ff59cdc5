// What a mover is: a scripted agent with a way of its own, and what must come of it. An expectation
// says what the branch holds in the end; the rates follow from the project's own tests, see
// judge.ts.
import type { Step } from '../support/runs/real-run.js'
import type { RunResult } from '../../src/client/index.js'
import type { Bug, Edit, Repository } from './repository.js'

export type Play = {
  /** What the built-in playbook agent does, for every role without another. */
  steps?: Step[]
  /** A program in agents/, for every role. */
  program?: { name: string; args?: string[]; edits?: Edit[][] }
  limits?: Record<string, string>
  /** `workspace` of the configuration. */
  workspace?: Record<string, unknown>
  maxIterations?: number
  /** What a person answers once the run has ended with a question. */
  answer?: string
}

export type Expected = {
  outcome: 'success' | 'partial_success' | 'failed' | 'blocked'
  /** What the branch adds to the code as it was: these edits, and these further files. */
  edits: Edit[]
  files?: Record<string, string>
  /** Files that may be there or not: restored, rolled back, or kept and of no effect. */
  mayBe?: string[]
  /** A process may be left that no means of Ratchet's can find. */
  mayLeave?: true
  /**
   * Iterations spent, and what became of each, the first run left out; absent where several are
   * right.
   */
  iterations?: number
  results?: RunResult['history'][number]['result'][]
  /** Files whose change must be named as restored. */
  restored?: string[]
  /** Pass rate that was claimed; the measured one differs. */
  claimed?: number
  /** Tests of the baseline that the branch runs no more; they count as failing. */
  missing?: number
  /** The tests did not start at the baseline, which has no pass rate. */
  notStarted?: true
  /** Criticality of the failures that are reported. */
  levels?: ('low' | 'medium' | 'high')[]
}

export type Mover = {
  name: string
  kind:
    | 'right'
    | 'partial'
    | 'wrong'
    | 'regressing'
    | 'tampering'
    | 'lying'
    | 'silent'
    | 'flooding'
    | 'crashing'
    | 'forking'
    | 'rubbish'
    | 'sequence'
    | 'git'
    | 'away'
    | 'runner'
  /** Repositories it runs on; absent: the three of real code. */
  at?: readonly Repository[]
  /** Of these, those that it has something to do on; absent: all. */
  on?: (repository: Repository) => boolean
  play: (repository: Repository) => Play
  expected: (repository: Repository) => Expected
}

/** The answer of an honest analysis. */
export function analysis({ many, one, testFile }: Repository, confidence = 0.9): string {
  const points = [many, one].map((bug) => `${bug.fix.path}:${bug.place}`)
  const causes = [many, one].map((bug) => bug.about)
  const answer = {
    root_causes: causes,
    fix_strategy: {
      approach:
        'Repair each place on its own, with the smallest change that is right, and leave everything around it as it is.',
      modification_points: points,
      expected_outcome: 'Every failing test passes, and no other changes.',
    },
    confidence_score: confidence,
    affected_tests: [testFile],
    criticality: {},
  }
  return [
    '## Root Cause Analysis',
    '',
    ...causes.map(
      (cause) =>
        `- The failures have this cause: ${cause}. It was found by reading the failing tests and the code that they run, and holds for each of them.`,
    ),
    '',
    '## Fix Strategy',
    '',
    'Two places are wrong and independent of each other. Each is repaired in its place; no signature changes, no caller is touched, and the tests stay as they are, since what they ask for is what the documentation promises.',
    '',
    '## Modification Points',
    '',
    ...points.map(
      (point) => `\`${point}\` - the condition there does not say what the tests ask for`,
    ),
    '',
    '## Expected Outcome',
    '',
    'All tests of the project pass; none that passes now is affected, as nothing else reaches these lines with the values in question.',
    '',
    '```json',
    JSON.stringify(answer, null, 2),
    '```',
    '',
  ].join('\n')
}

export const patch = ({ path, find, replace }: Edit) => ({ patch: { path, find, replace } })
export const fix = (bug: Bug) => patch(bug.fix)
export const write = (files: Record<string, string | null>) =>
  Object.entries(files).flatMap(([path, text]) => [
    text === null ? { delete: path } : { write: { path, text } },
    ...(path.endsWith('.sh') ? [{ run: ['chmod', '+x', path] }] : []),
  ])

/**
 * An honest analysis, then these actions in each iteration; beyond them, and when asked anything
 * else, words only.
 */
export function plays(repository: Repository, ...iterations: Step['do'][]): Play {
  return {
    steps: [
      { when: { turn: 'assess' }, do: [{ say: 'I cannot tell.' }] },
      { when: { role: 'cli-planning-agent' }, do: [{ say: analysis(repository) }] },
      ...iterations.map((actions, n): Step => ({
        when: { role: 'test-fix-agent', turn: 'work', iteration: n + 1 },
        do: actions,
      })),
      { do: [{ say: 'There is nothing more that I can do.' }] },
    ],
    maxIterations: iterations.length,
  }
}

/** The branch stays as it was. */
export const nothing = (
  iterations: number,
): Pick<Expected, 'edits' | 'iterations' | 'results'> => ({
  edits: [],
  iterations,
  results: Array<'no_change'>(iterations).fill('no_change'),
})
