// Is a cycle done? Without a prep package where no item is open. A package's gate has a bar of its
// own; what VAS says of coverage counts where no script of the project measures it, and of critical
// issues always.
import type { Claimed } from '../../contract/dev-cycle/phase-reading.js'
import type { Quality } from '../../contract/quality.js'
import type { Convergence, Prep } from '../../contract/dev-cycle/prep-package.js'
import type { Measured, TestRun } from '../../contract/test-run.js'
import type { Open, OpenItem } from '../run/open-evidence.js'
import { describeRun } from '../run/describe-run.js'
import type { Gate } from './documents/focus.js'
import { note } from '../text/short-text.js'

/** `movesOn`: 0→1 has converged, so that the focus moves to 1→100. `why`: one sentence. */
export type Converged = { converged: boolean; movesOn: boolean; why: string }

export type ConvergenceCase = {
  gate: Gate
  prep?: Prep | undefined
  open: Open
  run?: TestRun | undefined
  cdFailed: boolean
  claimed?: Claimed | undefined
  /** Of the head: what is measured counts before what is claimed. */ quality?: Quality | undefined
  /** Tasks of the plan that are done; missing where there is no plan. */ tasksDone?:
    number | undefined
}

/** Judges an iteration. */
export function convergence(c: ConvergenceCase): Converged {
  const { items, known } = c.open
  if (c.gate !== 'default' && c.cdFailed) return no('the development failed')
  if (c.gate === 'zero_to_one')
    return c.run?.kind === 'measured' ? zeroToOne(c, c.run) : unmeasured(c.run)
  if (c.gate === 'one_to_hundred' && c.prep !== undefined)
    return c.run?.kind === 'measured'
      ? oneToHundred(c, c.run, c.prep.convergence)
      : unmeasured(c.run)
  const [first] = items
  if (first !== undefined)
    return no(
      note([
        c.run === undefined ? undefined : describeRun(c.run),
        `${items.length} item${items.length === 1 ? ' is' : 's are'} open: ${first.text}`,
      ]) ?? '',
    )
  return {
    converged: true,
    movesOn: false,
    why: [c.run === undefined ? 'no item is open' : `no item is open: ${describeRun(c.run)}`, known]
      .filter((one) => one !== undefined)
      .join('; '),
  }
}

function no(why: string): Converged {
  return { converged: false, movesOn: false, why }
}

function unmeasured(run: TestRun | undefined): Converged {
  return no(run === undefined ? 'nothing was measured' : describeRun(run))
}

function zeroToOne(
  { prep, quality, claimed, tasksDone }: ConvergenceCase,
  run: Measured,
): Converged {
  const { code_compiles: compiles, min_requirements_implemented: least } =
    prep?.phase_gates.zero_to_one.exit_criteria ?? {}
  const implemented = claimed?.requirementsMet ?? tasksDone
  const unmet = [
    ...(run.passed > 0 ? [] : ['no test passes']),
    ...(compiles === true ? notCompiling(quality) : []),
    ...(typeof least !== 'number' || (implemented !== undefined && implemented >= least)
      ? []
      : [
          implemented === undefined
            ? `no agent reported how many requirements are met, ${least} are needed`
            : `${plural(implemented, 'requirement')} met, ${least} are needed`,
        ]),
  ]
  return unmet.length > 0
    ? no(unmet.join('; '))
    : { converged: false, movesOn: true, why: `0→1 has converged: ${describeRun(run)}` }
}

// The suite has started; a check that was not run says nothing of the code, and one that is gone
// may be part of another.
function notCompiling(quality: Quality | undefined): string[] {
  return (quality?.checks ?? [])
    .filter(
      ({ name, result, gone }) =>
        (name === 'types' || name === 'build') && result !== 'passed' && gone !== true,
    )
    .map(
      ({ name, result }) =>
        `the code must compile, and ${name} ${result === 'failed' ? 'fails' : 'could not be run'}`,
    )
}

const TESTS: readonly OpenItem['kind'][] = ['test', 'missing_test']

function oneToHundred(
  { open: { items, removed }, claimed, quality }: ConvergenceCase,
  run: Measured,
  bar: Convergence,
): Converged {
  const coverage = quality?.coverage ?? claimed?.coverage ?? null
  const critical = claimed?.criticalIssues ?? null
  const open = items.filter(({ kind }) => !TESTS.includes(kind)).length
  const unmet = [
    // Not the rounded rate: 89.96 is below 90.
    ...(run.passed * 100 >= bar.test_pass_rate * (run.total - (removed?.total ?? 0))
      ? []
      : [`the pass rate is ${describeRun(run)}, ${bar.test_pass_rate} % are needed`]),
    ...(coverage !== null && coverage >= bar.coverage
      ? []
      : [
          coverage === null
            ? `nothing measures the coverage and no agent reported it, ${bar.coverage} % are needed`
            : `the coverage is ${coverage} %, ${bar.coverage} % are needed`,
        ]),
    ...(critical !== null && critical <= bar.max_critical_bugs
      ? []
      : [
          critical === null
            ? `no agent reported the number of critical issues, at most ${bar.max_critical_bugs} allowed`
            : `${plural(critical, 'critical issue')} open, at most ${bar.max_critical_bugs} allowed`,
        ]),
    ...(open <= bar.max_open_issues
      ? []
      : [`${plural(open, 'item')} open, at most ${bar.max_open_issues} allowed`]),
  ]
  if (unmet.length > 0) return no(unmet.join('; '))
  return {
    converged: true,
    movesOn: false,
    why: `1→100 has converged: ${describeRun(run)}, coverage ${coverage} %`,
  }
}

function plural(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? ' is' : 's are'}`
}
