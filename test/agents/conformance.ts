// The conformance suite for a real agent: the model stub scripts its behaviour by the first line of
// the prompt.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import type { KnownName } from '../../src/contract/known-agents.js'
import type { Bench } from '../support/agents/bench.js'
import { driverProgram } from '../support/agents/driver-program.js'
import { conformance, type Behaviour } from '../support/agents/conformance.js'
import { setUp } from '../support/model-stub/set-up.js'
import { ModelStub, varied, type Script, type Step } from '../support/model-stub/stub.js'
import { waitFor } from '../support/wait.js'
import { PARTICULARS } from './particulars.js'
import { ageSessions, base, headersIn } from './rig.js'

/** Real agents start in seconds. */
const TIMING = {
  startMs: 60_000,
  cancelGraceMs: 10_000,
  endGraceMs: 2_000,
  closeMs: 3_000,
  replayQuietMs: 300,
}
const TIMEOUT_MS = 240_000

/** Declares the cases; the agent's particulars list those it cannot run. */
export function realAgent(name: KnownName): void {
  const { cannot, forgets = false } = PARTICULARS[name]
  const program = driverProgram()
  let stub: ModelStub
  beforeAll(async () => {
    stub = await ModelStub.start()
  })
  afterAll(() => stub.close())

  conformance(name, {
    program,
    reportsTokens: true,
    timing: TIMING,
    timeoutMs: TIMEOUT_MS,
    asksForCommands: true,
    namesNoReset: true,
    cannot,
    beforeResume: async (bench) => {
      await waitFor(() => findMarked('RATCHET_RUN', bench.run).length === 0, {
        what: 'the end of the agent',
        timeoutMs: 30_000,
      })
      ageSessions(homeOf(bench))
    },
    agentThat: (behaviour, bench) => {
      const mark = `${behaviour}-${bench.run}`
      stub.script(mark, scriptOf(behaviour, bench, forgets))
      const home = homeOf(bench)
      mkdirSync(home, { recursive: true })
      return {
        agent: { extends: name, env: { ...base(home), ...setUp(name, home, stub.url) } },
        prompt: `MARK:${mark} Do as instructed.`,
      }
    },
  })
}

function homeOf(bench: Bench): string {
  return path.join(bench.root, 'home')
}

function scriptOf(behaviour: Behaviour, bench: Bench, forgets: boolean): Script {
  return (turns) => {
    const prompts = turns.flatMap(headersIn)
    const header = prompts.at(-1)
    const undisturbed = header?.attempt === 1 && header.turn === 'work'
    const later =
      new Set(prompts.map(({ turn, attempt }) => `${turn} ${attempt}`)).size > 1 ||
      prompts.length > 1 ||
      (forgets && !undisturbed)
    const answer: Step[] = [{ say: `${later ? 'second' : 'first'} prompt of this session` }]
    switch (behaviour) {
      case 'answers':
        return answer
      case 'waits':
        return undisturbed ? [{ slowS: 100 }] : answer
      case 'dies-once':
        return undisturbed ? dies(bench, behaviour) : answer
      case 'dies':
        return dies(bench, behaviour)
      case 'floods':
        return [{ flood: 2 }]
      case 'forks':
        return [
          {
            shell:
              "node -e \"require('node:child_process').spawn('sleep', ['600'], { detached: true, stdio: 'ignore' }).unref()\"",
          },
          ...answer,
        ]
      case 'asks':
        return [{ shell: "node -e \"require('fs').writeFileSync('moon', '1')\"" }, ...answer]
      case 'limited-once':
        return undisturbed ? [{ fail: { status: 429, resetsInS: 3_600 } }] : answer
      case 'spends':
        return undisturbed ? [{ slowS: 100, first: varied(40_000) }] : answer
    }
  }
}

// Killed from outside, because its model cannot.
function dies(bench: Bench, behaviour: 'dies' | 'dies-once'): Step[] {
  const claim = bench.claim(behaviour === 'dies' ? `${bench.run}/1/dies` : undefined)
  if (claim?.process !== undefined) process.kill(claim.process.pid, 'SIGKILL')
  ageSessions(homeOf(bench))
  return [{ slowS: 100 }]
}
