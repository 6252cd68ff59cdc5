import { expect, test } from 'vitest'
import { keptFindings } from '../../../../src/core/dev-loop/kept-findings.js'
import { finding } from './loop-state.js'

test.each(
  // prettier-ignore
  [
  { why: 'all have room',               all: ['[low] a', 'b', '[high] c'],                       most: 3, kept: ['[low] a', 'b', '[high] c'] },
  { why: 'a high one stays',            all: ['[high] a', '[low] b', '[low] c'],                 most: 2, kept: ['[high] a', '[low] c'] },
  { why: 'the newest of a severity',    all: ['[high] a', '[high] b', '[high] c'],               most: 2, kept: ['[high] b', '[high] c'] },
  { why: 'none given is medium',        all: ['a', '[low] b', '[medium] c', '[low] d'],          most: 2, kept: ['a', '[medium] c'] },
  { why: 'closed ones go first',        all: ['- [high] a', '- b', '[low] c', '[low] d'],        most: 3, kept: ['- b', '[low] c', '[low] d'] },
],
)('$why', ({ all, most, kept }) => {
  const findings = all.map((text, n) =>
    finding(`F-${n}`, text.startsWith('- ') ? 'closed' : 'open', {
      description: text.replace(/^- /, ''),
    }),
  )
  const wanted = kept.map((text) => text.replace(/^- /, ''))
  expect(keptFindings(findings, most).map(({ description }) => description)).toEqual(wanted)
})

test('a loop with a high finding and many low ones keeps the high one', () => {
  const findings = [
    finding('F-0', 'open', { description: '[high] orders are lost' }),
    ...Array.from({ length: 30 }, (_, n) =>
      finding(`F-${n + 1}`, 'open', { description: `[low] remark ${n}` }),
    ),
  ]
  expect(keptFindings(findings)[0]).toMatchObject({ id: 'F-0' })
})
