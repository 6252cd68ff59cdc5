// A second worker for a project, started by `ratchet worker` in another terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { recordedServer } from '../../src/dev-server/server-record.js'
import { BUILT } from '../support/servers/local.js'
import type { RealUser } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

/**
 * Starts it and waits until it takes work. `end` it. If the server is down because of another blow,
 * it starts it again, as a person does.
 */
export async function anotherWorker(
  user: RealUser,
  project: string,
): Promise<{ end: () => Promise<void> }> {
  const until = Date.now() + 60_000
  for (;;) {
    const address = recordedServer(user.dirs)?.address
    const worker = address === undefined ? undefined : start(user, project, address)
    const trouble = worker === undefined ? 'no server' : await worker.takesWork()
    if (worker !== undefined && trouble === undefined) return worker
    if (Date.now() > until) throw new Error(`the second worker has ended: ${trouble}`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

type Started = {
  /** Waits until it takes work, or has ended: what it complained of. */
  takesWork: () => Promise<string | undefined>
  end: () => Promise<void>
}

function start(user: RealUser, project: string, address: string): Started {
  const env = { ...user.env, RATCHET_FAULT_POINTS: user.pointsOf(project) }
  const main = path.join(BUILT, 'cli/main.js')
  const child = spawn(
    process.execPath,
    [main, 'worker', '--json', '--address', address, '--project', project],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const closed = once(child, 'close')
  let [told, complained] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  return {
    async takesWork() {
      await waitFor(() => child.exitCode !== null || told.includes('}'), {
        what: 'the second worker',
        timeoutMs: 60_000,
        everyMs: 50,
      })
      return child.exitCode === null ? undefined : complained
    },
    async end() {
      child.kill('SIGINT')
      await closed
    },
  }
}
