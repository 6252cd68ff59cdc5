// Decides whether a prep package is used for a task: seven checks, and every one that fails is
// said.
//
// A package is used where its task is the typed one, or where `--prep` names it. What is kept of it
// travels with the run, so fields that no rule reads are left out.
import { ITEM_CHARS, ITEMS_KEPT } from '../../../contract/dev-cycle/phase-reading.js'
import { PHASES } from '../../../contract/dev-cycle/discovery.js'
import { MAX_ITERATIONS } from '../../../contract/test-fix/test-fix-input.js'
import { Prep, SourceRef } from '../../../contract/dev-cycle/prep-package.js'
import { fieldOf } from '../../text/field-of.js'
import { oneLine } from '../../text/one-line.js'
import { packageProblems, refinedIn, shown, type PrepCase } from '../../prep/package-checks.js'
import { withRefined } from '../plan-tasks.js'

/** Longest path of a source reference, and how many of them travel. */
const REF_CHARS = 1_000
const REFS_KEPT = 3 * ITEMS_KEPT
/** Numbers of iterations that a phase gate may name. */
const ITERATIONS_KEPT = 100

/** `task`: the typed words, then the refined ones. */
export type CheckedPrep =
  { ok: true; prep: Prep; task: string; maxIterations?: number } | { ok: false; problems: string[] }

/**
 * Checks a package against the project, the time and the task of a cycle.
 *
 * The paths are compared as texts; a trailing slash makes no difference. `problems` has one
 * sentence for every check that fails.
 */
export function checkPrepPackage(raw: unknown, at: PrepCase): CheckedPrep {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { ok: false, problems: ['it is not a JSON object'] }
  const auto = fieldOf(raw, 'auto_iteration')
  const task = refinedIn(raw)
  const prep = Prep.safeParse({
    convergence: convergenceOf(auto),
    phase_gates: {
      zero_to_one: gateOf(auto, 'zero_to_one'),
      one_to_hundred: gateOf(auto, 'one_to_hundred'),
    },
    agent_focus: {
      zero_to_one: focusOf(auto, 'zero_to_one'),
      one_to_hundred: focusOf(auto, 'one_to_hundred'),
    },
    source_refs: refsOf(raw),
  })
  const problems = [
    ...packageProblems(raw, at, fieldsOf(auto)),
    ...['test_pass_rate', 'coverage'].flatMap((key) => percent(auto, key) ?? []),
  ]
  if (problems.length === 0 && !prep.success)
    problems.push(
      ...prep.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    )
  if (problems.length > 0 || !prep.success || task === undefined) return { ok: false, problems }
  const most = fieldOf(auto, 'max_iterations')
  const limit =
    typeof most === 'number' && Number.isInteger(most) && most >= 1 && most <= MAX_ITERATIONS
      ? { maxIterations: most }
      : {}
  return { ok: true, prep: prep.data, task: withRefined(at.typed, task, at.brought), ...limit }
}

/** Fields that a cycle needs, and whether they are there. */
function fieldsOf(auto: unknown): [string, boolean][] {
  return [
    ...['test_pass_rate', 'coverage'].map((key): [string, boolean] => [
      `convergence.${key}`,
      fieldOf(fieldOf(auto, 'convergence'), key) !== undefined,
    ]),
    ...['phase_gates', 'agent_focus'].flatMap((group) =>
      ['zero_to_one', 'one_to_hundred'].map((key): [string, boolean] => {
        const value = fieldOf(fieldOf(auto, group), key)
        return [
          `${group}.${key}`,
          typeof value === 'object' &&
            value !== null &&
            (group === 'agent_focus' || Array.isArray(fieldOf(value, 'iterations'))),
        ]
      }),
    ),
  ]
}

// One that is not there at all is said as missing.
function percent(auto: unknown, key: string): string | undefined {
  const value = fieldOf(fieldOf(auto, 'convergence'), key)
  if (value === undefined || (typeof value === 'number' && value > 0 && value <= 100))
    return undefined
  return `convergence.${key} must be a number above 0, at most 100; it is ${shown(value)}`
}

function convergenceOf(auto: unknown): unknown {
  const said = fieldOf(auto, 'convergence')
  const most = ['max_critical_bugs', 'max_open_issues'].flatMap((key) => {
    const value = fieldOf(said, key)
    return typeof value === 'number' && value >= 0 ? [[key, value]] : []
  })
  return {
    test_pass_rate: fieldOf(said, 'test_pass_rate'),
    coverage: fieldOf(said, 'coverage'),
    ...(Object.fromEntries(most) as object),
  }
}

// Of the exit criteria `convergence` reads two: code_compiles and min_requirements_implemented.
function gateOf(auto: unknown, key: string): unknown {
  const gate = fieldOf(fieldOf(auto, 'phase_gates'), key)
  const iterations = fieldOf(gate, 'iterations')
  const criteria = fieldOf(gate, 'exit_criteria')
  const plain =
    typeof criteria === 'object' && criteria !== null
      ? Object.entries(criteria).filter(
          ([name, value]) =>
            name.length <= ITEM_CHARS && ['number', 'boolean'].includes(typeof value),
        )
      : []
  return {
    iterations: Array.isArray(iterations) ? iterations.slice(0, ITERATIONS_KEPT) : iterations,
    exit_criteria: Object.fromEntries(plain.slice(0, ITEMS_KEPT)),
  }
}

function focusOf(auto: unknown, key: string): unknown {
  const focus = fieldOf(fieldOf(auto, 'agent_focus'), key)
  return Object.fromEntries(
    PHASES.flatMap((phase) => {
      const value = fieldOf(focus, phase)
      return typeof value === 'string' ? [[phase, oneLine(value, ITEM_CHARS)]] : []
    }),
  )
}

// A reference that cannot be read costs nothing but itself.
function refsOf(raw: unknown): SourceRef[] {
  const refs = fieldOf(fieldOf(raw, 'task'), 'source_refs')
  if (!Array.isArray(refs)) return []
  return refs
    .flatMap((ref) => {
      const parsed = SourceRef.safeParse(ref)
      if (!parsed.success || parsed.data.path.length > REF_CHARS) return []
      // An agent reads the reference itself and needs no preview of it.
      const { path, type, status } = parsed.data
      return [{ path, type, status }]
    })
    .slice(0, REFS_KEPT)
}
