// What `ratchet apply` prints before it applies a run, and what it asks if tests are broken or the
// run is open. Needs no server.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/adapters/package.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import type { Ask } from '../../src/cli/context.js'
import { runCommandLine } from '../../src/cli/program.js'
import type { IterationSummary, RunResult } from '../../src/contract/result.js'
import { commitAll, runGit, writeFiles } from '../support/repositories/repos.js'

const SESSION = 'WFS-test-shop'
const BRANCH = `ratchet/${SESSION}`
const BEFORE_AND_AFTER = '38 → 47 of 50 tests pass'
const BROKEN = `${BEFORE_AND_AFTER}, 1 broken: a.test.js > adds`
let [root, shop] = ['', '']

beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-apply-')))
  shop = path.join(root, 'shop')
  mkdirSync(shop)
  runGit(shop, 'init', '-q', '-b', 'main')
  writeFiles(shop, { 'a.js': 'old\n' })
  commitAll(shop, 'first')
  runGit(shop, 'checkout', '-q', '-b', BRANCH)
  writeFiles(shop, { 'fixed.txt': 'fixed\n' })
  commitAll(shop, 'IMPL-fix-1')
  runGit(shop, 'checkout', '-q', 'main')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const iteration = (
  n: number,
  passed: number,
  result: IterationSummary['result'],
): IterationSummary => ({
  iteration: n,
  passRate: 2 * passed,
  passed,
  total: 50,
  result,
  commit: n === 0 ? null : 'c1',
  turns: 2,
})

/** The result of an ended run. */
function resultOf(result: Partial<RunResult>): RunResult {
  return {
    warnings: [],
    id: `${SESSION}.${projectKey(shop).slice(0, 6)}`,
    kind: 'test-fix',
    outcome: 'failed',
    status: 'failed',
    iterations: 1,
    passRate: 94,
    baselinePassRate: 76,
    reviewNeeded: false,
    branch: BRANCH,
    commits: ['c1'],
    best: { commit: 'c1', iteration: 1, passRate: 94 },
    broken: [],
    failures: [],
    failuresTotal: 3,
    reason: null,
    recordDir: null,
    usage: { turns: 2, inputTokens: 0, outputTokens: 0, estimated: false },
    history: [iteration(0, 38, 'baseline'), iteration(1, 47, 'kept')],
    ...result,
  }
}

/** The record of an ended run, as `apply` finds it. */
function ended(result: Partial<RunResult>): void {
  const base = runGit(shop, 'rev-parse', 'main').trim()
  const whole = resultOf(result)
  const record = {
    workflow_type: 'test_session',
    workflow_id: whole.id,
    project: shop,
    status: 'completed',
    branch: BRANCH,
    base,
    result: whole,
  }
  writeFiles(shop, { [`.workflow/${SESSION}/workflow-session.json`]: JSON.stringify(record) })
}

const AT = '2026-11-20T20:02:03+08:00'

/** The record of a cycle or loop, with this result if it has ended. */
function recorded(kind: 'dev-cycle' | 'dev-loop', result?: RunResult): string {
  const id = kind === 'dev-cycle' ? 'cycle-v1-shop' : 'loop-b-shop'
  const base = runGit(shop, 'rev-parse', 'main').trim()
  const agent = { status: 'idle', output_files: [], iterations_completed: 0 }
  const test_results = {
    version: '1.0.0',
    pass_rate: 75,
    coverage: null,
    failed_tests: ['adds'],
    total_tests: 4,
    last_run: AT,
  }
  const both = {
    schema: 1,
    title: 'add a cart',
    description: 'add a cart',
    status: result?.status ?? 'running',
    created_at: AT,
    updated_at: AT,
    max_iterations: 5,
    current_iteration: 1,
  }
  const notes = {
    branch: BRANCH,
    base,
    commits: ['c1'],
    warnings: [],
    ...(result === undefined ? {} : { outcome: result.outcome, result }),
  }
  const validation = { passed: false, why: 'adds', iteration: 1, commit: 'c1', passRate: 75 }
  const cycle = {
    ...both,
    cycle_id: id,
    task_history: ['add a cart'],
    agents: { ra: agent, ep: agent, cd: agent, vas: agent },
    current_phase: 'cd',
    completed_phases: [],
    phase_errors: [],
    iterations: [],
    coordination: { feedback_log: [], pending_decisions: [], blockers: [] },
    convergence: null,
    phase_gates: null,
    agent_focus: null,
    source_refs: null,
    test_results,
    ratchet: {
      ...notes,
      scheduling: 'parallel',
      interactive: false,
      parallel: 4,
      open_issues: [],
      pending_extensions: [],
    },
  }
  const loop = {
    ...both,
    loop_id: id,
    mode: 'auto',
    skill_state: {
      phase: 'develop',
      action_index: 1,
      workers_completed: [],
      parallel_results: null,
      pending_tasks: [],
      completed_tasks: [],
      findings: [],
    },
    ratchet: {
      ...notes,
      run: id,
      task_history: ['add a cart'],
      workers: [],
      validation,
      history: [],
    },
  }
  writeFiles(shop, {
    [`.workflow/.${kind === 'dev-cycle' ? 'cycle' : 'loop'}/${id}.json`]: JSON.stringify(
      kind === 'dev-cycle' ? cycle : loop,
    ),
  })
  return id
}

