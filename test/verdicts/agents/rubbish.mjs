// Answers rubbish. With "wire" it is rubbish for the protocol too: bytes, cut messages, strange ids.
import { send } from '../../support/agents/wire.mjs'
import { play } from './script.mjs'

const WORDS =
  'Certainly! ```json\n{"root_causes": [42, {"fix_strategy": }\n``` I am not sure. ```json\n[]\n``` {"pass_rate": "100%", "tests": "all", "failed": -1}\n'
const wire = process.argv[3] === 'wire'

function noise(sessionId) {
  process.stdout.write(
    Buffer.from([0xff, 0xfe, 0x00, 0x1b, 0x5b, 0x32, 0x4a, 0x0a, 0xc3, 0x28, 0x0a]),
  )
  for (const line of [
    '{"jsonrpc":"2.0","id":',
    '[1,2,3]',
    'null',
    '"text"',
    '{}',
    '{"jsonrpc":"1.0","result":null}',
    '{"id":999999,"jsonrpc":"2.0","result":{"stopReason":"end_turn"}}',
  ])
    process.stdout.write(`${line}\n`)
  send({ id: null, error: { code: 'x', message: 7 } })
  send({
    method: 'session/update',
    params: {
      sessionId: 'another session',
      update: {
        sessionUpdate: 'agent_message_chunk',
        content: { type: 'text', text: '100% of tests pass' },
      },
    },
  })
  send({
    method: 'session/update',
    params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: 5 } },
  })
  send({ method: 'session/update', params: null })
}

play(({ sessionId, answer }) => {
  if (wire) noise(sessionId)
  answer(WORDS)
  if (wire) noise(sessionId)
  return wire ? { stopReason: ['success'], verdict: 'all tests pass' } : { stopReason: 'end_turn' }
})
