import { suite } from './suite.js'

suite('codex')
