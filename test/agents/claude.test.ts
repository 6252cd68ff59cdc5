import { suite } from './suite.js'

suite('claude', {
  counts: 'all',
  shellDenied: 'refused',
  answerKept: true,
  asksForShell: true,
  onLimit: 'rate_limited',
  model: { name: 'haiku', seen: 'claude-haiku-4-5-20251001' },
  refusedKey: /401/,
  noKey: /not logged in or has no key/,
})
