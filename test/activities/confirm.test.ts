// Canaries with real runners: honest results are confirmed, forged ones refuted, and undecided
// canaries do neither. Other runners are in test/exhaustive/activities/confirm.test.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { commitStep } from '../../src/adapters/git/steps.js'
import { layout, projectKey } from '../../src/adapters/state-dir.js'
import { activityOf, ownWorkspace } from '../support/hosts/activity-run.js'
import { refs, runGit, writeFiles, gitOf, type Files } from '../support/repositories/repos.js'
import { confirmed, type Case } from '../support/runs/confirmed.js'
import { testHost } from '../support/test-host.js'

const PYTEST: Case = {
  name: 'pytest',
  testFile: 'tests/test_calc.py',
  files: {
    'calc/__init__.py': '',
    'calc/sum.py': 'def add(a, b):\n    return a - b\n',
    'pytest.ini': '[pytest]\npythonpath = .\n',
    '.gitignore': '__pycache__\n.pytest_cache\n',
    'tests/test_calc.py':
      'from calc.sum import add\n\n\nclass TestAdd:\n    def test_add(self):\n        """Adds."""\n        assert add(1, 2) == 3\n\n\ndef test_zero(): assert add(1, 0) == 1\n',
  },
  fix: { 'calc/sum.py': 'def add(a, b):\n    return a + b\n' },
  forged: {
    'calc/__init__.py':
      'import _pytest.python\n\n_pytest.python.Function.runtest = lambda self: None\n',
  },
}
const NODE: Case = {
  name: 'node --test',
  testFile: 'sum.test.js',
  files: {
    'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
    'sum.js': 'export const add = (a, b) => a - b\n',
    'sum.test.js':
      "import assert from 'node:assert'\nimport { describe, it } from 'node:test'\nimport { add } from './sum.js'\n\ndescribe('sum', () => {\n  it('adds', () => assert.equal(add(1, 2), 3))\n  it('adds zero', async () => {\n    assert.equal(add(1, 0), 1)\n  })\n})\n",
  },
  fix: { 'sum.js': 'export const add = (a, b) => a + b\n' },
  forged: {
    'sum.js':
      "import assert from 'node:assert'\nassert.equal = () => undefined\nexport const add = (a, b) => a - b\n",
  },
}
describe.each([PYTEST, NODE])('$name', ({ files, fix, forged, testFile }) => {
  test('confirms an honest fix and restores the test file', async () => {
    const {
      verdict,
      host: { workspace },
    } = await confirmed(files, fix)
    expect(verdict).toEqual({ verdict: 'confirmed' })
    expect(readFileSync(path.join(workspace.root, testFile), 'utf8')).toBe(files[testFile])
    expect(runGit(workspace.root, 'status', '--porcelain')).toBe('')
    expect(
      Object.keys(refs(gitOf(workspace))).filter((ref) => ref.startsWith('refs/ratchet/')),
    ).toEqual([])
  })

  test('forged results are refuted', async () => {
    expect((await confirmed(files, forged)).verdict).toEqual({
      verdict: 'refuted',
      files: [testFile],
    })
  })
})

test('a forged assertion of any name is refuted', async () => {
  const files = {
    ...NODE.files,
    'sum.test.js':
      "import assert from 'node:assert'\nimport { it } from 'node:test'\nimport { add } from './sum.js'\n\nit('adds', () => assert.notEqual(add(1, 2), -1))\n",
  }
  expect(
    (
      await confirmed(files, {
        'sum.js':
          "import assert from 'node:assert'\nassert.notEqual = () => undefined\nexport const add = (a, b) => a - b\n",
      })
    ).verdict,
  ).toEqual({ verdict: 'refuted', files: ['sum.test.js'] })
})

