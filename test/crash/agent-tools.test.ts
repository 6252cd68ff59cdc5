// kill -9 of a worker whose agent has the tests run: the next worker ends them, the agent gets its
// tools again, its runs stay counted, and what the tests left in its tree is in no commit.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MARKERS } from '../../src/contract/names.js'
import { findMarked } from '../../src/adapters/process/find.js'
import { filesIn, runGit } from '../support/repositories/repos.js'
import { CALCULATOR, realUser, type RealUser } from '../support/runs/real-run.js'
import { toldIn, withTools } from '../support/runs/tool-runs.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

const RIGHT = 'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b\n'

test('the agent worker killed in a test run of its agent', async () => {
  const [pids, go] = [path.join(user.root, 'tests.pid'), path.join(user.root, 'tests.go')]
  // Slow in the agent's tree only, until it may be quick: writes, changes and removes files there
  const conftest = `import os, time\nif os.path.exists('slow') and not os.path.exists('${go}'):\n    open('left.txt', 'w').write('left')\n    open('notes.txt', 'w').write('changed')\n    os.remove('kept.txt')\n    open('${pids}', 'w').write(str(os.getpid()))\n    time.sleep(600)\n`
  const project = withTools(
    user,
    'killed',
    [
      { write: 'slow', text: '' },
      { call: 'run_tests' },
      { write: 'calc.py', text: RIGHT },
      { call: 'run_tests' },
      { call: 'diff' },
    ],
    {
      files: { ...CALCULATOR, 'kept.txt': 'kept', 'conftest.py': conftest },
      limits: { agentTestRuns: 2 },
    },
  )
  const run = await user.fix(project, 'WFS-test-killed')
  await waitFor(() => existsSync(pids) && readFileSync(pids, 'utf8') !== '', {
    what: 'the test run of the agent',
    timeoutMs: 90_000,
  })
  const slow = Number(readFileSync(pids, 'utf8'))
  writeFileSync(go, '')
  process.kill(await user.pidOf('project'), 'SIGKILL')
  const result = await user.finish(run)
  expect(result).toMatchObject({ outcome: 'success', iterations: 1 })
  const { told, result: turn } = toldIn(user.dirs, run.id)
  // The first run of two died with the worker: one was left
  expect(told.map(({ tool, isError }) => [tool, isError])).toEqual([
    ['run_tests', false],
    ['run_tests', true],
    ['diff', false],
  ])
  const branch = result.branch ?? ''
  expect(runGit(project, 'diff', '--name-only', `${branch}~1`, branch).trim()).toBe('calc.py\nslow')
  expect(filesIn(project, branch)['calc.py']).toBe(RIGHT)
  expect(turn).toMatchObject({ attempts: 2, crashes: 1, tests: { runs: 2 } })
  expect(() => process.kill(slow, 0)).toThrow('ESRCH')
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
})
