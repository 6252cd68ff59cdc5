// npm test: what a contributor runs. Its layers are in test/layers.ts.
import { defineConfig } from 'vitest/config'
import { LAYERS, projectOf } from './test/layers.js'

export default defineConfig({ test: { projects: LAYERS.map((layer) => projectOf(layer)) } })
