// Decides whether an agent failed because its model provider was away: 5xx, a broken or refused
// connection, or an unknown host.
//
// It reads the fields and the text of a protocol error, the exit status, and the end of standard
// error, but never what the agent said to its user: agents write about outages without having one.
// A provider that answered with another status was available, with any other text next to it.
import { at } from './agent-events.js'
import type { AgentError } from './agent-outcome.js'
import { embeddedJson } from '../text/json.js'

/** An outage as an agent told it. */
export type Outage = {
  /** "HTTP 503", "connection refused". */
  error: string
  /** Host, and port where it is named. */
  address?: string | undefined
  /**
   * True if the provider, or a proxy in front of it, accepted the connection. A wrong address never
   * does.
   */
  reached: boolean
}

/**
 * What is known of how a prompt failed. `exitCode`: of a process that ended, null where a signal
 * ended it.
 */
export type Evidence = {
  error?: AgentError | undefined
  exitCode?: number | null | undefined
  stderr?: string | undefined
}

/** Exit status of sysexits.h for "try again later" (EX_TEMPFAIL). */
const TRY_LATER = 75
/** A nested error is no deeper than this. */
const DEPTH = 5
/** Standard error is read from its end. */
const STDERR_CHARS = 1_000

/** Names of errors by their meaning; every agent has its own, and none has two meanings. */
const SERVER = new Map([
  ...['overloaded_error', 'overloaded', 'slow_down'].map((name) => [name, 'overloaded'] as const),
  ...[
    'api_error',
    'server_error',
    'internal_server_error',
    'internalservererror',
    'internal',
    'service_unavailable',
    'service_unavailable_error',
    'serviceunavailableerror',
    'unavailable',
    'service',
    'bad_gateway',
    'gateway_timeout',
    'deadline_exceeded',
  ].map((name) => [name, 'server error'] as const),
])
/** The provider answered: it refuses what was asked. */
const REFUSED = new Set([
  'invalid_request_error',
  'bad_request',
  'badrequesterror',
  'invalid_argument',
  'not_found_error',
  'permission_error',
  'context_length_exceeded',
  'model_not_found',
  'request_too_large',
])
const BROKEN = new Map([
  ...[
    'econnreset',
    'connectionreset',
    'econnaborted',
    'epipe',
    'und_err_socket',
    'und_err_closed',
    'connection',
  ].map((name) => [name, 'connection broken'] as const),
])
const UNREACHED = new Map([
  ...['econnrefused', 'connectionrefused', 'failedtoopensocket'].map(
    (name) => [name, 'connection refused'] as const,
  ),
  ...['enotfound', 'eai_again', 'eai_fail', 'eai_nodata', 'dns'].map(
    (name) => [name, 'host not found'] as const,
  ),
  ...['ehostunreach', 'enetunreach', 'enetdown', 'ehostdown'].map(
    (name) => [name, 'no way to the host'] as const,
  ),
  ...['etimedout', 'und_err_connect_timeout', 'apiconnectiontimeouterror', 'connecttimeout'].map(
    (name) => [name, 'no connection in time'] as const,
  ),
  ...['apiconnectionerror'].map((name) => [name, 'no connection'] as const),
])

/**
 * The same in the words that programs and libraries use: Node, Bun, Rust, Python, curl, the SDKs of
 * the providers.
 */
