// Sets the clock of the agent worker forward or back during a run.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RealUser } from '../support/runs/real-run.js'

/** Environment of a worker whose clock may be set. */
export const SETTABLE = {
  NODE_OPTIONS: `--import=${pathToFileURL(fileURLToPath(new URL('settable-clock.mjs', import.meta.url))).href}`,
}

/** Sets the clock forward, or back with a negative value. */
export function setClock(user: RealUser, project: string, hours: number): void {
  const file = path.join(user.pointsOf(project), 'clock')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, String(hours * 3_600_000))
  renameSync(`${file}.new`, file)
}
