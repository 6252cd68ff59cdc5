// The playbook agent as a program on stdio. For demos, tests and dry runs. Usage: node main.js FILE
import { ndJsonStream } from '@agentclientprotocol/sdk'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { servePlaybook } from './scripted-agent.js'
import { readPlaybook } from './schema.js'

const file = process.argv[2]
if (file === undefined) refuse('usage: node main.js FILE.yaml')
const read = readPlaybook(path.resolve(file))
if (!read.ok) refuse(read.problem)
const stream = ndJsonStream(
  Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
  Readable.toWeb(process.stdin),
)
await servePlaybook(read.playbook, path.resolve(file), stream, {
  pid: process.pid,
  env: process.env,
  exit(code, lastWords) {
    process.stderr.write(lastWords)
    process.exit(code)
  },
})
process.exit(0)

function refuse(problem: string): never {
  process.stderr.write(`[playbook] ${problem}\n`)
  process.exit(2)
}
