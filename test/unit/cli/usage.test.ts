// Bad usage and bad input: exit code 2, what / where / next, and nothing written or started.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../../src/cli/commands.js'
import { cliUser } from './support.js'

const git = (cwd: string, ...args: string[]): void =>
  void execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' },
  })
const PYTEST = { 'test_a.py': 'def test_a():\n    assert True\n', 'pytest.ini': '[pytest]\n' }

function repository(
  dir: string,
  files: Record<string, string> = PYTEST,
  { commit = true } = {},
): void {
  git(dir, 'init', '-q')
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text)
  git(dir, 'add', '-A')
  if (commit) git(dir, 'commit', '-q', '-m', 'first')
}

test.each(
  // prettier-ignore
  [
  { why: 'no command', argv: [], message: 'no command given' },
  { why: 'an unknown command', argv: ['fixx'], message: 'unknown command fixx' },
  { why: 'an unknown option', argv: ['fix', '--fast'], message: "unknown option '--fast'" },
  { why: 'a missing id', argv: ['watch'], message: "missing required argument 'id'" },
  { why: 'an option without its value', argv: ['fix', '--base'], message: "option '--base <ref>' argument missing" },
  { why: 'an argument too many', argv: ['watch', 'a', 'b'], message: 'too many arguments' },
  { why: 'help for an unknown command', argv: ['help', 'statsu'], message: 'unknown command statsu' },
  { why: 'an unknown kind of run', argv: ['status', '--kind', 'tests'], message: 'unknown kind of run "tests"' },
  { why: 'open and closed', argv: ['status', '--open', '--closed'], message: '--open and --closed cannot be used together' },
  { why: 'closed runs that wait', argv: ['status', '--closed', '--waiting'], message: 'only an open run waits for a person' },
  { why: 'since some time', argv: ['status', '--since', 'yesterday'], message: '--since must be a time span or a date, got "yesterday"' },
  { why: 'too many runs', argv: ['status', '--limit', '1001'], message: '--limit must be at most 1000' },
  { why: 'one run and a filter', argv: ['status', 'WFS-test-a', '--all'], message: 'an id and filters cannot be used together' },
  { why: 'a shell without completion', argv: ['completion', 'tcsh'], message: 'no completion for "tcsh"' },
  { why: 'no repository here', argv: ['clean', 'WFS-test-a'], message: 'this is not a git repository' },
  { why: 'iterations of 0', argv: ['fix', '--max-iterations', '0'], message: '--max-iterations must be a whole number of at least 1, got "0"' },
  { why: 'an unknown sandbox', argv: ['fix', '--sandbox', 'box'], message: '--sandbox must be auto, bwrap, srt, podman, docker, none, got "box"' },
  { why: 'iterations of x', argv: ['fix', '--max-iterations', 'x'], message: '--max-iterations must be a whole number of at least 1, got "x"' },
  { why: 'a session with capitals', argv: ['fix', '--session', 'Login'], message: '--session must look like WFS-test-' },
  { why: 'a session that is too long', argv: ['fix', '--session', `WFS-test-${'a'.repeat(42)}`], message: '--session must have at most 50 characters, got 51' },
  { why: 'a session to start and one to resume', argv: ['fix', '--session', 'WFS-test-a', '--resume-session', 'WFS-test-b'], message: '--session and --resume-session cannot be used together' },
  { why: 'a base for a session that was begun', argv: ['fix', '--resume-session', 'WFS-test-a', '--base', 'HEAD'], message: '--base is for a new session' },
  { why: 'a directory for reports without --ci', argv: ['fix', '--ci-dir', 'reports'], message: '--ci-dir has an effect only with --ci' },
  { why: 'a CI that does not wait', argv: ['fix', '--ci', '--detach'], message: '--ci and --detach cannot be used together' },
  { why: 'a fix that asks and does not', argv: ['fix', '--auto', '--interactive'], message: '--auto and --interactive cannot be used together' },
  { why: 'an extension by nothing', argv: ['extend', 'WFS-test-a'], message: 'no number of further iterations given' },
  { why: 'an extension by words', argv: ['extend', 'WFS-test-a', 'a', 'bit'], message: 'a test-fix run is extended by a number of iterations from 1 to 1000, got "a bit"' },
  { why: 'an extension by far too much', argv: ['extend', 'WFS-test-a', '1001'], message: 'from 1 to 1000, got "1001"' },
  { why: 'an extension by 0', argv: ['extend', 'WFS-test-a', '0'], message: 'from 1 to 1000, got "0"' },
  { why: 'an extension by less than nothing', argv: ['extend', 'WFS-test-a', '-1'], message: '-1' },
  { why: 'an extension by 1e9', argv: ['extend', 'WFS-test-a', '1e9'], message: 'from 1 to 1000, got "1e9"' },
  { why: 'an extension told twice', argv: ['extend', 'WFS-test-a', '3', '--max-iterations', '9'], message: 'further iterations and --max-iterations cannot be used together' },
  { why: 'a project that is not there', argv: ['fix', '--project', 'nowhere'], message: 'directory not found' },
  { why: 'a namespace without a server', argv: ['status', '--namespace', 'team'], message: '--namespace needs --address or --profile' },
  { why: 'a profile that is not there', argv: ['status', '--profile', 'nope'], message: 'nope' },
  { why: 'a worker without a server', argv: ['worker'], message: 'no server named' },
  { why: 'dev for another server', argv: ['dev', '--address', '127.0.0.1:1'], message: 'dev runs the local server only' },
  { why: '--force without --stop', argv: ['dev', '--force'], message: '--force has an effect only with --stop' },
  { why: 'logs of 0 lines', argv: ['logs', '-n', '0'], message: '--lines must be a whole number of at least 1, got "0"' },
  { why: 'logs of nothing', argv: ['logs', 'nothing'], message: 'no log and no run has the name nothing' },
  { why: 'cleaning nothing in particular', argv: ['clean'], message: 'no run named' },
  { why: 'cleaning one and all', argv: ['clean', 'WFS-test-a', '--all'], message: 'an id and --all cannot be used together' },
],
)('$why: exit 2 and three lines', async ({ argv, message }) => {
  const { exitCode, stdout, stderr } = await cliUser().run(...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr.split('\n')[0]).toContain(`error: `)
  expect(stderr.split('\n')[0]).toContain(message)
  expect(stderr).toMatch(/\n {2}where {2}\S.*\n {2}next {3}\S/)
  expect(stderr).not.toMatch(/^\s+at /m)
})

