// What is known about the work of a dev cycle or a dev loop when it is judged: promised tasks, the
// last validation, measurements, decisions and blockers.
import type { TestRun } from '../../contract/test-run.js'
import type { ChangedTests } from '../../contract/workspace.js'

export type OpenKind =
  | 'task'
  | 'no_commit'
  | 'not_measured'
  | 'test'
  | 'missing_test'
  | 'check'
  | 'coverage'
  | 'validation'
  | 'finding'
  | 'decision'
  | 'blocker'

export type OpenItem = { kind: OpenKind; text: string }

/**
 * A task of the plan or the loop. `done`: the developer named it, and a commit of the run covers
 * it. `no_change`: the developer says that it needs none. `lost`: the file whose merge dropped
 * everything that its commit changed. `takenBack`: a later commit did. `claimed`: the developer
 * names it, but committed nothing for it. `unnamed`: it was given to the developer alone, who
 * committed something and never named it.
 */
export type PromisedTask = {
  id: string
  text: string
  state: 'open' | 'done' | 'no_change'
  why?: string | undefined
  lost?: string | undefined
  takenBack?: boolean | undefined
  claimed?: boolean | undefined
  unnamed?: boolean | undefined
  /** A task that took its work back after it had taken that one's back. */
  contradicts?: string | undefined
  /** `no_change` was said after the last validation. */
  unseen?: boolean | undefined
}

/**
 * The last validation by VAS or validate. `commit`: the commit that it checked. `null`: not
 * reported.
 */
export type Verdict = {
  commit: string
  status: 'success' | 'partial' | 'failed' | 'unknown'
  ready: boolean | null
  critical: number | null
  summary?: string
  /** Tests whose removal it calls meant. */
  removed?: readonly string[] | undefined
  /** It refused the same commit before, in which iteration and why. */
  refused?: {
    iteration: number
    why: string
  }
}

export type Evidence = {
  /** The description with its extensions: a test that it names is no longer known before. */
  description: string
  tasks: readonly PromisedTask[]
  /** The developer has named a task by its id in this run. */
  namesTasks: boolean
  /** Something was committed for the last task. */
  committed: boolean
  /** It was, and every file is as it was before the run, or before the last further task. */
  takenBack?: 'run' | 'task' | undefined
  /** The developer committed something for it. Absent: `committed` says so. */
  developed?: boolean | undefined
  /** A person has confirmed the end. */
  confirmed?: boolean
  head: string
  run?: TestRun | undefined
  /** Why there is no run. */
  unmeasured?: string | undefined
  /** Tests that failed before the run count like any other. */
  requireGreen: boolean
  /** Sentences about checks of the project that got worse, and its line coverage in percent. */
  checks: readonly string[]
  coverage?: { before: number | null; now: number | null } | undefined
  /** Sentences about what was checked before the run and could not be now. */
  lost?: readonly string[] | undefined
  /** Changed files whose code no test runs, if coverage was measured. */
  untested?: readonly string[] | undefined
  /** Existing tests that are not as they were at the start. */
  changedTests?: ChangedTests | undefined
  /** Tasks of the plan that are not tracked individually. */
  untracked?: number | undefined
  verdict?: Verdict | undefined
  /** Of severity medium or higher. */
  findings: readonly string[]
  /** `pending`: no decision yet. `untold`: the developer has had no turn since the decision. */
  decisions: readonly { id: string; text: string; state: 'pending' | 'untold' }[]
  blockers: readonly { id: string; text: string }[]
  /** What a person should know about a finished run and no agent can settle. */
  remarks?: readonly string[]
}

/**
 * `items`: what is open, the most certain first. `review`: why a person should look at a finished
 * run. `known`: one sentence about tests that failed before the run and still do. `removed`: tests
 * that were removed on purpose, and how many of them passed before the run.
 */
export type Open = {
  items: OpenItem[]
  review: string[]
  known?: string
  removed?: { total: number; passed: number }
}

/** A validation counts only for the commit that it checked. */
export function namedRemoved({ verdict, head }: Evidence): readonly string[] {
  return verdict?.commit === head ? (verdict.removed ?? []) : []
}

/** Whether VAS or validate accepts the head without reservation. */
export function agrees({ verdict, head, findings }: Evidence): boolean {
  return (
    verdict !== undefined &&
    verdict.commit === head &&
    verdict.refused === undefined &&
    verdict.status === 'success' &&
    verdict.ready !== false &&
    (verdict.critical ?? 0) === 0 &&
    findings.length === 0
  )
}

// A count of finished tasks names none of them. Then a validation closes all tasks, if the
// developer committed something: another worker's commit is no work on them.
export function closesAll(
  { namesTasks, committed, developed = committed, tasks }: Evidence,
  agreed: boolean,
): boolean {
  return !namesTasks && developed && agreed && tasks.some(({ state }) => state === 'open')
}
