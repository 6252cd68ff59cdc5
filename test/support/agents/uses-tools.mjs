// An agent that uses the MCP server of its session, as a CLI does: it starts the server with the
// session, and follows the steps in its argument, or in those of a prompt: `STEPS:[…]`. What the
// tools answer it says, one JSON object a line.
//
//   { "write": path, "text" } { "call": tool, "args" } { "start": tool, "args" } { "until": file }
//   { "raw": file in the tools' folder, "text" } { "link": file there, "to" } { "die": true }
//   { "list": true } { "leaves": true }: a process that passes itself off as the server
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { RpcError, say, serve, textOf } from './wire.mjs'

const [, , given = '[]', ...flags] = process.argv
let session
let stop = () => {}

function open({ cwd, mcpServers }) {
  const [server] = mcpServers
  if (server !== undefined && flags.includes('no-servers'))
    throw new RpcError(-32602, 'MCP servers are not supported')
  session = { cwd, server, call: server === undefined ? undefined : connect(cwd, server) }
  return { sessionId: 's-1' }
}

function connect(cwd, { command, args, env }) {
  // Some agents start it outside of their own group, with no environment but this.
  const detached = flags.includes('detached')
  const child = spawn(command, args, {
    cwd,
    env: {
      ...(detached ? {} : process.env),
      ...Object.fromEntries(env.map((e) => [e.name, e.value])),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached,
  })
  const waiting = new Map()
  let next = 0
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    waiting.get(id)?.(result ?? { error })
  })
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++next, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: next, method, params })}\n`)
    })
  void request('initialize', { protocolVersion: '2025-06-18', capabilities: {} })
  return request
}

const told = (tool, { content, isError, error }) => ({
  tool,
  text: content?.[0].text ?? error?.message,
  isError: isError ?? true,
})

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
  }),
  'session/new': open,
  'session/load': open,
  'session/resume': open,
  'session/cancel': () => flags.includes('deaf') || stop(),
  'session/prompt': async (params) => {
    const { sessionId } = params
    const cancelled = new Promise((resolve) => (stop = () => resolve('cancelled')))
    const tell = (value) => say(sessionId, `${JSON.stringify(value)}\n`)
    const steps = JSON.parse(/^STEPS:(.*)$/m.exec(textOf(params))?.[1] ?? given)
    const folder = session.server?.args[1]
    const work = async () => {
      for (const {
        write,
        call,
        start,
        args = {},
        raw,
        link,
        to,
        text,
        until,
        die,
        list,
        leaves,
      } of steps) {
        if (write !== undefined) {
          mkdirSync(path.dirname(path.resolve(session.cwd, write)), { recursive: true })
          writeFileSync(path.resolve(session.cwd, write), text)
        }
        if (call !== undefined)
          tell(told(call, await session.call('tools/call', { name: call, arguments: args })))
        if (start !== undefined) void session.call('tools/call', { name: start, arguments: args })
        if (raw !== undefined) writeFileSync(path.join(folder, raw), text)
        if (link !== undefined) {
          rmSync(path.join(folder, link), { recursive: true, force: true })
          symlinkSync(to, path.join(folder, link))
        }
        if (until !== undefined)
          while (!existsSync(path.resolve(session.cwd, until))) await sleep(20)
        if (leaves)
          spawn('sleep', ['600'], {
            env: {
              PATH: process.env.PATH,
              ...Object.fromEntries(session.server.env.map((e) => [e.name, e.value])),
            },
            detached: true,
            stdio: 'ignore',
          }).unref()
        if (list) tell({ servers: session.server === undefined ? [] : [session.server.name] })
        if (die && !existsSync(`${session.cwd}.died`)) {
          writeFileSync(`${session.cwd}.died`, '')
          process.kill(process.pid, 'SIGKILL')
        }
      }
      return 'end_turn'
    }
    return { stopReason: await Promise.race([work(), cancelled]) }
  },
})
