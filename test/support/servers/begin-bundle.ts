// Bundles the workflows once per test run instead of once per file, as that takes three seconds of
// a core.
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { bundleWorkflows } from '../../../scripts/bundle-workflows.mjs'
import { replaceFile } from '../../../src/adapters/files/replace-file.js'
import { BUNDLE_FILE, type BundleAnswer } from './workflow-bundle.js'

/**
 * Once per test run, for the first project; does not wait for the bundle. Returns a function that
 * ends it.
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[BUNDLE_FILE] !== undefined) return undefined
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-bundle-'))
  const file = path.join(dir, 'bundle.json')
  process.env[BUNDLE_FILE] = file
  const known = bundleWorkflows()
    .catch((error: unknown) => ({
      problem: error instanceof Error ? error.message : String(error),
    }))
    .then((answer: BundleAnswer) => replaceFile(file, JSON.stringify(answer)))
  return async () => {
    await known
    await rm(dir, { recursive: true, force: true })
  }
}
