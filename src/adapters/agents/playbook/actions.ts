// The actions of a playbook. All files lie below the session's directory, also behind links.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PromptEnd } from './player.js'
import type { Action } from './schema.js'

/** What an action may use of the world. */
export type Stage = {
  cwd: string
  /** Aborted by `session/cancel`. */
  signal: AbortSignal
  say(text: string): Promise<void>
  /** Announces a tool call, and what became of it. */
  tool(id: string, title: string, kind: 'edit' | 'delete' | 'execute', status: 'in_progress' | 'completed' | 'failed'): Promise<void>
  ask(title: string): Promise<'allowed' | 'denied' | 'cancelled'>
  tokens(tokens: { input: number; output: number; cost?: number | undefined }): Promise<void>
  /** Stops listening to `session/cancel`. */
  deafen(): void
}

const FLOOD_CHUNK = 64 * 1024
const FOREVER = 2 ** 31 - 1

/** Plays one action; an end is returned where the prompt ends with it. */
export async function play(action: Action, stage: Stage, attempt: number): Promise<PromptEnd | undefined> {
  if ('write' in action) return edit(stage, 'edit', action.write.path, (file) => write(file, action.write.text))
  if ('patch' in action) return edit(stage, 'edit', action.patch.path, (file) => patch(file, action.patch))
  if ('delete' in action) return edit(stage, 'delete', action.delete, (file) => rmSync(file, { recursive: true, force: true }))
  if ('run' in action) return run(stage, action.run)
  if ('say' in action) return told(stage.say(`${action.say}\n`))
  if ('result' in action) return told(stage.say(result(action.result)))
  if ('ask' in action) return ask(stage, action.ask)
  if ('wait' in action) return wait(stage, action.wait)
  if ('hang' in action) return hang(stage, action.hang)
  if ('crash' in action) return crash(action.crash, attempt)
  if ('flood' in action) return flood(stage, action.flood)
  if ('fork' in action) return fork(action.fork)
  if ('lie' in action) return told(stage.say(`${action.lie === true ? 'All tests pass: 100% of tests pass.' : action.lie}\n`))
  if ('tokens' in action) return told(stage.tokens(action.tokens))
  if ('error' in action) return { error: typeof action.error === 'number' ? { code: action.error, message: 'scripted error' } : action.error }
  return { stopReason: action.stop }
}

async function told(done: Promise<void>): Promise<undefined> {
  await done
}

async function edit(stage: Stage, kind: 'edit' | 'delete', name: string, change: (file: string) => void): Promise<PromptEnd | undefined> {
  const id = randomUUID()
  const title = `${kind} ${name}`
  await stage.tool(id, title, kind, 'in_progress')
  try {
    change(below(stage.cwd, name))
  } catch (error) {
    await stage.tool(id, title, kind, 'failed')
    return { error: { code: -32603, message: `[playbook] ${title}: ${(error as Error).message}` } }
  }
  await stage.tool(id, title, kind, 'completed')
  return undefined
}

// The nearest existing folder decides: what lies behind a link is where the link leads.
function below(cwd: string, name: string): string {
  const root = realpathSync(cwd)
  const file = path.resolve(root, name)
  let existing = file
  while (!existsSync(existing)) existing = path.dirname(existing)
  const real = path.join(realpathSync(existing), path.relative(existing, file))
  if (!real.startsWith(root + path.sep)) throw new Error(`${name} leads out of the working directory`)
  return real
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function patch(file: string, { find, replace }: { find: string; replace: string }): void {
  const text = readFileSync(file, 'utf8')
  const at = text.indexOf(find)
  // Killed between the change and its note, a resumed turn comes here again.
  if (at === -1 && replace !== '' && text.includes(replace)) return
  if (at === -1) throw new Error(`does not contain ${JSON.stringify(find.slice(0, 80))}`)
  writeFileSync(file, text.slice(0, at) + replace + text.slice(at + find.length))
}

async function run(stage: Stage, argv: readonly string[]): Promise<PromptEnd | undefined> {
  const id = randomUUID()
  const title = argv.join(' ')
  await stage.tool(id, title, 'execute', 'in_progress')
  const [command, ...args] = argv as [string, ...string[]]
  const child = spawn(command, args, { cwd: stage.cwd, stdio: 'ignore', signal: stage.signal })
  const code = await new Promise<number | string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (exit, signal) => resolve(exit ?? signal ?? 'unknown'))
  })
  await stage.tool(id, title, 'execute', code === 0 ? 'completed' : 'failed')
  await stage.say(`[playbook] ${title}: ended with ${code}\n`)
  return undefined
}

function result(given: Extract<Action, { result: unknown }>['result']): string {
  if (typeof given === 'string') return `${given}\n`
  const lines = Object.entries(given.fields).map(([name, value]) => `- ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const json = given.json === undefined ? [] : ['', '```json', JSON.stringify(given.json, null, 2), '```']
  return ['', `${given.block}:`, ...lines, ...json, ''].join('\n')
}

async function ask(stage: Stage, title: string): Promise<PromptEnd | undefined> {
  const answer = await stage.ask(title)
  if (answer === 'cancelled') return { stopReason: 'cancelled' }
  await stage.say(`[playbook] permission ${answer}: ${title}\n`)
  return answer === 'denied' ? { stopReason: 'end_turn' } : undefined
}

async function wait(stage: Stage, what: Extract<Action, { wait: unknown }>['wait']): Promise<PromptEnd | undefined> {
  const over = typeof what === 'object' ? () => existsSync(path.resolve(stage.cwd, what['until-file'])) : undefined
  const until = typeof what === 'number' ? what : over === undefined ? FOREVER : 50
  do {
    const aborted = await sleep(until, false, { signal: stage.signal }).catch(() => true)
    if (aborted) return { stopReason: 'cancelled' }
  } while (over !== undefined && !over())
  return undefined
}

async function hang(stage: Stage, how: Extract<Action, { hang: unknown }>['hang']): Promise<PromptEnd> {
  const { tool, cancel } = how === true ? { tool: undefined, cancel: 'ignore' } : how
  if (cancel === 'ignore') stage.deafen()
  if (tool !== undefined) await stage.tool(randomUUID(), tool, 'execute', 'in_progress')
  await wait(stage, 'forever')
  return { stopReason: 'cancelled' }
}

function crash(how: Extract<Action, { crash: unknown }>['crash'], attempt: number): undefined {
  const { code, attempts } = typeof how === 'number' ? { code: how, attempts: undefined } : how
  if (attempts !== undefined && attempt > attempts) return undefined
  process.stderr.write(`[playbook] crashes on purpose with code ${code}\n`)
  process.exit(code)
}

async function flood(stage: Stage, megabytes: number): Promise<PromptEnd | undefined> {
  const chunk = `${'flood '.repeat(FLOOD_CHUNK / 6)}\n`
  for (let sent = 0; sent < megabytes * (1 << 20); sent += chunk.length) {
    if (stage.signal.aborted) return { stopReason: 'cancelled' }
    await stage.say(chunk)
  }
  return undefined
}

function fork(how: Extract<Action, { fork: unknown }>['fork']): undefined {
  const script = `${how['ignore-term'] ? "process.on('SIGTERM', () => {});" : ''}setTimeout(() => process.exit(0), ${how.seconds * 1000})`
  const child = spawn(process.execPath, ['-e', script], { detached: how.setsid, stdio: 'ignore' })
  child.unref()
  return undefined
}
