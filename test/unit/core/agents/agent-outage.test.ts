// Outages as the five agents, the SDKs of their providers and ordinary programs report them, and
// errors that only look like one.
import { describe, expect, test } from 'vitest'
import { outageIn } from '../../../../src/core/agents/agent-outage.js'
import {
  endingOfDeath,
  endingOfError,
  failureIn,
  type AgentError,
} from '../../../../src/core/agents/agent-outcome.js'
import { DocumentReader } from '../../../../src/core/agents/exec-output.js'
import { StreamReader } from '../../../../src/core/agents/exec-stream.js'
import { execVerdict, isSessionLost } from '../../../../src/core/agents/exec-verdict.js'

const internal = (message: string, data?: unknown): AgentError => ({
  code: -32603,
  message,
  ...(data === undefined ? {} : { data }),
})
const codex = (category: string, title: string): AgentError =>
  failureIn({
    stopReason: 'end_turn',
    _meta: {
      jetbrains: {
        air: {
          version: 1,
          sessionFailure: { severity: 'error', category, actions: ['retry'], title },
        },
      },
    },
  }) as AgentError

describe('an error of the protocol that reports an outage', () => {
  test.each(
    // prettier-ignore
    [
    // claude-agent-acp
    { why: 'claude: the kind of its error', error: internal('Internal error', { errorKind: 'overloaded' }), says: 'overloaded' },
    { why: 'claude: a failure of the server by its kind', error: internal('Internal error: API Error', { errorKind: 'server_error' }), says: 'server error' },
    { why: 'claude: the status in its own words', error: internal('Internal error: API Error: 503 {"type":"error","error":{"type":"api_error","message":"Service Unavailable"}}'), says: 'HTTP 503' },
    { why: 'claude: 529', error: internal('API Error: 529 Overloaded'), says: 'HTTP 529' },
    { why: 'claude: 500 without a word', error: internal('API Error: 500'), says: 'HTTP 500' },
    { why: 'claude: nothing listens at its base URL', error: internal('API Error: Unable to connect to API (ConnectionRefused)'), says: 'connection refused', reached: false },
    { why: 'claude: a host without an address', error: internal('API Error: Unable to connect to API (ENOTFOUND)'), says: 'host not found', reached: false },
    { why: 'claude: the connection broke while it read', error: internal('API Error: Unable to connect to API (ECONNRESET)'), says: 'connection broken' },
    { why: 'claude: no connection, and no more than that', error: internal('API Error: Connection error.'), says: 'no connection', reached: false },
    // codex-acp
    { why: 'codex: its category for the service', error: codex('service', 'the service is having trouble'), says: 'server error' },
    { why: 'codex: its category, and the status in its title', error: codex('service', 'unexpected status 503 Service Unavailable: try later, url: http://127.0.0.1:8901/v1/responses'), says: 'HTTP 503', at: '127.0.0.1:8901' },
    { why: 'codex: its category for the connection', error: codex('connection', 'stream disconnected before completion: stream closed before response.completed'), says: 'connection broken' },
    { why: 'codex: no host was reached, in that category', error: codex('connection', 'stream disconnected before completion: error sending request for url (http://127.0.0.1:9/v1/responses): Connection refused (os error 111)'), says: 'connection refused', reached: false, at: '127.0.0.1:9' },
    { why: 'codex: the status in words', error: internal('unexpected status 502 Bad Gateway: upstream, url: https://api.example.com/v1/responses'), says: 'HTTP 502', at: 'api.example.com' },
    { why: 'codex: DNS, by the words of Rust', error: internal('error sending request for url (https://api.exmaple.test/v1/responses): dns error: failed to lookup address information: Name or service not known'), says: 'host not found', reached: false, at: 'api.exmaple.test' },
    // gemini
    { why: 'gemini: the status as the code', error: { code: 503, message: 'The model is overloaded. Please try again later.' }, says: 'HTTP 503' },
    { why: 'gemini: the whole answer of the provider', error: { code: 500, message: '{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}' }, says: 'HTTP 500' },
    { why: 'gemini: the answer inside of a text', error: internal('{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}'), says: 'HTTP 503' },
    { why: 'gemini: the name of the status alone', error: internal('Internal error', { error: { status: 'UNAVAILABLE' } }), says: 'server error' },
    { why: 'gemini: fetch, with the cause', error: internal('exception TypeError: fetch failed sending request', { cause: { code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 } }), says: 'connection refused', reached: false, at: '127.0.0.1:9' },
    { why: 'gemini: fetch alone', error: internal('exception TypeError: fetch failed sending request to http://10.0.0.5:8080/v1beta/models'), says: 'no connection', reached: false, at: '10.0.0.5:8080' },
    // qwen
    { why: 'qwen: the words of its SDK', error: internal('Internal error', { details: '503 status code (no body)' }), says: 'HTTP 503' },
    { why: 'qwen: a connection error', error: internal('Internal error', { details: 'Connection error. (cause: fetch failed)' }), says: 'no connection', reached: false },
    { why: 'qwen: the cause by its name', error: internal('Internal error', { details: 'connect ECONNREFUSED 127.0.0.1:8901' }), says: 'connection refused', reached: false, at: '127.0.0.1:8901' },
    { why: 'qwen: DNS', error: internal('Internal error', { details: 'request failed, reason: getaddrinfo EAI_AGAIN dashscope.example.com' }), says: 'host not found', reached: false, at: 'dashscope.example.com' },
    { why: 'qwen: the socket', error: internal('Internal error', { details: 'socket hang up' }), says: 'connection broken' },
    // opencode
    { why: 'opencode: the status of its API error', error: internal('Service Unavailable', { name: 'APIError', data: { message: 'Service Unavailable', statusCode: 503, isRetryable: true } }), says: 'HTTP 503' },
    { why: 'opencode: no listener, by the words of Bun', error: internal('Unable to connect. Is the computer able to access the url?', { name: 'APIError' }), says: 'connection refused', reached: false },
    { why: 'opencode: the socket, by the words of Bun', error: internal('The socket connection was closed unexpectedly. For more information, pass `verbose: true`'), says: 'connection broken' },
    // any other
    { why: 'a status as a text', error: internal('x', { error: { code: '504' } }), says: 'HTTP 504' },
    { why: 'the field that axios has', error: internal('Request failed with status code 502', { response: { status: 502 } }), says: 'HTTP 502' },
    { why: 'the error of a system call, with its address', error: internal('x', { code: 'ECONNRESET', syscall: 'read' }), says: 'connection broken' },
    { why: 'a network that is gone', error: internal('connect ENETUNREACH 2606:4700::1:443'), says: 'no way to the host', reached: false, at: '2606:4700::1:443' },
    { why: 'a connection that is not made in time', error: internal('x', { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } }), says: 'no connection in time', reached: false },
    { why: 'an address with a key in it: the key is left out', error: internal('error sending request for url (https://user:secret@llm.example.com:8443/v1?key=secret): Connection refused'), says: 'connection refused', reached: false, at: 'llm.example.com:8443' },
    { why: 'an address of IPv6', error: internal('connect ECONNREFUSED [::1]:9'), says: 'connection refused', reached: false, at: '[::1]:9' },
  ],
  )('$why', ({ error, says, reached = true, at }) => {
    const outage = outageIn({ error })
    expect(outage).toMatchObject({ error: says, reached })
    expect(outage?.address).toBe(at)
    expect(endingOfError(error)).toMatchObject({ outcome: 'unavailable', outage: { error: says } })
  })
})

