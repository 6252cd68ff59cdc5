// What `ratchet apply` prints before it applies a fix, and what it asks if tests are broken. Needs
// no server.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
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

/** The record of an ended run, as `apply` finds it. */
function ended(result: Partial<RunResult>): void {
  const base = runGit(shop, 'rev-parse', 'main').trim()
  const whole: RunResult = {
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

async function apply({ options = [], ask }: { options?: string[]; ask?: Ask } = {}): Promise<{
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
    ['apply', SESSION, ...options],
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
