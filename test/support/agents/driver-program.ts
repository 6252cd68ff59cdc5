// Bundles the minimal worker (driver-process.ts) into one file, which halves its start-up time.
// Built from the sources, so that a test never runs a stale build.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll } from 'vitest'

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..')

/** Builds the program for the tests of this file; returns a function for its path. */
export function driverProgram(): () => string {
  let out: string | undefined
  beforeAll(async () => {
    out = mkdtempSync(path.join(os.tmpdir(), 'ratchet-driver-'))
    writeFileSync(path.join(out, 'package.json'), '{"type":"module"}')
    symlinkSync(path.join(ROOT, 'agent-settings'), path.join(out, 'agent-settings'))
    const bundle = await rolldown({
      input: path.join(ROOT, 'test/support/agents/driver-process.ts'),
      platform: 'node',
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      transform: { target: 'node20' },
    })
    await bundle.write({ file: path.join(out, 'driver.js'), format: 'esm', codeSplitting: false })
    await bundle.close()
  })
  afterAll(() => {
    if (out !== undefined) rmSync(out, { recursive: true, force: true })
  })
  return () => {
    if (out === undefined)
      throw new Error('the program of the driver is asked for before it is made')
    return path.join(out, 'driver.js')
  }
}
