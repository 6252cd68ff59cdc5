// Inputs of the tests of worker prompts.
import type { LoopBrief } from '../../../../src/contract/dev-loop/loop-step.js'
import type { LoopAction } from '../../../../src/contract/dev-loop/loop-input.js'
import type { Measured } from '../../../../src/contract/test-run.js'
import type { LoopTask } from '../../../../src/contract/dev-loop/action-reading.js'
import type { LoopPaths } from '../../../../src/core/dev-loop/prompts/prompt-action.js'

export const brief = (action: LoopAction, rest: Partial<LoopBrief> = {}): LoopBrief => ({
  loopId: 'loop-b-20261120T100000-abcd1234',
  action,
  mode: 'auto',
  parallel: false,
  iteration: 2,
  maxIterations: 10,
  description: 'Add discounts',
  tasks: [],
  pending: 1,
  completed: 0,
  blocked: [],
  findings: [],
  workers: [],
  conflicts: [],
  changedFiles: 3,
  ...rest,
})

export const task = (id: string, rest: Partial<LoopTask> = {}): LoopTask => ({
  id,
  description: `build ${id}`,
  priority: 'high',
  status: 'pending',
  files: [],
  ...rest,
})

export const pathsOf = (action: LoopAction, root = '/w'): LoopPaths => ({
  workspace: root,
  progress: `${root}/.ratchet/l.progress`,
  outputFile: `${root}/.ratchet/l.workers/${action}.output.json`,
  progressFile: `${root}/.ratchet/l.progress/${action}.md`,
  workersDir: `${root}/.ratchet/l.workers`,
  stateFile: '/p/.workflow/.loop/l.json',
})

export const measured = (rest: Partial<Measured> = {}): Measured => ({
  kind: 'measured',
  commit: 'c0ffee',
  total: 5,
  passed: 4,
  failed: 1,
  skipped: 0,
  flaky: 0,
  flakyTests: [],
  failures: [{ test: 'adds', file: 'a.test.js', error: 'expected 3, got 4' }],
  failuresTotal: 1,
  results: { path: '/r/results.json', sha256: 'd', bytes: 1 },
  output: { path: '/r/output.txt', sha256: 'd', bytes: 1 },
  fingerprint: 'f',
  durationMs: 10,
  ...rest,
})
