// A directory for a whole test run: what files keep for each other lies there, and all of it goes
// at the end.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

/** Variable that names it. */
export const SCRATCH = 'RATCHET_TEST_SCRATCH'

/** Global set-up, once a run, for whichever project comes first. */
export default function setup(): (() => void) | undefined {
  if (process.env[SCRATCH] !== undefined) return undefined
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-scratch-')))
  process.env[SCRATCH] = dir
  return () => rmSync(dir, { recursive: true, force: true })
}
