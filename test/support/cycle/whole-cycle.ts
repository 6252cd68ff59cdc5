// Whole dev cycles with agents that misbehave: run to their end, and read as a person reads them.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect } from 'vitest'
import { findMarked } from '../../../src/adapters/process/find.js'
import { StoredCycle } from '../../../src/adapters/records/dev-cycle/cycle-schema.js'
import type { RunResult } from '../../../src/client/index.js'
import { MARKERS } from '../../../src/contract/names.js'
import { fingerprint, outsideOfRecord, runGit, type Files } from '../repositories/repos.js'
import {
  CALCULATOR,
  makeProject,
  RIGHT_ADD,
  RIGHT_MUL,
  type RunUser,
  type Step,
} from '../runs/real-run.js'
import { everybody } from './cycle-play.js'

export const [RA, EP, CD, VAS] = [
  'requirements-analyst',
  'exploration-planner',
  'code-developer',
  'validation-archivist',
] as const

export type EndedCycle = {
  project: string
  result: RunResult
  master: StoredCycle
  issues: string
  warnings: string
  /** Reads a document of the record. */
  read: (file: string) => string
  files: string[]
}

export const idOf = (name: string): string => `cycle-v1-20260122T100000-${name}`
/** An action that runs a line of shell. */
export const sh = (script: string): Step['do'][number] => ({ run: ['sh', '-c', script] })

/**
 * Runs a cycle of these steps to its end. Checks that no process of an agent is left, the user's
 * repository is unchanged, and the record says what was measured.
 */
export async function wholeCycle(
  user: RunUser,
  name: string,
  steps: Step[],
  config: Record<string, unknown> = {},
  { files = CALCULATOR, ...input }: Record<string, unknown> & { files?: Files } = {},
): Promise<EndedCycle> {
  const project = makeProject(
    user,
    name,
    [...steps, ...everybody([RIGHT_ADD, RIGHT_MUL])],
    config,
    files,
  )
  const before = fingerprint(project)
  const id = idOf(name)
  const run = await user.cycle(project, id, {
    task: 'Make the calculator right',
    maxIterations: 1,
    ...input,
  })
  const result = await user.finish(run)
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  expect(outsideOfRecord(project)).toEqual(before)
  expect(runGit(project, 'ls-tree', '-r', '--name-only', result.branch ?? '')).not.toContain(
    '.ratchet',
  )
  const dir = path.join(project, '.workflow/.cycle')
  const master = StoredCycle.parse(JSON.parse(readFileSync(path.join(dir, `${id}.json`), 'utf8')))
  // The user sees the measured rate in the result, the record and the summary.
  expect(master.test_results?.pass_rate ?? null).toBe(result.passRate)
  const progress = path.join(dir, `${id}.progress`)
  const read = (file: string): string => readFileSync(path.join(progress, file), 'utf8')
  expect(read('coordination/summary.md')).toContain(
    result.passRate === null
      ? '| Pass rate, measured | not measured |'
      : `| Pass rate, measured | ${result.passRate} %`,
  )
  return {
    project,
    result,
    master,
    read,
    issues: master.iterations.flatMap((one) => one.issues_found).join('\n'),
    warnings: master.ratchet.warnings.join('\n'),
    files: readdirSync(progress, { recursive: true }) as string[],
  }
}
