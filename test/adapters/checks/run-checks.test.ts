// Checks of real projects with real processes: they pass, fail, hang, flood, write and leave other
// processes behind.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { QualityCommand } from '../../../src/adapters/checks/check-commands.js'
import { runQuality, type RunQuality } from '../../../src/adapters/checks/run-checks.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { findMarkedAll } from '../../../src/adapters/process/find.js'
import { MARKERS } from '../../../src/contract/names.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { redactor } from '../../../src/core/text/redact.js'
import {
  AT,
  filesOf,
  gitOf,
  makeWorkspace,
  refs,
  RUN,
  runGit,
  tempDir,
  writeFiles,
  type Files,
} from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

const LIMIT_MS = 60_000
let steps = 0

function check(
  workspace: Workspace,
  commit: string,
  input: Partial<RunQuality> = {},
): ReturnType<typeof runQuality> {
  return runQuality({
    workspace,
    commit,
    base: workspace.base,
    run: RUN,
    step: `checks-${process.pid}-${++steps}`,
    env: process.env,
    timeoutMs: LIMIT_MS,
    graceMs: 500,
    signal: new AbortController().signal,
    ...input,
  })
}

/** A workspace with two commits on its base, the second with the change. */
async function changed(
  base: Files,
  change: Files,
): Promise<{ workspace: Workspace; head: string }> {
  const { workspace } = await makeWorkspace(base)
  let head = workspace.base
  for (const [step, files] of Object.entries({
    between: { 'between.txt': 'of an earlier step\n' },
    last: change,
  })) {
    writeFiles(workspace.root, files)
    ;({ head } = await commitStep(
      { workspace, run: RUN, step, expectHead: head, at: AT, subject: step },
      () => false,
    ))
  }
  return { workspace, head }
}

const pkg = (scripts: Record<string, string>): Files => ({
  'package.json': JSON.stringify({ name: 'small', scripts }),
  '.gitignore': 'coverage/\n',
})
const says = (line: string, code: number) => `echo '${line}'; exit ${code}`
const sh = (name: QualityCommand['name'], line: string): QualityCommand => ({
  name,
  argv: ['sh', '-c', line],
  display: name,
})

test('a node project: lint passes, types fail as they did before, coverage is a number', async () => {
  const { workspace, head } = await changed(
    {
      ...pkg({
        lint: 'sh -n a.sh',
        typecheck: says('TS2322: no', 1),
        'test:coverage': says('All files | 81.5 | 70 |', 0),
      }),
      'a.sh': 'echo 1\n',
    },
    { 'a.sh': 'echo 2\n' },
  )
  expect(await check(workspace, head)).toEqual({
    commit: head,
    coverage: 81.5,
    coverageBefore: 81.5,
    checksBefore: ['lint', 'types', 'coverage'],
    // prettier-ignore
    checks: [
      { name: 'lint', command: 'npm run lint', result: 'passed', tail: expect.stringContaining('sh -n a.sh') as string, durationMs: expect.any(Number) as number },
      { name: 'types', command: 'npm run typecheck', result: 'failed', before: 'failed', tail: expect.stringContaining('TS2322: no') as string, durationMs: expect.any(Number) as number },
    ],
  })
})

test.each<{ why: string; base: Files; change: Files; before: string }>(
  // prettier-ignore
  [
  { why: 'passed', base: { ...pkg({ lint: 'sh -n a.sh' }), 'a.sh': 'echo 1\n' }, change: { 'a.sh': 'if\n' }, before: 'passed' },
  { why: 'did not exist', base: { 'package.json': '{}', 'a.js': '' }, change: pkg({ lint: says('no', 1) }), before: 'not_run' },
],
)(
  'a check that fails now and $why on the base: before is $before',
  async ({ base, change, before }) => {
    const { workspace, head } = await changed(base, change)
    const { checks } = await check(workspace, head)
    expect(checks).toMatchObject([{ name: 'lint', result: 'failed', before }])
    expect(runGit(workspace.root, 'rev-parse', 'HEAD', `refs/heads/${workspace.branch}`)).toBe(
      `${head}\n${head}`,
    )
    expect([
      runGit(workspace.root, 'status', '--porcelain'),
      Object.keys(refs(workspace.root)),
    ]).toEqual(['', [`refs/heads/${workspace.branch}`]])
  },
)

