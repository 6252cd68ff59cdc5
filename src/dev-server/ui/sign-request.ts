// Signs what the Web UI sends to a private server: the start of a run, and an update.
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { signPayloads } from '../../adapters/signing/payload-signature.js'
import { startPurpose, updatePurpose } from '../../core/signing/signed-purpose.js'
import { jsonOf } from '../../core/text/json.js'
import type { UiAction } from '../../core/ui-request.js'

const Base64 = z.string().transform((text) => Buffer.from(text, 'base64'))
const Payloads = z
  .looseObject({
    payloads: z.array(
      z.looseObject({ metadata: z.record(z.string(), Base64), data: Base64.optional() }),
    ),
  })
  .nullish()
const Start = z.looseObject({ input: Payloads })
const Update = z.looseObject({
  request: z.looseObject({
    meta: z.looseObject({ updateId: z.string().optional() }).nullish(),
    input: z.looseObject({ args: Payloads }),
  }),
})

/**
 * Returns the body of a request with a signature; one of another form as it is, which the worker
 * refuses.
 *
 * @param now milliseconds since 1970
 */
export function signBody(action: UiAction, text: string, key: string, now: number): string {
  const body = jsonOf(text)
  if (action.kind === 'start') {
    const { data } = Start.safeParse(body)
    if (data === undefined) return text
    const input = signed(data.input, key, action.workflowId, startPurpose(now))
    return JSON.stringify({ ...data, input })
  }
  const { data } = Update.safeParse(body)
  if (data === undefined) return text
  const { meta, input } = data.request
  const updateId = meta?.updateId ?? randomUUID()
  const purpose = updatePurpose(action.name, updateId, now)
  const args = signed(input.args, key, action.workflowId, purpose)
  const request = { ...data.request, meta: { ...meta, updateId }, input: { ...input, args } }
  return JSON.stringify({ ...data, request })
}

function signed(
  given: z.infer<typeof Payloads>,
  key: string,
  workflowId: string,
  purpose: string,
): unknown {
  if (given == null) return given
  const payloads = signPayloads(key, workflowId, purpose, given.payloads)
  return { ...given, payloads: payloads.map(inBase64) }
}

function inBase64(payload: ReturnType<typeof signPayloads>[number]): unknown {
  const metadata = Object.entries(payload.metadata ?? {}).map(([name, value]) => [
    name,
    base64(value),
  ])
  return {
    ...payload,
    metadata: Object.fromEntries(metadata) as unknown,
    ...(payload.data == null ? {} : { data: base64(payload.data) }),
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
