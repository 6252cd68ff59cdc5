// Outputs of one-shot commands, in the forms that were seen, and their results.
import { describe, expect, test } from 'vitest'
import { endingOfError } from '../../../../src/core/agents/agent-outcome.js'
import {
  DocumentReader,
  sessionOf,
  TextReader,
  usageTokens,
  type ExecNews,
} from '../../../../src/core/agents/exec-output.js'
import { StreamReader } from '../../../../src/core/agents/exec-stream.js'
import { execVerdict, isSessionLost } from '../../../../src/core/agents/exec-verdict.js'
import { tokensSince } from '../../../../src/core/agents/tokens.js'

const said = (news: ExecNews[]) =>
  news
    .map((one) =>
      'update' in one ? ((one.update as { content?: { text?: string } }).content?.text ?? '') : '',
    )
    .join('')
const sessions = (news: ExecNews[]) =>
  news.flatMap((one) => ('session' in one ? [one.session] : []))
const costs = (news: ExecNews[]) => news.flatMap((one) => ('costUsd' in one ? [one.costUsd] : []))
const tools = (news: ExecNews[]) =>
  news.flatMap((one) => {
    const update = ('update' in one ? one.update : {}) as {
      toolCallId?: string
      title?: string
      status?: string
    }
    return update.toolCallId === undefined
      ? []
      : [`${update.toolCallId} ${update.title ?? '-'} ${update.status}`]
  })
function document(value: unknown) {
  const reader = new DocumentReader()
  reader.take(typeof value === 'string' ? value : JSON.stringify(value))
  return { news: reader.end(), ...reader.summary }
}
function stream(...events: unknown[]) {
  const reader = new StreamReader()
  const news = [
    ...events.flatMap((event) =>
      reader.take(typeof event === 'string' ? event : JSON.stringify(event)),
    ),
    ...reader.end(),
  ]
  return { news, ...reader.summary }
}

describe('json: one document', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'claude', value: { result: 'ok', session_id: 's1', usage: { input_tokens: 5, cache_read_input_tokens: 90, cache_creation_input_tokens: 5, output_tokens: 7 }, total_cost_usd: 0.5 }, text: 'ok', session: ['s1'], tokens: { input: 100, output: 7, cached: 90 }, cost: [0.5] },
    { why: 'gemini', value: { session_id: 'g', response: 'ok', stats: { models: { a: { tokens: { prompt: 10, candidates: 3, thoughts: 2 } }, b: { tokens: { prompt: 1, candidates: 1 } } } } }, text: 'ok', session: ['g'], tokens: { input: 11, output: 6 }, cost: [] },
    { why: 'a text, a thread and a cost', value: { text: 'ok', thread_id: 't', cost: 1 }, text: 'ok', session: ['t'], tokens: undefined, cost: [1] },
    { why: 'a message', value: { message: 'ok', sessionId: 'x', usage: { promptTokens: 1, completionTokens: 2 } }, text: 'ok', session: ['x'], tokens: { input: 1, output: 2 }, cost: [] },
    { why: 'warnings before and after it', value: 'Loaded {3} extensions\n{"result":"ok"}\nbye', text: 'ok', session: [], tokens: undefined, cost: [] },
  ],
  )('$why is read', ({ value, text, session, tokens, cost }) => {
    const { news, whole, tokens: read } = document(value)
    expect([said(news), sessions(news), costs(news), whole, read]).toEqual([
      text,
      session,
      cost,
      true,
      tokens,
    ])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a rate limit by its type', value: { is_error: true, error: { type: 'rate_limit_error', message: 'slow down', retry_after: 30 } }, outcome: 'rate_limited' },
    { why: 'a rate limit by its status', value: { error: { status: 429, message: 'slow down', resets_at: 1_900_000_000 } }, outcome: 'rate_limited' },
    { why: 'a rate limit in prose is none', value: { is_error: true, result: 'Error 429: rate limit exceeded' }, outcome: 'failed' },
    { why: 'a missing login', value: { is_error: true, error: { type: 'authentication_error', message: 'no key' } }, outcome: 'failed', reason: 'the agent is not logged in or has no key: no key' },
    { why: 'an error as a text that is JSON', value: { error: '{"error":{"status":429,"message":"slow"}}' }, outcome: 'rate_limited' },
    { why: 'an error without a word', value: { is_error: true }, outcome: 'failed', reason: 'the agent answered with error -32603: the agent only said that it failed' },
  ],
  )('$why -> $outcome', ({ value, outcome, reason }) => {
    const { error } = document(value)
    expect(endingOfError(error as NonNullable<typeof error>)).toMatchObject({
      outcome,
      ...(reason && { reason }),
    })
  })

  test('passes the reset time on unchanged', () => {
    expect(
      document({
        is_error: true,
        retry_after: 7,
        error: { type: 'rate_limit', resets_at: 1_900_000_000 },
      }).error?.data,
    ).toMatchObject({ retry_after: 7, resets_at: 1_900_000_000 })
  })

  test.each([
    { why: 'nothing', value: '' },
    { why: 'prose', value: 'I am done.' },
    { why: 'a list', value: '[1]' },
    { why: 'half a document', value: '{"result":' },
  ])('$why is no document', ({ value }) => {
    expect(document(value)).toMatchObject({ readable: false, whole: false })
  })
})