describe('an error of the protocol that reports no outage', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'a bad request with the text of an outage', error: { code: 400, message: 'connect ECONNREFUSED 127.0.0.1:9' }, outcome: 'failed' },
    { why: 'claude: a bad request in words', error: internal('API Error: 400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt about ECONNRESET is too long"}}'), outcome: 'failed' },
    { why: 'a model that is not there', error: internal('x', { status: 404, message: '503 Service Unavailable' }), outcome: 'failed' },
    { why: 'a rate limit', error: internal('x', { status: 429, message: 'Service Unavailable' }), outcome: 'rate_limited' },
    { why: 'a rate limit in words only', error: internal('API Error: 429 too many requests'), outcome: 'failed' },
    { why: 'no login', error: { code: -32000, message: 'Authentication required' }, outcome: 'failed', cause: 'login' },
    { why: 'claude: a key that is refused', error: internal('API Error: 401 {"error":{"type":"authentication_error"}}', { errorKind: 'authentication_failed' }), outcome: 'failed', cause: 'login' },
    { why: 'gemini: a key that is refused', error: { code: 401, message: 'API key not valid' }, outcome: 'failed', cause: 'login' },
    { why: 'codex: no login', error: codex('access', 'no key, and the connection was refused'), outcome: 'failed', cause: 'login' },
    { why: 'codex: a request that is refused', error: codex('request', 'no such model'), outcome: 'failed' },
    { why: 'codex: a key is missing', error: codex('service', 'Missing environment variable: `OPENAI_API_KEY`.'), outcome: 'failed' },
    { why: 'a key that is missing, as a failure of the server', error: internal('No API key found', { errorKind: 'server_error' }), outcome: 'failed' },
    { why: 'a key that is not valid, as a failure of the service', error: internal('API key not valid. Please pass a valid API key.', { error: { status: 'UNAVAILABLE' } }), outcome: 'failed' },
    { why: 'codex: a bad request, in its category for the service', error: { code: -32603, message: '{"error":{"message":"no such thing","type":"invalid_request_error"}}', data: { category: 'service' } }, outcome: 'failed' },
    { why: 'an error of the agent itself', error: internal('Internal error', { details: 'the model fell over' }), outcome: 'failed' },
    { why: 'words about a server, without a status', error: internal('the service is unavailable in your country'), outcome: 'failed' },
    { why: 'a number that is no status', error: internal('the answer has 503 lines, 500 of them of service'), outcome: 'failed' },
    { why: 'the code of the protocol', error: { code: -32503, message: 'x' }, outcome: 'failed' },
    { why: 'an answer that the agent said', error: { ...internal('API Error: 503 Service Unavailable'), spoken: true as const }, outcome: 'failed' },
  ],
  )('$why -> $outcome', ({ error, outcome, cause }) => {
    expect(endingOfError(error)).toMatchObject({ outcome })
    expect(endingOfError(error).cause).toBe(cause)
  })
})