test('removes a key that a check prints from its output', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': '' })
  const { checks } = await check(workspace, workspace.base, {
    commands: [sh('lint', 'echo "with $KEY"; exit 1')],
    env: { ...process.env, KEY: 'sk-planted-0123456789' },
    redact: redactor([{ name: 'KEY', value: 'sk-planted-0123456789' }]),
  })
  expect(checks).toMatchObject([{ result: 'failed', tail: 'with [redacted:KEY]' }])
})

test('on the base itself nothing is run twice', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n' })
  const { checks } = await check(workspace, workspace.base, { commands: [sh('lint', 'exit 1')] })
  expect(checks[0]?.result).toBe('failed')
  expect(checks[0]).not.toHaveProperty('before')
})

test('a python project: the compiler of the language as lint, pytest-cov’s total as coverage', async () => {
  const { workspace, head } = await changed({ 'a.py': 'a = 1\n' }, { 'a.py': 'a = (\n' })
  const commands = [
    sh('lint', 'python3 -m py_compile a.py'),
    sh('coverage', 'printf "TOTAL  10  1  90%%\\n"; exit 1'),
  ]
  expect(await check(workspace, head, { commands })).toMatchObject({
    coverage: 90,
    checks: [
      {
        name: 'lint',
        result: 'failed',
        before: 'passed',
        tail: expect.stringContaining('SyntaxError') as string,
      },
    ],
  })
})

test('a project without checks has none', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n' })
  expect(await check(workspace, workspace.base)).toEqual({
    commit: workspace.base,
    checks: [],
    coverage: null,
  })
})

test('a hanging check counts as not run, with the reason, and is ended; the next one runs', async () => {
  const { workspace, head } = await changed({ 'a.txt': 'a\n' }, { 'a.txt': 'b\n' })
  const step = `hang-${process.pid}`
  const { checks, coverage } = await check(workspace, head, {
    step,
    timeoutMs: 1_000,
    commands: [
      sh('lint', 'echo working; (sleep 300 &); sleep 300'),
      sh('coverage', 'sleep 300'),
      sh('types', 'true'),
    ],
  })
  expect(checks).toMatchObject([
    { name: 'lint', result: 'not_run', tail: '"lint" did not end within 1 s\nworking' },
    { name: 'coverage', result: 'not_run' },
    { name: 'types', result: 'passed', tail: '' },
  ])
  expect(coverage).toBe(null)
  expect(findMarkedAll({ [MARKERS.run]: RUN, [MARKERS.step]: step })).toEqual([])
})

test.each<{ why: string; command: QualityCommand; tail: string }>(
  // prettier-ignore
  [
  { why: 'is not installed', command: { name: 'lint', argv: ['no-such-linter'], display: 'no-such-linter' }, tail: 'command not found: no-such-linter' },
  { why: 'calls what is not installed', command: sh('lint', 'no-such-linter'), tail: 'not found' },
  { why: 'is killed', command: sh('lint', 'kill -9 $$'), tail: '"lint" was ended by SIGKILL' },
],
)('a check that $why was not run', async ({ command, tail }) => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n' })
  const { checks } = await check(workspace, workspace.base, { commands: [command] })
  expect(checks).toMatchObject([
    { result: 'not_run', tail: expect.stringContaining(tail) as string },
  ])
})

test('a flood is cut to its end, without colours', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n' })
  const flood = String.raw`awk 'BEGIN { for (i = 0; i < 400000; i++) printf "\033[31mline %d\033[0m\n", i; print "the end"; exit 1 }'`
  const { checks } = await check(workspace, workspace.base, { commands: [sh('lint', flood)] })
  expect(checks[0]?.tail.length).toBeLessThanOrEqual(500)
  expect(checks[0]?.tail).toMatch(/^line \d+\n[^]*line 399999\nthe end$/)
})

