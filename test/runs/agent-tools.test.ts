// An agent tests its own work: runs with git, pytest, the real relay and the worker's own test runs.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import { MARKERS } from '../../src/contract/names.js'
import { findMarked } from '../../src/adapters/process/find.js'
import { installedComponents } from '../../src/adapters/sandbox/find-component.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { filesIn, runGit } from '../support/repositories/repos.js'
import { CALCULATOR } from '../support/runs/real-run.js'
import { toldIn, withTools } from '../support/runs/tool-runs.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const RIGHT = 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n'
const TEST = 'tests/test_calc.py'
const WORK = [
  { call: 'failures' },
  { call: 'run_tests' },
  { write: 'calc.py', text: RIGHT },
  { call: 'run_tests', args: { files: [TEST] } },
  { call: 'diff' },
]
/** Its tests leave a file, and change one that is tracked. */
const LITTERING = {
  ...CALCULATOR,
  'conftest.py': "open('left.txt', 'w').write('left')\nopen('notes.txt', 'a').write('more')\n",
}

test('it sees red, repairs, sees green; the tests leave nothing in its commit, and the runs are in the report', async () => {
  const project = withTools(user, 'seen', WORK, { files: LITTERING })
  const { document } = await user.json<RunResult>(project, 'fix')
  expect(document).toMatchObject({ outcome: 'success', iterations: 1, passRate: 100 })
  const { told, result } = toldIn(user.dirs, document.id)
  expect(told.map(({ tool, isError }) => [tool, isError])).toEqual(
    WORK.flatMap((step) => ('call' in step ? [[step.call, false]] : [])),
  )
  expect(told[0]?.text).toMatch(/2 failing tests in the run before this turn[^]*test_add/)
  expect(told[1]?.text).toMatch(/^1 passed, 2 failed\.[^]*restored[^]*left\.txt[^]*test_mul/)
  expect(told[2]?.text).toMatch(/^3 passed, 0 failed\./)
  expect(told[3]?.text).toContain('+    return a * b')
  expect(told[3]?.text).not.toContain('notes.txt')
  expect(result.tests?.runs).toBe(2)
  expect(result.tests?.ms).toBeGreaterThan(0)
  const branch = document.branch ?? ''
  expect(filesIn(project, branch)['calc.py']).toBe(RIGHT)
  expect(runGit(project, 'diff', '--name-only', `${branch}~1`, branch).trim()).toBe('calc.py')
  expect(runGit(project, 'log', '--all', '--name-only', '--format=')).not.toContain('.ratchet')
  const report = await user.run(project, 'report', document.id, '--format', 'json')
  expect(JSON.parse(report.stdout)).toMatchObject({
    turns: expect.arrayContaining([
      expect.objectContaining({ role: 'test-fix-agent', tests: result.tests }),
    ]) as unknown,
  })
})

test("an agent's green run decides nothing: what it changed in the tests is restored before Ratchet measures", async () => {
  const project = withTools(
    user,
    'claimed',
    [{ write: TEST, text: 'def test_add():\n    pass\n' }, { call: 'run_tests' }],
    { limits: { maxIterations: 1 } },
  )
  const { document } = await user.json<RunResult>(project, 'fix')
  expect(toldIn(user.dirs, document.id).told[0]?.text).toMatch(/^1 passed, 0 failed\./)
  expect(document.outcome).not.toBe('success')
  expect(document.passRate).toBeCloseTo(33.3, 0)
})

test('a stop ends a test run of an agent with all of its processes', async () => {
  const started = path.join(user.root, 'slow.started')
  const project = withTools(user, 'slow', [{ write: 'slow', text: '' }, { call: 'run_tests' }], {
    files: {
      ...CALCULATOR,
      'conftest.py': `import os, subprocess, time\nif os.path.exists('slow'):\n    subprocess.Popen(['sleep', '600'], start_new_session=True)\n    open('${started}', 'w').close()\n    time.sleep(600)\n`,
    },
  })
  const run = user.start(project, ['fix'])
  await waitFor(() => existsSync(started), { what: 'the test run', timeoutMs: 60_000 })
  const { document } = await user.json<{ runs: { id: string }[] }>(project, 'status')
  const id = document.runs[0]?.id as string
  const stopped = await user.run(project, 'stop', id)
  expect(stopped.exitCode).toBe(0)
  await run.ended
  expect(findMarked(MARKERS.run, id)).toEqual([])
})

test.runIf(installedComponents(process.env).some(({ component }) => component === 'bwrap'))(
  'in a sandbox, where the agent cannot reach the worker, its calls do',
  async () => {
    const project = withTools(user, 'enclosed', WORK, { sandbox: 'bwrap' })
    const { document } = await user.json<RunResult>(project, 'fix')
    expect(document).toMatchObject({ outcome: 'success', iterations: 1 })
    expect(toldIn(user.dirs, document.id).told.map(({ isError }) => isError)).toEqual(
      new Array(4).fill(false),
    )
  },
)
