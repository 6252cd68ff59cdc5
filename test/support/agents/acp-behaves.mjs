// An ACP agent of the conformance suite: `acp-behaves.mjs <behaviour>`. Its sessions are files in $SESSIONS.
import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { behave } from './behave.mjs'
import { ask, RpcError, say, serve, textOf } from './wire.mjs'

const file = (session) => path.join(process.env.SESSIONS, session)
let interrupt = () => {}

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { sessionCapabilities: { resume: {} } },
  }),
  'session/new': () => ({ sessionId: randomUUID() }),
  'session/resume': ({ sessionId }) => {
    if (!existsSync(file(sessionId))) throw new RpcError(-32002, 'no such session')
    return {}
  },
  'session/cancel': () => interrupt(),
  'session/prompt': async (params) => {
    const { sessionId } = params
    appendFileSync(file(sessionId), 'x')
    const end = await behave(
      process.argv[2],
      { nth: readFileSync(file(sessionId), 'utf8').length, text: textOf(params) },
      {
        cancelled: new Promise((resolve) => (interrupt = resolve)),
        say: (words) => (
          say(sessionId, words),
          new Promise((resolve) => process.stdout.write('', resolve))
        ),
        die: () => process.kill(process.pid, 'SIGKILL'),
        ask: async (title) => {
          const options = [
            { optionId: 'y', name: 'Yes', kind: 'allow_once' },
            { optionId: 'n', name: 'No', kind: 'reject_once' },
          ]
          const { result } = await ask('session/request_permission', {
            sessionId,
            toolCall: { toolCallId: 'c1', title, kind: 'execute' },
            options,
          })
          return result.outcome.optionId === 'y' ? 'yes' : 'no'
        },
      },
    )
    if (typeof end === 'object') throw new RpcError(-32603, 'Internal error', { error: end })
    return { stopReason: end, usage: { inputTokens: 100, outputTokens: 20 } }
  },
})
