// Tells a hook of an event, once as far as that can be: a note says what was told. A hook that
// fails is a warning, a line in the worker's log, and nothing else.
import { endMarkedAll } from '../process/end.js'
import { MARKERS } from '../../contract/names.js'
import type { Config } from '../../contract/config/config.js'
import { HookEvent } from '../../contract/hook-event.js'
import { hookFor } from '../../core/run/hook-events.js'
import { redactor, secretsOf } from '../../core/text/redact.js'
import { secretLike } from '../agents/agent-env.js'
import { failpoint } from '../failpoint.js'
import type { Dirs } from '../state-dir.js'
import { callCommand, hookStep } from './command-hook.js'
import { noteFile, readHookNote, writeHookNote } from './notes.js'
import { callWebhook } from './webhook.js'

export type Telling = {
  dirs: Dirs
  config: Config
  /**
   * The worker's. A command gets all of it; its secrets are cut from the event and from what is
   * said of it.
   */
  env: NodeJS.ProcessEnv
  /** Names of the variables of the run's agents that are secret. */
  secrets: readonly string[]
  event: HookEvent
  log: (text: string) => void
  signal: AbortSignal
}

/**
 * Calls the hook of an event, if there is one and it was not told before; answers a warning where
 * that went wrong. Rejects when it is aborted, and for nothing else.
 */
export async function tellHook(telling: Telling): Promise<string | undefined> {
  const { config, event, log, signal } = telling
  const found = hookFor(config.hooks, event.event)
  if (found === undefined) return undefined
  const warning = (problem: string): string =>
    `the hook "${found.name}" failed for "${event.event}": ${problem}`
  try {
    const problem = await toldOnce(telling, found)
    if (problem === undefined) return undefined
    log(`${event.run.id}: ${warning(problem)}`)
    return warning(problem)
  } catch (error) {
    if (signal.aborted) throw error
    log(`${event.run.id}: ${warning((error as Error).stack ?? String(error))}`)
    return warning((error as Error).message)
  }
}

async function toldOnce(
  { dirs, env, secrets, event: whole, signal }: Telling,
  { name, hook }: NonNullable<ReturnType<typeof hookFor>>,
): Promise<string | undefined> {
  const {
    eventId,
    run: { id },
  } = whole
  const file = noteFile(dirs, id, eventId)
  const before = readHookNote(file)
  if (before?.state === 'told') return before.problem
  const own = 'url' in hook ? hook.passEnv : []
  const redact = redactor(secretsOf([...new Set([...secrets, ...own, ...secretLike(env)])], env))
  // Of its own keys and ids nothing is a secret: what was changed there would be another event.
  const event = HookEvent.parse({
    ...(redact.json(whole) as HookEvent),
    eventId,
    event: whole.event,
    run: whole.run,
  })
  if (before !== undefined)
    // The process that called it has died
    await endMarkedAll({ [MARKERS.run]: id, [MARKERS.step]: hookStep(eventId) })
  await writeHookNote(file, { event: event.event, hook: name, state: 'begun' })
  failpoint('hook:begun')
  const call = { event, env, file: `${file}.output`, redact, signal }
  const problem = 'url' in hook ? await callWebhook(hook, call) : await callCommand(hook, call)
  failpoint('hook:called')
  await writeHookNote(file, {
    event: event.event,
    hook: name,
    state: 'told',
    problem,
  })
  failpoint('hook:told')
  return problem
}
