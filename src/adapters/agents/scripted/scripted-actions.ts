// The actions of a playbook.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TurnHeader } from '../../../contract/turn.js'
import { edit, fill } from './scripted-edits.js'
import type { PromptEnd } from './player.js'
import type { Action } from './schema.js'

/** The process of the playbook agent: its markers are in `env`, which its children inherit. */
export type AgentProcess = {
  pid: number
  env: NodeJS.ProcessEnv
  exit(code: number, lastWords: string): void
  /** Aborted when the process has ended, where that does not end all it does. */
  ended?: AbortSignal
}

/** What an action may use of the world. */
export type Stage = {
  cwd: string
  process: AgentProcess
  /** First line of the prompt. */
  header: TurnHeader | undefined
  /** Aborted by `session/cancel`. */
  signal: AbortSignal
  say(text: string): Promise<void>
  /** Announces a tool call, and what became of it. */
  tool(call: ToolCall): Promise<void>
  ask(title: string): Promise<'allowed' | 'denied' | 'cancelled'>
  tokens(tokens: { input: number; output: number; cost?: number | undefined }): Promise<void>
  /**
   * Text that this action meant to give a file when its turn was interrupted, and where to note it.
   */
  planned: { text?: string | undefined; note(text: string): void }
  /** Counts a limit or an error of this turn: how many it were with this one. */
  limited(): number
  /** Stops listening to `session/cancel`. */
  deafen(): void
}

/** `file` is absolute. */
export type ToolCall = {
  id: string
  title: string
  kind: 'edit' | 'delete' | 'execute'
  status: 'in_progress' | 'completed' | 'failed'
  file?: string
}

const FLOOD_CHUNK = 64 * 1024
const FOREVER = 2 ** 31 - 1

/** Plays one action; an end is returned where the prompt ends with it. */
export async function play(
  action: Action,
  stage: Stage,
  attempt: number,
): Promise<PromptEnd | undefined> {
  if (
    'write' in action ||
    'append' in action ||
    'patch' in action ||
    'delete' in action ||
    'board' in action
  )
    return edit(action, stage, attempt)
  if ('run' in action) return run(stage, action.run)
  if ('say' in action) return told(stage.say(`${action.say}\n`))
  if ('result' in action) {
    const task = stage.header?.task ?? '{task}'
    return told(stage.say(result(action.result).replaceAll('{task}', task)))
  }
  if ('ask' in action) return ask(stage, action.ask)
  if ('wait' in action) return wait(stage, action.wait)
  if ('hang' in action) return hang(stage, action.hang)
  if ('crash' in action) return crash(stage, action.crash, attempt)
  if ('flood' in action) return flood(stage, action.flood)
  if ('fork' in action) return fork(stage, action.fork)
  if ('lie' in action)
    return told(
      stage.say(`${action.lie === true ? 'All tests pass: 100% of tests pass.' : action.lie}\n`),
    )
  if ('tokens' in action) return told(stage.tokens(action.tokens))
  if ('limit' in action) return limit(stage, action.limit)
  if ('error' in action) return failing(stage, action.error)
  return { stopReason: action.stop }
}

function limit(
  stage: Stage,
  { 'resets-in': seconds, times }: Extract<Action, { limit: unknown }>['limit'],
): PromptEnd | undefined {
  if (times !== undefined && stage.limited() > times) return undefined
  return {
    error: {
      code: -32603,
      message: 'scripted rate limit',
      data: { errorKind: 'rate_limit', retry_after: seconds },
    },
  }
}

function failing(
  stage: Stage,
  given: Extract<Action, { error: unknown }>['error'],
): PromptEnd | undefined {
  if (typeof given === 'number') return { error: { code: given, message: 'scripted error' } }
  const { times, ...error } = given
  return times !== undefined && stage.limited() > times ? undefined : { error }
}

async function told(done: Promise<void>): Promise<undefined> {
  await done
}

