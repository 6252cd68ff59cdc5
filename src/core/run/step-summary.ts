// Names the steps of a run in the Web UI's timeline: the summaries of its activities, for readers
// who know neither the roles nor the code. A summary is metadata, so replay does not depend on it.
import type { Role } from '../../contract/config/agent-config.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnKind } from '../../contract/turn.js'
import { oneLine } from '../text/one-line.js'

/** The server accepts 400 bytes. */
const SUMMARY_CHARS = 95
const COMMAND_CHARS = 40

/** The four agents of a cycle have short names, as in its documents. */
const WORK: Partial<Record<Role, string>> = {
  'requirements-analyst': 'RA',
  'exploration-planner': 'EP',
  'code-developer': 'CD',
  'validation-archivist': 'VAS',
  'test-fix-agent': 'fix',
  'cli-planning-agent': 'analysis',
  'loop-init': 'init',
  'loop-develop': 'develop',
  'loop-debug': 'debug',
  'loop-validate': 'validate',
  'loop-complete': 'complete',
}

const AGAIN: Record<TurnKind, string> = {
  work: '',
  converge: 'hands over what it has',
  feedback: 'on feedback',
  clarify: 'with your answers',
  validate: 'validates',
  assess: 'rates the failures',
  retry: 'asked again',
}

/** "CD iteration 2: claude as code-developer, on feedback". A preparation has iteration 0 only. */
export function turnSummary({
  role,
  agent,
  iteration,
  kind,
  task,
}: {
  role: Role
  agent: string
  iteration: number
  kind: TurnKind
  task?: string | undefined
}): string {
  const parts = [
    `${agent} as ${role}`,
    ...(task === undefined ? [] : [task]),
    ...(AGAIN[kind] === '' ? [] : [AGAIN[kind]]),
  ]
  const work = `${WORK[role] ?? role}${iteration === 0 ? '' : ` iteration ${iteration}`}`
  return oneLine(`${work}: ${parts.join(', ')}`, SUMMARY_CHARS)
}

/**
 * Returns "pytest: iteration 2, retest (83/247 before)". `step` is its part of the key: `baseline`,
 * `iteration-2/retest`.
 */
export function testsSummary({
  command,
  step,
  before,
}: {
  command: string
  step: string
  before: TestRun | undefined
}): string {
  const rate = before?.kind === 'measured' ? ` (${before.passed}/${before.total} before)` : ''
  return oneLine(
    `${oneLine(withoutPython(command), COMMAND_CHARS) || 'tests'}: ${stepWords(step)}${rate}`,
    SUMMARY_CHARS,
  )
}

// "./.venv/bin/python -m pytest" is pytest.
function withoutPython(command: string): string {
  return command.replace(/^\S*python[\d.]* -m (?=\w)/, '')
}

/** Returns `iteration-2/retest` as "iteration 2, retest". */
export function stepWords(step: string): string {
  return step.replaceAll('-', ' ').replaceAll('/', ', ')
}
