// pytest. Sources: the output of pytest 7 to 9, also with xdist 3; its "Exit codes" and
// "Command-line flags".
import type { Reader, Told } from '../test-progress/by-line.js'
import type { Places } from './junit-dialect.js'
import { failedIn, has, lastOf, unless } from './runner-words.js'
import type { ProjectFiles, TestRunner } from './test-runner.js'

const REPORT_OPTIONS = ['--junitxml', '--junit-xml']
/** The end of the output, in lines, in which the summary is looked for. */
const END_LINES = 15
const WORDS =
  'failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?|rerun|subtests (?:failed|passed|skipped)'
const SUMMARY = new RegExp(
  `^(?:=+ )?(\\d+ (?:${WORDS})(?:, \\d+ (?:${WORDS}))*) in \\d+(?:\\.\\d+)?(?:s| seconds)(?: \\([\\d:]+\\))?(?: =+)?$`,
  'gm',
)

export const pytest: TestRunner = {
  commands: ['pytest', 'py.test'],
  module: 'pytest',
  started: (args) => (has(args, '--') ? 'unsure' : args),
  detection: {
    rank: 1,
    isConfigured,
    testFile: /^(test_.*|.*_test|conftest)\.py$/,
    sourceFile: /\.py$/,
    absent: 'no pytest files',
    command(project) {
      const venv = ['.venv', 'venv']
        .map((dir) => `./${dir}/bin/python`)
        .find((python) => project.has(python))
      const python = venv ?? ['python3', 'python'].find((name) => project.isOnPath(name))
      return python === undefined
        ? {
            problem: 'the project has pytest tests, but there is no python3 on PATH',
            next: 'install Python',
          }
        : [python, '-m', 'pytest']
    },
  },
  language: 'python',

  report: {
    format: 'junit',
    by: 'flags',
    ownOptions: REPORT_OPTIONS,
    written: /^-+ generated xml file: (.+?) -+$/gm,
  },
  // What cannot be loaded is one entry, the other files run all the same.
  flags: ({ file, args }) => [
    '--maxfail=0',
    ...unless(args, '--continue-on-collection-errors'),
    '-o',
    'junit_family=xunit1',
    ...(has(args, ...REPORT_OPTIONS) ? [] : [`--junitxml=${file}`]),
  ],
  files: (files) => [...files],

  // Interrupted or collection errors, internal error, usage error. Only 0, 1 and 5 (no tests) are
  // results.
  exitCodes: { errors: [2, 3, 4] },
  printedFailures: (output) =>
    failedIn(
      lastOf(SUMMARY, output.trimEnd().split('\n').slice(-END_LINES).join('\n'))?.[1],
      /(\d+) failed/,
    ),
  notInstalled: /No module named '?pytest'?$/m,
  progress: { reader },
  junit: {
    suiteNames: ['pytest tests', 'pytest'],
    // It lists a test again where its teardown failed.
    listsAgain: true,
    // pytest.exit() within a test: what it was in stands there without a name, what comes behind it
    // not at all.
    isCutOff: (one) => one.attributes['name'] === undefined,
    nameOf: ({ attributes: { name = '', classname = '', file } }, places) =>
      nameOf({ name, classname, file }, places),
    isLoaded: () => (one) => one.error?.['@']?.['message'] !== 'collection failure',
  },

  guard: {
    globs: [
      '**/{pytest,.pytest}.{ini,toml}',
      // Modules that stand before the installed ones.
      '{,src/}{pytest,_pytest,pluggy,iniconfig,packaging,pygments,exceptiongroup,tomli,coverage,xdist,py}{.py,/**}',
    ],
    tools: ['pytest'],
    sections: ['tool:pytest', 'pytest'],
  },
  // By the plugin pytest-cov: without it these words are a usage error.
  coverage: {
    format: 'coverage.py',
    words: (dir) => [
      '--cov=.',
      '--cov-branch',
      `--cov-report=json:${dir}/coverage.json`,
      '--cov-fail-under=0',
    ],
    env: (dir) => ({ COVERAGE_FILE: `${dir}/data` }),
  },
  // conftest.py is among them: it holds fixtures.
  testGlobs: ['**/{test_*,*_test,conftest}.py'],
  leaves: {
    marks: ['PYTEST_CURRENT_TEST', 'PYTEST_VERSION'],
    isLeft: (name) => name.startsWith('PYTEST_'),
  },
}