describe('lines of JSON', () => {
  test('claude: text, tools, session, tokens and cost', () => {
    const { news, ...summary } = stream(
      { type: 'system', subtype: 'init', session_id: 's1' },
      {
        type: 'assistant',
        session_id: 's1',
        message: {
          id: 'm1',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'text', text: 'I write.' },
          ],
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      },
      {
        type: 'assistant',
        session_id: 's1',
        message: {
          id: 'm1',
          content: [{ type: 'tool_use', id: 't1', name: 'Write', input: {} }],
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      },
      {
        type: 'user',
        session_id: 's1',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] },
      },
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'I write.',
        session_id: 's1',
        total_cost_usd: 0.25,
        usage: { input_tokens: 20, cache_read_input_tokens: 5, output_tokens: 9 },
      },
    )
    expect([said(news), sessions(news), costs(news), tools(news)]).toEqual([
      'hmI write.\n',
      ['s1'],
      [0.25],
      ['t1 Write in_progress', 't1 - completed'],
    ])
    expect(summary).toMatchObject({ whole: true, tokens: { input: 25, output: 9 } })
    expect(summary.sinceBegin).toBeUndefined()
    // One message in two events is one model call.
    expect(
      news.filter((one) => 'update' in one && JSON.stringify(one.update).includes('inputTokens')),
    ).toHaveLength(1)
  })

  test('claude: text of a subagent is no answer', () => {
    const { news } = stream({
      type: 'assistant',
      parent_tool_use_id: 't',
      message: { id: 'm', content: [{ type: 'text', text: 'from below' }] },
    })
    expect(news).toEqual([
      {
        update: {
          sessionUpdate: 'agent_thought_chunk',
          content: { type: 'text', text: 'from below\n' },
        },
      },
    ])
  })

  test('claude: an answer that came only with the result counts', () => {
    expect(said(stream({ type: 'result', subtype: 'success', result: 'ok' }).news)).toBe('ok')
  })

  test.each(
    // prettier-ignore
    [
    { why: 'claude: its limit, told before the failure', events: [{ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt: 1_900_000_000 } }, { type: 'result', subtype: 'success', is_error: true, result: 'limit' }], outcome: 'rate_limited' },
    { why: 'claude: dead after its limit', events: [{ type: 'rate_limit_event', rate_limit_info: { status: 'rejected' } }], outcome: 'rate_limited' },
    { why: 'claude: a limit that was only near', events: [{ type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning' } }, { type: 'result', is_error: true, result: 'API Error' }], outcome: 'failed' },
    { why: 'claude: the kind of error on the message', events: [{ type: 'assistant', error: 'rate_limit', message: { content: [] } }, { type: 'result', is_error: true, result: 'x' }], outcome: 'rate_limited' },
    { why: 'claude: no login', events: [{ type: 'assistant', error: 'authentication_failed', message: { content: [] } }, { type: 'result', is_error: true, result: 'Not logged in' }], outcome: 'failed', reason: 'the agent is not logged in or has no key: Not logged in' },
    { why: 'claude: a budget of its own', events: [{ type: 'result', subtype: 'error_max_budget_usd', is_error: true }], outcome: 'failed', reason: 'the agent answered with error -32603: error_max_budget_usd' },
    { why: 'codex: a failed turn', events: [{ type: 'turn.failed', error: { message: '{"status":400,"error":{"message":"bad model","type":"invalid_request_error"}}' } }], outcome: 'failed' },
    { why: 'codex: a failed turn by a limit', events: [{ type: 'turn.failed', error: { type: 'usage_limit_reached', status: 429, message: 'x' } }], outcome: 'rate_limited' },
    { why: 'gemini: an error as its result', events: [{ type: 'result', status: 'error', error: { type: 'ApiError', message: 'boom' } }], outcome: 'failed', reason: 'the agent answered with error -32603: boom' },
    { why: 'opencode: an error event', events: [{ type: 'error', sessionID: 'ses_1', error: { name: 'APIError', data: { message: 'slow', statusCode: 429 } } }], outcome: 'rate_limited' },
    { why: 'agents.md P6: qwen, an error as a good end', events: [{ type: 'result', subtype: 'success', is_error: false, result: '[API Error: 400 bad]', usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }], outcome: 'failed', reason: 'the agent answered with error -32603: [API Error: 400 bad]' },
  ],
  )('$why -> $outcome', ({ events, outcome, reason }) => {
    const { error } = stream(...events)
    expect(endingOfError(error as NonNullable<typeof error>)).toMatchObject({
      outcome,
      ...(reason && { reason }),
    })
  })

  test('an answer that only mentions an API error is an answer', () => {
    const call = {
      type: 'assistant',
      message: {
        id: 'm',
        content: [{ type: 'text', text: '[API Error: x]' }],
        usage: { input_tokens: 5, output_tokens: 4 },
      },
    }
    expect(
      stream(call, { type: 'result', subtype: 'success', result: '[API Error: x]' }).error,
    ).toBeUndefined()
  })

  test('claude: its own limit of steps ends a turn as any other', () => {
    expect(stream({ type: 'result', subtype: 'error_max_turns', is_error: true })).toMatchObject({
      whole: true,
      stopReason: 'max_turn_requests',
    })
  })

  test('codex: items are text, thoughts and tools; tokens are those of the thread', () => {
    const { news, ...summary } = stream(
      { type: 'thread.started', thread_id: 'th-1' },
      { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'hm' } },
      {
        type: 'item.started',
        item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' },
      },
      {
        type: 'item.completed',
        item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'failed' },
      },
      {
        type: 'item.completed',
        item: {
          id: 'i2',
          type: 'file_change',
          changes: [{ path: 'a.txt', kind: 'add' }],
          status: 'completed',
        },
      },
      { type: 'item.completed', item: { id: 'i3', type: 'agent_message', text: 'Done.' } },
      {
        type: 'turn.completed',
        usage: { input_tokens: 300, cached_input_tokens: 100, output_tokens: 30 },
      },
    )
    expect([said(news), sessions(news), tools(news)]).toEqual([
      'hm\nDone.\n',
      ['th-1'],
      ['i1 ls in_progress', 'i1 ls failed', 'i2 edit a.txt completed'],
    ])
    expect(summary).toMatchObject({
      whole: true,
      sinceBegin: true,
      tokens: { input: 300, output: 30 },
    })
  })

  test('codex: a note of a failed connection is no failure of the turn', () => {
    expect(
      stream(
        { type: 'error', message: 'Reconnecting... 1/5' },
        { type: 'turn.completed', usage: {} },
      ),
    ).toMatchObject({ whole: true })
    expect(
      stream(
        { type: 'error', message: 'Reconnecting... 1/5' },
        { type: 'turn.completed', usage: {} },
      ).error,
    ).toBeUndefined()
    expect(stream({ type: 'error', message: 'gave up' }).error?.message).toBe('gave up')
  })

  test('gemini: pieces of text as they are, without the prompt', () => {
    const { news, tokens } = stream(
      { type: 'init', session_id: 'g1' },
      { type: 'message', role: 'user', content: 'the prompt' },
      { type: 'message', role: 'assistant', content: 'On', delta: true },
      { type: 'message', role: 'assistant', content: 'ce', delta: true },
      { type: 'tool_use', tool_name: 'write_file', tool_id: 'w1' },
      { type: 'tool_result', tool_id: 'w1', status: 'error' },
      {
        type: 'result',
        status: 'success',
        stats: { total_tokens: 12, input_tokens: 10, output_tokens: 2 },
      },
    )
    expect([said(news), sessions(news), tools(news), tokens]).toEqual([
      'Once',
      ['g1'],
      ['w1 write_file in_progress', 'w1 - failed'],
      { input: 10, output: 2 },
    ])
  })

  test('opencode: steps are summed', () => {
    const step = (reason: string) => ({
      type: 'step_finish',
      sessionID: 'ses_1',
      part: {
        reason,
        cost: 0.1,
        tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } },
      },
    })
    const { news, tokens, whole } = stream(
      {
        type: 'tool_use',
        sessionID: 'ses_1',
        part: { callID: 'c1', tool: 'write', state: { status: 'completed', title: 'a.txt' } },
      },
      step('tool-calls'),
      { type: 'text', sessionID: 'ses_1', part: { text: 'Done.' } },
      step('stop'),
    )
    expect([said(news), sessions(news), costs(news), tools(news), tokens, whole]).toEqual([
      'Done.\n',
      ['ses_1'],
      [0.1, 0.2],
      ['c1 a.txt completed'],
      { input: 30, output: 6, cached: 10 },
      true,
    ])
    expect(stream(step('tool-calls')).whole).toBe(false)
  })

  test.each([
    { event: { type: 'result', result: 'x' }, last: true },
    { event: { type: 'turn.completed' }, last: true },
    { event: { type: 'turn.failed', error: {} }, last: true },
    { event: { type: 'step_finish', part: { reason: 'stop' } }, last: undefined },
    { event: { type: 'error', error: { message: 'x' } }, last: undefined },
  ])('whether anything may follow $event.type', ({ event, last }) => {
    expect(stream(event).last).toBe(last)
  })

  test("a program of one's own may print updates of ACP", () => {
    const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'hi' } }
    expect(stream(update).news).toEqual([{ update }])
  })

  test('counts lines that are no objects, and keeps unknown events', () => {
    const { news, readable } = stream('Loading…', '[1]', '"x"', { type: 'of_next_year', a: 1 })
    expect(news.map((one) => Object.keys(one)[0])).toEqual([
      'rubbish',
      'rubbish',
      'rubbish',
      'update',
    ])
    expect(readable).toBe(true)
  })
})

