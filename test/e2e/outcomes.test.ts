// Every way a session of 004 can end, and every point at which one can go on, each seen in a run on real
// parts: server, workers, git, pytest, the scripted agent.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunHandle, RunResult } from '../../src/client/index.js'
import { analysis, makeProject, markers, realUser } from '../support/real-run.js'
import type { RealUser, Step } from '../support/real-run.js'
import { runGit } from '../support/repos.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
beforeAll(async () => { user = await realUser() })
afterAll(() => user.close())

/** Twenty tests over a table: wrong rows fail, one of them is 95 %. */
const table = (wrong: number[]) => `ROWS = [\n${Array.from({ length: 20 }, (_, n) => `    ${wrong.includes(n) ? -1 : n},  # row ${n}`).join('\n')}\n]\n`
const right = (...rows: number[]) => rows.map((n) => ({ patch: { path: 'rows.py', find: `    -1,  # row ${n}\n`, replace: `    ${n},  # row ${n}\n` } }))
const broken = (...rows: number[]) => rows.map((n) => ({ patch: { path: 'rows.py', find: `    ${n},  # row ${n}\n`, replace: `    -2,  # row ${n}\n` } }))
const TESTS = 'import pytest\nfrom rows import ROWS\n\n\n@pytest.mark.parametrize("n", range(20))\ndef test_row(n):\n    assert ROWS[n] == n\n'
const files = (wrong: number[], more: Record<string, string> = {}) => ({ 'rows.py': table(wrong), 'tests/test_rows.py': TESTS, 'conftest.py': '', 'notes.txt': 'committed\n', ...more })

const PLAN: Step = { when: { role: 'cli-planning-agent' }, do: [{ say: analysis(['rows.py:ROWS:1-22'], ['tests/test_rows.py']) }] }
const PLANLESS: Step = { when: { role: 'cli-planning-agent' }, do: [{ say: 'I could not find out.' }] }
const assess = (level: string): Step => ({ when: { turn: 'assess' }, do: [{ say: `\`\`\`json\n{"criticality":{"test_row[3]":"${level}"}}\n\`\`\`` }] })
const fix = (iteration: number, ...actions: Step['do']): Step => ({ when: { role: 'test-fix-agent', iteration, turn: 'work' }, do: actions })
const note = (n: number) => ({ write: { path: `note-${n}.md`, text: `${n}\n` } })

const record = (result: RunResult, file: string): string => readFileSync(path.join(result.recordDir ?? '', file), 'utf8')
const json = (result: RunResult, file: string) => JSON.parse(record(result, file)) as Record<string, unknown>

type Case = { name: string; wrong: number[]; steps: Step[]; config?: Record<string, unknown>; more?: Record<string, string>; prepare?: (project: string) => void; check: (result: RunResult) => void }

