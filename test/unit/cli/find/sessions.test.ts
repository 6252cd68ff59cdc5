// Sessions by their files: which ones `fix` resumes, lists and refuses.
// None of it needs a server; the server program of this user does not exist, so that a start fails
// and says so.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { iterationOf, sessionsOf, unfinished } from '../../../../src/cli/find/sessions.js'
import type { SessionChoice } from '../../../../src/cli/output/errors.js'
import { projectKey } from '../../../../src/adapters/state-dir.js'
import { firstCommit } from '../repo-user.js'
import { cliUser, type CliUser } from '../support.js'
import { present } from '../../../support/present.js'

type Fields = Record<string, unknown>
type Failed = {
  error: { type: string; message: string; where: string; next: string; sessions?: SessionChoice[] }
}

/** A project with pytest and these sessions, by their directory below `.workflow`. */
function user(sessions: Record<string, Fields> = {}): CliUser {
  const made = cliUser()
  firstCommit(made, { 'pytest.ini': '[pytest]\n' })
  for (const [dir, fields] of Object.entries(sessions)) session(made, dir, fields)
  return made
}

function session({ cwd }: CliUser, dir: string, fields: Fields, state?: Fields): void {
  const full = path.join(cwd, '.workflow', dir)
  mkdirSync(path.join(full, '.process'), { recursive: true })
  writeFileSync(
    path.join(full, 'workflow-session.json'),
    JSON.stringify({ session_id: path.basename(dir), workflow_type: 'test_session', ...fields }),
  )
  if (state !== undefined)
    writeFileSync(path.join(full, '.process/iteration-state.json'), JSON.stringify(state))
}

const failed = (stdout: string): Failed['error'] => (JSON.parse(stdout) as Failed).error
/** The refusal of a start that went as far as the server program, which is not there. */
const NO_PROGRAM = { exitCode: 3, stderr: expect.stringContaining('TEMPORAL_CLI_PATH') as string }

test('discovery: several unfinished sessions are listed with the command for each, and nothing is started', async () => {
  const one = user({
    'WFS-test-a': { status: 'planning', created_at: '2026-11-20T10:00:00+08:00' },
    'active/WFS-test-bb': { status: 'active', created_at: '2026-11-20T12:00:00+08:00' },
  })
  const { exitCode, stdout, stderr } = await one.run('fix', '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout)).toMatchObject({
    type: 'SeveralSessions',
    message: '2 sessions are unfinished',
    // prettier-ignore
    sessions: [
      { name: 'WFS-test-bb', status: 'active', updatedAt: '2026-11-20T04:00:00.000Z', dir: '.workflow/active/WFS-test-bb', command: 'ratchet fix --resume-session WFS-test-bb' },
      { name: 'WFS-test-a', status: 'planning', updatedAt: '2026-11-20T02:00:00.000Z', dir: '.workflow/WFS-test-a', command: 'ratchet fix --resume-session WFS-test-a' },
    ],
  })
  expect(stderr.split('\n')).toEqual([
    'error: 2 sessions are unfinished',
    '  where  WFS-test-bb  active    2026-11-20 04:00 UTC  .workflow/active/WFS-test-bb',
    '         WFS-test-a   planning  2026-11-20 02:00 UTC  .workflow/WFS-test-a',
    '  next   ratchet fix --resume-session WFS-test-bb',
    '         ratchet fix --resume-session WFS-test-a',
    '         a new one: ratchet fix --session WFS-test-<name>',
    '',
  ])
  expect(existsSync(path.join(one.state, 'ratchet/supervisor.json'))).toBe(false)
})

test('the commands that choose a session carry the project along', async () => {
  const one = user({ 'WFS-test-a': { status: 'planning' }, 'WFS-test-b': { status: 'paused' } })
  const { stdout } = await one.runIn(one.root, 'fix', '--project', 'shop', '--json')
  expect(failed(stdout).sessions?.map((choice) => choice.command)).toEqual(
    expect.arrayContaining(['ratchet fix --resume-session WFS-test-a --project shop']),
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'resumes the only unfinished one and says so', sessions: { 'WFS-test-a': { status: 'planning' }, 'WFS-test-b': { status: 'completed' }, 'WFS-test-c': { status: 'failed' } }, said: 'the session WFS-test-a is unfinished (planning) and continues' },
  { why: 'resumes one of another tool by its type', sessions: { 'active/WFS-test-a': { workflow_type: 'x', type: 'test', status: 'active' } }, said: 'the session WFS-test-a is unfinished (active) and continues' },
  { why: 'ignores a session of another type', sessions: { 'WFS-test-a': { workflow_type: 'implementation', status: 'active' } }, said: undefined },
  { why: 'ignores an archived one', sessions: { 'archives/WFS-test-a': { status: 'active' } }, said: undefined },
  { why: 'resumes a failed one only by name', sessions: { 'WFS-test-a': { status: 'failed' } }, said: undefined },
],
)('discovery: $why', async ({ sessions, said }) => {
  const { exitCode, stderr, stdout } = await user(present<Fields>(sessions)).run('fix')
  expect(exitCode).toBe(3)
  expect(stderr).toContain('TEMPORAL_CLI_PATH')
  if (said === undefined) expect(stdout).not.toContain('is unfinished')
  else expect(stdout).toContain(said)
})