const UNREACHED_WORDS: readonly [RegExp, string][] = [
  [
    /\b(?:ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA)\b|\bdns error\b|failed to lookup address|Name or service not known|Temporary failure in name resolution|nodename nor servname|Could not resolve host/i,
    'host not found',
  ],
  [
    /\bECONNREFUSED\b|\bConnectionRefused\b|\bFailedToOpenSocket\b|\bConnection refused\b|Failed to connect to \S+ port \d+|Unable to connect\. Is the computer able to access the url/i,
    'connection refused',
  ],
  [
    /\b(?:EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN)\b|Network is unreachable|No route to host/i,
    'no way to the host',
  ],
  [/\b(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b|Connection timed out/i, 'no connection in time'],
]
const BROKEN_WORDS =
  /\b(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)\b|Connection reset by peer|socket hang up|socket connection was closed unexpectedly|stream disconnected before completion|IncompleteMessage|other side closed/i
/** What says no more than that there was no connection; looked at last. */
const NO_CONNECTION =
  /\bConnection error\.|\bfetch failed\b|error sending request for url|APIConnectionError|\btcp connect error\b/i

/**
 * A login that is missing or refused is no outage, even where the agent files it under the service.
 */
const LOGIN_WORDS =
  /Missing environment variable|\bAPI[ _]?key\b.{0,40}\b(?:missing|required|invalid|not (?:set|found|provided|valid))\b|\b(?:missing|no|invalid|incorrect)\b.{0,20}\b(?:API[ _]?key|credentials)\b|\bnot logged in\b|\bauthentication (?:failed|required)\b|\bunauthori[sz]ed\b/i

/**
 * A status in a text: after the words that name one, before its own, or at the very beginning as
 * the SDKs write it.
 */
const STATUS =
  /(?:\bstatus(?:[ _]?code)?|\berror code|\bHTTP(?:\/[\d.]+)?|\bAPI[ _]?Error)["']?\s*[:=]?\s*["']?([45]\d\d)\b/i
const STATUS_NAMED =
  /\b(5\d\d)\s+(?:Internal Server Error|Bad Gateway|Service (?:Temporarily )?Unavailable|Gateway Time-?out|Overloaded|Site is overloaded)/i
const STATUS_FIRST = /^\s*([45]\d\d)\s+(?:\{|status code|no body|"|<)/m

/** Lines of a log that speak of no failure. */
const HARMLESS = /\b(?:TRACE|DEBUG|INFO|WARN(?:ING)?)\b/

/** The outage that made a prompt fail, or `undefined` where it failed for another reason. */
export function outageIn({ error, exitCode, stderr = '' }: Evidence): Outage | undefined {
  const told = error === undefined ? undefined : inError(error)
  if (told !== undefined) return told === 'answered' ? undefined : told
  if (exitCode === TRY_LATER) return { error: 'exit status 75, try again later', reached: true }
  // Who ended well, or was ended, did not fail for what it had written.
  const failed = error !== undefined || (typeof exitCode === 'number' && exitCode !== 0)
  const last = failed ? inText(endOf(stderr)) : undefined
  return last === 'answered' ? undefined : last
}

type Told = Outage | 'answered' | undefined

/** What an error says: by its fields, else by its text. */
function inError(error: AgentError): Told {
  const parts = partsOf(error)
  const statuses = parts.flatMap(statusesOf)
  const away = statuses.find((status) => status >= 500)
  const text = error.spoken === true ? '' : [error.message, ...parts.flatMap(textsOf)].join('\n')
  if (away !== undefined) return withAddress({ error: `HTTP ${away}`, reached: true }, text)
  if (statuses.length > 0) return 'answered'
  const names = parts.flatMap(namesOf)
  if (names.some((name) => REFUSED.has(name)) || LOGIN_WORDS.test(text)) return 'answered'
  for (const [table, reached] of [
    [UNREACHED, false],
    [BROKEN, true],
    [SERVER, true],
  ] as const) {
    const name = names.find((one) => table.has(one))
    if (name === undefined) continue
    // The name of a kind is vague: the text may contain the status, or show that there was no
    // connection.
    const said = table === UNREACHED ? undefined : inText(text)
    return said !== undefined && said !== 'answered'
      ? said
      : withAddress({ error: table.get(name) ?? name, reached }, addressText(text, parts))
  }
  return inText(text)
}

/** What a text says that a program wrote of its failure. */
function inText(text: string): Told {
  const status = Number(
    (STATUS.exec(text) ?? STATUS_NAMED.exec(text) ?? STATUS_FIRST.exec(text))?.[1] ?? 0,
  )
  if (status >= 500) return withAddress({ error: `HTTP ${status}`, reached: true }, text)
  if (status >= 400) return 'answered'
  for (const [words, error] of UNREACHED_WORDS)
    if (words.test(text)) return withAddress({ error, reached: false }, text)
  if (BROKEN_WORDS.test(text))
    return withAddress({ error: 'connection broken', reached: true }, text)
  return NO_CONNECTION.test(text)
    ? withAddress({ error: 'no connection', reached: false }, text)
    : undefined
}

function endOf(stderr: string): string {
  return stderr
    .slice(-STDERR_CHARS)
    .split('\n')
    .filter((line) => !HARMLESS.test(line))
    .join('\n')
}

/**
 * The objects of an error that may hold its fields: itself, what it wraps, what it was caused by.
 */
function partsOf(error: AgentError): unknown[] {
  const found: unknown[] = []
  const look = (raw: unknown, depth: number): void => {
    if (depth === 0 || found.length > 50) return
    const value = typeof raw === 'string' ? embeddedJson(raw) : raw
    if (Array.isArray(value)) {
      for (const one of value as unknown[]) look(one, depth - 1)
    } else if (typeof value === 'object' && value !== null) {
      found.push(value)
      for (const name of ['error', 'data', 'cause', 'details', 'response', 'errors'])
        look(at(value, name), depth - 1)
    }
  }
  look({ code: error.code, data: error.data }, DEPTH)
  if (error.spoken !== true) look(embedded(error.message), DEPTH)
  return found
}

/**
 * Statuses of HTTP in an object, as numbers or texts. An exit status is none of them: it is below
 * 256.
 */
function statusesOf(part: unknown): number[] {
  return [
    'status',
    'statusCode',
    'status_code',
    'httpStatus',
    'http_status',
    'code',
    'api_error_status',
  ].flatMap((name) => {
    const value = at(part, name)
    const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
    return typeof status === 'number' && status >= 400 && status < 600 ? [status] : []
  })
}

function namesOf(part: unknown): string[] {
  return ['type', 'code', 'status', 'errorKind', 'name', 'category', 'errno'].flatMap((name) => {
    const value = at(part, name)
    return typeof value === 'string' ? [value.toLowerCase()] : []
  })
}

function textsOf(part: unknown): string[] {
  return ['message', 'details', 'data', 'cause', 'address'].flatMap((name) => {
    const value = at(part, name)
    return typeof value === 'string' ? [value] : []
  })
}

function addressText(text: string, parts: readonly unknown[]): string {
  const fields = parts.flatMap((part) => {
    const host = at(part, 'address') ?? at(part, 'hostname') ?? at(part, 'host')
    const port = at(part, 'port')
    return typeof host === 'string'
      ? [`connect to ${host}${typeof port === 'number' ? `:${port}` : ''}`]
      : []
  })
  return [...fields, text].join('\n')
}

const NAME = String.raw`[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*`
const ADDRESSES = [
  new RegExp(String.raw`\bhttps?://(?:[^\s/@"']*@)?((?:\[[0-9a-f:]+\]|${NAME})(?::\d{1,5})?)`, 'i'),
  new RegExp(String.raw`\b(?:ENOTFOUND|EAI_AGAIN|resolve host:) (${NAME}(?::\d{1,5})?)`),
  // A word is an address only with a port.
  new RegExp(
    String.raw`\b(?:connect(?: to)?|E[A-Z]{5,}) ((?:\[[0-9a-f:]+\]|[0-9a-f]*:[0-9a-f:]+|${NAME}):\d{1,5})\b`,
  ),
]
const ADDRESS_FIELDS = /\baddress: '([\w.:-]+)',\s+port: (\d+)/
const PORT_AFTER = /Failed to connect to ([\w.-]+) port (\d+)/

function withAddress(outage: Outage, text: string): Outage {
  const [, host, port] = ADDRESS_FIELDS.exec(text) ?? PORT_AFTER.exec(text) ?? []
  const address =
    host !== undefined
      ? `${host}:${port}`
      : ADDRESSES.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined)
  return address === undefined ? outage : { ...outage, address: address.slice(0, 100) }
}

/** The JSON that a text ends with, as "API Error: 503 {…}". */
function embedded(text: string): string {
  const from = text.indexOf('{')
  return from < 0 ? '' : text.slice(from, text.lastIndexOf('}') + 1)
}