async function apply({
  id = SESSION,
  options = [],
  ask,
}: { id?: string; options?: string[]; ask?: Ask } = {}): Promise<{
  exitCode: number
  stdout: string
  stderr: string
  isApplied: boolean
}> {
  let [stdout, stderr] = ['', '']
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    XDG_STATE_HOME: path.join(root, 'state'),
    TEMPORAL_CLI_PATH: path.join(root, 'no-server-here'),
  }
  const exitCode = await runCommandLine(
    ['apply', id, ...options],
    {
      env,
      cwd: shop,
      interrupted: new AbortController().signal,
      version: VERSION,
      ...(ask === undefined ? {} : { ask }),
    },
    { stdout: (text) => void (stdout += text), stderr: (text) => void (stderr += text) },
  )
  return { exitCode, stdout, stderr, isApplied: existsSync(path.join(shop, 'fixed.txt')) }
}
/** A person at a terminal who gives this answer. */
const person =
  (choice: 'apply' | 'leave', asked: string[] = []): Ask =>
  ({ text }) => {
    asked.push(text)
    return Promise.resolve({ choice })
  }

test('says how many tests passed before and pass now, and asks nothing if none is broken', async () => {
  ended({})
  const asked: string[] = []
  expect(await apply({ ask: person('leave', asked) })).toEqual({
    exitCode: 0,
    stderr: '',
    isApplied: true,
    stdout: `${BEFORE_AND_AFTER}\napplied 1 file of ${BRANCH}, not committed\n  fixed.txt\n`,
  })
  expect(asked).toEqual([])
})

test('the JSON document has the same line', async () => {
  ended({ broken: ['a.test.js > adds'] })
  expect(JSON.parse((await apply({ options: ['--yes', '--json'] })).stdout)).toMatchObject({
    applied: ['fixed.txt'],
    brings: BROKEN,
  })
})

test('it says that canaries did not confirm the results, and why', async () => {
  ended({ confirmed: false, unconfirmed: 'the run ended before its results were confirmed' })
  const doubt = 'results not confirmed: the run ended before its results were confirmed'
  expect((await apply()).stdout).toBe(
    `${BEFORE_AND_AFTER}\n${doubt}\napplied 1 file of ${BRANCH}, not committed\n  fixed.txt\n`,
  )
  ended({ confirmed: false, unconfirmed: 'the run ended before its results were confirmed' })
  expect(JSON.parse((await apply({ options: ['--json'] })).stdout)).toMatchObject({
    unconfirmed: doubt,
  })
})

describe('a run that broke tests', () => {
  beforeEach(() => ended({ broken: ['a.test.js > adds'] }))

  test('asks a person at a terminal, shows the changes, and applies them on agreement', async () => {
    const asked: string[] = []
    const { stdout, ...rest } = await apply({ ask: person('apply', asked) })
    expect(rest).toEqual({ exitCode: 0, stderr: '', isApplied: true })
    expect(stdout.split('\n')[0]).toBe(BROKEN)
    expect(asked).toEqual([`${BROKEN}. Apply it anyway?`])
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a person who declines', given: { ask: person('leave') } },
    { why: 'a person who presses Ctrl-C', given: { ask: () => Promise.resolve('left' as const) } },
    { why: 'no terminal and no --yes', given: {} },
    { why: '--json, which never prompts, and no --yes', given: { ask: person('apply'), options: ['--json'] } },
  ],
  )('$why: nothing is applied, and the way to do it is named', async ({ given }) => {
    const { exitCode, stdout, stderr, isApplied } = await apply(given)
    expect({ exitCode, isApplied }).toEqual({ exitCode: 2, isApplied: false })
    expect(stdout + stderr).toContain(`the run broke tests that passed before: ${BROKEN}`)
    expect(stdout + stderr).toMatch(/ratchet apply WFS-test-shop\.[0-9a-f]{6} --yes/)
  })

  test('--yes applies it without a terminal and shows the changes', async () => {
    expect(await apply({ options: ['--yes'] })).toMatchObject({
      exitCode: 0,
      isApplied: true,
      stdout: expect.stringContaining(BROKEN) as string,
    })
  })
})

