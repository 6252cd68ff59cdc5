import { realAgent } from './conformance.js'

realAgent('opencode')
