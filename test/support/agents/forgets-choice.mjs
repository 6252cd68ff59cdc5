// Offers modes and models with a new session, but not when a session is resumed; the argument names
// how to select a model then: `set_model`, `option`, `none`. Reports its session, mode and model.
import { RpcError, say, serve } from './wire.mjs'

const by = process.argv[2]
let isNew = false
const chosen = { mode: 'default', model: 'dear' }

serve({
  initialize: () => ({
    protocolVersion: 1,
    agentCapabilities: { sessionCapabilities: { resume: {} } },
  }),
  'session/new': () => {
    isNew = true
    return {
      sessionId: 'new',
      modes: {
        currentModeId: 'default',
        availableModes: [
          { id: 'default', name: 'Default' },
          { id: 'plan', name: 'Plan' },
        ],
      },
      models: { availableModels: [{ modelId: 'dear' }, { modelId: 'cheap' }] },
    }
  },
  'session/resume': () => ({}),
  'session/set_mode': ({ modeId }) => {
    if (!['default', 'plan'].includes(modeId)) throw new RpcError(-32603, 'Internal error')
    chosen.mode = modeId
  },
  'session/set_model': ({ modelId }) => {
    if (by !== 'set_model' && !isNew) throw new RpcError(-32601, 'no such method')
    chosen.model = modelId
  },
  'session/set_config_option': ({ configId, value }) => {
    if (by !== 'option' || configId !== 'model') throw new RpcError(-32602, 'no such option')
    chosen.model = value
  },
  'session/prompt': ({ sessionId }) => {
    say(sessionId, `${sessionId} ${chosen.mode} ${chosen.model}`)
    return { stopReason: 'end_turn' }
  },
})
