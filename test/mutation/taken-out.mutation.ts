// npm run mutation: each protection is taken out of a copy of the checkout, and its test must go
// red. `ONLY=words` takes those whose row holds the words, `SLICE=<hash>` those that CI takes for a
// commit.
import { afterAll, describe, expect, test } from 'vitest'
import { Checkout } from './checkout.js'
import { slicedBy } from '../slice.js'
import { PROTECTIONS } from './list.js'

const only = process.env['ONLY'] ?? ''
const free: Checkout[] = []

async function copy(): Promise<Checkout> {
  const one = new Checkout()
  await one.fill()
  return one
}

afterAll(() => free.forEach((checkout) => checkout.remove()))

describe.concurrent('taken out', () => {
  const asked = slicedBy(process.env, 'mutations', PROTECTIONS).filter((one) =>
    JSON.stringify(one).includes(only),
  )
  test.each(
    asked.map((protection) => ({
      protection,
      name: `${protection.protection}: ${protection.red.file}`,
    })),
  )('$name', async ({ protection }) => {
    const checkout = free.pop() ?? (await copy())
    const { failed, passed, output } = await checkout.without(protection)
    free.push(checkout)
    expect(
      failed,
      `passed all the same: ${passed.join('; ')}\n${output.slice(-2_000)}`,
    ).not.toEqual([])
    expect(failed.every((name) => name.includes(protection.red.name))).toBe(true)
  })
})
