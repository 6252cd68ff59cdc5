import { chmodSync } from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { resolveTestPlan, selectable } from '../../../src/adapters/test-runners/command.js'
import { recognise } from '../../../src/adapters/test-runners/recognise.js'
import { Config } from '../../../src/contract/config/config.js'
import { RefusalError } from '../../../src/contract/failures.js'
import { makeProject, removeProject } from '../../support/repositories/test-projects.js'
import { present } from '../../support/present.js'

let projects: string[] = []
afterEach(() => {
  projects.forEach(removeProject)
  projects = []
})
function project(files: Record<string, string>): string {
  const dir = makeProject(files)
  projects.push(dir)
  return dir
}

type Test = Partial<Config['test']>
const plan = (cwd: string, own: Test = {}) =>
  resolveTestPlan({ cwd, config: { ...Config.parse({}).test, ...own }, env: process.env })
const pkg = (scripts: Record<string, string>) => ({ 'package.json': JSON.stringify({ scripts }) })
const line = (cwd: string, own: Test = {}, files?: string[]) =>
  plan(cwd, own).commandLine('/out/r.xml', files)
const report: Test = { report: { format: 'junit', path: 'r/*.xml' } }

function refusal(cwd: string, own: Test = {}): RefusalError {
  try {
    plan(cwd, own)
  } catch (error) {
    if (error instanceof RefusalError) return error
    throw error
  }
  throw new Error('expected a refusal')
}

const VITEST = [
  '--run',
  '--bail=0',
  '--reporter=default',
  '--reporter=junit',
  '--outputFile.junit=/out/r.xml',
]
const PYTEST = [
  '--maxfail=0',
  '--continue-on-collection-errors',
  '-o',
  'junit_family=xunit1',
  '--junitxml=/out/r.xml',
]

