// Closes its input before it answers `initialize`, so that the next request breaks the pipe, and
// exits after a moment.
import { closeSync, readSync } from 'node:fs'

const request = Buffer.alloc(65_536)
const { id } = JSON.parse(request.toString('utf8', 0, readSync(0, request)))
closeSync(0)
const result = { protocolVersion: 1, agentCapabilities: {} }
process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
setTimeout(() => process.exit(64), 300)
