import { realAgent } from './conformance.js'

realAgent('opencode', {
  cannot: { asked: 'without leave it has no shell tool', limited: 'it repeats a limited call for minutes and reports nothing' },
})