describe.each(['dev-cycle', 'dev-loop'] as const)('a %s', (kind) => {
  const end = (id: string, broken: string[]): RunResult => {
    const {
      best: _best,
      baselinePassRate: _rate,
      ...rest
    } = resultOf({
      id,
      kind,
      broken,
      outcome: kind === 'dev-cycle' ? 'failed' : 'user_exit',
      status: kind === 'dev-cycle' ? 'failed' : 'user_exit',
    })
    return rest
  }
  const named = kind === 'dev-cycle' ? 'cycle-v1-shop' : 'loop-b-shop'

  test('that broke nothing is applied without a question', async () => {
    const id = recorded(kind, end(named, []))
    expect(await apply({ id })).toEqual({
      exitCode: 0,
      stderr: '',
      isApplied: true,
      stdout: `applied 1 file of ${BRANCH}, not committed\n  fixed.txt\n`,
    })
  })

  test('that broke tests: it names them and asks, and needs --yes without a terminal', async () => {
    const id = recorded(kind, end(named, ['a.test.js > adds']))
    const refused = await apply({ id })
    expect(refused).toMatchObject({ exitCode: 2, isApplied: false })
    expect(refused.stderr).toContain(
      'the run broke tests that passed before: 1 broken: a.test.js > adds',
    )
    const asked: string[] = []
    expect(await apply({ id, ask: person('leave', asked) })).toMatchObject({ isApplied: false })
    expect(asked).toEqual(['1 broken: a.test.js > adds. Apply it anyway?'])
    const { stdout, isApplied } = await apply({ id, options: ['--yes', '--json'] })
    expect(isApplied).toBe(true)
    expect(JSON.parse(stdout)).toMatchObject({ brings: '1 broken: a.test.js > adds' })
  })

  test('that is still open: it says so and asks, and needs --yes without a terminal', async () => {
    const id = recorded(kind)
    const open = `${id} is still open and its state is not final; in its last test run 75.0 % passed`
    const refused = await apply({ id })
    expect(refused).toMatchObject({ exitCode: 2, isApplied: false })
    expect(refused.stderr).toContain(open)
    expect(refused.stderr).toContain(
      `wait for its end: ratchet watch ${id}; or apply it anyway: ratchet apply ${id} --yes`,
    )
    const asked: string[] = []
    expect(await apply({ id, ask: person('apply', asked) })).toMatchObject({ isApplied: true })
    expect(asked).toEqual([`${open}. Apply it anyway?`])
    const { stdout } = await apply({ id, options: ['--yes', '--json'] })
    expect(JSON.parse(stdout)).toMatchObject({ id, open })
  })
})

test('a fix that is still open needs --yes without a terminal', async () => {
  ended({})
  const file = `.workflow/${SESSION}/workflow-session.json`
  const { result: _result, ...rest } = JSON.parse(
    readFileSync(path.join(shop, file), 'utf8'),
  ) as Record<string, unknown>
  writeFiles(shop, { [file]: JSON.stringify({ ...rest, status: 'paused' }) })
  const refused = await apply()
  expect(refused).toMatchObject({ exitCode: 2, isApplied: false })
  expect(refused.stderr).toMatch(/WFS-test-shop\.\w+ is still open and its state is not final\n/)
  expect(await apply({ options: ['--yes'] })).toMatchObject({ exitCode: 0, isApplied: true })
})

test.each(
  // prettier-ignore
  [
  { why: 'best is the start', result: { best: { commit: 'base', iteration: 0, passRate: 76 } }, says: 'no fix made it better than the start' },
  { why: 'nothing was ever measured', result: { best: null, history: [iteration(1, 0, 'not_started')] }, says: 'no run of the tests measured anything' },
] as const,
)('nothing is brought where $why, also with --yes', async ({ result, says }) => {
  ended({
    ...result,
    history: [...(result.history ?? [iteration(0, 38, 'baseline')])],
  })
  expect(await apply({ options: ['--yes'] })).toMatchObject({
    exitCode: 0,
    isApplied: false,
    stdout: `nothing was applied: ${says}\n`,
  })
})
