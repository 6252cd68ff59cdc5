import { realAgent } from './conformance.js'

realAgent('qwen')
