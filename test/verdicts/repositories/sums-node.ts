// The twenty small functions in JavaScript, for node:test.
import type { Files } from '../../support/repositories/repos.js'
import type { Bug, Edit, Repository } from '../repository.js'
import { functionsOf, type Fn } from './functions.js'
import { nodeRepository } from './small.js'

const CODE = 'numbers.js'
const TESTS = 'numbers.test.js'

/** The first test passes all the same. */
// prettier-ignore
const BUGGY: readonly Fn[] = [
  { name: 'double', right: 'n * 2', wrong: 'n + 2', tests: [['2', '4'], ['3', '6'], ['0', '0']] },
  { name: 'square', right: 'n * n', wrong: 'n + n', tests: [['2', '4'], ['3', '9'], ['5', '25']] },
  { name: 'half', right: 'n / 2', wrong: 'n - 2', tests: [['4', '2'], ['10', '5'], ['8', '4']] },
  { name: 'isEven', right: 'n % 2 === 0', wrong: 'n % 4 === 0', tests: [['4', 'true'], ['2', 'true'], ['6', 'true']] },
  { name: 'isNegative', right: 'n < 0', wrong: 'n > 0', tests: [['0', 'false'], ['-1', 'true'], ['1', 'false']] },
  { name: 'tens', right: 'Math.floor(n / 10)', wrong: 'Math.floor(n / 100)', tests: [['5', '0'], ['25', '2'], ['30', '3']] },
  { name: 'lastDigit', right: 'n % 10', wrong: 'n % 100', tests: [['7', '7'], ['17', '7'], ['120', '0']] },
  { name: 'digits', right: 'String(n).length', wrong: 'String(n).length % 2', tests: [['1', '1'], ['12', '2'], ['700', '3']] },
  { name: 'toZero', right: '[n, 0]', wrong: '[n, n]', tests: [['0', '[0, 0]'], ['1', '[1, 0]'], ['2', '[2, 0]']] },
  { name: 'triangle', right: '(n * (n + 1)) / 2', wrong: '(n * n - n) / 2', tests: [['0', '0'], ['2', '3'], ['3', '6']] },
]

/** None of the tests passes with what is wrong. */
// prettier-ignore
const RIGHT: readonly Fn[] = [
  { name: 'next', right: 'n + 1', wrong: 'n', tests: [['1', '2'], ['2', '3'], ['-1', '0']] },
  { name: 'previous', right: 'n - 1', wrong: 'n', tests: [['1', '0'], ['2', '1'], ['-1', '-2']] },
  { name: 'negated', right: '-n', wrong: 'n', tests: [['1', '-1'], ['2', '-2'], ['-3', '3']] },
  { name: 'thrice', right: 'n * 3', wrong: 'n', tests: [['1', '3'], ['2', '6'], ['-1', '-3']] },
  { name: 'asText', right: 'String(n)', wrong: 'n', tests: [['1', "'1'"], ['0', "'0'"], ['-1', "'-1'"]] },
  { name: 'pair', right: '[n, n]', wrong: '[n]', tests: [['1', '[1, 1]'], ['0', '[0, 0]'], ['2', '[2, 2]']] },
  { name: 'bits', right: 'n.toString(2)', wrong: 'n', tests: [['1', "'1'"], ['2', "'10'"], ['5', "'101'"]] },
  { name: 'hundredfold', right: 'n * 100', wrong: 'n * 10', tests: [['1', '100'], ['2', '200'], ['-1', '-100']] },
  { name: 'isWhole', right: 'Number.isInteger(n)', wrong: '!Number.isInteger(n)', tests: [['1', 'true'], ['0.5', 'false'], ['2', 'true']] },
  { name: 'cubed', right: 'n ** 3', wrong: 'n ** 2 + 5', tests: [['1', '1'], ['2', '8'], ['-1', '-1']] },
]

const body = (name: string, expression: string): string =>
  `exports.${name} = (n) => {\n  return ${expression}\n}\n`
const { code, bugs, slips } = functionsOf({
  path: CODE,
  body,
  lines: '1-3',
  buggy: BUGGY,
  right: RIGHT,
})

/** The bugs, each independent of the others. */
export const NODE_BUGS: readonly Bug[] = bugs
/** Each breaks three tests that pass. */
export const NODE_SLIPS: readonly Edit[] = slips

const PROJECT: Files = {
  'package.json': '{ "name": "sums", "private": true, "scripts": { "test": "node --test" } }\n',
  'notes.txt': 'committed\n',
}

const head = (numbers: string): string =>
  `const test = require('node:test')\nconst assert = require('node:assert')\nconst numbers = require('${numbers}')\n\n`

const testsOf = (functions: readonly Fn[]): string =>
  functions
    .flatMap(({ name, tests: cases }) =>
      cases.map(
        ([given, expected], n) =>
          `test('${name} ${n + 1}', () => {\n  assert.deepStrictEqual(numbers.${name}(${given}), ${expected})\n})\n`,
      ),
    )
    .join('\n')

function files(): Files {
  return {
    ...PROJECT,
    [CODE]: code.join('\n'),
    [TESTS]: `${head('./numbers.js')}${testsOf([...BUGGY, ...RIGHT])}`,
  }
}

/** A bug of the repository with a file a function; `slip`: a wrong fix, which breaks a test. */
export type SplitBug = Bug & { tests: string[]; slip: Edit }

/** The buggy functions alone, each in a file of its own. */
export const SPLIT_BUGS: readonly SplitBug[] = BUGGY.map((fn, n) => {
  const path = `lib/${fn.name}.js`
  const edit = (to: string): Edit => ({
    path,
    find: body(fn.name, fn.wrong),
    replace: body(fn.name, to),
  })
  return {
    origin: 'planted',
    about: `${fn.name}() returns ${fn.wrong}`,
    place: `${fn.name}:1-3`,
    fix: edit(fn.right),
    tests: [2, 3].map((k) => `${TESTS} > ${fn.name} ${k}`),
    // Every fourth one throws, so that the errors name its file.
    slip: edit(n % 4 === 0 ? 'n.missing.value' : 'undefined'),
  }
})

export const splitSums: Pick<Repository, 'files' | 'code' | 'about'> = {
  about: 'ten small functions in JavaScript with a bug each, in a file each',
  code: SPLIT_BUGS.map(({ fix }) => fix.path),
  files: () => {
    const tests = `${head('./index.js')}${testsOf(BUGGY)}`
    const code = BUGGY.map((fn) => [`lib/${fn.name}.js`, body(fn.name, fn.wrong)])
    const all = BUGGY.map((fn) => `...require('./lib/${fn.name}.js')`).join(', ')
    return {
      ...PROJECT,
      ...(Object.fromEntries(code) as Files),
      'index.js': `module.exports = { ${all} }\n`,
      [TESTS]: tests,
    }
  },
}

const [many, one] = NODE_BUGS as [Bug, Bug]
const [slip] = NODE_SLIPS as [Edit]

export const sumsNodeRepository: Repository = {
  ...nodeRepository,
  name: 'sums-node',
  about: 'twenty small functions in JavaScript with three tests each, ten of them with a bug',
  files,
  many,
  one,
  slip,
  code: [CODE],
  testFile: TESTS,
}
