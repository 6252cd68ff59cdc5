// The layers that only `npm run nightly` runs. Its other parts have configurations of their own.
// `SLICE=<hash>` takes the files that CI takes for a commit.
import { globSync } from 'tinyglobby'
import { defineConfig } from 'vitest/config'
import { NIGHTLY_LAYERS, projectOf } from './test/layers.js'
import { slicedBy } from './test/slice.js'

const all = globSync(NIGHTLY_LAYERS.map(({ name }) => `test/${name}/**/*.test.ts`)).sort()
const files = slicedBy(process.env, 'files', all)
const of = (name: string): string[] => files.filter((file) => file.startsWith(`test/${name}/`))

export default defineConfig({
  test: {
    projects: NIGHTLY_LAYERS.filter(({ name }) => of(name).length > 0).map((layer) =>
      projectOf(layer, of(layer.name)),
    ),
  },
})