function isConfigured(project: ProjectFiles): boolean {
  const says = (file: string, text: RegExp) => project.has(file) && text.test(project.text(file))
  if (['pytest.ini', '.pytest.ini', 'pytest.toml', 'conftest.py'].some((file) => project.has(file)))
    return true
  if (says('setup.cfg', /^\[tool:pytest\]/m) || says('tox.ini', /^\[pytest\]/m)) return true
  const { tool } = project.has('pyproject.toml') ? project.toml('pyproject.toml') : {}
  return typeof tool === 'object' && tool !== null && 'pytest' in tool
}

// It names a test by module and classes joined with dots, with `xunit1` also by its file. The name
// is the one that pytest itself writes after the file: `TestClass::test_x[a-1]`.
function nameOf(
  one: { name: string; classname: string; file: string | undefined },
  places: Places,
): { file: string; test: string } {
  const parts = one.classname === '' ? [] : one.classname.split('.')
  if (one.file === undefined) return fromModule(parts, one.name, places)
  const module = one.file.replaceAll('\\', '/').replace(/\.py$/, '').split('/')
  const same = module.every((part, at) => parts[at] === part)
  // With a file outside its root pytest leaves directories out: then the classes follow the
  // module's own name.
  const from = same ? module.length : parts.lastIndexOf(module.at(-1) ?? '') + 1
  return { file: places.projectFile(one.file), test: [...parts.slice(from), one.name].join('::') }
}

// Without a file (`xunit2`): the longest beginning that is a file; the rest are classes.
function fromModule(
  parts: readonly string[],
  name: string,
  { exists }: Places,
): { file: string; test: string } {
  for (let length = parts.length; length > 0; length--) {
    const file = `${parts.slice(0, length).join('/')}.py`
    if (exists(file)) return { file, test: [...parts.slice(length), name].join('::') }
  }
  return { file: parts.join('.'), test: name }
}

const COLLECTED = /^(?:collecting \.\.\. ?)?collected (\d+) items?(?:.* (\d+) selected)?/
/** xdist, since version 3 and before. */
const SHARED_OUT = /^(?:\d+ workers? \[(\d+) items?\]|gw\d+ \[(\d+)\])/
/** "test_a.py .FsxE...  [ 80%]", and the further lines of the same file. */
const LETTERS = /^(?:\S.*\.\w+ )?([.FEsxXRu,-]+)\s*(?:\[ *(?:\d+%|\d+\/\d+)\])?$/
/** With -v, also behind the output of a test, and with xdist. */
const WORD = /(?:^| )(PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)(?: \(.*)?\s*(?:\[ *\d+.*\])?$/
const SHARED_WORD = /^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS) /
const SECTION = /^={3,} (?!test session starts)/

// Each letter is a test as it ends; a line of them grows for a while.
function reader(): Reader {
  const told: Told = { unit: 'tests', done: 0, failed: 0 }
  let isOver = false
  const add = (to: Told, line: string) => {
    const letters = LETTERS.exec(line)?.[1] ?? ''
    const word = letters === '' ? wordIn(line) : undefined
    to.done += letters.replace(/[^.FEsxX]/g, '').length + (word === undefined ? 0 : 1)
    to.failed +=
      letters.replace(/[^FE]/g, '').length + (word === 'FAILED' || word === 'ERROR' ? 1 : 0)
  }
  return {
    line(text) {
      if (isOver || SECTION.test(text)) return void (isOver = true)
      const found =
        told.total === undefined ? (COLLECTED.exec(text) ?? SHARED_OUT.exec(text)) : null
      if (found === null) add(told, text)
      else told.total = Number(found[2] ?? found[1])
    },
    told(unfinished) {
      const now = { ...told }
      if (!isOver) add(now, unfinished)
      // What fails behind a test that has ended is a letter more.
      if (now.total !== undefined) now.done = Math.min(now.done, now.total)
      return now
    },
  }
}

function wordIn(line: string): string | undefined {
  const found = WORD.exec(line)
  // In the middle of a line only behind the name of a test: what a log prints ends in such words,
  // too.
  return found !== null && (found.index === 0 || line.includes('::')) && !line.startsWith('[gw')
    ? found[1]
    : SHARED_WORD.exec(line)?.[1]
}
