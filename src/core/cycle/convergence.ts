// Is a cycle done? Decided by what Ratchet measured; of what VAS says only the coverage counts, and the
// number of critical issues, as nothing else knows them. Source: ccw §1.4; architecture §7 16.
import type { Claimed } from '../../contract/cycle.js'
import type { Convergence, Prep } from '../../contract/prep-package.js'
import type { Measured, TestRun } from '../../contract/test-run.js'
import { describeRun } from '../test-fix-view.js'
import type { Gate } from './focus.js'
import { issueTexts } from './issues.js'
import type { Issue, IssueKind } from './issues.js'

/** `movesOn`: 0→1 has converged, so that the focus moves to 1→100. `why`: one sentence. */
export type Converged = { converged: boolean; movesOn: boolean; why: string }

export type ConvergenceCase = { gate: Gate; prep?: Prep | undefined; issues: readonly Issue[]; run?: TestRun | undefined; cdFailed: boolean; claimed?: Claimed | undefined }

// Ratchet has dealt with these itself: measured instead of believed, restored instead of kept. They are
// told, and another iteration would have nothing to do about them.
const SETTLED: readonly IssueKind[] = ['false_claim', 'foreign_edit', 'tampering']

// A document that is missing was asked for in this very iteration, and the cycle goes on without an analyst
// or a planner that never answered: both are told, and cost nobody the work of four agents once more.
// Source: ccw §1.7 "Consistency checks"; architecture §3.
function isSettled({ kind, source }: Issue): boolean {
  return SETTLED.includes(kind) || kind === 'missing_output' || (kind === 'agent_failed' && (source === 'ra' || source === 'ep'))
}

// What RA leaves open no agent can settle: it is told, and VAS and CD say whether the work is right.
// Source: 000 §3.4; ccw §1.4 "no package".
function isForPerson({ kind, to }: Issue): boolean {
  return kind === 'requirements' && to === undefined
}

/** Judges an iteration. Without a measured run nothing converges. */
export function convergence(c: ConvergenceCase): Converged {
  const no = (why: string): Converged => ({ converged: false, movesOn: false, why })
  if (c.run?.kind !== 'measured') return no(c.run === undefined ? 'nothing was measured' : describeRun(c.run))
  if (c.cdFailed) return no('the development failed')
  if (c.gate === 'zero_to_one') return zeroToOne(c.run)
  if (c.gate === 'one_to_hundred' && c.prep !== undefined) return oneToHundred(c, c.run, c.prep.convergence)
  if (c.run.passed < c.run.total) return no(`tests fail: ${describeRun(c.run)}`)
  const open = c.issues.filter((issue) => !isSettled(issue) && !isForPerson(issue))
  if (open.length > 0) return no(`all tests pass, ${plural(open.length, 'issue')} open: ${issueTexts(open)[0]}`)
  return { converged: true, movesOn: false, why: `all tests pass and ${c.issues.length === 0 ? 'no issue is open' : 'no issue is left for another iteration'}: ${describeRun(c.run)}` }
}

function zeroToOne(run: Measured): Converged {
  const movesOn = run.passed > 0
  return { converged: false, movesOn, why: movesOn ? `0→1 has converged: ${describeRun(run)}` : 'no test passes' }
}

function oneToHundred({ issues, claimed }: ConvergenceCase, run: Measured, bar: Convergence): Converged {
  const coverage = claimed?.coverage ?? null
  const critical = claimed?.criticalIssues ?? 0
  const open = issues.filter((issue) => issue.kind !== 'test_failure' && !isSettled(issue)).length
  const unmet = [
    // Not the rounded rate: 89.96 is below 90.
    ...(run.passed * 100 >= bar.test_pass_rate * run.total ? [] : [`the pass rate is ${describeRun(run)}, ${bar.test_pass_rate} % are needed`]),
    ...(coverage !== null && coverage >= bar.coverage ? [] : [coverage === null ? `nobody reported the coverage, ${bar.coverage} % are needed` : `the coverage is ${coverage} %, ${bar.coverage} % are needed`]),
    ...(critical <= bar.max_critical_bugs ? [] : [`${plural(critical, 'critical issue')} open, at most ${bar.max_critical_bugs} allowed`]),
    ...(open <= bar.max_open_issues ? [] : [`${plural(open, 'issue')} open, at most ${bar.max_open_issues} allowed`]),
  ]
  if (unmet.length > 0) return { converged: false, movesOn: false, why: unmet.join('; ') }
  return { converged: true, movesOn: false, why: `1→100 has converged: ${describeRun(run)}, coverage ${coverage} %` }
}

function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? ' is' : 's are'}`
}
