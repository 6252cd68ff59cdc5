// The activity that runs the tests: in which tree and environment, and what it leaves behind.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { testRunsDir } from '../../src/adapters/test-runners/stored-run.js'
import { StoredRun } from '../../src/contract/test-run.js'
import { runGit, type Files } from '../support/repositories/repos.js'
import { testHost as host } from '../support/test-host.js'

const FILES: Files = {
  'src/calc.py': 'def add(a, b):\n    return a + b\n',
  'tests/test_calc.py': [
    'import os',
    'import calc',
    '',
    '',
    'def test_add():',
    '    assert calc.add(1, 2) == 3',
    '',
    '',
    'def test_tree():',
    '    open("debris.txt", "w").close()',
    '    assert os.path.realpath(calc.__file__).startswith(os.path.realpath(os.getcwd()))',
    '',
  ].join('\n'),
  'pytest.ini': '[pytest]\n',
}

function* filesIn(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) yield* filesIn(path.join(dir, entry.name))
    else yield path.join(dir, entry.name)
  }
}

test("tests see the workspace, though PYTHONPATH leads into the user's tree", async () => {
  const { measure } = await host(FILES, (project) => ({ PYTHONPATH: path.join(project, 'src') }))
  expect(await measure()).toMatchObject({ kind: 'measured', passed: 2, total: 2 })
})

test('measures the commit even in a dirty tree, and leaves the tree at that commit', async () => {
  const { workspace, measure } = await host(FILES, (project) => ({
    PYTHONPATH: path.join(project, 'src'),
  }))
  writeFileSync(path.join(workspace.cwd, 'src/calc.py'), 'def add(a, b):\n    return 7\n')
  mkdirSync(path.join(workspace.cwd, 'stray'))
  writeFileSync(
    path.join(workspace.cwd, 'stray/test_more.py'),
    'def test_more():\n    assert False\n',
  )
  expect(await measure()).toMatchObject({
    kind: 'measured',
    passed: 2,
    total: 2,
    commit: workspace.base,
  })
  expect(existsSync(path.join(workspace.cwd, 'debris.txt'))).toBe(false)
  expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
})

test('ends agents first, and does not measure what they write until then', async () => {
  const ended: string[] = []
  const { workspace, measure } = await host(
    FILES,
    (project) => ({ PYTHONPATH: path.join(project, 'src') }),
    {
      endWorkspace({ cwd }) {
        ended.push(cwd)
        writeFileSync(path.join(cwd, 'src/calc.py'), 'def add(a, b):\n    return 7\n')
        return Promise.resolve()
      },
    },
  )
  expect(await measure()).toMatchObject({ kind: 'measured', passed: 2, total: 2 })
  expect(ended).toEqual([workspace.cwd])
})

test('at most five failures enter the history, the results file has all', async () => {
  const eight = Array.from(
    { length: 8 },
    (_, n) => `def test_${n}():\n    assert ${n} == -1\n`,
  ).join('\n')
  const { measure } = await host({ 'test_eight.py': eight })
  const run = await measure()
  if (run.kind !== 'measured') throw new Error(run.reason)
  expect(run).toMatchObject({ failed: 8, failuresTotal: 8 })
  expect(run.failures).toHaveLength(5)
  expect(StoredRun.parse(JSON.parse(readFileSync(run.results.path, 'utf8'))).tests).toHaveLength(8)
})

test.each(
  // prettier-ignore
  [
  { why: 'the error, the name and the output of a test', files: { 'test_key.py': 'import os\nimport pytest\n\n@pytest.mark.parametrize("key", [os.environ["PLANTED_KEY"]])\ndef test_key(key):\n    print(key)\n    raise Exception(key)\n' }, kind: 'measured' },
  { why: 'the error that kept the tests from starting', files: { 'test_key.py': 'import os\nraise Exception(os.environ["PLANTED_KEY"])\n' }, kind: 'not_started' },
],
)('tests get the keys that agents get; $why hold none of them', async ({ files, kind }) => {
  const KEY = 'sk-planted-0123456789abcdef'
  const config = {
    agents: { mine: { protocol: 'acp', command: 'mine', passEnv: ['PLANTED_KEY'] } },
    test: { command: 'python3 -m pytest' },
  }
  const { project, workspace, measure } = await host(
    { ...files, 'ratchet.config.json': JSON.stringify(config) },
    () => ({ PLANTED_KEY: KEY }),
  )
  const run = await measure()
  expect(run.kind).toBe(kind)
  expect(JSON.stringify(run)).toContain('[redacted:PLANTED_KEY]')
  expect(JSON.stringify(run)).not.toContain(KEY)
  const kept = [...filesIn(testRunsDir(workspace))]
  expect(kept.length).toBeGreaterThan(1)
  for (const file of kept)
    expect(readFileSync(file, 'utf8'), path.relative(project, file)).not.toContain(KEY)
})

test('a compared run has the configured criticality, and builds on the last full run', async () => {
  const { measure } = await host({
    'test_a.py': 'def test_auth():\n    assert False\n\ndef test_b():\n    assert False\n',
    'ratchet.config.json': JSON.stringify({
      test: { command: 'python3 -m pytest', criticality: [{ match: 'auth', level: 'low' }] },
    }),
  })
  const first = await measure({ compare: { lastKept: true } })
  if (first.kind !== 'measured') throw new Error(first.reason)
  expect(first.comparison).toMatchObject({
    levels: { high: 1, medium: 0, low: 1, undecided: 1, barring: 0 },
    stuck: 0,
    stuckTests: [],
    broken: 0,
  })
  const second = await measure({
    step: 'again',
    baseline: first.results,
    compare: { lastKept: true, before: first.results, lastFull: first.results },
  })
  expect(second).toMatchObject({
    failures: [
      { test: 'test_auth', streak: 2, criticality: 'low', source: 'config' },
      { test: 'test_b', streak: 2, criticality: 'high', source: 'default' },
    ],
    comparison: { similarity: 1 },
  })
})
