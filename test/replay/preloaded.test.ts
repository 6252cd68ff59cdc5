// What all runs of a worker share: every schema of the bundle.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { workflowBundle } from '../support/servers/workflow-env.js'

const root = new URL('../../', import.meta.url)

test('every module of the contract that the workflows hold, and that builds schemas, is preloaded by its name', async () => {
  const { code } = await workflowBundle()
  const held = [
    ...new Set(
      [...code.matchAll(/^\/\*\*\*\/ "\.\/(src\/contract\/[^"]+\.ts)"/gm)].map(
        ([, file]) => file as string,
      ),
    ),
  ]
  const building = held.filter((file) =>
    /^import \{ .*\bz\b.* \} from 'zod'/m.test(readFileSync(new URL(file, root), 'utf8')),
  )
  const preloaded = [
    ...readFileSync(new URL('src/workflows/preloaded.ts', root), 'utf8').matchAll(
      /^import \* as \w+ from '\.\.\/(contract\/[^']+)\.js'/gm,
    ),
  ].map(([, file]) => `src/${file}.ts`)
  expect(building.length).toBeGreaterThan(10)
  expect(preloaded.sort()).toEqual(building.sort())
})

test('every module of core that the workflows hold is preloaded', async () => {
  const { code } = await workflowBundle()
  const held = [...code.matchAll(/^\/\*\*\*\/ "\.\/(src\/core\/[^"]+\.ts)"/gm)].map(
    ([, file]) => file,
  )
  const [, body = ''] = /preloadModules = function preloadModules\(\) \{([^}]*)\}/.exec(code) ?? []
  const preloaded = [...body.matchAll(/"\.\/(src\/core\/[^"]+\.ts)"/g)].map(([, file]) => file)
  expect(held.length).toBeGreaterThan(100)
  expect(preloaded.sort()).toEqual(held.sort())
})
