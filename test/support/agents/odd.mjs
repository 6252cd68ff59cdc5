// A foreign agent that is odd in one way, named by its argument.
import { ask, RpcError, say, send, serve, update } from './wire.mjs'

const odd = process.argv[2]
const MB = 1 << 20
const ids = {
  'odd-id': '../../x\u0000 "\n\u202e;$(id)🦊'.repeat(3),
  'long-id': 'x'.repeat(3 * MB),
  'no-id': undefined,
}
const session = odd in ids ? ids[odd] : 's-1'
const versions = { 'version-long': 'v'.repeat(3 * MB) }
const extra = { _meta: { x: 1 }, wild: [1, { deep: null }] }

const raw = (text) => void process.stdout.write(text)
const chunk = (text) =>
  `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"${text}"}}}}\n`
const costs = (amount) =>
  raw(
    `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"usage_update","cost":{"amount":${amount},"currency":"USD"}}}}\n`,
  )
const uses = (inputTokens, outputTokens) => ({
  stopReason: 'end_turn',
  usage: { inputTokens, outputTokens },
})
const permission = async (params) =>
  void say(session, JSON.stringify(await ask('session/request_permission', params)))
const fails = (error) => () => {
  throw error
}
const limited = (data) => fails(new RpcError(429, 'no', data))

const ways = {
  chunks: async () => {
    for (const byte of Buffer.from(chunk('grüße 🦊'))) {
      process.stdout.write(Buffer.from([byte]))
      await new Promise((resolve) => setImmediate(resolve))
    }
  },
  'invalid-utf8': () => raw(Buffer.from(chunk('a\xff\xfeb'), 'latin1')),
  'lone-surrogate': () => raw(chunk('a\\ud83eb')),
  garbage: () =>
    raw(
      [
        'hello',
        '{"jsonrpc":"2.0"}',
        '[]',
        '[{"jsonrpc":"2.0","id":5,"result":{}}]',
        'null',
        '{"jsonrpc":"2.0","id":null,"result":{}}',
        '{"jsonrpc":"2.0","method":7}',
        '{"jsonrpc":"2.0","method":"session/update"}',
        '{"jsonrpc":"2.0","method":"session/update","params":null}',
        '{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":null}}',
        '',
      ].join('\n'),
    ),
  batch: () => raw(`[${chunk('first ').trim()},7,${chunk('second').trim()}]\n`),
  'wrong-id': () => void send({ id: 4711, result: { stopReason: 'end_turn' } }),
  'other-session': () => void say('someone-else', 'not mine'),
  'unknown-request': async () =>
    void say(
      session,
      JSON.stringify(await ask('fs/read_text_file', { sessionId: session, path: '/etc/hostname' })),
    ),
  'permission-no-options': () => permission({ sessionId: session, toolCall: { toolCallId: 't' } }),
  'permission-null': () => permission(null),
  'permission-always': () =>
    permission({
      sessionId: session,
      toolCall: { toolCallId: 't', title: 'do it' },
      options: [{ optionId: 'aa', name: 'x', kind: 'allow_always' }],
    }),
  'permission-huge': () =>
    permission({
      sessionId: session,
      toolCall: { toolCallId: 't', title: 'T'.repeat(3 * MB), rawInput: { x: 'y'.repeat(3 * MB) } },
      options: [{ optionId: 'aa', name: 'x', kind: 'allow_once' }],
    }),
  'tool-odd': () => {
    update(session, {
      sessionUpdate: 'tool_call',
      toolCallId: { a: 1 },
      title: 'x'.repeat(MB),
      status: 7,
      content: 'x',
    })
    update(session, {
      sessionUpdate: 'agent_message_chunk',
      content: [{ type: 'text', text: 'list' }],
    })
    update(session, { sessionUpdate: 'x'.repeat(MB) })
  },
  deep: () =>
    raw(
      `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":{"sessionUpdate":"tool_call","toolCallId":"t","title":"x","rawInput":${'['.repeat(1e5)}${']'.repeat(1e5)}}}}\n`,
    ),
  'tokens-zero': () => {
    say(session, 'done')
    return uses(0, 0)
  },
  'stderr-flood': () => {
    for (let mb = 0; mb < 40; mb++) process.stderr.write('e'.repeat(MB))
  },
  'late-update': () => {
    setTimeout(() => say(session, 'LATE'), 5)
  },
  'no-newline': async () => {
    for (;;) await new Promise((resolve) => process.stdout.write('z'.repeat(MB), resolve))
  },
  'answer-null': () => null,
  'long-stop-reason': () => ({ stopReason: 'x'.repeat(3 * MB) }),
  'exits-zero': () => process.exit(0),
  'error-colours': fails(new RpcError(-32603, 'no\u001b[31m\u001b]0;title\u0007\nmore')),
  'error-no-data': fails(new RpcError(-32603, 'x')),
  'error-object-message': fails({ code: -32603, message: { a: 1 } }),
  'error-long': fails(new RpcError(-32603, 'm'.repeat(5 * MB))),
  'error-null-data': limited(null),
  'limit-never': limited({ retry_after: 1e12 }),
  'limit-past': limited({ resets_at: 1_000_000_000 }),
  'limit-negative': limited({ retry_after: -5 }),
  'limit-zero': limited({ retry_after: 0 }),
  'limit-text': limited({ retry_after: 'soon' }),
  'cost-negative': () => {
    costs(-50)
    return uses(-5, -9)
  },
  'cost-infinite': () => costs('1e999'),
  'cost-absurd': () => costs('1e300'),
  'tokens-absurd': () => uses(1.7e308, 1.7e308),
}

serve({
  initialize: () => ({
    protocolVersion: versions[odd] ?? 1,
    agentInfo: { name: odd, ...extra },
    agentCapabilities: odd === 'caps-null' ? null : extra,
    ...extra,
  }),
  'session/new': () => ({
    sessionId: session,
    ...(odd === 'modes-odd' && { modes: 'none', configOptions: { a: 1 }, models: 3 }),
    ...extra,
  }),
  'session/prompt': async () => {
    const answer = await ways[odd]?.()
    if (answer !== undefined) return answer
    say(session, `done ${odd}`)
    return { stopReason: 'end_turn', ...extra }
  },
})
