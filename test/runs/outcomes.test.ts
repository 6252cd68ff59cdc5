// Outcomes of a session and points of its resume, each in a run with git, pytest and the scripted
// agent. Those of kept fixes are in test/runs/outcomes-of-fixes.test.ts.
import { planFollowUp } from '../../src/adapters/records/test-fix/follow-up-session.js'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  assess,
  files,
  fix,
  json,
  note,
  PLAN,
  PLANLESS,
  record,
  right,
  testOutcomes,
  type Case,
} from '../support/runs/outcomes.js'
import { analysis, makeProject, markers } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const CASES: Case[] = [
  {
    name: '95 % with a high failure: the fix loop',
    wrong: [3],
    steps: [assess('high'), PLAN, fix(1, ...right(3))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', passRate: 100, iterations: 1 })
      expect(
        existsSync(path.join(result.recordDir ?? '', '.process/iteration-1-analysis.md')),
      ).toBe(true)
    },
  },
  {
    name: '95 % with a high failure at the end of the budget: failed',
    wrong: [3],
    steps: [assess('high'), PLAN, fix(1, note(1))],
    config: { limits: { maxIterations: 1 } },
    check(result) {
      expect(result).toMatchObject({
        outcome: 'failed',
        status: 'failed',
        passRate: 95,
        iterations: 1,
      })
      expect(result.reason).toContain('1 high')
      expect(record(result, '.summaries/failure-report.md')).toContain('test_row[3]')
    },
  },
  {
    name: 'stuck, switched, stuck again: blocked with the report',
    wrong: [1, 2],
    steps: [PLAN, fix(1, note(1)), fix(2, note(2)), fix(3, note(3)), fix(4, note(4))],
    check(result) {
      expect(result).toMatchObject({
        outcome: 'blocked',
        status: 'failed',
        passRate: 90,
        iterations: 3,
      })
      expect(result.history.at(-1)).toMatchObject({ strategy: 'reflective', stuck: 2 })
      expect(record(result, '.summaries/failure-report.md')).toMatch(/stuck/i)
    },
  },
  {
    name: 'a degraded analysis is accepted in iteration 1 and reported',
    wrong: [1],
    steps: [PLANLESS, assess('high'), fix(1, ...right(1))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
      expect(result.history[1]).toMatchObject({ analysis: 'degraded' })
      expect(record(result, '.summaries/session-summary.md')).toMatch(/degraded/i)
      expect(json(result, '.task/IMPL-fix-1.json')).toMatchObject({
        meta: { analysis_quality: 'degraded' },
      })
    },
  },
  {
    name: 'a degraded analysis without progress: blocked',
    wrong: [1, 2],
    steps: [PLANLESS, fix(1, note(1))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'blocked', iterations: 1 })
      expect(result.reason).toContain('no agent gave a usable analysis in two iterations in a row')
    },
  },
  {
    name: 'a test that passes in the retest and fails in the final validation is flaky: partial success',
    wrong: [1, 2],
    steps: [PLAN, fix(1, ...right(1, 2))],
    config: { test: { flakyRetries: 0 } },
    // Fails in its third run, the final run of the same commit.
    more: {
      'tests/test_moody.py':
        'import os\n\n\ndef test_moody():\n    file = os.path.join(os.environ["HOME_OF_MOODS"], "moods")\n    with open(file, "a") as f:\n        f.write("x")\n    assert os.path.getsize(file) != 3\n',
    },
    check(result) {
      expect(result).toMatchObject({
        outcome: 'partial_success',
        iterations: 1,
        passRate: 100,
        reviewNeeded: true,
        reason: expect.stringContaining('test_moody') as string,
      })
    },
  },
]

describe('outcomes', () => testOutcomes(() => user, CASES))

// Stops in other states are in test/crash/session.test.ts.
test('resume: a session stopped in its first test run continues there, and buys no finished turn twice', async () => {
  const dir = path.join(user.root, 'gates')
  mkdirSync(dir)
  const [hold, count, gate] = [
    path.join(dir, 'hold'),
    path.join(dir, 'count'),
    path.join(dir, 'tests'),
  ]
  // Test runs wait while the file is there.
  const conftest = `import os\nimport time\n\nwith open(${JSON.stringify(count)}, "a") as f:\n    f.write("x")\n\nwhile os.path.exists(${JSON.stringify(hold)}):\n    time.sleep(0.05)\n`
  const project = makeProject(
    user,
    'resumed',
    // prettier-ignore
    [
    { when: { role: 'cli-planning-agent', task: 'IMPL-001' }, do: [{ say: `# Test plan\n\n${'One test for the sum of all rows of the table, in tests/test_sum.py. '.repeat(5)}` }] },
    { when: { role: 'cli-planning-agent' }, do: [{ say: analysis(['rows.py:ROWS:1-22'], ['tests/test_rows.py']) }] },
    { when: { role: 'code-developer' }, do: [{ wait: { 'until-file': gate } }, { write: { path: 'tests/test_sum.py', text: 'from rows import ROWS\n\n\ndef test_sum():\n    assert sum(ROWS) == 190\n' } }] },
    fix(1, ...right(1, 2)),
  ],
    {},
    files([1, 2], { 'conftest.py': conftest }),
  )
  const runs = () => (existsSync(count) ? readFileSync(count, 'utf8').length : 0)
  const roles = () => markers(user, 'resumed').map((m) => m.role)
  const session = await planFollowUp(
    project,
    { number: 1, kind: 'test', text: 'Test the sum', session: 'WFS-test-before' },
    { now: Date.now(), offset: '+00:00' },
  )
  const start = () => user.fix(project, session)

  const run = await start()
  await waitFor(() => roles().includes('code-developer'), {
    what: 'the tests being written',
    timeoutMs: 60_000,
  })
  const written = runs() // the existing tests have been measured
  writeFileSync(hold, '')
  writeFileSync(gate, '')
  await waitFor(() => runs() === written + 1, { what: 'the first test run', timeoutMs: 60_000 })
  await run.stop('enough')
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped' })
  expect(
    JSON.parse(
      readFileSync(
        path.join(project, '.workflow', session, '.process/iteration-state.json'),
        'utf8',
      ),
    ),
  ).toMatchObject({ next_action: 'test' })

  rmSync(hold)
  expect(await user.finish(await start())).toMatchObject({
    outcome: 'success',
    iterations: 1,
    passRate: 100,
  })
  expect(roles()).toEqual([
    'cli-planning-agent',
    'code-developer',
    'cli-planning-agent',
    'test-fix-agent',
  ])
})
