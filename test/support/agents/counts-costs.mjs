// Reports with each prompt its total cost in dollars, of the session, which it keeps in a file, or
// of this process; with `tokens` also all tokens of the session. On request it waits for a file
// before it answers.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { say, serve, update } from './wire.mjs'

const [, , store, of, until] = process.argv
const fileOf = (session) => path.join(store, `${session}.cost`)
const STEP = 0.25
let own = 0

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } },
  }),
  'session/new': () => ({ sessionId: 's-1' }),
  'session/resume': () => ({}),
  'session/set_mode': () => ({}),
  'session/prompt': async ({ sessionId }) => {
    own += STEP
    const all =
      STEP + (existsSync(fileOf(sessionId)) ? Number(readFileSync(fileOf(sessionId), 'utf8')) : 0)
    writeFileSync(fileOf(sessionId), String(all))
    update(sessionId, {
      sessionUpdate: 'usage_update',
      used: 1,
      size: 2,
      cost: { amount: of === 'process' ? own : all, currency: 'USD' },
    })
    say(sessionId, 'counted')
    while (until !== undefined && !existsSync(until)) await sleep(20)
    const prompts = of === 'tokens' ? all / STEP : 1
    return {
      stopReason: 'end_turn',
      usage: { inputTokens: 10 * prompts, outputTokens: prompts, totalTokens: 11 * prompts },
    }
  },
})