test('--session always starts a new one', async () => {
  const { exitCode, stdout, stderr } = await user({
    'WFS-test-a': { status: 'planning' },
    'WFS-test-b': { status: 'active' },
  }).run('fix', '--session', 'WFS-test-c')
  expect({ exitCode, stderr }).toEqual(NO_PROGRAM)
  expect(stdout).not.toContain('is unfinished')
})

test.each(['WFS-test-a', 'active/WFS-test-a', 'archives/WFS-test-a'])(
  '--session refuses a name that is taken in .workflow/%s',
  async (dir) => {
    const { exitCode, stderr } = await user({ [dir]: { status: 'completed' } }).run(
      'fix',
      '--session',
      'WFS-test-a',
    )
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(
      /^error: the session WFS-test-a already exists\n {2}where .*WFS-test-a\n {2}next {3}continue it with: ratchet fix --resume-session WFS-test-a/,
    )
  },
)

const KEY = (one: CliUser): string => projectKey(one.cwd).slice(0, 6)

test.each([
  { why: 'by its name', named: () => 'WFS-test-a' },
  { why: 'by the id of its run', named: (one: CliUser) => `WFS-test-a.${KEY(one)}` },
])('resumes a failed session from its record alone $why', async ({ named }) => {
  const one = user({ 'WFS-test-a': { status: 'failed' } })
  for (const argv of [
    ['fix', '--resume-session', named(one)],
    ['resume', named(one)],
    ['extend', named(one), '3'],
  ])
    expect(await one.run(...argv), argv.join(' ')).toMatchObject(NO_PROGRAM)
})

const RECORD = {
  workflow_id: 'WFS-test-a.ffffff',
  project: '/elsewhere',
  branch: 'ratchet/WFS-test-a',
  base: 'HEAD',
}

test.each(
  // prettier-ignore
  [
  { why: 'a completed one', branch: 'ratchet/WFS-test-a', fields: { status: 'completed' }, message: 'the session WFS-test-a is completed', next: 'apply its changes with: ratchet apply WFS-test-a' },
  { why: 'a completed one with a branch of its own name', branch: 'ratchet-runs/nightly', fields: { ...RECORD, status: 'completed', branch: 'ratchet-runs/nightly' }, message: 'the session WFS-test-a is completed', next: 'ratchet apply WFS-test-a' },
  { why: 'a completed one that was cleaned up', fields: { ...RECORD, status: 'completed' }, message: 'the session WFS-test-a is completed', next: 'its branch ratchet/WFS-test-a no longer exists; start a new one with: ratchet fix' },
  { why: 'one without a mark', fields: { workflow_type: 'review', status: 'active' }, message: 'the session WFS-test-a cannot continue: it is not marked as a test session', next: 'correct it' },
  { why: 'one of an unknown status', fields: { status: 'resting' }, message: 'the session WFS-test-a cannot continue: its status is "resting"', next: 'correct it' },
] as { why: string; branch?: string; fields: Fields; message: string; next: string }[],
)('refuses to resume $why and says what to do', async ({ branch, fields, message, next }) => {
  const one = user({ 'WFS-test-a': fields })
  if (branch !== undefined) execFileSync('git', ['branch', branch], { cwd: one.cwd })
  for (const argv of [
    ['fix', '--resume-session', 'WFS-test-a'],
    ['resume', 'WFS-test-a'],
    ['extend', 'WFS-test-a', '3'],
  ]) {
    const { exitCode, stdout } = await one.run(...argv, '--json')
    expect(exitCode).toBe(2)
    expect(failed(stdout).message).toContain(message)
    expect(failed(stdout).next).toContain(next)
  }
})

