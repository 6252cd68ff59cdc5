// A hook that is an address, against a real server on 127.0.0.1.
import { expect, onTestFinished, test } from 'vitest'
import { Webhook } from '../../../src/contract/hooks.js'
import { callWebhook } from '../../../src/adapters/hooks/webhook.js'
import { redactor } from '../../../src/core/text/redact.js'
import { hookServer, type HookAnswer, type HookServer } from '../../support/hooks/hook-server.js'
import { askedOf } from '../../support/hooks/hook-events.js'
import { waitFor } from '../../support/wait.js'

const TOKEN = 'sk-live-4711'

async function server(...answers: HookAnswer[]): Promise<HookServer> {
  const it = await hookServer((n) => answers[Math.min(n, answers.length) - 1] ?? { status: 200 })
  onTestFinished(() => it.close())
  return it
}

function call(
  hook: Record<string, unknown>,
  {
    env = {},
    signal = new AbortController().signal,
    pause,
  }: { env?: NodeJS.ProcessEnv; signal?: AbortSignal; pause?: (ms: number) => Promise<void> } = {},
): Promise<string | undefined> {
  return callWebhook(
    Webhook.parse(hook),
    { event: askedOf(), env, redact: redactor([{ name: 'HOOK_TOKEN', value: TOKEN }]), signal },
    pause,
  )
}

test('the event is the JSON body of a POST, its secrets come from the environment', async () => {
  const { url, heard } = await server()
  const hook = {
    url: '${CHAT_URL}/t',
    headers: { Authorization: 'Bearer ${HOOK_TOKEN}', 'X-Team': 'shop' },
    passEnv: ['HOOK_TOKEN', 'CHAT_URL'],
  }
  expect(await call(hook, { env: { HOOK_TOKEN: TOKEN, CHAT_URL: url } })).toBeUndefined()
  expect(heard).toMatchObject([
    {
      method: 'POST',
      path: '/hook/t',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${TOKEN}`,
        'x-team': 'shop',
      },
    },
  ])
  expect(JSON.parse(heard[0]?.body ?? '')).toEqual(askedOf())
})

test.each([200, 201, 204])('%i is success', async (status) => {
  const { url, heard } = await server({ status })
  expect(await call({ url })).toBeUndefined()
  expect(heard).toHaveLength(1)
})

test('retries a temporary failure', async () => {
  const { url, heard } = await server({ status: 503 }, { status: 429 }, { status: 200 })
  const pauses: number[] = []
  expect(
    await call({ url }, { pause: (ms) => Promise.resolve(void pauses.push(ms)) }),
  ).toBeUndefined()
  expect(pauses).toEqual([1_000, 3_000])
  expect(heard).toHaveLength(3)
  expect(new Set(heard.map(({ body }) => body)).size).toBe(1)
})

test('is a warning after three tries, without the address and its secrets', async () => {
  const { url, heard } = await server({ status: 500, body: `upstream ${TOKEN}\nis away` })
  expect(await call({ url }, { pause: () => Promise.resolve() })).toBe(
    'the webhook answered 500: upstream [redacted:HOOK_TOKEN] is away (3 tries)',
  )
  expect(heard).toHaveLength(3)
})

test.each(
  // prettier-ignore
  [
  { why: 'a permanent error', answer: { status: 404, body: 'no_team' }, problem: 'the webhook answered 404: no_team' },
  { why: 'a redirect is not followed: its headers are for the address they were written for', answer: { status: 307, headers: { location: 'http://127.0.0.1:1/' } }, problem: 'the webhook answered 307, and redirects are not followed' },
  { why: 'a long answer is cut to its start', answer: { status: 400, body: 'x'.repeat(1 << 20) }, problem: `the webhook answered 400: ${'x'.repeat(199)}…` },
],
)('does not retry: $why', async ({ answer, problem }) => {
  const { url, heard } = await server(answer)
  expect(await call({ url })).toBe(problem)
  expect(heard).toHaveLength(1)
})

test('one that never answers only takes its time limit', async () => {
  const { url } = await server('hang')
  const begun = Date.now()
  expect(await call({ url, timeout: '900ms' })).toBe('the webhook did not answer within 0.3 s')
  expect(Date.now() - begun).toBeLessThan(5_000)
})

test('a missing server is a warning with the reason', async () => {
  const { url, close } = await hookServer()
  await close()
  expect(await call({ url, timeout: '500ms' })).toBe('the webhook cannot be reached: ECONNREFUSED')
})

test('the answer of a question ends the call, also between two tries', async () => {
  for (const answer of ['hang', { status: 500 }] as const) {
    const { url, heard } = await server(answer)
    const answered = new AbortController()
    const ended = call({ url }, { signal: answered.signal })
    await waitFor(() => heard.length === 1, { what: 'the first try' })
    answered.abort()
    await expect(ended).rejects.toMatchObject({ name: 'AbortError' })
    expect(heard).toHaveLength(1)
  }
})

test.each(
  // prettier-ignore
  [
  { why: 'one that is not set', env: { A: 'x' }, problem: 'HOOK_TOKEN is not set where the worker runs' },
  { why: 'an empty one', env: { A: 'x', HOOK_TOKEN: '' }, problem: 'HOOK_TOKEN is not set where the worker runs' },
  { why: 'several', env: {}, problem: 'A, HOOK_TOKEN are not set where the worker runs' },
  { why: 'an invalid address', env: { A: 'ftp://x', HOOK_TOKEN: TOKEN }, problem: 'its url is not the address of a webhook; write "https://…"' },
  { why: 'plain http to another machine', env: { A: 'http://example.org', HOOK_TOKEN: TOKEN }, problem: 'its url is plain http to another machine; write https, or add "plainHttp": true' },
],
)('a variable is wrong: $why', async ({ env, problem }) => {
  expect(
    await call(
      { url: '${A}', headers: { Authorization: '${HOOK_TOKEN}' }, passEnv: ['A', 'HOOK_TOKEN'] },
      { env },
    ),
  ).toBe(problem)
})
