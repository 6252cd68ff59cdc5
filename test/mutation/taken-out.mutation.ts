// npm run mutation: removes each protection from a copy of the checkout; its test must fail.
// `ONLY=words` selects rows with these words, `SLICE=<hash>` those that CI takes for a commit.
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