const NODE = `node:internal/process/promises:394\n      triggerUncaughtException(err, true /* fromPromise */);\n\nError: connect ECONNREFUSED 127.0.0.1:9\n    at TCPConnectWrap.afterConnect {\n  errno: -111,\n  code: 'ECONNREFUSED',\n  syscall: 'connect',\n  address: '127.0.0.1',\n  port: 9\n}\n\nNode.js v20.20.2\n`

describe('the end of a process: its exit status and standard error', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'Node, uncaught', exitCode: 1, stderr: NODE, says: 'connection refused (127.0.0.1:9)', reached: false },
    { why: 'curl, a name that is wrong', exitCode: 6, stderr: 'curl: (6) Could not resolve host: api.exmaple.test\n', says: 'host not found (api.exmaple.test)', reached: false },
    { why: 'curl, a port without a listener', exitCode: 7, stderr: 'curl: (7) Failed to connect to 127.0.0.1 port 9 after 0 ms: Could not connect to server\n', says: 'connection refused (127.0.0.1:9)', reached: false },
    { why: 'Python, its SDK', exitCode: 1, stderr: 'openai.InternalServerError: Error code: 503 - {"error": {"message": "busy"}}\n', says: 'HTTP 503', reached: true },
    { why: 'Python, requests', exitCode: 1, stderr: "requests.exceptions.ConnectionError: HTTPConnectionPool(host='127.0.0.1', port=9): Failed to establish a new connection: [Errno 111] Connection refused\n", says: 'connection refused', reached: false },
    { why: 'a status line', exitCode: 22, stderr: 'HTTP/1.1 502 Bad Gateway\n', says: 'HTTP 502', reached: true },
    { why: 'EX_TEMPFAIL of sysexits.h', exitCode: 75, stderr: '', says: 'exit status 75, try again later', reached: true },
    { why: 'a reset', exitCode: 1, stderr: 'Error: read ECONNRESET\n', says: 'connection broken', reached: true },
  ],
  )('$why', ({ exitCode, stderr, says, reached }) => {
    const ending = endingOfDeath({ exitCode, stderr })
    expect(ending).toMatchObject({ outcome: 'unavailable', outage: { reached } })
    expect(ending?.reason).toBe(`the agent's model provider is unavailable, ${says}`)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'an ordinary death', exitCode: 7, stderr: 'crashes on purpose with code 7' },
    { why: 'a signal after the text of an outage', exitCode: null, stderr: NODE },
    { why: 'a good end after the text of an outage', exitCode: 0, stderr: NODE },
    { why: 'nothing at all', exitCode: 1, stderr: '' },
    { why: 'a wrong option', exitCode: 64, stderr: 'error: unknown option --acp' },
    { why: 'a warning of a log, as codex writes it when it cannot look for plugins', exitCode: 1, stderr: '2026-11-22T10:00:00Z  WARN codex_core: error sending request for url (https://example.com/plugins)\nthread main panicked at src/main.rs:12\n' },
    { why: 'a status that is the user\'s own doing', exitCode: 1, stderr: 'HTTP/1.1 403 Forbidden, then ECONNRESET' },
    { why: 'what was written long before the end', exitCode: 1, stderr: `ECONNREFUSED\n${'x'.repeat(2_000)}` },
  ],
  )('$why is no outage', ({ exitCode, stderr }) => {
    expect(endingOfDeath({ exitCode, stderr })).toBeUndefined()
  })

  test('where an error says nothing itself, standard error does', () => {
    expect(endingOfError(internal('Internal error'), { stderr: NODE })).toMatchObject({
      outcome: 'unavailable',
      outage: { error: 'connection refused', address: '127.0.0.1:9' },
    })
    expect(endingOfError({ code: 400, message: 'bad' }, { stderr: NODE })).toMatchObject({
      outcome: 'failed',
    })
  })
})