test('an archived session is refused as archived', async () => {
  const { stdout } = await user({ 'archives/WFS-test-a': { status: 'active' } }).run(
    'resume',
    'WFS-test-a',
    '--json',
  )
  expect(failed(stdout)).toMatchObject({
    type: 'BadInput',
    message: 'the session WFS-test-a is archived',
  })
})

test('an unknown session is refused with those that are there, nearest first', async () => {
  const one = user({
    'WFS-test-login': { status: 'failed' },
    'WFS-test-shop': { status: 'completed' },
  })
  const { exitCode, stdout } = await one.run('fix', '--resume-session', 'WFS-test-shpo', '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout)).toMatchObject({
    message: 'there is no run WFS-test-shpo',
    next: 'sessions of this project: WFS-test-shop, WFS-test-login',
  })
})

// Whether its iterations are spent is the host's to say, see activities/resume.
describe.each(
  // prettier-ignore
  [
  { standing: 'in its last iteration, at the fix', status: 'paused', state: { current_iteration: 5, max_iterations: 5, next_action: 'execute_fix_task' } },
  { standing: 'in its last iteration, at the retest', status: 'running', state: { current_iteration: 5, max_iterations: 5, next_action: 'retest' } },
  { standing: 'behind its last iteration, before the final run', status: 'running', state: { current_iteration: 5, max_iterations: 5, next_action: 'complete' } },
  { standing: 'with several test tasks, more iterations behind it than one may take', status: 'paused', state: { current_iteration: 7, max_iterations: 5, next_action: 'analyze' } },
],
)('a session $standing', ({ status, state }) => {
  test.each([
    [['fix']],
    [['fix', '--max-iterations', '5']],
    [['fix', '--resume-session', 'WFS-test-a']],
    [['fix', '--resume-session', 'WFS-test-a', '--max-iterations', '5']],
    [['resume', 'WFS-test-a']],
    [['resume', 'WFS-test-a', '--max-iterations', '5']],
    [['extend', 'WFS-test-a', '1']],
    [['extend', 'WFS-test-a', '--max-iterations', '5']],
  ])('resumes with %j', async (argv) => {
    const one = user()
    session(one, 'WFS-test-a', { status }, state)
    expect(await one.run(...argv)).toMatchObject(NO_PROGRAM)
  })
})

test('a record that says nothing of iterations is in none', () => {
  const one = user({ 'WFS-test-a': { status: 'planning' } })
  const [only] = sessionsOf(one.cwd)
  expect(only === undefined ? 'none' : iterationOf(only)).toBe(0)
})

test.each(
  // prettier-ignore
  [
  { why: 'that was never begun belongs to this project', fields: {}, own: true },
  { why: 'of a copied project does not keep the id of the original', fields: { workflow_id: 'WFS-test-a.ffffff' }, own: true },
  { why: 'of a run with an id of its own keeps that', fields: { workflow_id: 'nightly-2026' }, own: false },
],
)('the run of a session $why', ({ fields, own }) => {
  const one = user({ 'WFS-test-a': { status: 'paused', ...fields } })
  expect(unfinished(sessionsOf(one.cwd)).map(({ runId }) => runId)).toEqual([
    own ? `WFS-test-a.${KEY(one)}` : 'nightly-2026',
  ])
})

test('status and watch of a session without a run show its state and how to resume it', async () => {
  const one = user({ 'active/WFS-test-a': { status: 'planning' } })
  const { exitCode, stdout } = await one.run('status', 'WFS-test-a', '--json')
  expect(exitCode).toBe(0)
  expect((JSON.parse(stdout) as { runs: unknown[] }).runs).toEqual([
    {
      id: `WFS-test-a.${KEY(one)}`,
      kind: 'test-fix',
      status: 'created',
      phase: 'planning',
      iteration: 0,
      passRate: null,
      waitingFor: 'person: no run has this session; continue with: ratchet resume WFS-test-a',
    },
  ])
  expect((await one.run('watch', 'WFS-test-a')).stderr).toMatch(
    /^error: no run has the session WFS-test-a\n[^]* {2}next {3}continue it with: ratchet resume WFS-test-a\n$/,
  )
})

test('apply works in the project where the record lies, not in the one that it was copied from', async () => {
  const one = user({
    'WFS-test-a': {
      status: 'completed',
      workflow_id: 'WFS-test-a.ffffff',
      project: '/elsewhere',
      branch: 'ratchet/WFS-test-a',
      base: 'HEAD',
    },
  })
  const { exitCode, stdout } = await one.run('apply', 'WFS-test-a', '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout)).toMatchObject({
    message: expect.stringContaining('ratchet/WFS-test-a is not in') as string,
    where: one.cwd,
  })
})
