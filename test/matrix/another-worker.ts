// A second worker for a project, started by `ratchet worker` in another terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { recordedServer } from '../../src/dev-server/server-record.js'
import { BUILT } from '../support/servers/local.js'
import type { RealUser } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

/** Starts it and waits until it takes work. `end` it. */
export async function anotherWorker(
  user: RealUser,
  project: string,
): Promise<{ end: () => Promise<void> }> {
  const env = { ...user.env, RATCHET_FAULT_POINTS: user.pointsOf(project) }
  const child = spawn(
    process.execPath,
    [
      path.join(BUILT, 'cli/main.js'),
      'worker',
      '--json',
      '--address',
      recordedServer(user.dirs)?.address ?? '',
      '--project',
      project,
    ],
    { env, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const closed = once(child, 'close')
  let [told, complained] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (told += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`the second worker has ended: ${complained}`)
      return told.includes('}')
    },
    { what: 'the second worker', timeoutMs: 60_000, everyMs: 50 },
  )
  return {
    async end() {
      child.kill('SIGINT')
      await closed
    },
  }
}
