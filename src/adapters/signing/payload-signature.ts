// Signs payloads of Temporal with HMAC-SHA256, and reads what signed payloads are good for.
//
// The signature covers the workflow id, the purpose, and all payloads of one list with their
// encodings, so that none of them can be taken out or joined with another.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { SIGNATURE_KEYS, SIGNED_MARK } from '../../core/signing/signed-value.js'
import { jsonOf } from '../../core/text/json.js'
import { signedId } from '../../core/signing/signed-purpose.js'

/** A payload as Temporal's protocol has it. */
export type Payload = {
  metadata?: Record<string, Uint8Array> | null | undefined
  data?: Uint8Array | null | undefined
}

const ENCODING = 'encoding'
const JSON_PLAIN = 'json/plain'
const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const text = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString('utf8')
const isJson = ({ metadata }: Payload): boolean => text(metadata?.[ENCODING]) === JSON_PLAIN

/** Returns the payloads with a signature in the metadata of each. */
export function signPayloads(
  key: string,
  workflowId: string,
  purpose: string,
  payloads: readonly Payload[],
): Payload[] {
  const signature = mac(key, workflowId, purpose, payloads)
  return payloads.map((payload) => ({
    ...payload,
    metadata: {
      ...payload.metadata,
      [SIGNATURE_KEYS.purpose]: bytes(purpose),
      [SIGNATURE_KEYS.signature]: signature,
    },
  }))
}

/** Returns a value as a signed payload. */
export function signedPayload(
  key: string,
  workflowId: string,
  purpose: string,
  value: unknown,
): Payload {
  const data = bytes(JSON.stringify(value ?? null))
  const payload = { metadata: { [ENCODING]: bytes(JSON_PLAIN) }, data }
  return signPayloads(key, workflowId, purpose, [payload])[0] as Payload
}

/** Returns what the payloads of a run are signed for; `undefined` without a valid signature. */
export function purposeOf(
  key: string,
  workflowId: string,
  payloads: readonly Payload[],
): string | undefined {
  const { [SIGNATURE_KEYS.purpose]: named, [SIGNATURE_KEYS.signature]: given } =
    payloads[0]?.metadata ?? {}
  if (named === undefined || given === undefined || !payloads.every(isJson)) return undefined
  const purpose = text(named)
  const wanted = mac(key, signedId(purpose, workflowId), purpose, payloads)
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? purpose : undefined
}

/**
 * Returns payloads as the code behind a worker reads them: the first of signed ones says what it is
 * signed for, and none of the others can say so.
 */
export function markPayloads(payloads: readonly Payload[], purpose: string | undefined): Payload[] {
  const [first, ...rest] = payloads
  if (first === undefined || purpose === undefined) return payloads.map(unmarked)
  const before = bytes(`{"${SIGNED_MARK}":${JSON.stringify(purpose)},"value":`)
  const data = Buffer.concat([before, first.data ?? bytes('null'), bytes('}')])
  return [{ ...first, data }, ...rest.map(unmarked)]
}

function unmarked(payload: Payload): Payload {
  const { data } = payload
  // Empty data may be a plain array.
  if (data == null || !Buffer.from(data).includes(SIGNED_MARK)) return payload
  return isMarked(data) ? { ...payload, data: bytes('null') } : payload
}

function isMarked(data: Uint8Array): boolean {
  const value = jsonOf(text(data))
  return typeof value === 'object' && value !== null && Object.hasOwn(value, SIGNED_MARK)
}

function mac(
  key: string,
  workflowId: string,
  purpose: string,
  payloads: readonly Payload[],
): Buffer {
  const forms = payloads.map(({ metadata, data }) => [
    text(metadata?.[ENCODING]),
    data?.length ?? 0,
  ])
  const hmac = createHmac('sha256', Buffer.from(key, 'hex'))
  hmac.update(`${JSON.stringify([workflowId, purpose, forms])}\n`)
  for (const { data } of payloads) hmac.update(Buffer.from(data ?? []))
  return hmac.digest()
}
