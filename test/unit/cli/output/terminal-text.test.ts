// Foreign text at a terminal.
import fc from 'fast-check'
import pc from 'picocolors'
import { expect, test } from 'vitest'
import { terminalText } from '../../../../src/cli/output/terminal-text.js'

const E = '\u001b'

test.each(
  // prettier-ignore
  [
  { why: 'plain text', text: 'a\tb\nc é 日本 👍', shown: 'a\tb\nc é 日本 👍' },
  { why: 'a cursor that moves up and erases', text: `a${E}[1A${E}[2Kb`, shown: 'ab' },
  { why: 'a title of the window', text: `a${E}]0;title\u0007b`, shown: 'ab' },
  { why: 'a title that never ends', text: `a${E}]0;title`, shown: 'a' },
  { why: 'a link', text: `${E}]8;;http://evil.example${E}\\click${E}]8;;${E}\\`, shown: 'click' },
  { why: 'hidden text', text: `${E}[8mhidden${E}[0m`, shown: `hidden${E}[0m` },
  { why: 'a question to the terminal', text: `a${E}[6nb${E}cc`, shown: 'abc' },
  { why: 'a device string', text: `a${E}P+q544e${E}\\b`, shown: 'ab' },
  { why: 'a carriage return that overwrites', text: 'evil.sh\rgood.txt', shown: 'evil.shgood.txt' },
  { why: 'backspaces and a bell', text: 'a\b\u0007b', shown: 'ab' },
  { why: 'controls of one byte', text: 'a\u009b2Jb', shown: 'a2Jb' },
  { why: 'a reversed name', text: 'a\u202egpj.sh', shown: 'agpj.sh' },
  { why: 'a sequence with a control character in it', text: `a${E}\u0007[3mb`, shown: 'a[3mb' },
  { why: 'a lone escape', text: `a${E}`, shown: 'a' },
],
)('$why', ({ text, shown }) => {
  expect(terminalText(text)).toBe(shown)
})

test('colours of our own stay', () => {
  const { bold, dim, red, green, gray } = pc.createColors(true)
  const text = [bold, dim, red, green, gray].map((colour) => colour('x')).join(' ')
  expect(terminalText(text)).toBe(text)
})

test('of any text nothing is left but text and our colours', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom(E, '[', ']', 'm', '1', ';', '\u0007', '\\'))
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const left = terminalText(parts.join('')).replace(/\u001b\[(?:0|1|2|22|3[1-6]|39|90)m/g, '')
      expect(left).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
    { numRuns: 5_000 },
  )
})
