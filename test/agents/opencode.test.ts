import { suite } from './suite.js'

suite('opencode')
