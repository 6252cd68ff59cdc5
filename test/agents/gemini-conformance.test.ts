import { realAgent } from './conformance.js'

realAgent('gemini', { cannot: {}, forgets: true })
