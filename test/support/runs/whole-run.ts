// A whole run with an agent that misbehaves, and what must hold for each: no process of the agent
// is left, and the user's tree is unchanged.
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { findMarked } from '../../../src/adapters/process/find.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { RunHandle, RunResult } from '../../../src/client/index.js'
import { ANALYSE, makeProject, type ProjectOwner, type Step } from './real-run.js'
import { fingerprint, outsideOfRecord } from '../repositories/repos.js'

/** A user with workers, in this process or in others. */
export type Runner = ProjectOwner & {
  fix: (project: string, session: string, input?: Record<string, unknown>) => Promise<RunHandle>
  finish: (run: RunHandle) => Promise<RunResult>
}

/** Analysed, then this in every fix. */
export const fixer = (...actions: Step['do']): Step[] => [
  ANALYSE,
  { when: { role: 'test-fix-agent' }, do: actions },
]

/** An agent that is a program of its own, from test/support/agents. */
export const foreign = (name: string, ...args: string[]) => ({
  protocol: 'acp',
  command: process.execPath,
  args: [fileURLToPath(new URL(`../agents/${name}.mjs`, import.meta.url)), ...args],
})

/** Runs it to its end. */
export async function whole(
  user: Runner,
  name: string,
  steps: Step[],
  config: Record<string, unknown> = {},
  input: Record<string, unknown> = { maxIterations: 1 },
): Promise<{ project: string; result: RunResult }> {
  const project = makeProject(user, name, steps, config)
  const before = fingerprint(project)
  const run = await user.fix(project, `WFS-test-${name}`, input)
  const result = await user.finish(run)
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  expect(outsideOfRecord(project)).toEqual(before)
  return { project, result }
}
