import { suite } from './suite.js'

suite('opencode', {
  counts: 'last',
  shellDenied: 'no shell',
  answerKept: true,
  asksForShell: true,
  onLimit: 'retries',
  model: { name: 'stub/other-model', seen: 'other-model' },
  refusedKey: /401/,
  noKey: /needs a provider's key \(ANTHROPIC_API_KEY/,
})
