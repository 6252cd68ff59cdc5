import { realAgent } from './conformance.js'

realAgent('codex')