const CASES: Case[] = [
  {
    name: '95 % with a low failure: partial success, approved with the review flag', wrong: [3], steps: [assess('low'), PLAN],
    check(result) {
      expect(result).toMatchObject({ outcome: 'partial_success', status: 'completed', reviewNeeded: true, passRate: 95, iterations: 0, failures: [{ criticality: 'low' }] })
      expect(json(result, 'workflow-session.json')).toMatchObject({ status: 'completed', review_needed: true })
      expect(record(result, '.summaries/session-summary.md')).toContain('test_row[3]')
    },
  },
  {
    name: '95 % with a high failure: the fix loop', wrong: [3], steps: [assess('high'), PLAN, fix(1, ...right(3))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', passRate: 100, iterations: 1 })
      expect(existsSync(path.join(result.recordDir ?? '', '.process/iteration-1-analysis.md'))).toBe(true)
    },
  },
  {
    name: '95 % with a high failure at the end of the budget: failed', wrong: [3], steps: [assess('high'), PLAN, fix(1, note(1))], config: { limits: { maxIterations: 1 } },
    check(result) {
      expect(result).toMatchObject({ outcome: 'failed', status: 'failed', passRate: 95, iterations: 1 })
      expect(result.reason).toContain('1 high')
      expect(record(result, '.summaries/failure-report.md')).toContain('test_row[3]')
    },
  },
  {
    name: 'a regression is rolled back, and the next fix is surgical', wrong: [1, 2], steps: [PLAN, fix(1, ...right(1), ...broken(5, 6, 7, 8)), fix(2, ...right(1, 2))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
      expect(result.history.map((h) => [h.result, h.strategy])).toEqual([['baseline', undefined], ['rolled_back', 'conservative'], ['kept', 'surgical']])
      expect(json(result, '.task/IMPL-fix-1.json')).toMatchObject({ status: 'rolled_back' })
      expect(json(result, '.process/fix-history.json')).toMatchObject({ entries: [{ task: 'IMPL-fix-1', result: 'rolled_back' }, { task: 'IMPL-fix-2', result: 'kept' }] })
    },
  },
  {
    name: 'stuck, switched, stuck again: blocked with the report', wrong: [1, 2], steps: [PLAN, fix(1, note(1)), fix(2, note(2)), fix(3, note(3)), fix(4, note(4))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'blocked', status: 'failed', passRate: 90, iterations: 3 })
      expect(result.history.at(-1)).toMatchObject({ strategy: 'reflective', stuck: 2 })
      expect(record(result, '.summaries/failure-report.md')).toMatch(/stuck/i)
    },
  },
  {
    name: 'a degraded analysis is accepted in iteration 1 and told', wrong: [1], steps: [PLANLESS, assess('high'), fix(1, ...right(1))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
      expect(result.history[1]).toMatchObject({ analysis: 'degraded' })
      expect(record(result, '.summaries/session-summary.md')).toMatch(/degraded/i)
      expect(json(result, '.task/IMPL-fix-1.json')).toMatchObject({ meta: { analysis_quality: 'degraded' } })
    },
  },
  {
    name: 'a degraded analysis without progress: blocked', wrong: [1, 2], steps: [PLANLESS, fix(1, note(1))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'blocked', iterations: 1 })
      expect(result.reason).toContain('could not be analysed for iteration 2')
    },
  },
  {
    name: 'a failing final validation goes back into the loop', wrong: [1, 2], steps: [PLAN, assess('high'), fix(1, ...right(1, 2)), fix(2, note(2))], config: { test: { flakyRetries: 0 } },
    // Fails in its third run, which is the final one after the first fix.
    more: { 'tests/test_moody.py': 'import os\n\n\ndef test_moody():\n    file = os.path.join(os.environ["HOME_OF_MOODS"], "moods")\n    with open(file, "a") as f:\n        f.write("x")\n    assert os.path.getsize(file) != 3\n' },
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 2, passRate: 100 })
      expect(record(result, '.summaries/session-summary.md')).toContain('final validation failed')
    },
  },
  {
    name: 'a planned queue with dotted ids: tests written, checked, run', wrong: [], prepare: planned,
    steps: [
      { when: { role: 'code-developer' }, do: [{ write: { path: 'tests/test_more.py', text: 'from rows import ROWS\n\n\ndef test_all():\n    assert ROWS == list(range(20))\n' } }] },
      { when: { task: 'IMPL-001.3' }, do: [{ say: '```json\n{"critical":0,"error":0,"warning":1,"coverage":null,"anti_patterns":[],"issues":[]}\n```' }] },
      { when: { task: 'IMPL-001.5' }, do: [{ say: '```json\n{"critical":0,"error":0,"warning":0,"coverage":{"lines":100,"branches":100,"functions":100},"anti_patterns":[],"issues":[]}\n```' }] },
    ],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 0, passRate: 100 })
      expect(['IMPL-001', 'IMPL-001.3', 'IMPL-001.5', 'IMPL-002'].map((id) => taskOf(result, id)['status'])).toEqual(['completed', 'completed', 'completed', 'completed'])
      expect(json(result, '.process/test-results.json')).toMatchObject({ total: 21, passed: 21 })
      expect(runGit(result.recordDir ?? '', 'ls-tree', '-r', '--name-only', result.branch ?? '', ':/tests')).toContain('test_more.py')
    },
  },
]

const FILE_OF: Record<string, string> = { 'IMPL-001.3': 'IMPL-001.3-validation.json', 'IMPL-001.5': 'IMPL-001.5-review.json' }
const taskOf = (result: RunResult, id: string) => json(result, `.task/${FILE_OF[id] ?? `${id}.json`}`)