describe('the test command', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the test script of the package', files: pkg({ test: 'vitest' }), argv: ['npm', 'test', '--', ...VITEST] },
    { why: 'pytest.ini', files: { 'pytest.ini': '' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'a pytest table', files: { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'a section of setup.cfg', files: { 'setup.cfg': '[tool:pytest]\n' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'a section of tox.ini', files: { 'tox.ini': '[pytest]\n' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'a test file in a folder', files: { 'a/b/test_x.py': '' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'the own virtual environment', files: { 'conftest.py': '', '.venv/bin/python': '' }, argv: ['./.venv/bin/python', '-m', 'pytest', ...PYTEST] },
    { why: 'pytest and a package without tests', files: { ...pkg({ test: 'echo "Error: no test specified" && exit 1' }), 'test_x.py': '' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
  ],
  )('is found: $why', ({ files, argv }) => expect(line(project(present(files)))).toEqual(argv))

  test.each(
    // prettier-ignore
    [
    { why: 'go.mod', files: { 'go.mod': 'module x\n', 'scripts/test_x.py': '' }, argv: ['go', 'test', './...', '-json', '-failfast=false', '-count=1'] },
    { why: 'pytest with its configuration and a go.mod', files: { 'go.mod': 'module x\n', 'pytest.ini': '' }, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'Cargo.toml, with nextest', files: { 'Cargo.toml': '' }, argv: ['cargo', 'nextest', 'run', '--tool-config-file=ratchet:/out/r.xml.toml', '--no-fail-fast'] },
  ],
  )('is found: $why', ({ files, argv }) => {
    const bin = project({
      'cargo-nextest': '#!/bin/sh\n',
      go: '#!/bin/sh\n',
      python3: '#!/bin/sh\n',
    })
    for (const name of ['cargo-nextest', 'go', 'python3']) chmodSync(path.join(bin, name), 0o755)
    expect(
      resolveTestPlan({
        cwd: project(present(files)),
        config: Config.parse({}).test,
        env: { PATH: bin },
      }).commandLine('/out/r.xml'),
    ).toEqual(argv)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a Rust crate without nextest', files: { 'Cargo.toml': '' }, message: 'there is no cargo-nextest on PATH', next: 'install cargo-nextest' },
    { why: 'a Go module without go', files: { 'go.mod': 'module x\n' }, message: 'go is not on PATH', next: 'install Go' },
  ],
  )('is refused with what to install: $why', ({ files, message, next }) => {
    const of = () =>
      resolveTestPlan({
        cwd: project(present(files)),
        config: Config.parse({}).test,
        env: { PATH: '' },
      })
    expect(of).toThrow(
      expect.objectContaining({
        type: 'NoTestCommand',
        message: expect.stringContaining(message) as string,
        next: expect.stringContaining(next) as string,
      }) as Error,
    )
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a script that is no runner', files: pkg({ test: 'node scripts/check.js' }), argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'a script of another runner', files: pkg({ test: 'vitest run' }), argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'no test any more', files: {}, argv: ['python3', '-m', 'pytest', ...PYTEST] },
    { why: 'a configured command', files: {}, command: 'pytest -x', argv: ['pytest', '-x', ...PYTEST] },
  ],
  )('stays the one that measured the baseline: $why', ({ files, command, argv }) => {
    const plan = resolveTestPlan({
      cwd: project(present(files)),
      config: { ...Config.parse({}).test, command },
      env: process.env,
      baseline: ['python3', '-m', 'pytest'],
    })
    expect(plan.commandLine('/out/r.xml')).toEqual(argv)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'an empty project', files: {} },
    { why: "npm's default script", files: pkg({ test: 'echo "Error: no test specified" && exit 1' }) },
    { why: 'tests of installed packages only', files: { 'node_modules/x/test_x.py': '', '.venv/lib/test_y.py': '' } },
  ],
  )('is missed: $why', ({ files }) => {
    expect(refusal(project(present(files)))).toMatchObject({
      type: 'NoTestCommand',
      next: expect.stringContaining('set test.command') as string,
    })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a string', command: 'npx vitest run "a b"', argv: ['npx', 'vitest', 'run', 'a b', ...VITEST] },
    { why: 'a list', command: ['npx', 'vitest', 'run', '*&|'], argv: ['npx', 'vitest', 'run', '*&|', ...VITEST] },
    { why: 'a shell', command: ['sh', '-c', 'cd x && pytest -q'], argv: ['sh', '-c', 'cd x && pytest -q "$@"', 'sh', ...PYTEST] },
    { why: 'a quoted operator', command: "pytest -k 'a && b'", argv: ['pytest', '-k', 'a && b', ...PYTEST] },
  ],
  )('is configured as $why', ({ command, argv }) =>
    expect(line(project({}), { command })).toEqual(argv),
  )

  test.each([
    'npm run build && npm test',
    'pytest | tee x',
    'pytest > x',
    'pytest; true',
    'pytest &',
    'pytest tests/*.py',
    'pytest $HOME',
    'pytest `ls`',
    'A=1 pytest',
    'pytest # all',
  ])('a string that needs a shell is refused: %s', (command) => {
    const error = refusal(project({}), { command })
    expect(error).toMatchObject({
      type: 'BadConfig',
      where: expect.stringContaining('test.command') as string,
    })
    expect(error.next).toBe(`write it as ["sh", "-c", ${JSON.stringify(command)}]`)
  })

  test('an unknown runner without a report is refused with the setting to make', () => {
    expect(refusal(project(pkg({ test: 'ava' })))).toMatchObject({
      type: 'NoTestCommand',
      next: expect.stringContaining('test.report') as string,
    })
  })

  test('a configured report adds nothing to the command', () => {
    expect(line(project({}), { ...report, command: 'make test' }, ['a.js'])).toEqual([
      'make',
      'test',
    ])
    expect(line(project(pkg({ test: 'vitest' })), report)).toEqual(['npm', 'test'])
    expect(line(project(pkg({ test: 'vitest' })), report, ['a.js'])).toEqual([
      'npm',
      'test',
      '--',
      'a.js',
    ])
  })

  test('files to run again come last', () =>
    expect(line(project({ 'pytest.ini': '' }), {}, ['a b.py'])).toEqual([
      'python3',
      '-m',
      'pytest',
      ...PYTEST,
      'a b.py',
    ]))
  test('display is the command as a person would type it', () =>
    expect(plan(project({}), { command: ['npx', 'vitest', 'a b'] }).display).toBe(
      "npx vitest 'a b'",
    ))
  test('a broken package.json is refused', () =>
    expect(refusal(project({ 'package.json': '{' }))).toMatchObject({
      where: path.join(projects[0] ?? '', 'package.json'),
    }))
})

describe('the runner is recognised', () => {
  const scripts = {
    unit: 'vitest run --coverage',
    chain: 'tsc && NODE_ENV=x cross-env A=1 vitest',
    nested: 'npm run unit',
    through: 'npm run unit -- --bail=1',
    yarned: 'yarn unit',
    piped: 'vitest | tee out',
    last: 'vitest && echo ok',
    py: 'cd py; pytest',
    globbed: 'vitest src/*.js',
    loop: 'npm run loop',
    background: 'vitest &',
    grouped: '(vitest)',
  }
  test.each<[string, string | undefined]>([
    ['vitest', 'vitest'],
    ['./node_modules/.bin/vitest run', 'vitest'],
    ['npx vitest', 'vitest'],
    ['npx --yes vitest run', 'vitest'],
    ['pnpm exec vitest', 'vitest'],
    ['pnpm vitest', 'vitest'],
    ['yarn vitest', 'vitest'],
    ['node node_modules/vitest/vitest.mjs run', 'vitest'],
    ['node --no-warnings node_modules/vitest/vitest.mjs', 'vitest'],
    ['env A=1 vitest', 'vitest'],
    ['pytest', 'pytest'],
    ['python -m pytest tests', 'pytest'],
    ['python3.12 -X dev -m pytest', 'pytest'],
    ['uv run pytest', 'pytest'],
    ['poetry run python -m pytest', 'pytest'],
    ['coverage run -m pytest', 'pytest'],
    ['npm run unit', 'vitest --'],
    ['npm run-script --silent unit', 'vitest --'],
    ['npm run unit -- --bail=1', 'vitest'],
    ['npm run chain', 'vitest --'],
    ['npm run nested', 'vitest -- --'],
    ['npm run through', 'vitest --'],
    ['npm run yarned', 'vitest --'],
    ['yarn unit', 'vitest'],
    ['pnpm unit', 'vitest'],
    ['pnpm run unit', 'vitest'],
    ['npm run py', 'pytest --'],
    ['npm run globbed', 'vitest --'],
    ['npm run piped', undefined],
    ['npm run last', undefined],
    ['npm run loop', undefined],
    ['npm run background', undefined],
    ['npm run grouped', undefined],
    ['npm run gone', undefined],
    ['npm run', undefined],
    ['vitest bench', undefined],
    ['vitest run --outputFile=x', undefined],
    ['python -m unittest', undefined],
    ['node vitest-like.js', undefined],
    ['bun test', undefined],
    ['toString', undefined],
    ['npm run toString', undefined],
  ])('in "%s": %s', (command, expected) => {
    const found = recognise(command.split(' '), scripts)
    expect(
      found &&
        ('several' in found ? `after ${found.first}` : [found.runner, ...found.before].join(' ')),
    ).toBe(expected)
  })

  test.each<[string, string | undefined]>([
    ['pytest', 'pytest'],
    ['cd a && pytest tests/*.py', 'pytest'],
    ['a || vitest', 'vitest'],
    ['pytest; echo', undefined],
    ['pytest > x', undefined],
    ['a\npytest', undefined],
    ['pytest # x', undefined],
    ['for i in 1; do pytest; done', undefined],
  ])('in sh -c "%s": %s', (script, expected) =>
    expect(recognise(['sh', '-c', script], {})).toEqual(
      expected === undefined
        ? undefined
        : expect.objectContaining({ runner: expected, before: [] }),
    ),
  )

  test.each<[string, string | undefined]>([
    ['uv run pytest -q', 'pytest'],
    ['uv run --group dev --with pytest-xdist --python=3.12 --frozen pytest', 'pytest'],
    ['uv run -m pytest tests', 'pytest'],
    ['uv run -- pytest', 'pytest'],
    ['uv run python -m pytest', 'pytest'],
    ['uv run --new-option pytest', undefined],
    ['uv run --with pytest', undefined],
    ['poetry run pytest', 'pytest'],
    ['hatch run pytest', 'pytest'],
    ['hatch run test.py3.12:pytest', 'pytest'],
    ['hatch run cov', undefined],
    ['pipenv run pytest', 'pytest'],
    ['pdm run -s pytest', 'pytest'],
    ['coverage run --source src -m pytest', 'pytest'],
    ['python -m coverage run -m pytest', 'pytest'],
    ['python manage.py -m pytest', undefined],
    ['python -m pytest -q path', 'pytest'],
    ['npx --yes vitest', 'vitest'],
    ['npx -p vitest vitest run', 'vitest'],
    ['npx --package=vitest -- vitest', 'vitest'],
    ['npx -c vitest', undefined],
    ['npm exec vitest run', 'vitest --'],
    ['npm exec -- vitest run', 'vitest'],
    ['bunx --bun vitest', 'vitest'],
    ['bun vitest', 'vitest'],
    ['bun run vitest', 'vitest'],
    ['yarn -s vitest', 'vitest'],
    ['pnpm exec vitest', 'vitest'],
    ['pnpm --filter x vitest', undefined],
    ['env -u CI vitest', 'vitest'],
    ['cross-env X=1 vitest', 'vitest'],
    ['NODE_ENV=test vitest run', 'vitest'],
    ['dotenv -e .env.test -- vitest', 'vitest'],
    ['pytest -- tests', undefined],
    ['vitest watch', undefined],
  ])('behind a launcher whose options are known, in "%s": %s', (command, expected) => {
    const found = recognise(command.split(' '), {})
    expect(
      found && ('several' in found ? 'several' : [found.runner, ...found.before].join(' ')),
    ).toBe(expected)
  })

  test.each<[string, string | undefined]>([
    ['vitest run && pytest', 'vitest'],
    ['vitest run; pytest', 'vitest'],
    ['vitest run || pytest', 'vitest'],
    ['vitest run\npytest', 'vitest'],
    ['vitest run & pytest', 'vitest'],
    ['vitest | tee x; pytest', 'vitest'],
    ['(cd web; npx vitest run) && uv run pytest', 'vitest'],
    ['jest && vitest run', 'jest'],
    ['npx jest; pytest', 'jest'],
    ['node --test; pytest', 'node --test'],
    ['node node_modules/jest/bin/jest.js; pytest', 'node_modules/jest/bin/jest.js'],
    ['python -m unittest; python -m pytest', 'unittest'],
    ['go test ./... && pytest', 'go test'],
    ['npm run unit; pytest', 'vitest'],
    ["sh -c 'vitest; true'; pytest", 'vitest'],
    ['python -m pytest a; python -m pytest b', 'pytest'],
    ['npm run both', 'vitest'],
    ['npm run build && npm run both', 'vitest'],
    ['tsc && vitest run', undefined],
    ['eslint .; pytest', undefined],
    ['npm run build; pytest', undefined],
    ['vitest bench && vitest run', undefined],
    ['echo vitest; pytest', undefined],
  ])('a runner before the last is not passed over, in sh -c "%s": %s', (script, first) => {
    const scripts = { unit: 'vitest run', build: 'tsc -b', both: 'npm run unit && pytest' }
    expect(recognise(['sh', '-c', script], scripts)).toEqual(
      first === undefined ? expect.objectContaining({ before: [] }) : { several: true, first },
    )
  })

  test('several ambiguous runners are refused, but not with configured reports', () => {
    const files = pkg({ test: 'vitest run || pytest' })
    expect(refusal(project(present(files)))).toMatchObject({
      type: 'NoTestCommand',
      message: expect.stringContaining('more than once, vitest first') as string,
      next: expect.stringContaining('test.report') as string,
    })
    expect(line(project(files), report)).toEqual(['npm', 'test'])
  })

  test('not where the script has parameters of its own', () =>
    expect(recognise(['sh', '-c', 'pytest $1', 'sh', 'a'], {})).toBeUndefined())
})

describe('the arguments of a runner: path of the report, files to run', () => {
  const scripts = {
    jest: 'jest --coverage',
    mocha: 'c8 --reporter=lcov mocha',
    node: 'node --import tsx --test',
    spec: 'node --test test/*.js',
    go: 'go test ./... -v',
  }
  const files = {
    'a.test.js': '',
    'sub/b.test.js': '',
    'a_test.go': '',
    'sub/b_test.go': '',
    ...pkg(scripts),
  }
  const reporter = expect.stringMatching(/\/reporters\/mocha\.cjs$/) as string
  const loader = expect.stringMatching(/\/reporters\/mocha-load\.cjs$/) as string
  const jest = ['--bail=0', '--json', '--outputFile=/out/r.xml']

  test.each<{
    command: string | string[]
    runner: string
    line: string[]
    files?: string[]
    told?: string[] | undefined
  }>(
    // prettier-ignore
    [
    { command: 'jest', runner: 'jest', line: ['jest', ...jest], files: ['a.test.js'], told: ['jest', ...jest, '--runTestsByPath', 'a.test.js'] },
    { command: 'npm run jest', runner: 'jest', line: ['npm', 'run', 'jest', '--', ...jest], files: ['a.test.js'], told: ['npm', 'run', 'jest', '--', ...jest, '--runTestsByPath', 'a.test.js'] },
    { command: 'npx jest src', runner: 'jest', line: ['npx', 'jest', 'src', ...jest], files: ['a.test.js'] },
    { command: 'node --experimental-vm-modules node_modules/jest/bin/jest.js', runner: 'jest', line: ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...jest] },
    { command: 'mocha --timeout 5000', runner: 'mocha', line: ['mocha', '--timeout', '5000', '--require', loader, '--reporter', reporter], files: ['a.test.js'], told: ['mocha', '--timeout', '5000', '--require', loader, '--reporter', reporter, 'a.test.js'] },
    { command: 'npm run mocha', runner: 'mocha', line: ['npm', 'run', 'mocha', '--', '--require', loader, '--reporter', reporter] },
    { command: 'mocha --recursive test', runner: 'mocha', line: ['mocha', '--recursive', 'test', '--require', loader, '--reporter', reporter], files: ['a.test.js'] },
    { command: 'pytest -q --tb=short tests', runner: 'pytest', line: ['pytest', '-q', '--tb=short', 'tests', ...PYTEST], files: ['a.test.js'] },
    { command: 'npx vitest run --project unit', runner: 'vitest', line: ['npx', 'vitest', 'run', '--project', 'unit', ...VITEST], files: ['a.test.js'], told: ['npx', 'vitest', 'run', '--project', 'unit', ...VITEST, 'a.test.js'] },
    { command: 'node --test', runner: 'node', line: ['node', '--test'], files: ['a.test.js', 'sub/b.test.js'], told: ['node', '--test', 'a.test.js', 'sub/b.test.js'] },
    { command: 'npm run node', runner: 'node', line: ['npm', 'run', 'node'], files: ['a.test.js'], told: ['npm', 'run', 'node', '--', 'a.test.js'] },
    { command: 'npm run spec', runner: 'node', line: ['npm', 'run', 'spec'], files: ['a.test.js'] },
    { command: 'go test ./...', runner: 'go', line: ['go', 'test', './...', '-json', '-failfast=false', '-count=1'], files: ['a_test.go', 'sub/b_test.go'], told: ['go', 'test', '.', './sub', '-json', '-failfast=false', '-count=1'] },
    { command: 'go test -race -timeout 30s -count=2', runner: 'go', line: ['go', 'test', '-race', '-timeout', '30s', '-count=2', '-json', '-failfast=false'], files: ['sub/b_test.go'], told: ['go', 'test', '-race', '-timeout', '30s', '-count=2', './sub', '-json', '-failfast=false'] },
    { command: 'go test example.com/x', runner: 'go', line: ['go', 'test', 'example.com/x', '-json', '-failfast=false', '-count=1'], files: ['sub/b_test.go'] },
    { command: 'go test ./...', runner: 'go', line: ['go', 'test', './...', '-json', '-failfast=false', '-count=1'], files: ['sub'] },
    { command: 'npm run go', runner: 'go', line: ['npm', 'run', 'go', '--', '-json', '-failfast=false', '-count=1'], files: ['sub/b_test.go'] },
    { command: 'cargo nextest run --workspace', runner: 'nextest', line: ['cargo', 'nextest', 'run', '--workspace', '--tool-config-file=ratchet:/out/r.xml.toml', '--no-fail-fast'], files: ['a.test.js'] },
    { command: 'cargo +nightly nextest r --no-fail-fast', runner: 'nextest', line: ['cargo', '+nightly', 'nextest', 'r', '--no-fail-fast', '--tool-config-file=ratchet:/out/r.xml.toml'] },
  ],
  )('$command', ({ command, runner, line: expected, files: only = [], told }) => {
    const cwd = project(files)
    const of = plan(cwd, { command })
    expect(of.runner).toBe(runner)
    expect(of.commandLine('/out/r.xml')).toEqual(expected)
    expect(selectable(of, only, cwd)).toBe(told !== undefined)
    if (told !== undefined) expect(of.commandLine('/out/r.xml', only)).toEqual(told)
  })

  test.each<[string, string | undefined]>([
    ['node --test && tsd', 'node'],
    ['npm run unit && npm run types', 'node'],
    ['tsc && node --test && npm run types', 'node'],
    ['node --test | tee x && tsd', undefined],
    ['node --test && tsd > out', undefined],
    ['vitest run && tsd', undefined],
    ['node --test && jest', 'several'],
    ['node --test && node --test sub', 'several'],
  ])(
    'node gets them in a variable, as another command may follow, in "%s": %s',
    (script, expected) => {
      const cwd = project(pkg({ test: script, unit: 'c8 --100 node --test', types: 'tsd' }))
      const found = recognise(['npm', 'test'], {
        test: script,
        unit: 'c8 --100 node --test',
        types: 'tsd',
      })
      expect(found && ('several' in found ? 'several' : found.runner)).toBe(expected)
      if (expected === 'node')
        expect([line(cwd), plan(cwd).canSelect, plan(cwd).followed]).toEqual([
          ['npm', 'test'],
          false,
          true,
        ])
    },
  )

  const TOLD = ['--reporter=default', '--reporter=junit', '--outputFile.junit=/out/r.xml']
  const XUNIT = ['-o', 'junit_family=xunit1']
  test.each<{ command: string; adds: unknown[]; format?: string; own?: string }>(
    // prettier-ignore
    [
    { command: 'vitest --run', adds: ['--bail=0', ...TOLD] },
    { command: 'vitest run --run', adds: ['--bail=0', ...TOLD] },
    { command: 'vitest --run --bail=3', adds: TOLD },
    { command: 'vitest run --bail 3', adds: ['--run', ...TOLD] },
    { command: 'vitest run --reporter=verbose', adds: ['--run', '--bail=0', '--reporter=junit', '--outputFile.junit=/out/r.xml'] },
    { command: 'vitest run --reporter=junit', adds: ['--run', '--bail=0', '--reporter=default', '--outputFile.junit=/out/r.xml'] },
    { command: 'vitest run --reporter=junit --outputFile=own.xml', adds: ['--run', '--bail=0', '--reporter=default'], own: 'own.xml' },
    { command: 'vitest run --reporter junit --outputFile.junit own.xml', adds: ['--run', '--bail=0', '--reporter=default'], own: 'own.xml' },
    { command: 'vitest run --reporter=dot --reporter=json --outputFile=own.json', adds: ['--run', '--bail=0'], format: 'vitest', own: 'own.json' },
    { command: 'vitest run --reporter=html --outputFile.html=own.html', adds: ['--run', '--bail=0', ...TOLD] },
    { command: 'pytest -x', adds: PYTEST },
    { command: 'pytest --continue-on-collection-errors', adds: ['--maxfail=0', ...XUNIT, '--junitxml=/out/r.xml'] },
    { command: 'pytest --junitxml=own.xml', adds: ['--maxfail=0', '--continue-on-collection-errors', ...XUNIT], own: 'own.xml' },
    { command: 'pytest --junit-xml own.xml', adds: ['--maxfail=0', '--continue-on-collection-errors', ...XUNIT], own: 'own.xml' },
    { command: 'jest --ci --json', adds: ['--bail=0', '--outputFile=/out/r.xml'] },
    { command: 'jest --bail --json --outputFile=own.json', adds: ['--bail=0'], format: 'jest', own: 'own.json' },
    { command: 'jest --outputFile own.json', adds: ['--bail=0', '--json'], format: 'jest', own: 'own.json' },
    { command: 'mocha --reporter dot --no-bail', adds: ['--require', loader, '--reporter', reporter] },
    { command: 'mocha --parallel', adds: ['--no-bail', '--require', loader, '--reporter', reporter] },
    { command: 'mocha --parallel --no-bail', adds: ['--require', loader, '--reporter', reporter] },
    { command: 'go test -json -count=3 ./...', adds: ['-failfast=false'] },
    { command: 'go test -failfast ./...', adds: ['-json', '-failfast=false', '-count=1'] },
    { command: 'node --test --test-reporter=tap', adds: [] },
  ],
  )('"$command" keeps its flags, each once', ({ command, adds, format, own }) => {
    const of = plan(project({}), { command })
    expect(of.commandLine('/out/r.xml')).toEqual([...command.split(' '), ...adds])
    expect(of.ownReport).toBe(own)
    if (format !== undefined) expect(of.report).toEqual({ by: 'flags', format })
  })

  test('no missing files, none, or more than a command line holds; nor with those of a .mocharc', () => {
    const cwd = project(files)
    const of = plan(cwd, { command: 'mocha' })
    expect(
      [['a.test.js'], ['gone.js'], [], Array.from({ length: 201 }, () => 'a.test.js')].map((one) =>
        selectable(of, one, cwd),
      ),
    ).toEqual([true, false, false, false])
    const configured = project({ ...files, '.mocharc.json': '{"spec":"test/*.js"}' })
    expect(selectable(plan(configured, { command: 'mocha' }), ['a.test.js'], configured)).toBe(
      false,
    )
  })

  test.each([
    'jest --watch',
    'jest --listTests',
    'mocha --watch',
    'mocha --dry-run',
    'node --test --watch',
    'NODE_OPTIONS=-r=x node --test',
    'cross-env NODE_OPTIONS=--no-warnings node --test',
    'go test -c',
    'go test ./... -args -v',
    'go build ./...',
    'go vet',
    'cargo test',
    'cargo nextest list',
    'cargo nextest run -- adds',
    'node server.js',
    'ava',
    'tape test.js',
    'deno test',
  ])('nothing is recognised in "%s"', (command) =>
    expect(recognise(command.split(' '), {})).toBeUndefined(),
  )

  test.each([
    'npx jest',
    'nyc --silent mocha',
    'c8 -r text node --test',
    'yarn jest',
    'pnpm exec mocha',
    'NODE_ENV=test jest',
    'tsx --test',
    'node ./node_modules/.bin/mocha',
    'node_modules/mocha/bin/_mocha',
    'sh -c jest',
  ])('the runner is recognised in "%s"', (command) =>
    expect(recognise(command.split(' '), {})).toMatchObject({
      runner: expect.stringMatching(/^(jest|mocha|node)$/) as string,
    }),
  )

  test('mocha, node:test and nextest get them outside of the command line', () => {
    const cwd = project({})
    const extras = (command: string, env = {}) =>
      plan(cwd, { command }).overrides('/out dir/"r".x', env)
    expect(extras('mocha')).toEqual({ env: { RATCHET_TEST_REPORT: '/out dir/"r".x' }, files: {} })
    expect(extras('node --test', { NODE_OPTIONS: '--no-warnings' }).env['NODE_OPTIONS']).toMatch(
      /^--no-warnings --test-reporter="\/.*\/reporters\/node-test\.mjs" --test-reporter-destination="\/out dir\/\\"r\\"\.x" --test-reporter=spec --test-reporter-destination=stdout$/,
    )
    expect(extras('node --test --test-reporter=dot').env['NODE_OPTIONS']).toMatch(
      /r\\"\.x" --test-reporter-destination=stdout$/,
    )
    expect(
      extras('node --test --test-reporter=dot --test-reporter-destination=x').env['NODE_OPTIONS'],
    ).toMatch(/r\\"\.x"$/)
    expect(extras('cargo nextest run').files).toEqual({
      '/out dir/"r".x.toml': '[profile.default.junit]\npath = "/out dir/\\"r\\".x"\n',
    })
    expect(plan(cwd, { command: 'mocha', ...report }).overrides('/out', {})).toEqual({
      env: {},
      files: {},
    })
  })
})
