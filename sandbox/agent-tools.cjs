// The MCP server that an agent starts for Ratchet's tools. It decides nothing and runs nothing: it
// carries each call into a file and the worker's answer back, so that it works in every sandbox.
//
// node agent-tools.cjs <folder>
//
// A call is req-N.json, with the first N that is free: a link is made of a whole file, so that the
// worker never reads half of one, and two relays never take the same number. Its answer is res-N.json.
'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { randomBytes } = require('node:crypto')
const { createInterface } = require('node:readline')

const [folder] = process.argv.slice(2)
const REQUESTS = 100
const POLL_MS = 100
/** Some clients end a call that is silent for a minute. */
const PROGRESS_MS = 10_000
const VERSION = '2025-06-18'

const nothing = { type: 'object', properties: {}, additionalProperties: false }
/** What a run changes in the tree is undone, so that none of them changes anything. */
const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
const TOOLS = [
  {
    name: 'run_tests',
    title: 'Run the tests',
    description:
      "Runs the project's tests on the files as they are now, and says which fail and why. Without files all tests run. Change no file while it runs: such a change is undone.",
    inputSchema: {
      type: 'object',
      properties: {
        files: {
          type: 'array',
          items: { type: 'string' },
          maxItems: 50,
          description: "Test files to run, relative to the project's directory",
        },
      },
      additionalProperties: false,
    },
    annotations,
  },
  {
    name: 'failures',
    title: 'Show failing tests',
    description:
      'Shows the failing tests of the last run, with their errors. Runs nothing. A long list is continued with "from".',
    inputSchema: {
      type: 'object',
      properties: {
        from: { type: 'integer', minimum: 1, description: 'Number of the first test to show' },
      },
      additionalProperties: false,
    },
    annotations,
  },
  {
    name: 'diff',
    title: 'Show your changes',
    description: 'Shows what differs from the commit that this turn began at.',
    inputSchema: nothing,
    annotations,
  },
]

const waiting = new Map()

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const failed = (id, code, message) => send({ id, error: { code, message } })
const told = (id, text, isError) =>
  send({ id, result: { content: [{ type: 'text', text }], isError } })

function read(file) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'))
  } catch {
    return undefined // not there
  }
}

function post(request) {
  const whole = path.join(folder, `.call-${request.id}`)
  fs.writeFileSync(whole, JSON.stringify(request), { flag: 'wx' })
  try {
    for (let n = 1; n <= REQUESTS; n++) {
      try {
        fs.linkSync(whole, path.join(folder, `req-${n}.json`))
        return n
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
    }
    return undefined
  } finally {
    fs.rmSync(whole, { force: true })
  }
}

function call(id, { name, arguments: args, _meta }) {
  if (!TOOLS.some((tool) => tool.name === name))
    return failed(id, -32602, `there is no tool ${String(name).slice(0, 100)}`)
  const request = { id: randomBytes(16).toString('hex'), tool: name, arguments: args ?? {} }
  let number
  try {
    number = post(request)
  } catch {
    return told(
      id,
      'Ratchet gives no tools at the moment: no turn of this session is running.',
      true,
    )
  }
  if (number === undefined)
    return told(id, `Ratchet answers ${REQUESTS} calls of a session; these are used.`, true)
  let progress = 0
  const token = _meta?.progressToken
  const beat =
    token === undefined
      ? undefined
      : setInterval(
          () =>
            send({
              method: 'notifications/progress',
              params: { progressToken: token, progress: ++progress },
            }),
          PROGRESS_MS,
        )
  const poll = setInterval(() => {
    const answer = read(`res-${number}.json`)
    if (answer?.id === request.id) {
      end()
      told(id, String(answer.text), answer.isError === true)
    } else if (read(`req-${number}.json`)?.id !== request.id) {
      end()
      told(id, 'The turn has ended; Ratchet did not answer this call.', true)
    }
  }, POLL_MS)
  const end = () => {
    clearInterval(poll)
    clearInterval(beat)
    waiting.delete(id)
  }
  waiting.set(id, end)
}

function serve({ id, method, params: given }) {
  const params = given ?? {}
  if (method === 'notifications/cancelled') return waiting.get(params.requestId)?.()
  if (id === undefined || id === null || typeof method !== 'string') return undefined
  switch (method) {
    case 'initialize':
      return send({
        id,
        result: {
          protocolVersion:
            typeof params.protocolVersion === 'string' ? params.protocolVersion : VERSION,
          capabilities: { tools: {} },
          serverInfo: { name: 'ratchet', version: '1' },
        },
      })
    case 'ping':
      return send({ id, result: {} })
    case 'tools/list':
      return send({ id, result: { tools: TOOLS } })
    case 'tools/call':
      return call(id, params)
    default:
      return failed(id, -32601, `no such method: ${method.slice(0, 100)}`)
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    let message
    try {
      message = JSON.parse(line)
    } catch {
      return failed(null, -32700, 'not JSON')
    }
    for (const one of Array.isArray(message) ? message : [message])
      if (typeof one === 'object' && one !== null) serve(one)
    return undefined
  })
  .on('close', () => process.exit(0))
process.stdout.on('error', () => process.exit(0))
