import { suite } from './suite.js'

suite('codex', {
  counts: 'all',
  shellDenied: 'sandboxed',
  answerKept: true,
  asksForShell: false,
  onLimit: 'rate_limited',
  model: { name: 'gpt-6.1-sol', seen: 'gpt-6.1-sol' },
  refusedKey: /not logged in or has no key/,
  noKey: /OPENAI_API_KEY/,
})
