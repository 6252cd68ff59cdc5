import { realAgent } from './conformance.js'

realAgent('qwen', {
  cannot: { limited: 'it repeats a limited call for minutes and reports nothing' },
})
