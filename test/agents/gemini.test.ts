import { suite } from './suite.js'

suite('gemini', {
  counts: 'all',
  shellDenied: 'refused',
  answerKept: true,
  asksForShell: true,
  onLimit: 'rate_limited',
  model: { name: 'gemini-2.5-flash', seen: 'gemini-2.5-flash' },
  refusedKey: /not logged in or has no key/,
  noKey: /not logged in or has no key/,
})
