// A mover is a scripted agent with its expected result. An expectation says what the branch holds
// at the end; the rates follow from the project's own tests, see judge.ts.
import type { Step } from '../support/runs/real-run.js'
import type { RunResult } from '../../src/client/index.js'
import type { Bug, Edit, Repository } from './repository.js'

export type Play = {
  /** What the built-in playbook agent does, for every role without another. */
  steps?: Step[]
  /** A program in agents/, for every role. */
  program?: { name: string; args?: string[]; edits?: Edit[][] }
  limits?: Record<string, string>
  /** `test.timeout` of the configuration. */
  timeout?: string
  /** `workspace` of the configuration. */
  workspace?: Record<string, unknown>
  maxIterations?: number
  /** A person's answer once the run has ended with a question. */
  answer?: string
}

export type Expected = {
  outcome: 'success' | 'partial_success' | 'failed' | 'blocked'
  /** What the branch adds to the original code: these edits and files. */
  edits: Edit[]
  files?: Record<string, string>
  /** Files that may exist or not: restored, rolled back, or kept without effect. */
  mayBe?: string[]
  /** A process may be left that Ratchet cannot find. */
  mayLeave?: true
  /**
   * The spent iterations and their results, without the first run; absent if several are right.
   */
  iterations?: number
  results?: RunResult['history'][number]['result'][]
  /** Tasks of causes that were taken back alone. */
  takenBack?: string[]
  /** Files whose change must be named as restored. */
  restored?: string[]
  /** The claimed pass rate; the measured one differs. */
  claimed?: number
  /** Tests of the baseline that the branch no longer runs; they count as failing. */
  missing?: number
  /** The tests did not start at the baseline, which has no pass rate. */
  notStarted?: true
  /** Criticality of the reported failures. */
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
  /** Those of them that it applies to; absent: all. */
  on?: (repository: Repository) => boolean
  play: (repository: Repository) => Play
  expected: (repository: Repository) => Expected
}

/** The answer of an honest analysis. */
export function analysis({ many, one, testFile }: Repository, confidence = 0.9): string {
  return analysisOf([many, one], { confidence_score: confidence, affected_tests: [testFile] })
}

/** The same for some bugs. */
export function analysisOf(bugs: readonly Bug[], more: Record<string, unknown>): string {
  const points = bugs.map((bug) => `${bug.fix.path}:${bug.place}`)
  const causes = bugs.map((bug) => bug.about)
  const answer = {
    root_causes: causes,
    fix_strategy: {
      approach:
        'Repair each place on its own, with the smallest change that is right, and leave everything around it as it is.',
      modification_points: points,
      expected_outcome: 'Every failing test passes, and no other changes.',
    },
    confidence_score: 0.9,
    criticality: {},
    ...more,
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
 * An honest analysis, then these actions in each iteration; later, and for other prompts, only
 * text.
 */
export function scripted(repository: Repository, ...iterations: Step['do'][]): Play {
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

/** The branch stays unchanged. */
export const nothing = (
  iterations: number,
): Pick<Expected, 'edits' | 'iterations' | 'results'> => ({
  edits: [],
  iterations,
  results: Array<'no_change'>(iterations).fill('no_change'),
})
