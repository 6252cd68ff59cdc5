// npm run attacks: test/attacks, and every test that the table "Attacks" of SECURITY.md names,
// whatever its layer.
import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'
import { defineConfig } from 'vitest/config'
import { LAYERS, NIGHTLY_LAYERS, projectOf } from './test/layers.js'

const [, table = ''] = readFileSync('SECURITY.md', 'utf8').split(/^## (?:Attacks|Trust)$/m)
const named = [...table.matchAll(/\((test\/[\w./-]+\.test\.ts)\)/g)].map(([, file = '']) => file)
const files = [...new Set([...globSync('test/attacks/**/*.test.ts'), ...named])].sort()
const of = (name: string): string[] => files.filter((file) => file.startsWith(`test/${name}/`))

export default defineConfig({
  test: {
    projects: [...LAYERS, ...NIGHTLY_LAYERS]
      .filter(({ name }) => of(name).length > 0)
      .map((layer) => projectOf(layer, of(layer.name))),
  },
})
