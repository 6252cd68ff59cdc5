import { suite } from './suite.js'

suite('gemini')
