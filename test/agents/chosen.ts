// The real agents of this run: all of them, or those that CI takes for a commit.
import { KNOWN_NAMES } from '../../src/contract/known-agents.js'
import { slicedBy } from '../slice.js'

export const AGENTS = slicedBy(process.env, 'agents', KNOWN_NAMES)
