import { realAgent } from './conformance.js'

realAgent('gemini')