describe('neither', () => {
  test('the first measured commit is forged as well', async () => {
    expect(
      (await confirmed(PYTEST.files, PYTEST.forged, { baselineOf: 'commit' })).verdict,
    ).toEqual({
      verdict: 'unconfirmed',
      reason: expect.stringContaining('tests/test_calc.py') as string,
    })
  })

  test('the project swallows failures, also at the start', async () => {
    const lenient =
      'from calc.sum import add\n\n\ndef lenient(check):\n    def wrapped():\n        try:\n            check()\n        except AssertionError:\n            pass\n    return wrapped\n\n\n@lenient\ndef test_add():\n    assert add(1, 2) == 3\n'
    const { verdict } = await confirmed(
      {
        ...PYTEST.files,
        'calc/sum.py': 'def add(a):\n    return a\n',
        'tests/test_calc.py': lenient,
      },
      PYTEST.fix,
    )
    expect(verdict).toEqual({
      verdict: 'unconfirmed',
      reason: expect.stringContaining('not known to be reported at the start') as string,
    })
  })

  test('the suite does not start with a canary in it', async () => {
    const conftest =
      "import hashlib\nimport pathlib\n\nTEXT = pathlib.Path(__file__).parent.joinpath('test_calc.py').read_text()\nassert 'raise Assert' not in TEXT, 'the tests were changed'\n"
    expect(
      (await confirmed({ ...PYTEST.files, 'tests/conftest.py': conftest }, PYTEST.fix)).verdict,
    ).toEqual({
      verdict: 'unconfirmed',
      reason: expect.stringContaining('do not run with a canary') as string,
    })
  })

  test('no test body is found', async () => {
    const made =
      'from calc.sum import add\n\ndef check():\n    assert add(1, 2) == 3\n\n\ntest_add = lambda: check()\n'
    expect(
      (await confirmed({ ...PYTEST.files, 'tests/test_calc.py': made }, PYTEST.fix)).verdict,
    ).toEqual({
      verdict: 'unconfirmed',
      reason: 'no canary can be written into tests/test_calc.py',
    })
  })

  test('nothing is reported at the start either, as the test set-up ends a run with a canary in it', async () => {
    const ends =
      "import os\nimport pathlib\n\nif 'raise Assert' in pathlib.Path(__file__).parent.joinpath('test_calc.py').read_text():\n    os._exit(3)\n"
    expect(
      (await confirmed({ ...PYTEST.files, 'tests/conftest.py': ends }, PYTEST.fix)).verdict,
    ).toMatchObject({ verdict: 'unconfirmed' })
  })

  test('a test is skipped, or fails before its first statement', async () => {
    const late =
      'import os\nimport pytest\nfrom calc.sum import add\n\n\n@pytest.fixture(autouse=True)\ndef early():\n    changed = open(__file__).read().count("raise") > 1\n    assert not changed\n\n\ndef test_add():\n    assert add(1, 2) == 3\n'
    expect(
      (await confirmed({ ...PYTEST.files, 'tests/test_calc.py': late }, PYTEST.fix)).verdict,
    ).toEqual({
      verdict: 'unconfirmed',
      reason:
        'a test with a canary in tests/test_calc.py was skipped, or failed for another reason',
    })
  })
})

/** Far more than these tests need. */
const HANGS_MS = 6_000

const SWALLOWS = (otherwise: string): Files => ({
  'calc/__init__.py': `import os\nimport _pytest.python\n\nrun = _pytest.python.Function.runtest\n\n\ndef runtest(self):\n    try:\n        run(self)\n    except BaseException as error:\n        if 'add(' not in str(error) and 'assert ' not in str(error):\n            ${otherwise}\n\n\n_pytest.python.Function.runtest = runtest\n`,
})

test.each([
  ['raises another error', "raise OSError('no room') from None"],
  ['ends the process', 'os._exit(3)'],
  ['hangs', "__import__('time').sleep(600)"],
])('code that swallows known failures, and with a canary %s, is refuted', async (_, otherwise) => {
  expect(
    (await confirmed(PYTEST.files, SWALLOWS(otherwise), { timeoutMs: HANGS_MS })).verdict,
  ).toEqual({ verdict: 'refuted', files: [PYTEST.testFile] })
})

