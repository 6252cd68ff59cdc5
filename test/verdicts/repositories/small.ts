// One small repository a test runner: a sum and a product with a bug each, and five tests. What a
// runner-mover does to a runner needs no more, and a run of its tests takes less than a second.
import {
  JEST_SUM,
  MOCHA_SUM,
  NODE_SUM,
  UNITTEST_SUM,
  VITEST_SUM,
  type SmallSum,
} from '../../support/repositories/small-sums.js'
import type { OwnRun, Repository } from '../repository.js'
import { pytestRun } from './pytest.js'
import { ran } from './shell.js'

const jsonIn = (stdout: string): unknown => JSON.parse(stdout.slice(stdout.indexOf('{')))
const npmTest = (dir: string, ...flags: string[]) =>
  ran(dir, ['npm', 'test', '--silent', '--', ...flags])

/** vitest and jest print the same document. */
function jestRun(flag: string): (dir: string) => OwnRun {
  return (dir) => {
    const { stdout, ok } = npmTest(dir, flag)
    const { numPassedTests, numFailedTests } = jsonIn(stdout) as {
      numPassedTests: number
      numFailedTests: number
    }
    return { passed: numPassedTests, total: numPassedTests + numFailedTests, green: ok }
  }
}

function mochaRun(dir: string): OwnRun {
  const { stdout, ok } = npmTest(dir, '--reporter=json')
  const {
    stats: { passes, failures },
  } = jsonIn(stdout) as { stats: { passes: number; failures: number } }
  return { passed: passes, total: passes + failures, green: ok }
}

function nodeRun(dir: string): OwnRun {
  const { stdout, ok } = ran(dir, ['node', '--test', '--test-reporter=tap'])
  const count = (word: string): number =>
    Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1])
  return { passed: count('pass'), total: count('pass') + count('fail'), green: ok }
}

function small(
  name: Repository['name'],
  { files, code, testFile, fixAdd, fixMul }: SmallSum,
  testCommand: string[],
  own: (dir: string) => OwnRun,
): Repository {
  const wrong = 'planted'
  return {
    name,
    about: 'a sum and a product, five tests',
    files: () => ({ ...files, 'notes.txt': 'committed\n' }),
    installed: [],
    testCommand,
    code: [code],
    testFile,
    many: { origin: wrong, about: 'add() subtracts', place: 'add:1-2', fix: fixAdd },
    one: { origin: wrong, about: 'mul() adds', place: 'mul:2-6', fix: fixMul },
    useless: { path: code, find: fixAdd.find, replace: `${fixAdd.find} ` },
    // For movers on real code alone.
    regression: fixAdd,
    slip: fixAdd,
    tampering: {},
    backDoors: [{}, {}],
    weakening: { find: '', replace: '' },
    ownRun: own,
  }
}

const NPM_TEST = ['npm', 'test']
export const smallVitest = small('vitest', VITEST_SUM, NPM_TEST, jestRun('--reporter=json'))
export const jestRepository = small('jest', JEST_SUM, NPM_TEST, jestRun('--json'))
export const mochaRepository = small('mocha', MOCHA_SUM, NPM_TEST, mochaRun)
export const nodeRepository = small('node', NODE_SUM, NPM_TEST, nodeRun)
export const unittestRepository = small(
  'unittest',
  UNITTEST_SUM,
  ['python3', '-m', 'pytest'],
  pytestRun,
)