test.each([
  { why: 'an option', id: '--yolo' },
  { why: 'a path', id: '../../etc/passwd' },
  { why: 'a blank', id: 'a b' },
  { why: 'nothing', id: '' },
  { why: 'very long', id: 'a'.repeat(201) },
  { why: 'a number', id: 7 },
])('refuses a session id that is $why, as it becomes an argument', ({ id }) =>
  expect(sessionOf({ session_id: id })).toBeUndefined(),
)

test.each(
  // prettier-ignore
  [
  { why: 'cached in addition to the input', usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 }, tokens: { input: 15, output: 1, cached: 5 } },
  { why: 'cached within the input, by the total', usage: { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1, total_tokens: 11 }, tokens: { input: 10, output: 1, cached: 5 } },
  { why: 'cached within the input, as codex says it', usage: { input_tokens: 10, cached_input_tokens: 6, output_tokens: 1 }, tokens: { input: 10, output: 1, cached: 6 } },
  { why: 'no numbers', usage: { input_tokens: '10' }, tokens: undefined },
  { why: 'negative ones', usage: { input_tokens: -1 }, tokens: undefined },
],
)('tokens: $why', ({ usage, tokens }) => expect(usageTokens(usage)).toEqual(tokens))

describe('the end of a command', () => {
  const text = (...pieces: string[]) => {
    const reader = new TextReader()
    pieces.forEach((piece) => reader.take(piece))
    reader.end()
    return reader.summary
  }
  const failing = { code: -32603, message: 'x' }
  test.each(
    // prettier-ignore
    [
    { why: 'text and a good end', output: 'text', summary: text('hi'), code: 0, kind: 'answered' },
    { why: 'no text and a good end', output: 'text', summary: text(''), code: 0, kind: 'unreadable' },
    { why: 'blanks and a good end', output: 'text', summary: text(' \n'), code: 0, kind: 'unreadable' },
    { why: 'blanks, a word, blanks and a good end', output: 'text', summary: text('\n', 'ok', '\n'), code: 0, kind: 'answered' },
    { why: 'text and a bad end', output: 'text', summary: text('hi'), code: 3, kind: 'refused' },
    { why: 'no text and a bad end', output: 'text', summary: text(''), code: 3, kind: 'gone' },
    { why: 'blanks and a bad end', output: 'text', summary: text('\n'), code: 3, kind: 'gone' },
    { why: 'text and a signal', output: 'text', summary: text('hi'), code: null, kind: 'gone' },
    { why: 'a whole answer and a bad end', output: 'json', summary: { ...text(''), whole: true }, code: 1, kind: 'answered' },
    { why: 'an error and a good end', output: 'json', summary: { ...text(''), whole: true, error: failing }, code: 0, kind: 'refused' },
    { why: 'an error and a signal', output: 'stream-json', summary: { ...text(''), error: failing }, code: null, kind: 'refused' },
    { why: 'half an answer and a bad end', output: 'stream-json', summary: text('hi'), code: 1, kind: 'gone' },
    { why: 'half an answer and a good end', output: 'stream-json', summary: text('hi'), code: 0, kind: 'answered' },
    { why: 'nothing readable and a good end', output: 'json', summary: { ...text(''), readable: false }, code: 0, kind: 'unreadable' },
  ] as const,
  )('$why -> $kind', ({ output, summary, code, kind }) =>
    expect(execVerdict({ output, summary, code, cancelled: false }).kind).toBe(kind),
  )

  test('after a cancel every end is cancelled', () => {
    expect(
      execVerdict({
        output: 'json',
        summary: { ...text(''), error: failing },
        code: 130,
        cancelled: true,
      }),
    ).toEqual({ kind: 'answered', stopReason: 'cancelled' })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'nothing was done, and it ended badly', active: false, code: 42, verdict: { kind: 'gone' }, lost: true },
    { why: 'nothing was done, and it said that it failed', active: false, code: 1, verdict: { kind: 'refused', error: failing }, lost: true },
    { why: 'it had begun', active: true, code: 42, verdict: { kind: 'gone' }, lost: false },
    { why: 'it was killed', active: false, code: null, verdict: { kind: 'gone' }, lost: false },
    { why: 'its provider limits it', active: false, code: 1, verdict: { kind: 'refused', error: { ...failing, code: 429 } }, lost: false },
    { why: 'it has no login', active: false, code: 1, verdict: { kind: 'refused', error: { ...failing, code: -32000 } }, lost: false },
  ] as const,
  )('a session is lost: $why -> $lost', ({ active, code, verdict, lost }) =>
    expect(isSessionLost(verdict, { summary: { ...text(''), active }, code })).toBe(lost),
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'the rest is the prompt\'s', before: { input: 100, output: 10 }, tokens: { input: 200, output: 20 } },
  { why: 'the count before is unknown', before: undefined, tokens: undefined },
  { why: 'cached ones too', before: { input: 100, output: 10, cached: 40 }, now: { input: 300, output: 30, cached: 190 }, tokens: { input: 200, output: 20, cached: 150 } },
  { why: 'a lower number is a new count', before: { input: 900, output: 90 }, tokens: { input: 300, output: 30 } },
],
)('cumulative tokens: $why', ({ before, now = { input: 300, output: 30 }, tokens }) =>
  expect(tokensSince(before, now)).toEqual(tokens),
)