test('files that a check writes are removed before the next one, and kept aside', async () => {
  const { workspace } = await makeWorkspace({ 'a.js': 'a\n' })
  const commands = [
    sh('lint', 'echo fixed > a.js; echo new > b.js'),
    sh('types', 'test "$(cat a.js)" = a && test ! -e b.js'),
  ]
  const { checks } = await check(workspace, workspace.base, { commands })
  expect(checks.map(({ result }) => result)).toEqual(['passed', 'passed'])
  expect(filesOf(workspace.root)).toEqual({ 'a.js': 'a\n' })
  const [kept = ''] = Object.keys(refs(gitOf(workspace))).filter((ref) =>
    ref.startsWith('refs/ratchet/snapshots/'),
  )
  expect(runGit(gitOf(workspace), 'show', `${kept}:b.js`)).toBe('new')
})

test('checks get the environment of the user with the markers, without that of an outer test runner', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'a\n' })
  const out = path.join(tempDir(), 'env')
  await check(workspace, workspace.base, {
    step: 'env',
    env: { ...process.env, MINE: 'yes', VITEST: 'true' },
    commands: [sh('lint', `env > '${out}'`)],
  })
  const seen = readFileSync(out, 'utf8').split('\n')
  expect(seen).toEqual(
    expect.arrayContaining([
      'MINE=yes',
      'CI=1',
      `${MARKERS.run}=${RUN}`,
      `${MARKERS.step}=env`,
      `PWD=${workspace.cwd}`,
    ]),
  )
  expect(seen.filter((line) => line.startsWith('VITEST'))).toEqual([])
})

test('an abort during the run on the base ends it, throws its reason and restores the commit in the tree', async () => {
  const { workspace, head } = await changed({ 'a.txt': 'base\n' }, { 'a.txt': 'head\n' })
  const reached = path.join(tempDir(), 'reached')
  const stop = new AbortController()
  const running = check(workspace, head, {
    signal: stop.signal,
    commands: [sh('lint', `grep -q head a.txt && exit 1; touch '${reached}'; sleep 300`)],
  })
  const ended = running.then(
    () => 'done',
    (error: unknown) => error,
  )
  await waitFor(() => existsSync(reached), { what: 'the check of the base' })
  const reason = new Error('stopped by a person')
  stop.abort(reason)
  expect(await ended).toBe(reason)
  expect(filesOf(workspace.root)['a.txt']).toBe('head\n')
  expect(runGit(workspace.root, 'rev-parse', 'HEAD')).toBe(head)
})

test('restores a workspace that a killed attempt left on the files of the base first', async () => {
  const { workspace, head } = await changed({ 'a.txt': 'base\n' }, { 'a.txt': 'head\n' })
  writeFiles(workspace.root, { 'a.txt': 'base\n', 'between.txt': null })
  const { checks } = await check(workspace, head, { commands: [sh('lint', 'grep -q head a.txt')] })
  expect(checks[0]?.result).toBe('passed')
  expect(Object.keys(refs(workspace.root))).toEqual([`refs/heads/${workspace.branch}`])
})

test('coverage of the base is measured once, where the head has a number', async () => {
  const { workspace, head } = await changed({ 'rate.txt': '90' }, { 'rate.txt': '70' })
  const commands = [sh('coverage', 'echo "All files | 10 | 10 | 10 | $(cat rate.txt) |"')]
  expect(await check(workspace, head, { commands })).toMatchObject({
    coverage: 70,
    coverageBefore: 90,
  })
  expect(await check(workspace, head, { commands, coverageBefore: 85 })).toMatchObject({
    coverage: 70,
    coverageBefore: 85,
  })
  const without = await check(workspace, head, { commands: [sh('coverage', 'echo nothing')] })
  expect(without.coverageBefore).toBeNull()
})

