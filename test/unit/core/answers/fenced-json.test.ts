import { expect, test } from 'vitest'
import { z } from 'zod'
import { jsonObjects, lastJson } from '../../../../src/core/answers/fenced-json.js'

const Answer = z.object({ n: z.number() })
const read = (text: string) => lastJson(text, Answer, ['n'])
const block = (json: string, fence = '```', info = 'json') => `${fence}${info}\n${json}\n${fence}`

test.each(
  // prettier-ignore
  [
  { why: 'a fenced block', text: `Found it.\n\n${block('{"n":1}')}\n`, n: 1 },
  { why: 'the last of two', text: `${block('{"n":1}')}\nNo:\n${block('{"n":2}')}`, n: 2 },
  { why: 'the last that fits', text: `${block('{"n":1}')}\n${block('{"n":"<number>"}')}`, n: 1 },
  { why: 'other JSON behind it', text: `${block('{"n":1}')}\n${block('{"scripts":{}}')}`, n: 1 },
  { why: 'CRLF', text: `Hm.\r\n\`\`\`json\r\n{"n":1}\r\n\`\`\`\r\n`, n: 1 },
  { why: 'a longer fence', text: block('{"n":1}', '`````'), n: 1 },
  { why: 'tildes', text: block('{"n":1}', '~~~'), n: 1 },
  { why: 'no language', text: block('{"n":1}', '```', ''), n: 1 },
  { why: 'an indented block, as below a list item', text: '1. x\n   ```json\n   {"n":\n   1}\n   ```', n: 1 },
  { why: 'a fence that is never closed', text: 'x\n```json\n{"n":1}', n: 1 },
  { why: 'a block in a block', text: block(`# Report\n\n${block('{"n":1}')}`, '````', 'markdown'), n: 1 },
  { why: 'a block behind one that was not closed', text: `\`\`\`js\nlet a\n\n${block('{"n":1}')}`, n: 1 },
  { why: 'the whole answer, unfenced', text: ' {"n":1}\n', n: 1 },
  { why: 'an unfenced object at the end of the answer', text: 'Here:\n{\n  "n": 1\n}\n', n: 1 },
  { why: 'a fence in a string of the object', text: block('{"n":1,"s":"```\\n"}'), n: 1 },
],
)('answer: $why is read', ({ text, n }) => expect(read(text)).toEqual({ ok: true, value: { n } }))

test.each(
  // prettier-ignore
  [
  { why: 'nothing', text: '\n', says: 'the answer is empty' },
  { why: 'prose', text: 'All is well. {"n": it is}', says: 'there is no fenced JSON object' },
  { why: 'nesting deeper than 64 levels', text: block(`{"n":1,"x":${'['.repeat(64)}${']'.repeat(64)}}`), says: 'nested deeper than 64 levels' },
  { why: 'a trailing comma', text: block('{"n":1,}'), says: 'is not valid' },
  { why: 'a cut object', text: '```json\n{"n":', says: 'is not valid' },
  { why: 'an array', text: block('[{"n":1}]'), says: 'there is no fenced JSON object' },
  { why: 'a value of another type', text: block('{"n":"1"}'), says: 'does not have the form: n: ' },
  { why: 'an object in the middle of a sentence', text: 'I saw {"n":1} there', says: 'there is no fenced JSON object' },
],
)('answer: $why is refused', ({ text, says }) =>
  expect(read(text)).toEqual({ ok: false, problem: expect.stringContaining(says) as string }),
)

test('answer: a million backticks are read quickly', () => {
  expect(jsonObjects('`'.repeat(1_000_000)).objects).toEqual([])
  expect(jsonObjects('```\n'.repeat(100_000)).objects).toEqual([])
})
