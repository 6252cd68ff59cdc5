// Keeps its sessions in a file, so that another process can resume them. Writes hello.txt, and
// names every word of this form in the session. On request it forgets, limits the rate, or requires
// a login.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { RpcError, say, serve, textOf, update } from './wire.mjs'

const [, , store, manner = 'remembers'] = process.argv
const WORD = /ratchet-[0-9a-f]{6}/g
const cwds = new Map()
const fileOf = (session) => path.join(store, `${session}.txt`)

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities:
      manner === 'forgets' ? {} : { loadSession: true, sessionCapabilities: { resume: {} } },
  }),
  'session/new': ({ cwd }) => {
    if (manner === 'wants-login') throw new RpcError(-32000, 'Authentication required')
    const sessionId = `s-${process.pid}`
    cwds.set(sessionId, cwd)
    writeFileSync(fileOf(sessionId), '')
    return { sessionId }
  },
  'session/resume': ({ sessionId, cwd }) => {
    if (!existsSync(fileOf(sessionId))) throw new RpcError(-32002, 'no such session')
    cwds.set(sessionId, cwd)
  },
  'session/prompt': (params) => {
    const { sessionId } = params
    if (manner === 'limits')
      throw new RpcError(-32603, 'Too many requests', { status: 429, retry_after: 3600 })
    if (manner === 'hangs') return new Promise(() => {})
    writeFileSync(fileOf(sessionId), textOf(params), { flag: 'a' })
    update(sessionId, {
      sessionUpdate: 'tool_call',
      toolCallId: 't1',
      title: 'write hello.txt',
      kind: 'edit',
      status: 'pending',
    })
    writeFileSync(path.join(cwds.get(sessionId), 'hello.txt'), 'hello')
    update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' })
    say(
      sessionId,
      `I was told ${readFileSync(fileOf(sessionId), 'utf8').match(WORD)?.join(' ') ?? 'nothing'}`,
    )
    return {
      stopReason: 'end_turn',
      usage: { inputTokens: 100, outputTokens: 20, totalTokens: 120 },
    }
  },
})
