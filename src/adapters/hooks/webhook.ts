// A hook that is an address: a POST of the event, tried three times. Any answer of 2xx is success.
// Redirects are not followed: headers of a hook are for the address that they were written for.
import { setTimeout as sleep } from 'node:timers/promises'
import { variablesIn, webhookProblem, withVariables, type Webhook } from '../../contract/hooks.js'
import { oneLine } from '../../core/text/one-line.js'
import { plainText } from '../../core/text/test-text.js'
import { stopwatch } from '../stopwatch.js'
import type { Call } from './command-hook.js'

const TRIES = 3
/** Before the second try and before the third. */
const BACKOFF_MS = [1_000, 3_000]
/** Of the body of a refusal, in characters. */
const BODY_SHOWN = 200
const BODY_BYTES = 4_096

/**
 * What may be better a moment later. Anything else is not: the address or the document is wrong.
 */
const PASSING = [408, 425, 429]

type Pause = (ms: number, signal: AbortSignal) => Promise<void>
const sleeping: Pause = (ms, signal) => sleep(ms, undefined, { signal })

/**
 * Sends the event; says what went wrong. `timeout` bounds all tries together. Rejects when it is
 * aborted.
 *
 * @param pause between two tries
 */
export async function callWebhook(
  hook: Webhook,
  { event, env, redact, signal }: Omit<Call, 'file'>,
  pause: Pause = sleeping,
): Promise<string | undefined> {
  const missing = [
    ...new Set([hook.url, ...Object.values(hook.headers)].flatMap(variablesIn)),
  ].filter((name) => (env[name] ?? '') === '')
  if (missing.length > 0)
    return `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} not set where the worker runs`
  const url = withVariables(hook.url, env)
  const wrong = webhookProblem(url, hook.plainHttp)
  if (wrong !== undefined) return `its url ${wrong}`
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'ratchet',
    ...Object.fromEntries(
      Object.entries(hook.headers).map(([name, value]) => [
        name.toLowerCase(),
        withVariables(value, env),
      ]),
    ),
  }
  const passed = stopwatch()
  let problem = ''
  for (let n = 1; n <= TRIES; n++) {
    const tried = await post(url, {
      headers,
      body: JSON.stringify(event),
      timeoutMs: Math.max(1, Math.min(Math.ceil(hook.timeout / TRIES), hook.timeout - passed())),
      signal,
    })
    if (tried === undefined) return undefined
    problem = `${oneLine(redact.text(tried.problem))}${n > 1 ? ` (${n} tries)` : ''}`
    const wait = BACKOFF_MS[n - 1]
    if (!tried.passing || wait === undefined || passed() + wait >= hook.timeout) break
    await pause(wait, signal)
  }
  return problem
}

type Post = {
  headers: Record<string, string>
  body: string
  timeoutMs: number
  signal: AbortSignal
}

async function post(
  url: string,
  { timeoutMs, signal, ...request }: Post,
): Promise<{ problem: string; passing: boolean } | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
      ...request,
    })
    const { status } = response
    if (response.ok) {
      await response.body?.cancel()
      return undefined
    }
    const said = oneLine(plainText(await beginning(response)), BODY_SHOWN)
    const moved = status >= 300 && status < 400 ? ', and redirects are not followed' : ''
    return {
      problem: `the webhook answered ${status}${moved}${said === '' ? '' : `: ${said}`}`,
      passing: status >= 500 || PASSING.includes(status),
    }
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted)
      return {
        problem: `the webhook did not answer within ${Math.round(timeoutMs / 100) / 10} s`,
        passing: true,
      }
    return { problem: `the webhook cannot be reached: ${reasonOf(error)}`, passing: true }
  }
}

async function beginning({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let bytes = 0; reader !== undefined && bytes < BODY_BYTES;) {
    const { done, value } = await reader.read()
    if (done) break
    bytes += value.length
    text += decoder.decode(value, { stream: true })
  }
  await reader?.cancel()
  return text
}

// The code says what happened; a message may hold the address.
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code ?? (error as Error).name
}
