// A one-shot command of the conformance suite: `exec-behaves.mjs <output> <behaviour> [--session ID | --resume ID [--fork]] [--file F]`.
// Its sessions are files in $SESSIONS: how many prompts each has had. Of `stream-json` it names the session itself.
import { randomUUID } from 'node:crypto'
import { appendFileSync, copyFileSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { text as all } from 'node:stream/consumers'
import { behave } from './behave.mjs'

const [output, behaviour, ...options] = process.argv.slice(2)
const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined)
const resumed = option('--resume')
const session =
  (options.includes('--fork') ? undefined : resumed) ?? option('--session') ?? randomUUID()
const file = path.join(process.env.SESSIONS, session)
if (resumed !== undefined && !existsSync(path.join(process.env.SESSIONS, resumed))) {
  process.stderr.write(`no session ${resumed}\n`)
  process.exit(42)
}
if (resumed !== undefined && resumed !== session)
  copyFileSync(path.join(process.env.SESSIONS, resumed), file)
const prompt =
  option('--file') === undefined ? await all(process.stdin) : readFileSync(option('--file'), 'utf8')
appendFileSync(file, 'x')

const written = (line) => new Promise((resolve) => process.stdout.write(line, resolve))
const event = (fields) => written(`${JSON.stringify({ session_id: session, ...fields })}\n`)
let said = ''
let last = ''
let interrupt
const cancelled = new Promise((resolve) => (interrupt = resolve))
const awake = setInterval(() => {}, 1_000)
process.on('SIGINT', () => interrupt())

if (output === 'stream-json') await event({ type: 'system', subtype: 'init' })
const stage = {
  cancelled,
  async say(words) {
    said += words
    last = words
    if (output === 'text') await written(words)
    if (output === 'stream-json')
      await event({ type: 'assistant', message: { content: [{ type: 'text', text: words }] } })
  },
  die: () => process.kill(process.pid, 'SIGKILL'),
}
const end = await behave(behaviour, { nth: readFileSync(file, 'utf8').length, text: prompt }, stage)
clearInterval(awake)
const failed = typeof end === 'object'
const document = {
  result: output === 'json' ? said : last,
  is_error: failed,
  usage: { input_tokens: 100, output_tokens: 20 },
  total_cost_usd: 0.25,
  ...(failed && { error: end }),
}
if (output === 'json') await event(document)
if (output === 'stream-json') await event({ type: 'result', ...document })
process.exitCode = failed ? 1 : end === 'cancelled' ? 130 : 0
