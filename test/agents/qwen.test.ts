import { suite } from './suite.js'

suite('qwen', {
  counts: 'all',
  shellDenied: 'refused',
  answerKept: false,
  asksForShell: true,
  onLimit: 'retries',
  model: { name: 'other-model', seen: 'other-model' },
  refusedKey: /401/,
  noKey: /not logged in or has no key/,
})
