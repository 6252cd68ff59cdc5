// A clock that is set on or back while a run goes on: that of the agent worker.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RealUser } from '../support/runs/real-run.js'

/** Environment of a worker whose clock may be set. */
export const SETTABLE = {
  NODE_OPTIONS: `--import=${pathToFileURL(fileURLToPath(new URL('settable-clock.mjs', import.meta.url))).href}`,
}

/** Sets the clock on, or back with less than nothing. */
export function setClock(user: RealUser, project: string, hours: number): void {
  const file = path.join(user.pointsOf(project), 'clock')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, String(hours * 3_600_000))
  renameSync(`${file}.new`, file)
}