test('a suite that hangs with a canary in it, also at the start, is unconfirmed', async () => {
  const hangs =
    "import pathlib\nimport time\n\nif 'raise Assert' in pathlib.Path(__file__).parent.joinpath('test_calc.py').read_text():\n    time.sleep(600)\n"
  const files = { ...PYTEST.files, 'tests/conftest.py': hangs }
  expect((await confirmed(files, PYTEST.fix, { timeoutMs: HANGS_MS })).verdict).toMatchObject({
    verdict: 'unconfirmed',
  })
})

test('a runner whose exit code says the contrary is still believed about a canary that it reports', async () => {
  const { verdict } = await confirmed(PYTEST.files, {
    ...PYTEST.fix,
    'calc/__init__.py': 'import atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n',
  })
  expect(verdict).toEqual({ verdict: 'confirmed' })
})

test('early, with a runner that cannot select files, nothing runs: the end of the run confirms', async () => {
  const { host, verdict } = await confirmed(
    {
      ...NODE.files,
      'package.json': '{"type":"module","scripts":{"test":"node --test sum.test.js"}}',
    },
    NODE.fix,
  )
  expect(verdict).toEqual({ verdict: 'confirmed' })
  const now = await host.measure({ step: 'again' })
  if (now.kind !== 'measured') throw new Error(now.reason)
  expect(await host.confirm({ head: now.commit, results: now.results, early: true })).toEqual({
    verdict: 'later',
  })
})

test('early, with one that can, a forged result is refuted as at the end', async () => {
  expect((await confirmed(PYTEST.files, PYTEST.forged, { early: true })).verdict).toEqual({
    verdict: 'refuted',
    files: [PYTEST.testFile],
  })
})

test('in place no canary is written into user files', async () => {
  const { dirs, run, project, workspace, measure, confirm } = await testHost(PYTEST.files)
  const now = await measure()
  if (now.kind !== 'measured') throw new Error(now.reason)
  const keep = layout.workspace(dirs, projectKey(project), 'WFS-test-in-place')
  const own = { ...workspace, root: project, cwd: project, keep, isolation: 'in-place' as const }
  await ownWorkspace({ dirs, workspace: own }, run)
  expect(await confirm({ head: workspace.base, results: now.results, workspace: own })).toEqual({
    verdict: 'unconfirmed',
    reason: 'in place, no canary is written into your files',
  })
})

test('an aborted confirmation leaves the tree at its commit', async () => {
  const slow: Files = {
    ...PYTEST.files,
    'tests/conftest.py':
      "import pathlib\nimport time\n\nif 'raise Assert' in pathlib.Path(__file__).parent.joinpath('test_calc.py').read_text():\n    time.sleep(60)\n",
  }
  const host = await testHost(slow)
  const activity = activityOf(host.run)
  let beats = 0
  activity.on('heartbeat', () => {
    if (++beats === 4) activity.cancel()
  })
  const first = await host.measure()
  if (first.kind !== 'measured') throw new Error(first.reason)
  writeFiles(host.workspace.root, PYTEST.fix)
  const { head } = await commitStep(
    {
      workspace: host.workspace,
      run: 'WFS-test-x.000000',
      step: 'fix',
      expectHead: host.workspace.base,
      at: Date.now(),
      subject: 'fix',
    },
    () => false,
  )
  const now = await host.measure({ step: 'after', commit: head, baseline: first.results })
  if (now.kind !== 'measured') throw new Error(now.reason)
  await expect(
    host.confirm({ head, results: now.results, baseline: first.results }, activity),
  ).rejects.toThrow()
  expect(readFileSync(path.join(host.workspace.root, 'tests/test_calc.py'), 'utf8')).toBe(
    slow['tests/test_calc.py'],
  )
})
