// npm run simulate: the decisions of a fix over random sequences, without Temporal; and a sample of
// them with it.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { projectOf } from './test/layers.js'

const LONGEST_MS = 10_800_000
const alias = {
  '@temporalio/workflow': fileURLToPath(
    new URL('./test/simulation/workflow-sdk.ts', import.meta.url),
  ),
}
const sequences = projectOf({ name: 'sequences', needs: 'nothing', timeoutMs: LONGEST_MS }, [
  'test/simulation/*.test.ts',
])
// The worker has a bundle of its own, with the real SDK.
const sample = projectOf({ name: 'sample', needs: 'temporal', timeoutMs: LONGEST_MS }, [
  'test/simulation/real/*.test.ts',
])

export default defineConfig({
  test: { projects: [sequences, sample].map((project) => ({ ...project, resolve: { alias } })) },
})
