// The conformance suite for one-shot commands with the outputs that test/adapters/agents leaves
// out.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { driverProgram } from '../../support/agents/driver-program.js'
import { conformance } from '../../support/agents/conformance.js'
import { commandThat } from '../../support/agents/exec-commands.js'

const program = driverProgram()

const NEVER_ASKS = 'a one-shot command cannot ask: its arguments set its permissions'
const ENDS_ONLY = 'nothing of it is seen before its end'

conformance('a one-shot command that prints text', {
  program,
  reportsTokens: false,
  agentThat: (behaviour, bench) => ({ agent: commandThat(behaviour, bench, 'text') }),
  cannot: { asked: NEVER_ASKS, limited: 'an error in prose is no rate limit' },
})

conformance('a one-shot command that prints one JSON document', {
  program,
  reportsTokens: true,
  agentThat: (behaviour, bench) => ({ agent: commandThat(behaviour, bench, 'json') }),
  begun: (bench) => readdirSync(path.join(bench.root, 'sessions')).length > 0,
  cannot: { asked: NEVER_ASKS, stalled: ENDS_ONLY, 'over budget': ENDS_ONLY },
})