test('what ran on the base and does not run any more is named', async () => {
  const { workspace, head } = await changed(
    pkg({
      lint: 'true',
      typecheck: says('TS2322: no', 1),
      build: 'true',
      'test:coverage': says('All files | 81.5 | 70 |', 0),
    }),
    pkg({ lint: 'no-such-tool' }),
  )
  const quality = await check(workspace, head)
  expect(quality).toMatchObject({
    coverage: null,
    coverageBefore: 81.5,
    coverageLost: 'the project no longer has it',
    checksBefore: ['lint', 'types', 'build', 'coverage'],
    checks: [
      { name: 'lint', result: 'not_run', before: 'passed' },
      { name: 'types', result: 'not_run', before: 'failed', gone: true },
    ],
  })
  expect(quality.checks[0]?.tail).toMatch(/^"npm run lint" could not be started\n/)
  const { checks } = await check(workspace, head, { checksBefore: ['lint'] })
  expect(checks.map(({ name }) => name)).toEqual(['lint'])
})

test.each([
  { why: 'fails', now: 'exit 1', limit: 60_000, lost: '"coverage" failed' },
  {
    why: 'cannot be started',
    now: 'exit 127',
    limit: 60_000,
    lost: '"coverage" could not be started',
  },
  { why: 'does not end', now: 'sleep 30', limit: 1_000, lost: '"coverage" did not end within 1 s' },
  { why: 'gives no number', now: 'true', limit: 60_000, lost: undefined },
])('coverage of the base is known, and its run $why', async ({ now, limit, lost }) => {
  const { workspace, head } = await changed({ 'a.txt': '' }, { 'a.txt': now })
  const { coverage, coverageBefore, coverageLost } = await check(workspace, head, {
    commands: [sh('coverage', now)],
    coverageBefore: 80,
    timeoutMs: limit,
  })
  expect([coverage, coverageBefore, coverageLost]).toEqual([null, 80, lost])
})

test('a check that failed before is compared by its errors', async () => {
  const { workspace, head } = await changed(
    { 'out.txt': 'a.ts(1,1): error TS2322: no\n' },
    { 'out.txt': 'a.ts(1,1): error TS2322: no\na.ts(2,1): error TS2322: no\n' },
  )
  expect(
    (await check(workspace, head, { commands: [sh('types', 'cat out.txt; exit 1')] })).checks,
  ).toMatchObject([{ before: 'failed', errors: { now: 2, before: 1 } }])
  expect(
    (await check(workspace, head, { commands: [sh('types', 'echo wrong; exit 1')] })).checks[0],
  ).not.toHaveProperty('errors')
})

test('a build runs where something was committed, and not on the base', async () => {
  const { workspace, head } = await changed({ 'a.txt': '' }, { 'a.txt': 'b' })
  const commands = [sh('build', 'exit 1')]
  expect((await check(workspace, head, { commands })).checks).toMatchObject([
    { name: 'build', result: 'failed', before: 'failed' },
  ])
  expect((await check(workspace, workspace.base, { commands })).checks).toEqual([])
})

test('names changed files without a covered line, and no unchanged ones', async () => {
  const { workspace, head } = await changed(
    { '.gitignore': 'coverage/\n', 'old.js': '1' },
    { 'new.js': '2', 'run.js': '3' },
  )
  const summary = (dir: string) =>
    `{"total":{"lines":{"pct":50}},"${dir}/old.js":{"lines":{"total":1,"covered":0}},"${dir}/new.js":{"lines":{"total":1,"covered":0}},"${dir}/run.js":{"lines":{"total":1,"covered":1}}}`
  const commands = [
    sh(
      'coverage',
      `mkdir -p coverage; echo '${summary('DIR')}' | sed "s#DIR#$(pwd -P)#g" > coverage/coverage-summary.json`,
    ),
  ]
  expect(await check(workspace, head, { commands })).toMatchObject({
    coverage: 50,
    untested: ['new.js'],
  })
})
