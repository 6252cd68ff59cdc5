import { realAgent } from './conformance.js'

realAgent('claude')
