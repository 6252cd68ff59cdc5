// The signature of payloads: what it covers, and what a worker makes of it.
import { describe, expect, test } from 'vitest'
import {
  markPayloads,
  purposeOf,
  signedPayload,
  signPayloads,
  type Payload,
} from '../../../src/adapters/signing/payload-signature.js'
import { knownSigningKey, signingKey } from '../../../src/adapters/signing/signing-key.js'
import { SIGNATURE_KEYS, SIGNED_MARK } from '../../../src/core/signing/signed-value.js'
import { SCHEDULED, signedValue } from '../../../src/core/signing/signed-purpose.js'
import { statSync } from 'node:fs'
import { layout } from '../../../src/adapters/state-dir.js'
import { tempDirs } from '../../support/repositories/repos.js'

const KEY = 'a'.repeat(64)
const bytes = (text: string): Uint8Array => Buffer.from(text)
const plain = (value: unknown): Payload => ({
  metadata: { encoding: bytes('json/plain') },
  data: bytes(JSON.stringify(value)),
})
/** As the protocol's decoder leaves empty bytes. */
const NO_DATA = { metadata: {}, data: [] as unknown as Uint8Array }
const valueOf = ({ data }: Payload = {}): unknown =>
  JSON.parse(Buffer.from(data ?? []).toString('utf8'))
const pair = signPayloads(KEY, 'run', 'continue', [plain({ a: 1 }), plain({ b: 2 })])
const [first = {}, second = {}] = pair
const start = signedPayload(KEY, 'run', 'start 1', { project: '/p' })

test('the data stays readable, and the metadata says what it is signed for', () => {
  expect(valueOf(start)).toEqual({ project: '/p' })
  expect(Buffer.from(start.metadata?.['encoding'] ?? []).toString()).toBe('json/plain')
  expect(Buffer.from(start.metadata?.[SIGNATURE_KEYS.purpose] ?? []).toString()).toBe('start 1')
})

test.each<{ why: string; key?: string; id?: string; payloads: Payload[]; purpose?: string }>(
  // prettier-ignore
  [
  { why: 'as it was signed', payloads: [start], purpose: 'start 1' },
  { why: 'a pair as it was signed', payloads: pair, purpose: 'continue' },
  { why: 'with another key', key: 'b'.repeat(64), payloads: [start] },
  { why: 'under another workflow id', id: 'another', payloads: [start] },
  { why: 'with other data', payloads: [{ ...start, data: bytes('{"project":"/x"}') }] },
  { why: 'for another purpose', payloads: [{ ...start, metadata: { ...start.metadata, [SIGNATURE_KEYS.purpose]: bytes('continue') } }] },
  { why: 'half of a pair', payloads: [first] },
  { why: 'a pair in another order', payloads: [second, first] },
  { why: 'with one more', payloads: [start, plain({})] },
  { why: 'in another encoding', payloads: [{ ...start, metadata: { ...start.metadata, encoding: bytes('binary/plain') } }] },
  { why: 'without a signature', payloads: [plain({})] },
  { why: 'with an empty signature', payloads: [{ ...start, metadata: { ...start.metadata, [SIGNATURE_KEYS.signature]: bytes('') } }] },
  { why: 'without data', payloads: [{ ...start, data: NO_DATA.data }] },
  { why: 'nothing', payloads: [] },
],
)('$why', ({ key = KEY, id = 'run', payloads, purpose }) => {
  expect(purposeOf(key, id, payloads)).toBe(purpose)
})

test('the input of a schedule is good for its runs', () => {
  const input = signedPayload(KEY, 'nightly', SCHEDULED, {})
  expect(purposeOf(KEY, 'nightly-2026-11-20T12:02:00Z', [input])).toBe(SCHEDULED)
  expect(purposeOf(KEY, 'weekly-2026-11-20T12:02:00Z', [input])).toBeUndefined()
})

describe('what the code behind a worker reads', () => {
  test('is the value and its purpose', () => {
    const [one, two] = markPayloads(pair, 'continue')
    expect(signedValue(valueOf(one))).toEqual({ value: { a: 1 }, purpose: 'continue' })
    expect(valueOf(two)).toEqual({ b: 2 })
  })

  test('is as it was sent without a signature', () => {
    const payloads = [plain({ text: `a ${SIGNED_MARK} in a text` }), plain('x'), {}, NO_DATA]
    expect(markPayloads(payloads, undefined)).toEqual(payloads)
  })

  test('is nothing where the mark was written by hand', () => {
    const forged = plain({ [SIGNED_MARK]: 'start 1', value: {} })
    expect(markPayloads([forged], undefined).map(valueOf)).toEqual([null])
    expect(markPayloads([start, forged], 'start 1').map(valueOf)[1]).toBeNull()
  })
})

test('the key is made once, and only its user can read it', () => {
  const dirs = tempDirs()
  expect(() => knownSigningKey(dirs)).toThrow('there is no key of the private server')
  const key = signingKey(dirs)
  expect(key).toMatch(/^[0-9a-f]{64}$/)
  expect([signingKey(dirs), knownSigningKey(dirs)]).toEqual([key, key])
  expect(statSync(layout.signingKey(dirs)).mode & 0o777).toBe(0o600)
})