async function run(stage: Stage, argv: readonly string[]): Promise<PromptEnd | undefined> {
  const title = argv.join(' ')
  const call = { id: randomUUID(), title, kind: 'execute' as const }
  await stage.tool({ ...call, status: 'in_progress' })
  const [command, ...args] = argv as [string, ...string[]]
  const child = spawn(command, args, {
    cwd: stage.cwd,
    env: stage.process.env,
    stdio: 'ignore',
    signal: stage.signal,
  })
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (exit, signal) => resolve(exit ?? signal ?? 'unknown'))
  })
  await stage.tool({ ...call, status: code === 0 ? 'completed' : 'failed' })
  await stage.say(`[playbook] ${title}: ended with ${code}\n`)
  return undefined
}

function result(given: Extract<Action, { result: unknown }>['result']): string {
  if (typeof given === 'string') return `${given}\n`
  const lines = Object.entries(given.fields).map(
    ([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const json =
    given.json === undefined ? [] : ['', '```json', JSON.stringify(given.json, null, 2), '```']
  return ['', `${given.block}:`, ...lines, ...json, ''].join('\n')
}

async function ask(stage: Stage, title: string): Promise<PromptEnd | undefined> {
  const answer = await stage.ask(title)
  if (answer === 'cancelled') return { stopReason: 'cancelled' }
  await stage.say(`[playbook] permission ${answer}: ${title}\n`)
  return answer === 'denied' ? { stopReason: 'end_turn' } : undefined
}

async function wait(
  stage: Stage,
  what: Extract<Action, { wait: unknown }>['wait'],
): Promise<PromptEnd | undefined> {
  const over =
    typeof what === 'object'
      ? () => existsSync(path.resolve(stage.cwd, fill(what['until-file'], stage.header)))
      : undefined
  const until = typeof what === 'number' ? what : over === undefined ? FOREVER : 50
  do {
    const aborted = await sleep(until, false, { signal: stage.signal }).catch(() => true)
    if (aborted) return { stopReason: 'cancelled' }
  } while (over !== undefined && !over())
  return undefined
}

async function hang(
  stage: Stage,
  how: Extract<Action, { hang: unknown }>['hang'],
): Promise<PromptEnd> {
  const { tool, cancel } = how === true ? { tool: undefined, cancel: 'ignore' } : how
  if (cancel === 'ignore') stage.deafen()
  if (tool !== undefined)
    await stage.tool({ id: randomUUID(), title: tool, kind: 'execute', status: 'in_progress' })
  await wait(stage, 'forever')
  return { stopReason: 'cancelled' }
}

function crash(
  stage: Stage,
  how: Extract<Action, { crash: unknown }>['crash'],
  attempt: number,
): undefined | Promise<never> {
  const { code, attempts } = typeof how === 'number' ? { code: how, attempts: undefined } : how
  if (attempts !== undefined && attempt > attempts) return undefined
  stage.process.exit(code, `[playbook] crashes on purpose with code ${code}\n`)
  return new Promise(() => undefined)
}

async function flood(stage: Stage, megabytes: number): Promise<PromptEnd | undefined> {
  const chunk = `${'flood '.repeat(FLOOD_CHUNK / 6)}\n`
  for (let sent = 0; sent < megabytes * (1 << 20); sent += chunk.length) {
    if (stage.signal.aborted) return { stopReason: 'cancelled' }
    await stage.say(chunk)
  }
  return undefined
}

function fork(stage: Stage, how: Extract<Action, { fork: unknown }>['fork']): undefined {
  const script = `${how['ignore-term'] ? "process.on('SIGTERM', () => {});" : ''}setTimeout(() => process.exit(0), ${how.seconds * 1000})`
  const child = spawn(process.execPath, ['-e', script], {
    detached: how.setsid,
    env: stage.process.env,
    stdio: 'ignore',
  })
  child.unref()
  return undefined
}
