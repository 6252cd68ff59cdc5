// The conformance suite for agents without a real CLI: playbook, a foreign agent over the
// protocol, and one-shot commands that print lines of JSON. Their other outputs:
// test/exhaustive/agents.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Bench } from '../../support/agents/bench.js'
import { driverProgram } from '../../support/agents/driver-program.js'
import { conformance, type Behaviour } from '../../support/agents/conformance.js'
import { commandThat } from '../../support/agents/exec-commands.js'

const program = driverProgram()

const SECOND = { say: 'second prompt of this session' }
const FIRST = [
  { when: { nth: 2 }, do: [SECOND] },
  { do: [{ tokens: { input: 100, output: 20 } }, { say: 'first prompt of this session' }] },
]
// A later attempt leaves out what the earlier one has finished.
const undisturbed = (said: unknown) => [
  { when: { turn: 'work', attempt: 1 }, do: [said, { wait: 'forever' }] },
  { do: [said, SECOND] },
]
const PLAYBOOKS: Record<Behaviour, unknown[]> = {
  answers: FIRST,
  waits: undisturbed({ say: 'begun' }),
  'dies-once': [{ do: [{ say: 'begun' }, { crash: { code: 7, attempts: 1 } }, SECOND] }],
  dies: [{ do: [{ say: 'begun' }, { crash: 7 }] }],
  floods: [{ do: [{ flood: 12 }] }],
  forks: [{ do: [{ fork: { setsid: true } }] }],
  asks: [{ do: [{ ask: 'touch the moon' }] }],
  'limited-once': [{ do: [{ limit: { 'resets-in': 3_600, times: 1 } }, SECOND] }],
  spends: undisturbed({ say: 'z'.repeat(40_000) }),
}

conformance('the playbook', {
  program,
  reportsTokens: true,
  agentThat: (behaviour, bench) => ({ agent: playbook(behaviour, bench) }),
})

function playbook(behaviour: Behaviour, bench: Bench): unknown {
  return (playbooks(bench)[behaviour] ??= bench.playbook(PLAYBOOKS[behaviour]))
}

// One file per behaviour: for the driver another file is another agent.
const files = new WeakMap<Bench, Partial<Record<Behaviour, unknown>>>()
function playbooks(bench: Bench): Partial<Record<Behaviour, unknown>> {
  const own = files.get(bench) ?? {}
  files.set(bench, own)
  return own
}

conformance('a foreign agent over the protocol', {
  program,
  reportsTokens: true,
  agentThat: (behaviour, bench) => {
    const sessions = path.join(bench.root, 'sessions')
    mkdirSync(sessions, { recursive: true })
    return {
      agent: { ...bench.foreign('acp-behaves.mjs', behaviour), env: { SESSIONS: sessions } },
    }
  },
})

const ASKS_NO_PERSON =
  'a one-shot command cannot ask a person: its permissions are arguments of its own'

conformance('a one-shot command that prints lines of JSON', {
  program,
  reportsTokens: true,
  agentThat: (behaviour, bench) => ({ agent: commandThat(behaviour, bench, 'stream-json') }),
  cannot: { asked: ASKS_NO_PERSON },
})
