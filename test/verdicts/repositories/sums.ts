// The twenty small functions in Python.
import type { Files } from '../../support/repositories/repos.js'
import type { Bug, Edit, Repository } from '../repository.js'
import { functionsOf, type Fn } from './functions.js'
import { pytestRepository } from './pytest.js'

const CODE = 'sums/numbers.py'
const TESTS = 'tests/test_sums.py'

/** The first test passes all the same. */
// prettier-ignore
const BUGGY: readonly Fn[] = [
  { name: 'double', right: 'n * 2', wrong: 'n + 2', tests: [['2', '4'], ['3', '6'], ['0', '0']] },
  { name: 'square', right: 'n * n', wrong: 'n + n', tests: [['2', '4'], ['3', '9'], ['5', '25']] },
  { name: 'half', right: 'n // 2', wrong: 'n - 2', tests: [['4', '2'], ['10', '5'], ['7', '3']] },
  { name: 'is_even', right: 'n % 2 == 0', wrong: 'n % 4 == 0', tests: [['4', 'True'], ['2', 'True'], ['6', 'True']] },
  { name: 'is_negative', right: 'n < 0', wrong: 'n > 0', tests: [['0', 'False'], ['-1', 'True'], ['1', 'False']] },
  { name: 'tens', right: 'n // 10', wrong: 'n // 100', tests: [['5', '0'], ['25', '2'], ['30', '3']] },
  { name: 'last_digit', right: 'abs(n) % 10', wrong: 'abs(n) % 100', tests: [['7', '7'], ['17', '7'], ['-120', '0']] },
  { name: 'digits', right: 'len(str(abs(n)))', wrong: 'len(str(n)) - 1', tests: [['-12', '2'], ['12', '2'], ['700', '3']] },
  { name: 'to_zero', right: 'list(range(n, -1, -1))', wrong: 'list(range(n, 0, -1))', tests: [['-1', '[]'], ['1', '[1, 0]'], ['2', '[2, 1, 0]']] },
  { name: 'triangle', right: 'n * (n + 1) // 2', wrong: 'n * (n - 1) // 2', tests: [['0', '0'], ['2', '3'], ['3', '6']] },
]

/** None of the tests passes with what is wrong; `part`: all but one do. */
// prettier-ignore
const RIGHT: readonly Fn[] = [
  { name: 'next_one', right: 'n + 1', wrong: 'n', tests: [['1', '2'], ['2', '3'], ['-1', '0']] },
  { name: 'previous', right: 'n - 1', wrong: 'n', tests: [['1', '0'], ['2', '1'], ['-1', '-2']] },
  { name: 'negated', right: '-n', wrong: 'n', tests: [['1', '-1'], ['2', '-2'], ['-3', '3']] },
  { name: 'thrice', right: 'n * 3', wrong: 'n', tests: [['1', '3'], ['2', '6'], ['-1', '-3']] },
  { name: 'hundredfold', right: 'n * 100', wrong: 'n * 10', tests: [['1', '100'], ['2', '200'], ['-1', '-100']] },
  { name: 'as_text', right: 'str(n)', wrong: 'n', tests: [['1', "'1'"], ['0', "'0'"], ['-1', "'-1'"]] },
  { name: 'is_whole', right: 'int(n) == n', wrong: 'int(n) != n', tests: [['1', 'True'], ['0.5', 'False'], ['2.0', 'True']] },
  { name: 'pair', right: '(n, n)', wrong: '(n,)', tests: [['1', '(1, 1)'], ['0', '(0, 0)'], ['2', '(2, 2)']] },
  { name: 'bits', right: 'bin(n)[2:]', wrong: 'bin(n)', tests: [['1', "'1'"], ['2', "'10'"], ['5', "'101'"]] },
  { name: 'repeated', right: '[n] * 2', wrong: '[n]', tests: [['1', '[1, 1]'], ['0', '[0, 0]'], ['2', '[2, 2]']] },
]

const body = (name: string, expression: string): string =>
  `def ${name}(n):\n    return ${expression}\n`
const { code, bugs, slips, edit } = functionsOf({
  path: CODE,
  body,
  lines: '2-2',
  buggy: BUGGY,
  right: RIGHT,
})

/** The bugs, each independent of the others. */
export const BUGS: readonly Bug[] = bugs
/** Each breaks three tests that pass. */
export const SLIPS: readonly Edit[] = slips
/** Each breaks two tests that pass: as many as a fix repairs. */
export const SMALL_SLIPS: readonly Edit[] = RIGHT.slice(0, 4).map(({ name, right, wrong, tests }) =>
  edit(name, right, `${right} if n == ${tests[0]?.[0] ?? ''} else ${wrong}`),
)

function files(): Files {
  const all = [...BUGGY, ...RIGHT]
  return {
    [CODE]: code.join('\n\n'),
    'sums/__init__.py': '',
    [TESTS]: `from sums import numbers\n${all.flatMap(({ name, tests }) => tests.map(([given, expected], n) => `\n\ndef test_${name}_${n + 1}():\n    assert numbers.${name}(${given}) == ${expected}\n`)).join('')}`,
    'pytest.ini': '[pytest]\ntestpaths = tests\n',
    'notes.txt': 'committed\n',
    '.gitignore': '__pycache__\n.pytest_cache\n',
  }
}

const [many, one] = BUGS as [Bug, Bug]
const [slip] = SLIPS as [Edit]

export const sumsRepository: Repository = {
  ...pytestRepository,
  name: 'sums',
  about: 'twenty small functions in Python with three tests each, ten of them with a bug',
  files,
  many,
  one,
  slip,
  code: [CODE],
  testFile: TESTS,
  regression: {
    path: CODE,
    find: body('double', 'n + 2'),
    replace: `import nothing_of_this_name\n\n\n${body('double', 'n + 2')}`,
  },
  useless: {
    path: CODE,
    find: body('double', 'n + 2'),
    replace: `# Twice.\n${body('double', 'n + 2')}`,
  },
}
