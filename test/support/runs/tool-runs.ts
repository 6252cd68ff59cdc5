// Runs whose fix is made by an agent that uses the tools of Ratchet, and what these answered.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { TurnResult } from '../../../src/contract/turn.js'
import { turnsOfRun } from '../../../src/adapters/agents/run-turns.js'
import type { Dirs } from '../../../src/adapters/state-dir.js'
import type { Files } from '../repositories/repos.js'
import { ANALYSE, CALCULATOR, repository, type ProjectOwner } from './real-run.js'

const USES_TOOLS = fileURLToPath(new URL('../agents/uses-tools.mjs', import.meta.url))

export type ToolStep = Record<string, unknown>
export type Told = { tool: string; text: string; isError: boolean }

/** The agent as a definition. */
export const toolAgent = (steps: ToolStep[]) => ({
  protocol: 'acp',
  command: process.execPath,
  args: [USES_TOOLS, JSON.stringify(steps)],
})

/** A project whose fixes are made by these steps. */
export function withTools(
  user: ProjectOwner,
  name: string,
  steps: ToolStep[],
  { files = CALCULATOR, ...config }: { files?: Files } & Record<string, unknown> = {},
): string {
  return repository(
    user,
    name,
    [ANALYSE],
    {
      agents: { tools: toolAgent(steps) },
      roles: { default: 'playbook', 'test-fix-agent': 'tools' },
      ...config,
    },
    files,
  )
}

/** What the tools told the agent in the first fix of a run, and the result of that turn. */
export function toldIn(dirs: Dirs, run: string): { told: Told[]; result: TurnResult } {
  const turn = turnsOfRun(dirs, run).find(({ role }) => role === 'test-fix-agent')
  const answer = turn?.files.find(({ label }) => label === 'answer')?.path
  if (answer === undefined) throw new Error(`${run} has no fix`)
  const told = readFileSync(answer, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Told)
  const file = path.join(path.dirname(answer), 'result.json')
  return { told, result: TurnResult.parse(JSON.parse(readFileSync(file, 'utf8'))) }
}
