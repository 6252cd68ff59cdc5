// Hooks: which events a project receives, and how. A command gets the event on its standard input,
// a webhook in the body of a POST. Secrets of a webhook are only named: `${NAME}` of `passEnv`.
import { z } from 'zod'
import { Duration } from './duration.js'

/**
 * Events of hooks. `question` and `budget` while a run waits; one of the others when it has ended.
 */
export const HOOK_EVENTS = ['question', 'budget', 'done', 'failed', 'stuck'] as const
export type HookName = (typeof HOOK_EVENTS)[number]

/**
 * Events that the workflow sends besides questions; the step that closes the run sends the others.
 */
export const ASKED_EVENTS = ['question', 'budget'] as const satisfies readonly HookName[]
export const AskedEvent = z.enum(ASKED_EVENTS)
export type AskedEvent = z.infer<typeof AskedEvent>

/** Default timeout of a hook in milliseconds, and its maximum, as the end of a run waits for it. */
export const HOOK_TIMEOUT_MS = 30_000
const LONGEST_MS = 300_000

const Timeout = Duration.default(HOOK_TIMEOUT_MS).superRefine((ms, ctx) => {
  if (ms > LONGEST_MS)
    ctx.addIssue({
      code: 'custom',
      message: 'must be at most 5 minutes: the end of a run waits for its hook; write "5m" or less',
    })
})

const Command = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)])

/**
 * A program with its arguments; a string is split like `test.command`. It runs in the worker's
 * environment.
 */
export const CommandHook = z.strictObject({ command: Command, timeout: Timeout })
export type CommandHook = z.infer<typeof CommandHook>

const VARIABLE = /\$\{(\w*)\}/g
/** Headers with secret values, which must come from the environment. */
const SECRET_HEADER = /auth|cookie|token|secret|password|api-?key/i

const Headers = z.record(
  z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a header has letters, digits and dashes'),
  z.string().regex(/^[^\r\n]*$/, 'must be one line'),
)

/**
 * An address that receives the event as JSON. `${NAME}` in the address and in headers stands for a
 * variable of `passEnv`.
 */
export const Webhook = z
  .strictObject({
    url: z.string().min(1),
    headers: Headers.default({}),
    passEnv: z
      .array(z.string().regex(/^[A-Za-z_]\w*$/, 'must be the name of a variable'))
      .default([]),
    /** Allows `http` to other machines. */
    plainHttp: z.boolean().default(false),
    timeout: Timeout,
  })
  .superRefine(({ url, headers, passEnv, plainHttp }, ctx) => {
    const issue = (path: string[], message: string) =>
      ctx.addIssue({ code: 'custom', path, message })
    const texts: [string[], string][] = [
      [['url'], url],
      ...Object.entries(headers).map(([name, value]): [string[], string] => [
        ['headers', name],
        value,
      ]),
    ]
    for (const [path, text] of texts) {
      const unnamed = variablesIn(text).find((name) => !passEnv.includes(name))
      if (unnamed !== undefined)
        issue(
          path,
          `uses \${${unnamed}}, which is not in passEnv; add ${JSON.stringify(unnamed)} to its passEnv`,
        )
    }
    for (const [name, value] of Object.entries(headers))
      if (SECRET_HEADER.test(name) && variablesIn(value).length === 0)
        issue(
          ['headers', name],
          'contains a secret; write it as "${HOOK_TOKEN}" and add "HOOK_TOKEN" to its passEnv',
        )
    const problem = variablesIn(url).length > 0 ? undefined : webhookProblem(url, plainHttp)
    if (problem !== undefined) issue(['url'], problem)
  })
export type Webhook = z.infer<typeof Webhook>

/** Names in the `${NAME}` of a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(VARIABLE)].map(([, name = '']) => name)
}

/** Returns the text with its `${NAME}` replaced by their values. */
export function withVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): string {
  return text.replace(VARIABLE, (_, name: string) => env[name] ?? '')
}

/**
 * Returns what is wrong with the address of a webhook, and what to do, or `undefined`. The message
 * does not contain the address, as it may be a secret.
 */
export function webhookProblem(url: string, plainHttp: boolean): string | undefined {
  const parsed = /^(https?):\/\/([^/?#]+)/i.exec(url)
  if (parsed === null || !URL.canParse(url))
    return 'is not the address of a webhook; write "https://…"'
  const [, scheme = '', authority = ''] = parsed
  if (authority.includes('@'))
    return 'contains a login; put it into a header, as "Authorization": "Bearer ${HOOK_TOKEN}"'
  const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i.test(authority)
  if (scheme.toLowerCase() === 'http' && !loopback && !plainHttp)
    return 'is plain http to another machine; write https, or add "plainHttp": true'
  return undefined
}

export type Hook = CommandHook | Webhook

// By its form, so that an error is about the intended kind of hook.
const HookEntry = z.unknown().transform((raw, ctx): Hook => {
  const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw)
  if (isObject && !('url' in raw) && !('command' in raw)) {
    ctx.addIssue({
      code: 'custom',
      message:
        'has neither a command nor a url; write { "command": ["notify-send", "…"] } or { "url": "https://…" }',
    })
    return z.NEVER
  }
  const parsed =
    isObject && 'url' in raw
      ? Webhook.safeParse(raw)
      : CommandHook.safeParse(isObject ? raw : { command: raw })
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues)
    ctx.addIssue({ ...issue, path: isObject ? issue.path : [] })
  return z.NEVER
})

/** The hooks of a configuration. */
export const Hooks = z.strictObject({
  question: HookEntry.optional(),
  budget: HookEntry.optional(),
  done: HookEntry.optional(),
  failed: HookEntry.optional(),
  stuck: HookEntry.optional(),
})
export type Hooks = z.infer<typeof Hooks>