test.each(
  // prettier-ignore
  [
  { why: 'a mistyped command', argv: ['statuss'], next: 'did you mean ratchet status? list' },
  { why: 'the beginning of a command', argv: ['comp'], next: 'did you mean ratchet completion? list' },
  { why: 'a command like none', argv: ['frobnicate'], next: 'list the commands with: ratchet --help' },
  { why: 'a missing id', argv: ['stop'], next: 'list the ids with: ratchet status --all; then run: ratchet stop <id>' },
  { why: 'a missing shell', argv: ['completion'], next: 'write: ratchet completion <shell>' },
  { why: 'an option without its value', argv: ['loop', '--loop-id'], next: 'write: ratchet loop --loop-id <id>' },
  { why: 'a task for fix', argv: ['fix', 'the login'], next: 'fix has no task argument; to develop a task, run: ratchet cycle "<task>"' },
],
)('what to do next: $why', async ({ argv, next }) =>
  expect((await cliUser().run(...argv)).stderr).toContain(`\n  next   ${next}`),
)

const loaded = await Promise.all(
  COMMANDS.map(async ({ name, load }) => ({ name, ...(await load()) })),
)
const WITH_ID = loaded
  .filter(({ command }) => command.arguments?.some(([name]) => /^[<[]id/.test(name)))
  .map(({ name }) => name)

test.each(
  WITH_ID.flatMap((command) =>
    ['../../etc', 'a/../b', 'a..b', '.hidden', 'x.lock'].map((id) => ({ command, id })),
  ),
)('$command refuses the id $id before anything else', async ({ command, id }) => {
  const user = cliUser()
  const { exitCode, stderr } = await user.run(command, id)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('error: the id must')
  expect(existsSync(user.state)).toBe(false)
})

test.each(
  // prettier-ignore
  [
  { why: 'no git repository', make: () => undefined, type: 'NoRepository' },
  { why: 'no commit', make: (dir: string) => repository(dir, PYTEST, { commit: false }), type: 'NoCommit' },
  { why: 'no test command', make: (dir: string) => repository(dir, { 'a.txt': '' }), type: 'NoTestCommand' },
  { why: 'a test command that is not there', make: (dir: string) => repository(dir, { 'ratchet.config.json': '{"test":{"command":"no-such-runner","report":{"format":"junit","path":"r.xml"}}}' }), type: 'NoTestCommand' },
  { why: 'an unknown config key', make: (dir: string) => repository(dir, { ...PYTEST, 'ratchet.config.json': '{"agent":1}' }), type: 'BadConfig' },
  { why: 'a limit of 0', make: (dir: string) => repository(dir, { ...PYTEST, 'ratchet.config.json': '{"limits":{"maxIterations":0}}' }), type: 'BadConfig' },
  { why: 'a base that is no commit', make: (dir: string) => repository(dir), argv: ['--base', 'nowhere'], type: 'BadInput' },
  { why: 'a session that has a record', make: (dir: string) => { repository(dir); mkdirSync(path.join(dir, '.workflow/WFS-test-x'), { recursive: true }) }, argv: ['--session', 'WFS-test-x'], type: 'BadInput' },
  { why: 'a directory for reports that is a file', make: (dir: string) => repository(dir), argv: ['--ci', '--ci-dir', 'test_a.py'], type: 'BadInput' },
  { why: 'a session that has a branch', make: (dir: string) => { repository(dir); git(dir, 'branch', 'ratchet/WFS-test-x') }, argv: ['--session', 'WFS-test-x'], type: 'BadInput' },
],
)('fix refuses $why with exit 2, and writes nothing', async ({ make, argv = [], type }) => {
  const user = cliUser()
  make(user.cwd)
  const { exitCode, stdout, stderr } = await user.run('fix', '--json', ...argv)
  expect(exitCode).toBe(2)
  const { error } = JSON.parse(stdout) as { error: Record<string, string> }
  expect(error['type']).toBe(type)
  expect(Object.keys(error)).toEqual(['type', 'message', 'where', 'next'])
  for (const text of Object.values(error)) expect(text).not.toBe('')
  expect(stderr).toMatch(/^error: .*\n {2}where {2}.*\n {2}next {3}.*\n$/)
  expect(existsSync(user.state)).toBe(false)
})

test.each(
  // prettier-ignore
  [
  { why: 'whose repository has tests', files: PYTEST, next: /^use the root of the repository, whose test command is ".*pytest": --project ROOT; or set test\.command/ },
  { why: 'whose repository has none either', files: { 'a.txt': '' }, next: /^set test\.command/ },
],
)('NoTestCommand in a subfolder $why says what to do', async ({ files, next }) => {
  const user = cliUser()
  mkdirSync(path.join(user.cwd, 'docs'))
  repository(user.cwd, { ...files, 'docs/a.txt': '' })
  const { stdout } = await user.runIn(path.join(user.cwd, 'docs'), 'fix', '--json')
  const { error } = JSON.parse(stdout) as { error: { type: string; next: string } }
  expect(error.type).toBe('NoTestCommand')
  expect(error.next.replace(user.cwd, 'ROOT')).toMatch(next)
})

test('NotWritable: a state directory that cannot be made is exit 1 and three lines', async () => {
  const user = cliUser()
  repository(user.cwd)
  writeFileSync(user.state, 'a file of another program')
  const { exitCode, stderr } = await user.run('status')
  expect(exitCode).toBe(1)
  expect(stderr).toBe(
    `error: cannot write (ENOTDIR): a file is in the place of a directory\n  where  ${path.join(user.state, 'ratchet')}\n  next   move it away, then try again\n`,
  )
})

test('no directory above the current one is searched for a project', async () => {
  const user = cliUser()
  repository(user.cwd)
  const inner = path.join(user.cwd, 'docs')
  mkdirSync(inner)
  const { exitCode, stderr } = await user.runIn(inner, 'fix')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('no test command')
  expect(stderr).toContain(inner)
})

test('--json gives every mistake as one document', async () => {
  const { stdout } = await cliUser().run('watch', '--json')
  expect(JSON.parse(stdout)).toEqual({
    error: {
      type: 'BadUsage',
      message: "missing required argument 'id'",
      where: 'ratchet watch …',
      next: 'list the ids with: ratchet status --all; then run: ratchet watch <id>',
    },
  })
})

test('RATCHET_DEBUG=1 shows the stack behind an error', async () => {
  expect((await cliUser({ RATCHET_DEBUG: '1' }).run('logs', 'nothing')).stderr).toMatch(/^\s+at /m)
})
