// The layers that only `npm run nightly` runs. Its other parts have configurations of their own.
import { defineConfig } from 'vitest/config'
import { NIGHTLY_LAYERS, projectOf } from './test/layers.js'

export default defineConfig({ test: { projects: NIGHTLY_LAYERS.map(projectOf) } })