/** A session as another tool plans it. */
function planned(project: string): void {
  const dir = path.join(project, '.workflow/WFS-test-shop')
  mkdirSync(path.join(dir, '.task'), { recursive: true })
  mkdirSync(path.join(dir, '.process'))
  const put = (file: string, content: unknown) => writeFileSync(path.join(dir, file), typeof content === 'string' ? content : JSON.stringify(content))
  put('workflow-session.json', { session_id: 'WFS-test-shop', workflow_type: 'test_session', project: 'shop', status: 'planning', created_at: '2025-11-10T10:00:00+08:00' })
  put('IMPL_PLAN.md', '# Plan\n')
  put('TODO_LIST.md', '# Tasks\n')
  put('.process/TEST_ANALYSIS_RESULTS.md', '# Test analysis\n\nOne test for the whole table.\n')
  const task = (id: string, type: string, agent: string, depends: string[]) => ({ id, title: `Task ${id}`, status: 'pending', meta: { type, agent }, context: { requirements: ['do it'], depends_on: depends } })
  put('.task/IMPL-001.json', task('IMPL-001', 'test-gen', '@code-developer', []))
  put('.task/IMPL-001.3-validation.json', task('IMPL-001.3', 'code-validation', '@test-fix-agent', ['IMPL-001']))
  put('.task/IMPL-001.5-review.json', task('IMPL-001.5', 'test-quality-review', '@test-fix-agent', ['IMPL-001.3']))
  put('.task/IMPL-002.json', task('IMPL-002', 'test-fix', '@test-fix-agent', ['IMPL-001.5']))
}

describe('004 outcomes', () => {
  let ends: Promise<RunResult>[] = []

  // Side by side: each waits for agents and pytest most of the time.
  beforeAll(async () => {
    const runs: RunHandle[] = []
    for (const [n, { wrong, steps, config, more, prepare }] of CASES.entries()) {
      const home = path.join(user.root, `moods-${n}`)
      mkdirSync(home)
      const own = Object.fromEntries(Object.entries(more ?? {}).map(([file, text]) => [file, text.replace('os.environ["HOME_OF_MOODS"]', JSON.stringify(home))]))
      const project = makeProject(user, `outcome-${n}`, steps, config ?? {}, files(wrong, own))
      prepare?.(project)
      runs.push(await user.fix(project, 'WFS-test-shop'))
    }
    ends = runs.map((run) => user.finish(run))
    for (const end of ends) end.catch(() => undefined) // told by its own test
  })

  test.each(CASES.map(({ name, check }, n) => ({ name, check, n })))('$name', async ({ check, n }) => {
    check(await (ends[n] as Promise<RunResult>))
  })
})

// The other states to stop in are in test/crash/session.test.ts.
test('004 resume: a session that is stopped in its first test run goes on there, and no finished turn is bought twice', async () => {
  const dir = path.join(user.root, 'gates')
  mkdirSync(dir)
  const [hold, count, gate] = [path.join(dir, 'hold'), path.join(dir, 'count'), path.join(dir, 'tests')]
  // Test runs wait while the file is there.
  const conftest = `import os\nimport time\n\nwith open(${JSON.stringify(count)}, "a") as f:\n    f.write("x")\n\nwhile os.path.exists(${JSON.stringify(hold)}):\n    time.sleep(0.05)\n`
  const project = makeProject(user, 'resumed', [
    { when: { role: 'cli-planning-agent', task: 'IMPL-001' }, do: [{ say: `# Test plan\n\n${'One test for the sum of all rows of the table, in tests/test_sum.py. '.repeat(5)}` }] },
    { when: { role: 'cli-planning-agent' }, do: [{ say: analysis(['rows.py:ROWS:1-22'], ['tests/test_rows.py']) }] },
    { when: { role: 'code-developer' }, do: [{ wait: { 'until-file': gate } }, { write: { path: 'tests/test_sum.py', text: 'from rows import ROWS\n\n\ndef test_sum():\n    assert sum(ROWS) == 190\n' } }] },
    fix(1, ...right(1, 2)),
  ], {}, files([1, 2], { 'conftest.py': conftest }))
  const runs = () => (existsSync(count) ? readFileSync(count, 'utf8').length : 0)
  const roles = () => markers(user, 'resumed').map((m) => m.role)
  const start = () => user.fix(project, 'WFS-test-resumed', { generateTests: true })

  const run = await start()
  await waitFor(() => roles().includes('code-developer'), { what: 'the tests being written', timeoutMs: 60_000 })
  const written = runs() // the tests that were there have been measured
  writeFileSync(hold, '')
  writeFileSync(gate, '')
  await waitFor(() => runs() === written + 1, { what: 'the first test run', timeoutMs: 60_000 })
  await run.stop('enough')
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped' })
  expect(JSON.parse(readFileSync(path.join(project, '.workflow/WFS-test-resumed/.process/iteration-state.json'), 'utf8'))).toMatchObject({ next_action: 'test' })

  rmSync(hold)
  expect(await user.finish(await start())).toMatchObject({ outcome: 'success', iterations: 1, passRate: 100 })
  expect(roles()).toEqual(['cli-planning-agent', 'code-developer', 'cli-planning-agent', 'test-fix-agent'])
})
