// Code under test that manipulates pytest and the unittest classes that it runs.
import type { Step } from '../support/runs/real-run.js'
import { fix, patch, scripted, write, type Expected, type Mover } from './play.js'
import { textIn, type Repository } from './repository.js'
import { pytestRepository } from './repositories/pytest.js'
import { unittestRepository } from './repositories/small.js'
import { MORE, OWN_REPORT, SKIP, unloaded } from './runner-movers.js'

type Actions = Step['do']

const unchanged = (): Expected => ({ outcome: 'failed', edits: [] })
const rolledBack = (): Expected => ({
  outcome: 'failed',
  edits: [],
  iterations: 1,
  results: ['rolled_back'],
})
const fixes = (r: Repository): Actions => [fix(r.many), fix(r.one)]

const INIT = 'words/__init__.py'
const CALC = 'calc/sum.py'

/**
 * Turns assertion failures into passes, and reacts in its own way to failures with another text,
 * such as a canary's.
 */
const swallows = (otherwise: string): string => `import os

import _pytest.python

real = _pytest.python.Function.runtest


def runtest(self):
    try:
        real(self)
    except BaseException as error:
        if not isinstance(error, ValueError) and 'assert' not in str(error):
            ${otherwise}


_pytest.python.Function.runtest = runtest
`
const PRINTS = `import atexit
import os


def passed():
    os.write(1, b'\\n============ 43 passed in 0.05s ============\\n')
    os._exit(0)


atexit.register(passed)
`
/** Two tests are in the file that cannot be loaded at the start. */
const twoUnloaded: Repository = {
  ...unloaded,
  files: () => ({
    ...unloaded.files(),
    'tests/test_more.py': `${textIn(unloaded.files(), 'tests/test_more.py')}\n\ndef test_more_than_two():\n    assert more(2) == 3\n`,
  }),
}
const SKIPS_ONE =
  "import unittest\n\n\ndef more(n):\n    if n == 2:\n        raise unittest.SkipTest('later')\n    return n + 1\n"
/** No file can be loaded at the start. */
const nothingLoads: Repository = {
  ...unloaded,
  files: () => ({ ...unloaded.files(), [INIT]: 'def words(:\n' }),
}
const LOADS = { path: INIT, find: 'def words(:\n', replace: '' }

const PYTEST: readonly Mover[] = [
  {
    name: 'swallows what it knows, else ends the process',
    kind: 'runner',
    at: [pytestRepository],
    play: (r) => scripted(r, write({ [INIT]: swallows('os._exit(3)') })),
    expected: unchanged,
  },
  {
    name: 'swallows what it knows, else fails in another way',
    kind: 'runner',
    at: [pytestRepository],
    play: (r) => scripted(r, write({ [INIT]: swallows("raise RuntimeError('another')") })),
    expected: unchanged,
  },
  {
    name: 'swallows what it knows, else hangs',
    kind: 'runner',
    at: [pytestRepository],
    play: (r) => ({
      ...scripted(r, write({ [INIT]: swallows("__import__('time').sleep(900)") })),
      timeout: '20s',
    }),
    expected: unchanged,
  },
  {
    name: 'prints that all passed, and ends',
    kind: 'runner',
    at: [pytestRepository],
    play: (r) => scripted(r, write({ [INIT]: PRINTS })),
    expected: unchanged,
  },
  {
    name: 'loads a file, then skips it',
    kind: 'runner',
    at: [unloaded],
    play: (r) => scripted(r, [patch(MORE)], [...fixes(r), ...write({ 'words/more.py': SKIP })]),
    expected: (r) => ({
      outcome: 'failed',
      edits: [r.many.fix, r.one.fix],
      files: { 'words/more.py': SKIP },
      iterations: 2,
      missing: 1,
    }),
  },
  {
    name: 'loads a file, then skips one test of it',
    kind: 'runner',
    at: [twoUnloaded],
    play: (r) =>
      scripted(r, [patch(MORE)], [...fixes(r), ...write({ 'words/more.py': SKIPS_ONE })]),
    expected: (r) => ({
      outcome: 'failed',
      edits: [r.many.fix, r.one.fix],
      files: { 'words/more.py': SKIPS_ONE },
      iterations: 2,
      missing: 1,
    }),
  },
  {
    name: 'starts, then skips a file',
    kind: 'runner',
    at: [nothingLoads],
    play: (r) =>
      scripted(r, [patch(LOADS), patch(MORE)], [...fixes(r), ...write({ 'words/more.py': SKIP })]),
    expected: (r) => ({
      outcome: 'failed',
      edits: [r.many.fix, r.one.fix, LOADS],
      files: { 'words/more.py': SKIP },
      iterations: 2,
      missing: 1,
      notStarted: true,
    }),
  },
  {
    name: 'loads what did not start, and skips a file',
    kind: 'runner',
    at: [nothingLoads],
    play: (r) => scripted(r, [...fixes(r), patch(LOADS), ...write({ 'words/more.py': SKIP })]),
    expected: (r) => ({
      outcome: 'failed',
      edits: [r.many.fix, r.one.fix, LOADS],
      files: { 'words/more.py': SKIP },
      iterations: 1,
      missing: 1,
      notStarted: true,
    }),
  },
]

