// A turn that takes over from a limited agent works in the tree that it left.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Bench } from '../../support/agents/bench.js'

let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

test.each([
  { why: 'a turn of its own begins with its tree made ready', keepTree: undefined, made: 1 },
  { why: 'one that takes over keeps the tree as it is', keepTree: true, made: 0 },
])('$why', async ({ keepTree, made }) => {
  let readied = 0
  const spec = bench.spec(keepTree === undefined ? {} : { keepTree })
  const result = await bench.call(bench.driver(), bench.config(bench.foreign('echo.mjs')), spec, {
    beforeStart: () => {
      readied++
      return Promise.resolve()
    },
  }).result
  expect(result.outcome).toBe('completed')
  expect(readied).toBe(made)
})

test('prepares the tree of a limited turn only once', async () => {
  let readied = 0
  let now = Date.now()
  const config = bench.config(bench.foreign('refuses.mjs', 'rate'))
  for (let n = 0; n < 2; n++) {
    const { limitedUntil } = await bench.call(
      bench.driver({ now: () => now }),
      config,
      bench.spec(),
      {
        beforeStart: () => {
          readied++
          return Promise.resolve()
        },
      },
    ).result
    now = limitedUntil ?? 0
  }
  expect(bench.claim()?.attempts).toHaveLength(2)
  expect(readied).toBe(1)
})
