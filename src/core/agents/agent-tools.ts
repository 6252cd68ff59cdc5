// Decides which sessions get Ratchet's tools, which turns may use them, and what a call answers.
//
// An analysis may get them only because its fix continues its session: tools that come later would
// cost the provider's prompt cache.
import {
  TOOL_LIMITS,
  type AgentTestRun,
  type AgentTests,
  type ToolRequest,
} from '../../contract/agent-tools.js'
import { agentsFor, type Config } from '../../contract/config/config.js'
import type { AgentDefinition, Role } from '../../contract/config/agent-config.js'
import type { TestRun } from '../../contract/test-run.js'
import type { TurnAsk } from '../../contract/turn-input.js'
import { joined } from '../prompts/prompt-parts.js'
import { shortList } from '../text/short-text.js'
import { firstChars } from '../text/test-text.js'

const WRITES_CODE: readonly Role[] = [
  'test-fix-agent',
  'code-developer',
  'loop-develop',
  'loop-debug',
]
/** What a turn of such a role is about when it changes code. */
const CHANGES_CODE: readonly TurnAsk['about'][] = [
  'fix-task',
  'task',
  'cycle-work',
  'cycle-feedback',
  'loop-work',
  'loop-clarify',
]
/** Longest error of one test in an answer. */
const ERROR_CHARS = 2_000
/** Part of `test.timeout` that a run may take. */
const PART_OF_TIMEOUT = 0.5

/** Whether a session of a role gets the tools. */
export function offersTools(
  config: Pick<Config, 'limits' | 'roles'>,
  { role, agent, protocol }: { role: Role; agent: string; protocol: AgentDefinition['protocol'] },
): boolean {
  if (config.limits.agentTestRuns === 0 || protocol === 'exec') return false
  if (WRITES_CODE.includes(role)) return true
  return (
    role === 'cli-planning-agent' && agentsFor(config as Config, 'test-fix-agent').includes(agent)
  )
}

/** Whether a turn may use them. */
export function mayUseTools(role: Role, about: TurnAsk['about']): boolean {
  return WRITES_CODE.includes(role) && CHANGES_CODE.includes(about)
}

/** The full run that a turn knows of. */
export function lastRunOf(ask: TurnAsk): TestRun | undefined {
  if (ask.about === 'fix-task') return ask.lastRun
  if (ask.about === 'cycle-work' || ask.about === 'cycle-feedback') return ask.measured
  return ask.about === 'loop-work' ? ask.loop.measured : undefined
}

/** Limit of one test run of an agent, in milliseconds. */
export function agentTestLimit(testTimeoutMs: number): number {
  return Math.max(1, Math.floor(testTimeoutMs * PART_OF_TIMEOUT))
}

/** Returns why a call is refused, or `undefined`. */
export function refusal(
  request: ToolRequest,
  { runs }: AgentTests,
  { most, mayUse }: { most: number; mayUse: boolean },
): string | undefined {
  if (!mayUse)
    return 'This turn changes no code, so the tools of Ratchet are not for it. Answer with what the prompt has.'
  if (request.tool !== 'run_tests') return undefined
  if (runs >= most)
    return `The ${most} test runs of this turn are used. Finish the task; Ratchet runs the tests after your turn.`
  const wrong = (request.arguments.files ?? []).find((file) => !isProjectFile(file))
  return wrong === undefined
    ? undefined
    : `${JSON.stringify(wrong)} is no path of a test file: give paths relative to the project's directory, or no files for all tests.`
}

/** A path that stays in the project, and that no runner takes for an option. */
function isProjectFile(file: string): boolean {
  return (
    !/^[-/\\~]/.test(file) &&
    !/[\u0000-\u001f]/.test(file) &&
    !file.split('/').some((part) => part === '..')
  )
}

/** The answer to `run_tests`. `left`: runs that remain. */
export function runAnswer(run: AgentTestRun, left: number): string {
  const restored =
    run.restored.length === 0
      ? ''
      : `Changed while the tests ran, and restored to what it was before: ${shortList(run.restored)}.`
  const rest = `${left} test run${left === 1 ? '' : 's'} left in this turn. Ratchet measures the commit after your turn; only that decides.`
  if (run.kind === 'problem')
    return within([`The tests did not run: ${run.reason}`, restored, rest, fencedTail(run.tail)])
  const { passed, failed, skipped, note } = run
  const counts = [
    `${passed} passed`,
    `${failed} failed`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return within([`${counts.join(', ')}.`, note ?? '', restored, rest, ...entries(run.failures, 1)])
}

/** The answer to `failures`. `source` says which run they are of; `undefined`: of none. */
export function failuresAnswer(
  failures: readonly { file: string; test: string; error: string }[] | undefined,
  from: number,
  source: string,
): string {
  if (failures === undefined)
    return 'Ratchet knows of no measured run before this turn: run_tests shows what fails now.'
  if (failures.length === 0) return `No test failed in ${source}.`
  const shown = failures.slice(from - 1)
  if (shown.length === 0)
    return `${source} has ${failures.length} failing tests; there is no number ${from}.`
  return within([
    `${failures.length} failing test${failures.length === 1 ? '' : 's'} in ${source}.`,
    ...entries(shown, from),
  ])
}

/** The answer to `diff`. */
export function diffAnswer(files: readonly string[], patch: string): string {
  if (files.length === 0) return 'Nothing differs from the commit that this turn began at.'
  return within([
    `Changed: ${shortList(files, files.length, 50)}.`,
    ...patch.split(/^(?=diff --git )/m),
  ])
}

function entries(
  failures: readonly { file: string; test: string; error: string }[],
  from: number,
): string[] {
  return failures.map(
    ({ file, test, error }, n) =>
      `${from + n}. ${file} > ${test}\n${firstChars(error.trim(), ERROR_CHARS)}`,
  )
}

function fencedTail(tail: string): string {
  return tail.trim() === '' ? '' : `The end of the output:\n${tail.trim()}`
}

/** Parts as far as they fit, and how many are left out. Never more than the limit, in bytes. */
function within(parts: readonly string[]): string {
  const kept: string[] = []
  let left = TOOL_LIMITS.answerBytes - 200
  const all = parts.filter((part) => part.trim() !== '')
  for (const part of all) {
    const bytes = bytesOf(part) + 2
    if (bytes > left && kept.length > 0) break
    kept.push(bytes > left ? firstBytes(part, left) : part)
    left -= bytes
  }
  const cut = all.length - kept.length
  return joined([
    ...kept,
    cut === 0 ? '' : `[${cut} more part${cut === 1 ? '' : 's'} left out: the answer is limited]`,
  ])
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length
}

function firstBytes(text: string, most: number): string {
  return new TextDecoder()
    .decode(new TextEncoder().encode(text).slice(0, most))
    .replace(/\ufffd$/, '')
}

/** The sentences of a prompt about the tools. */
export function toolsPart(most: number): string {
  return joined([
    '## Tools',
    `The MCP server \`ratchet\` has tools for this turn: \`run_tests\` runs the project's tests in this directory, all of them or the files you name, at most ${most} time${most === 1 ? '' : 's'}; \`failures\` shows failing tests with their errors; \`diff\` shows what you have changed. Use them to check your work before you end: the rule against running the whole suite is about commands of your own.`,
  ])
}
