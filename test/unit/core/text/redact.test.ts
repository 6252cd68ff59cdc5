import fc from 'fast-check'
import { expect, test } from 'vitest'
import { redactor, secretsOf } from '../../../../src/core/text/redact.js'

const env = { KEY: 'abcdefgh', LONGER: 'abcdefghij', SHORT: '12345', OTHER: 'ghXYZ+*.' }
const secrets = secretsOf(['KEY', 'LONGER', 'SHORT', 'OTHER', 'MISSING'], env)

test('ignores values below six characters and missing ones', () => {
  expect(secrets.map((s) => s.name)).toEqual(['LONGER', 'KEY', 'OTHER'])
})

test.each([
  { why: 'every place', text: 'abcdefgh and abcdefgh', want: '[redacted:KEY] and [redacted:KEY]' },
  { why: 'the longer of two that begin alike', text: 'abcdefghij', want: '[redacted:LONGER]' },
  { why: 'characters that mean something in patterns', text: 'ghXYZ+*.', want: '[redacted:OTHER]' },
  { why: 'nothing else', text: 'abcdefg 12345', want: 'abcdefg 12345' },
])('redact: $why', ({ text, want }) => expect(redactor(secrets).text(text)).toBe(want))

test('redact: strings and keys at any depth of a JSON value', () => {
  expect(redactor(secrets).json({ a: ['x abcdefgh', 1, null], abcdefgh: { b: true } })).toEqual({
    a: ['x [redacted:KEY]', 1, null],
    '[redacted:KEY]': { b: true },
  })
})

test('redact: for any split of a text into chunks, no secret passes and no other text is lost', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.constantFrom(...Object.values(env), 'abc', 'gh', 'XYZ', 'abcdefghi'),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(
      pieces,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 40 }),
      (parts, cuts) => {
        const text = parts.join('')
        const stream = redactor(secrets).stream()
        let out = ''
        for (let at = 0, i = 0; at < text.length; i++) {
          const size = cuts[i % cuts.length] as number
          out += stream.push(text.slice(at, at + size))
          at += size
        }
        out += stream.flush()
        for (const { value } of secrets)
          expect(out.replaceAll(/\[redacted:\w+\]/g, '\0')).not.toContain(value)
        const bare = (s: string) => s.replaceAll(/\[redacted:\w+\]/g, '')
        expect(bare(out).length).toBeLessThanOrEqual(text.length)
        if (!secrets.some((s) => text.includes(s.value))) expect(out).toBe(text)
      },
    ),
    { seed: 4711, numRuns: 500 },
  )
})
