// A minimal worker: a process with a driver that runs one turn or several at once. Its argument is
// a JSON file with the state directory, config, spec, and the place of in-process scripted agents.
// It prints events, one JSON object per line.
import { readFileSync } from 'node:fs'
import { Config } from '../../../src/contract/config/config.js'
import type { TurnSpec } from '../../../src/contract/turn.js'
import { TurnInterruptedError } from '../../../src/adapters/agents/errors.js'
import { createAgentDriver } from '../../../src/adapters/agents/driver.js'
import type { Timing } from '../../../src/adapters/agents/driver-shared.js'
import { SYSTEM_CLOCK } from '../../../src/adapters/agents/turn/turn-clock.js'
import { scriptedSpawn } from '../in-process/scripted-agent.js'

const { state, config, spec, timing, env, scripted } = JSON.parse(
  readFileSync(process.argv[2] as string, 'utf8'),
) as {
  state: string
  config: unknown
  spec: TurnSpec | TurnSpec[]
  timing: Partial<Timing>
  env: Record<string, string>
  scripted?: { sessions: string; program: string }
}
const tell = (message: unknown) => process.stdout.write(`${JSON.stringify(message)}\n`)
const driver = createAgentDriver({
  dirs: { state, cache: state },
  changedFiles: () => Promise.resolve([]),
  timing,
  clock: { ...SYSTEM_CLOCK, tickMs: 20 },
  ...(scripted && { spawn: scriptedSpawn(scripted.sessions, scripted.program) }),
})
const play = (spec: TurnSpec) =>
  driver
    .runTurn(spec, {
      config: Config.parse(config),
      env: { ...process.env, ...env },
      signal: new AbortController().signal,
      onProgress: (progress) => tell({ progress }),
    })
    .catch((error: unknown) => {
      if (error instanceof TurnInterruptedError) return undefined // another turn was let in
      throw error
    })
await Promise.all([spec].flat().map(async (one) => tell({ key: one.key, result: await play(one) })))
await driver.shutdown()