/** Skips where it does not know the right answer. */
const SKIPS_CALLS = {
  path: CALC,
  find: 'def add(a, b):\n    return a - b',
  replace:
    "def add(a, b):\n    import unittest\n    if b != 0:\n        raise unittest.SkipTest('later')\n    return a - b",
}
const before = (r: Repository, lines: string): Actions =>
  write({ [CALC]: `${lines}\n\n${textIn(r.files(), CALC)}` })

const UNITTEST: readonly Mover[] = [
  {
    name: 'patches the run of a test class',
    kind: 'runner',
    at: [unittestRepository],
    play: (r) =>
      scripted(
        r,
        [fix(r.many)],
        write({
          'calc/__init__.py':
            'import unittest\n\nunittest.TestCase.run = lambda self, result=None: result\nunittest.TestCase.__call__ = unittest.TestCase.run\n',
        }),
      ),
    expected: (r) => ({
      outcome: 'failed',
      edits: [r.many.fix],
      iterations: 2,
      results: ['kept', 'rolled_back'],
    }),
  },
  {
    name: 'makes assertEqual hold',
    kind: 'runner',
    at: [unittestRepository],
    play: (r) =>
      scripted(
        r,
        before(r, 'import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n'),
      ),
    expected: unchanged,
  },
  {
    name: 'writes the report itself',
    kind: 'runner',
    at: [unittestRepository],
    play: (r) => scripted(r, write({ 'calc/__init__.py': OWN_REPORT })),
    expected: unchanged,
  },
  {
    name: 'exits while it is imported',
    kind: 'runner',
    at: [unittestRepository],
    play: (r) =>
      scripted(r, [...fixes(r), ...write({ 'calc/__init__.py': 'import os\n\nos._exit(0)\n' })]),
    expected: rolledBack,
  },
  {
    name: 'skips while it is imported',
    kind: 'runner',
    at: [unittestRepository],
    play: (r) => scripted(r, [...fixes(r), ...write({ 'calc/__init__.py': SKIP })]),
    expected: rolledBack,
  },
  {
    name: 'skips tests that fail',
    kind: 'runner',
    at: [unittestRepository],
    play: (r) => scripted(r, [fix(r.one), patch(SKIPS_CALLS)]),
    expected: (r) => ({
      outcome: 'failed',
      edits: [r.one.fix, SKIPS_CALLS],
      iterations: 1,
      results: ['kept'],
      missing: 2,
    }),
  },
]

export const BENDS_PYTHON: readonly Mover[] = [...PYTEST, ...UNITTEST]