describe('a one-shot command', () => {
  const document = (value: unknown) => {
    const reader = new DocumentReader()
    reader.take(JSON.stringify(value))
    reader.end()
    return reader.summary
  }
  const stream = (...events: unknown[]) => {
    const reader = new StreamReader()
    for (const event of events) reader.take(JSON.stringify(event))
    reader.end()
    return reader.summary
  }
  test.each(
    // prettier-ignore
    [
    { why: 'gemini -o json: the status is in the exit status alone', summary: () => document({ status: 'error', error: { type: 'Error', message: 'the model did not answer' } }), code: 247, outcome: 'unavailable' },
    { why: 'the same exit status after a status that was named', summary: () => document({ status: 'error', error: { status: 400, message: 'bad' } }), code: 144, outcome: 'failed' },
    { why: 'claude -p: the status in a field of its own', summary: () => stream({ type: 'result', subtype: 'success', is_error: true, result: 'API Error', api_error_status: 503 }), code: 1, outcome: 'unavailable' },
    { why: 'claude -p: the kind of error on the message', summary: () => stream({ type: 'assistant', error: 'server_error', message: { content: [] } }, { type: 'result', is_error: true, result: 'x' }), code: 1, outcome: 'unavailable' },
    { why: 'claude -p: in the words of its answer only', summary: () => stream({ type: 'result', is_error: true, result: 'API Error: 503 Service Unavailable' }), code: 1, outcome: 'failed' },
    { why: 'codex exec: the last event', summary: () => stream({ type: 'turn.failed', error: { message: 'unexpected status 503 Service Unavailable: busy, url: http://127.0.0.1:8901/v1/responses' } }), code: 1, outcome: 'unavailable' },
    { why: 'codex exec: no listener', summary: () => stream({ type: 'turn.failed', error: { message: 'stream disconnected before completion: error sending request for url (http://127.0.0.1:9/v1/responses)' } }), code: 1, outcome: 'unavailable' },
    { why: 'qwen: an error as a good end is in words only', summary: () => stream({ type: 'result', subtype: 'success', is_error: false, result: '[API Error: 503 busy]', usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }), code: 0, outcome: 'failed' },
    { why: 'opencode run: its error event', summary: () => stream({ type: 'error', sessionID: 'ses_1', error: { name: 'APIError', data: { message: 'Bad Gateway', statusCode: 502 } } }), code: 1, outcome: 'unavailable' },
  ],
  )('$why -> $outcome', ({ summary, code, outcome }) => {
    const verdict = execVerdict({
      output: 'stream-json',
      summary: summary(),
      code,
      cancelled: false,
    })
    expect(verdict.kind).toBe('refused')
    expect(verdict.kind === 'refused' && endingOfError(verdict.error).outcome).toBe(outcome)
  })

  test('plain text: what it printed is its answer, what it wrote to standard error is not', () => {
    const summary = {
      whole: false,
      active: true,
      readable: true,
      tail: 'the page says: 503 Service Unavailable',
    }
    const verdict = execVerdict({ output: 'text', summary, code: 1, cancelled: false })
    expect(
      verdict.kind === 'refused' &&
        endingOfError(verdict.error, { exitCode: 1, stderr: '' }).outcome,
    ).toBe('failed')
    expect(
      verdict.kind === 'refused' &&
        endingOfError(verdict.error, { exitCode: 1, stderr: '503 Service Unavailable' }).outcome,
    ).toBe('unavailable')
    expect(
      verdict.kind === 'refused' &&
        endingOfError(verdict.error, { exitCode: 75, stderr: '' }).outcome,
    ).toBe('unavailable')
  })

  test.each([
    { why: 'an outage has lost no session', stderr: 'connect ECONNREFUSED 127.0.0.1:9', is: false },
    { why: 'any other end without a word has', stderr: 'no session s-1', is: true },
  ])('$why', ({ stderr, is }) => {
    expect(
      isSessionLost(
        { kind: 'gone' },
        { summary: { whole: false, active: false, readable: false, tail: '' }, code: 1, stderr },
      ),
    ).toBe(is)
  })
})
