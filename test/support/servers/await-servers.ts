// Before a test file that needs a server: waits for what begin-servers.ts has begun.
import { existsSync, readFileSync } from 'node:fs'
import { SERVERS_FILE, type ServersAnswer } from './servers-file.js'
import { waitFor } from '../wait.js'

/** Longer than getting them may take: that ends by itself, with the reason. */
const PATIENCE_MS = 900_000

const file = process.env[SERVERS_FILE]
if (file === undefined)
  throw new Error(
    `${SERVERS_FILE} is not set: this test project lacks test/support/servers/begin-servers.ts in vitest.config.ts`,
  )
await waitFor(() => existsSync(file), {
  what: 'the Temporal servers',
  timeoutMs: PATIENCE_MS,
  everyMs: 100,
})
const answer = JSON.parse(readFileSync(file, 'utf8')) as ServersAnswer
// Every test of the file fails with it; nothing is skipped.
if ('problem' in answer) throw new Error(answer.problem)
Object.assign(process.env, answer)
