// Canaries in Go: the test function of a test or of its outermost subtest.
import { inserted, type Sabotage } from './sabotage.js'

/**
 * A subtest is sabotaged by its test function. A function without a name for its `testing.T` has no
 * canary.
 */
export function goWithCanary({ source, test, text }: Sabotage): string | undefined {
  const name = /^(?:Test|Fuzz)\w*/.exec(test)?.[0]
  if (name === undefined) return undefined
  const found = [
    ...source.matchAll(
      new RegExp(`^func\\s+${name}\\s*\\(\\s*(\\w+)\\s+\\*\\w+\\.[TF]\\s*,?\\s*\\)\\s*\\{`, 'gm'),
    ),
  ]
  const [one] = found
  const parameter = one?.[1]
  if (one === undefined || found.length > 1 || parameter === undefined || parameter === '_')
    return undefined
  return inserted(source, [
    { at: one.index + one[0].length, text: ` ${parameter}.Fatal("${text}");` },
  ])
}
