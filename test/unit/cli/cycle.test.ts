// Cycles on the command line: arguments, start, and what the record alone says about a cycle. No
// test needs a server; the server program of this user does not exist, so that a start fails and
// says so.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkedTask, extendOpenCycle } from '../../../src/cli/start/further-task.js'
import { rolesToCheck } from '../../../src/cli/doctor/agent-checks.js'
import { readCycle } from '../../../src/adapters/records/dev-cycle/load-cycle-record.js'
import { Config } from '../../../src/contract/config/config.js'
import type { CycleRecord } from '../../../src/contract/dev-cycle/cycle-record.js'
import { TASK_CHARS } from '../../../src/contract/dev-cycle/cycle-input.js'
import type { RunHandle } from '../../../src/client/handle.js'
import { NO_PROGRAM, failed, git, repoUser as user } from './repo-user.js'
import { cliUser, type CliUser } from './support.js'

type Notes = CycleRecord['ratchet']

const ID = 'cycle-v1-20261120T200203-4k2j9x0q'
const AT = '2026-11-20T20:02:03+08:00'
const AGENT: CycleRecord['agents']['ra'] = {
  status: 'idle',
  output_files: [],
  iterations_completed: 0,
}

function record(
  fields: Partial<Omit<CycleRecord, 'ratchet'>>,
  notes: Partial<Notes> = {},
): CycleRecord {
  return {
    schema: 1,
    cycle_id: ID,
    title: 'add a cart',
    description: 'add a cart',
    task_history: ['add a cart'],
    status: 'running',
    created_at: AT,
    updated_at: AT,
    max_iterations: 5,
    current_iteration: 2,
    agents: { ra: AGENT, ep: AGENT, cd: AGENT, vas: AGENT },
    current_phase: 'cd',
    completed_phases: [],
    phase_errors: [],
    iterations: [
      {
        number: 1,
        started_at: AT,
        completed_at: AT,
        agent_results: {},
        issues_found: ['a', 'b'],
        resolved: false,
      },
      { number: 2, started_at: AT, agent_results: {}, issues_found: [], resolved: false },
    ],
    coordination: { feedback_log: [], pending_decisions: [], blockers: [] },
    convergence: null,
    phase_gates: null,
    agent_focus: null,
    source_refs: null,
    test_results: {
      version: '1.0.0',
      pass_rate: 75,
      coverage: null,
      failed_tests: ['adds'],
      total_tests: 4,
      last_run: AT,
    },
    ...fields,
    ratchet: {
      branch: `ratchet/${ID}`,
      scheduling: 'parallel',
      interactive: false,
      parallel: 4,
      commits: [],
      warnings: [],
      open_issues: [],
      pending_extensions: [],
      ...notes,
    },
  }
}

const ENDED = {
  completed: record({ status: 'completed' }, { outcome: 'completed', commits: ['c'] }),
  withIssues: record({ status: 'completed' }, { outcome: 'completed_with_issues', commits: ['c'] }),
  stopped: record(
    { status: 'failed', failure_reason: 'stopped by request' },
    { outcome: 'stopped' },
  ),
}

function keep({ cwd }: CliUser, content: CycleRecord | string, name = ID): string {
  const dir = path.join(cwd, '.workflow/.cycle')
  mkdirSync(path.join(dir, `${name}.progress`), { recursive: true })
  const file = path.join(dir, `${name}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test.each(
  // prettier-ignore
  [
  { why: 'neither task nor cycle', argv: [], message: 'Missing cycleId or task', next: 'ratchet cycle "<task>"' },
  { why: 'an empty task', argv: [' '], message: 'Missing cycleId or task', next: 'ratchet cycle "<task>"' },
  { why: 'both', argv: ['add', 'a', 'cart', '--cycle-id', ID], message: 'a task and --cycle-id cannot be used together', next: '--extend "<task>"' },
  { why: 'an unknown cycle', argv: ['--cycle-id', ID], message: 'Cycle not found', next: 'ratchet cycle "<task>"' },
  { why: 'an extension of no cycle', argv: ['--extend', 'more'], message: '--extend needs the cycle to extend', next: 'ratchet cycle --cycle-id <id> --extend "more"' },
  { why: 'an extension together with a task', argv: ['add a cart', '--extend', 'more'], message: '--extend needs the cycle to extend', next: '--cycle-id' },
  { why: 'an empty extension', argv: ['--cycle-id', ID, '--extend', ' '], message: 'no further task given', next: `ratchet extend ${ID}` },
  { why: 'a base for an existing cycle', argv: ['--cycle-id', ID, '--base', 'HEAD'], message: '--base is for a new cycle', next: 'use one of them' },
  { why: 'a prep package for an existing cycle', argv: ['--cycle-id', ID, '--prep', 'p.json'], message: '--prep is for a new cycle', next: 'use one of them' },
  { why: 'auto and interactive', argv: ['t', '--auto', '--interactive'], message: '--auto and --interactive cannot be used together', next: 'use one of them' },
  { why: 'five agents', argv: ['t', '--parallel', '5'], message: 'a cycle has 4 agents, got --parallel 5', next: 'from 1 to 4' },
  { why: 'no agent', argv: ['t', '--parallel', '0'], message: '--parallel must be a whole number of at least 1', next: '--parallel 5' },
  { why: 'an unknown scheduling', argv: ['t', '--scheduling', 'random'], message: '--scheduling must be parallel or staged, got "random"', next: '--scheduling staged' },
  { why: 'iterations of 0', argv: ['t', '--max-iterations', '0'], message: '--max-iterations must be a whole number', next: '--max-iterations 5' },
  { why: 'far too many iterations', argv: ['t', '--max-iterations', '1001'], message: 'maxIterations', next: 'correct it' },
  { why: 'a task longer than its limit', argv: ['x'.repeat(TASK_CHARS + 1)], message: `task: must have at most ${TASK_CHARS} characters`, next: 'correct it' },
  { why: 'an id that could leave its directory', argv: ['--cycle-id', '../x'], message: 'the id must', next: 'ratchet status' },
],
)('arguments: $why is exit 2, and nothing is started', async ({ argv, message, next }) => {
  const one = user()
  const { exitCode, stdout, stderr } = await one.run('cycle', '--json', ...argv)
  expect({ exitCode, type: failed(stdout).type }).toEqual({ exitCode: 2, type: 'BadInput' })
  expect(failed(stdout).message).toContain(message)
  expect(failed(stdout).next).toContain(next)
  expect(stderr).toMatch(/^error: .*\n {2}where {2}\S.*\n {2}next {3}\S.*\n$/)
  expect(existsSync(path.join(one.state, 'ratchet/supervisor.json'))).toBe(false)
  expect(existsSync(path.join(one.cwd, '.workflow'))).toBe(false)
})

test.each([
  { argv: ['--scheduling', 'staged', '--parallel', '2'], warned: true },
  { argv: ['--scheduling', 'staged', '--parallel', '1'], warned: false },
  { argv: ['--parallel', '2'], warned: false },
])('$argv: warns of a --parallel without effect: $warned', async ({ argv, warned }) => {
  const one = cliUser() // no repository: the command ends before it starts anything
  const { stderr } = await one.run('cycle', 'add a cart', ...argv)
  expect(stderr.includes('--parallel has no effect with --scheduling staged')).toBe(warned)
})

test.each(
  // prettier-ignore
  [
  { why: 'no git repository', make: () => cliUser(), type: 'NoRepository' },
  { why: 'no agent for two of its roles', make: () => user({ roles: { 'requirements-analyst': 'playbook', 'code-developer': 'playbook' } }), type: 'BadConfig', message: 'no agent is configured for exploration-planner and validation-archivist' },
  { why: 'a base that is no commit', make: () => user(), argv: ['--base', 'nowhere'], type: 'BadInput' },
  { why: 'a configured test command that is not there', make: () => user({ test: { command: 'no-such-runner', report: { format: 'junit', path: 'r.xml' } } }), type: 'NoTestCommand' },
],
)('cycle refuses $why before anything is started', async ({ make, argv = [], type, message }) => {
  const one = make()
  const { exitCode, stdout } = await one.run('cycle', '--json', 'add a cart', ...argv)
  expect({ exitCode, type: failed(stdout).type }).toEqual({ exitCode: 2, type })
  if (message !== undefined) expect(failed(stdout).message).toBe(message)
  expect(existsSync(one.state)).toBe(false)
})

test('accepts a project without tests: the start fails only at the server', async () => {
  expect(await user().run('cycle', 'add', 'a', 'cart')).toMatchObject(NO_PROGRAM)
})

test('an unknown cycle is refused with the nearest ones of the project', async () => {
  const one = user()
  keep(one, ENDED.stopped)
  const { stdout } = await one.run('cycle', '--cycle-id', ID.replace('4k2j', '4j2k'), '--json')
  expect(failed(stdout)).toMatchObject({
    message: 'Cycle not found',
    next: `cycles of this project: ${ID}`,
  })
  expect(failed((await one.run('resume', 'nope', '--json')).stdout).next).toBe(
    `cycles of this project: ${ID}`,
  )
})

describe('a cycle that has ended, by its record alone', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'resumes a stopped one', content: ENDED.stopped, argv: [['resume', ID], ['cycle', '--cycle-id', ID], ['extend', ID, 'and', 'a', 'till'], ['cycle', '--cycle-id', ID, '--extend', 'and a till'], ['resume', ID, '--max-iterations', '9', '--interactive']] },
    { why: 'resumes one whose run was lost', content: record({}), argv: [['resume', ID], ['extend', ID, 'and a till']] },
    { why: 'extends a completed one with a further task', content: ENDED.completed, argv: [['extend', ID, 'and a till'], ['extend', ID, 'and a till', '--max-iterations', '2'], ['cycle', '--cycle-id', ID, '--extend', 'and a till']] },
    { why: 'rebuilds a damaged one first', content: '{"schema":1,"cycle_id":"', argv: [['resume', ID], ['cycle', '--cycle-id', ID], ['extend', ID, 'and a till']] },
    { why: 'continues one with open issues, by further iterations or a further task', content: ENDED.withIssues, argv: [['resume', ID], ['cycle', '--cycle-id', ID, '--max-iterations', '9'], ['extend', ID, 'fix what is left']] },
  ],
  )('$why', async ({ content, argv }) => {
    const one = user()
    keep(one, content)
    for (const words of argv)
      expect(await one.run(...words), words.join(' ')).toMatchObject(NO_PROGRAM)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'a completed one', content: ENDED.completed, message: `the cycle ${ID} is completed`, next: `ratchet extend ${ID} "<task>"` },
    { why: 'one of a later version', content: JSON.stringify({ ...record({}), schema: 2 }), message: 'was written by a later version (schema 2)', next: 'update ratchet' },
  ],
  )('refuses to resume $why and says what to do', async ({ content, message, next }) => {
    const one = user()
    keep(one, content)
    for (const words of [
      ['resume', ID],
      ['cycle', '--cycle-id', ID],
    ]) {
      const { exitCode, stdout } = await one.run(...words, '--json')
      expect(exitCode).toBe(2)
      expect(failed(stdout).message).toContain(message)
      expect(failed(stdout).next).toContain(next)
    }
  })

  test('shows how to resume a cycle whose state file is missing or truncated', async () => {
    const one = user()
    mkdirSync(path.join(one.cwd, `.workflow/.cycle/${ID}.progress/ra`), { recursive: true })
    const shown = async (): Promise<unknown> =>
      JSON.parse((await one.run('status', ID, '--json')).stdout)
    expect(await shown()).toMatchObject({
      runs: [
        {
          id: ID,
          status: 'failed',
          waitingFor: `person: its state file is gone; continue with: ratchet resume ${ID}`,
        },
      ],
    })
    expect(await one.run('resume', ID)).toMatchObject(NO_PROGRAM)
    keep(one, '{"schema":1,')
    expect(await shown()).toMatchObject({
      runs: [
        {
          waitingFor: expect.stringMatching(
            /^person: its state file cannot be read: .* is cut or is no JSON; continue with: ratchet resume /,
          ) as string,
        },
      ],
    })
    expect((await one.run('watch', ID)).stderr).toMatch(
      /no run has the cycle .*, and its state file cannot be read: /,
    )
  })

  test.each(
    // prettier-ignore
    [
    { why: 'completed', content: ENDED.completed, exitCode: 0, status: 'completed', phase: 'completed' },
    { why: 'with issues', content: ENDED.withIssues, exitCode: 1, status: 'completed', phase: 'completed_with_issues' },
    { why: 'stopped', content: ENDED.stopped, exitCode: 1, status: 'failed', phase: 'stopped' },
  ],
  )('status and watch need no server: $why', async ({ content, exitCode, status, phase }) => {
    const one = user()
    keep(one, content)
    const shown = await one.run('status', ID, '--json')
    expect(JSON.parse(shown.stdout)).toMatchObject({
      runs: [
        {
          id: ID,
          kind: 'dev-cycle',
          status,
          phase,
          iteration: 2,
          passRate: 75,
          waitingFor: 'nothing',
        },
      ],
    })
    const watched = await one.run('watch', ID, '--json')
    expect(watched.exitCode).toBe(exitCode)
    expect(JSON.parse(watched.stdout)).toMatchObject({
      id: ID,
      kind: 'dev-cycle',
      outcome: phase,
      status,
      iterations: 2,
      passRate: 75,
      failuresTotal: 1,
      branch: `ratchet/${ID}`,
      recordDir: path.join(one.cwd, `.workflow/.cycle/${ID}.progress`),
      reviewNeeded: phase === 'completed_with_issues',
    })
    expect((await one.run('status', ID)).stdout).toContain(
      '         iteration 1  v1.0.0  2 issues\n         iteration 2  v1.1.0  not ended\n',
    )
  })

  test('shows the end as the record has it', async () => {
    const one = user()
    const result = {
      id: ID,
      kind: 'dev-cycle',
      outcome: 'completed',
      status: 'completed',
      iterations: 1,
      passRate: 100,
      reviewNeeded: false,
      branch: `ratchet/${ID}`,
      commits: ['c'],
      failures: [],
      failuresTotal: 0,
      reason: null,
      recordDir: '/elsewhere',
      usage: { turns: 4, inputTokens: 9, outputTokens: 8, estimated: false },
      history: [{ iteration: 1, passRate: 100, result: 'kept', commit: 'c', turns: 4 }],
    }
    const stored = { ...ENDED.completed.ratchet, result, history: result.history }
    keep(one, { ...ENDED.completed, ratchet: stored })
    expect(JSON.parse((await one.run('watch', ID, '--json')).stdout)).toEqual({
      ...result,
      warnings: [],
      recordDir: path.join(one.cwd, `.workflow/.cycle/${ID}.progress`),
      uiUrl: null,
    })
    expect((await one.run('status', ID)).stdout).toContain(
      '         iteration 1  v1.0.0  100.0 %  kept\n',
    )
  })

  test.each(
    // prettier-ignore
    [
    { inAll: '1', why: 'the complete iteration counts', ran: { exitCode: 2, stderr: expect.stringContaining('has used 1 of 1 iterations') as string } },
    { inAll: '2', why: 'the interrupted iteration is repeated', ran: NO_PROGRAM },
  ],
  )('with --max-iterations $inAll $why', async ({ inAll, ran }) => {
    const one = user()
    keep(one, ENDED.stopped)
    expect(await one.run('resume', ID, '--max-iterations', inAll)).toMatchObject(ran)
  })

  test('shows how to resume a cycle without a run', async () => {
    const one = user()
    keep(one, record({}))
    expect(JSON.parse((await one.run('status', ID, '--json')).stdout)).toMatchObject({
      runs: [
        {
          id: ID,
          status: 'paused',
          phase: 'cd',
          waitingFor: `person: no run has this cycle; continue with: ratchet resume ${ID}`,
        },
      ],
    })
    expect((await one.run('watch', ID)).stderr).toContain(
      `next   continue it with: ratchet resume ${ID}\n`,
    )
  })

  test('finds a cycle whose id has colons by its id and by its file name', async () => {
    const one = user()
    const id = 'nightly-2026-11-20T12:02:00Z'
    keep(one, { ...ENDED.completed, cycle_id: id }, 'nightly-2026-11-20T12-02-00Z')
    for (const typed of [id, id.replaceAll(':', '-')])
      expect(JSON.parse((await one.run('status', typed, '--json')).stdout), typed).toMatchObject({
        runs: [{ id }],
      })
  })
})

test('extend distinguishes a test-fix run from a cycle', async () => {
  const one = user()
  keep(one, ENDED.stopped)
  expect(
    failed((await one.run('extend', 'WFS-test-a', 'and a till', '--json')).stdout).message,
  ).toContain('a test-fix run is extended by a number of iterations')
  expect(failed((await one.run('extend', ID, '3', '--json')).stdout)).toMatchObject({
    message: 'a cycle is extended by a task, got "3"',
    next: expect.stringContaining('--max-iterations') as string,
  })
  expect(failed((await one.run('extend', ID, '--json')).stdout).message).toBe(
    'no further task given',
  )
})

test('fix refuses to resume a cycle', async () => {
  const one = user()
  keep(one, ENDED.stopped)
  expect(failed((await one.run('fix', '--resume-session', ID, '--json')).stdout)).toMatchObject({
    message: `${ID} is not a test session but a dev cycle`,
    next: `continue it with: ratchet resume ${ID}`,
  })
})

test.each([
  { why: 'a sentence', text: 'and a till', ok: true },
  { why: 'a number in a sentence', text: '3 tills', ok: true },
  { why: 'a bare number', text: '3', ok: false },
  { why: 'nothing', text: '', ok: false },
  { why: 'a text longer than the limit', text: 'x'.repeat(TASK_CHARS + 1), ok: false },
])('a further task: $why is accepted: $ok', ({ text, ok }) => {
  if (ok) expect(checkedTask(ID, text)).toBe(text)
  else
    expect(() => checkedTask(ID, text)).toThrow(
      expect.objectContaining({ type: 'BadInput' }) as Error,
    )
})

test.each(
  // prettier-ignore
  [
  { why: 'with its iterations', iterations: 2, sent: { task: 't', iterations: 2 }, enters: 3, said: 'ID starts it in iteration 3 of 7 at most' },
  { why: 'without iterations', iterations: undefined, sent: { task: 't' }, enters: undefined, said: 'ID starts it in the next iteration of 7 at most' },
],
)(
  'sends a further task to an open cycle once, $why',
  async ({ iterations, sent, enters, said }) => {
    const calls: unknown[][] = []
    const handle = {
      extend: (...args: unknown[]) => {
        calls.push(args)
        return Promise.resolve({ maxIterations: 7, ...(enters === undefined ? {} : { enters }) })
      },
    } as unknown as RunHandle
    expect(await extendOpenCycle({ id: 'ID', handle }, 't', iterations)).toEqual({
      maxIterations: 7,
      enters: enters ?? null,
      said,
    })
    expect(calls).toEqual([[sent, expect.stringMatching(/^[0-9a-f-]{36}$/)]])
  },
)

test('apply brings over the commits that a cycle has made so far', async () => {
  const one = user()
  const base = git(one, 'rev-parse', 'HEAD')
  git(one, 'checkout', '-q', '-b', `ratchet/${ID}`)
  writeFileSync(path.join(one.cwd, 'cart.txt'), 'cart\n')
  git(one, 'add', 'cart.txt')
  git(one, 'commit', '-q', '-m', 'cart')
  const head = git(one, 'rev-parse', 'HEAD')
  git(one, 'checkout', '-q', '-')
  keep(one, record({ status: 'completed' }, { outcome: 'completed', base, head, commits: [head] }))
  const { exitCode, stdout } = await one.run('apply', ID, '--json')
  expect({ exitCode, document: JSON.parse(stdout) as unknown }).toEqual({
    exitCode: 0,
    document: { id: ID, branch: `ratchet/${ID}`, applied: ['cart.txt'], conflicts: [] },
  })
  git(one, 'branch', 'mine', head) // what is on a branch of the user's may be cleaned up
  expect(JSON.parse((await one.run('clean', ID, '--json')).stdout)).toMatchObject({
    removed: [{ name: ID, branch: `ratchet/${ID}` }],
    kept: [],
  })
  expect(existsSync(path.join(one.cwd, '.workflow/.cycle', `${ID}.json`))).toBe(true)
})

test.each(
  // prettier-ignore
  [
  { why: 'kept work, by its id',     argv: [ID],                         merged: false, exitCode: 1, removed: 0, kept: 1 },
  { why: 'kept work, with --all',    argv: ['--all'],                    merged: false, exitCode: 1, removed: 0, kept: 1 },
  { why: 'what would be kept',       argv: ['--all', '--dry-run'],       merged: false, exitCode: 1, removed: 0, kept: 1 },
  { why: 'forced, with --all',       argv: ['--all', '--force'],         merged: false, exitCode: 0, removed: 1, kept: 0 },
  { why: 'work that is merged',      argv: ['--all'],                    merged: true,  exitCode: 0, removed: 1, kept: 0 },
],
)(
  'clean ends alike by id and with --all: $why',
  async ({ argv, merged, exitCode, removed, kept }) => {
    const one = user()
    const base = git(one, 'rev-parse', 'HEAD')
    git(one, 'checkout', '-q', '-b', `ratchet/${ID}`)
    writeFileSync(path.join(one.cwd, 'cart.txt'), 'cart\n')
    git(one, 'add', 'cart.txt')
    git(
      one,
      '-c',
      'user.name=Ratchet',
      '-c',
      'user.email=ratchet@localhost',
      'commit',
      '-q',
      '-m',
      `cart\n\nRatchet-Run: ${ID}`,
    )
    const head = git(one, 'rev-parse', 'HEAD')
    git(one, 'checkout', '-q', '-')
    keep(
      one,
      record({ status: 'completed' }, { outcome: 'completed', base, head, commits: [head] }),
    )
    if (merged) git(one, 'branch', 'mine', head)
    const ran = await one.run('clean', ...argv, '--json')
    expect(ran.exitCode).toBe(exitCode)
    const document = JSON.parse(ran.stdout) as { removed: unknown[]; kept: { reason: string }[] }
    expect(document.kept.map(({ reason }) => reason)).toEqual(
      kept === 0 ? [] : [`the work on ratchet/${ID} is nowhere else`],
    )
    expect([document.removed, document.kept].map((some) => some.length)).toEqual([removed, kept])
  },
)

describe('rebuild', () => {
  test('rewrites a damaged state file from the files of the cycle and keeps the old file', async () => {
    const one = user()
    const file = keep(one, '{"schema":1,"cycle_id":"')
    const { exitCode, stdout } = await one.run('rebuild', ID, '--json')
    expect(exitCode).toBe(0)
    const document = JSON.parse(stdout) as {
      id: string
      file: string
      source: string
      kept: string
      notes: string[]
    }
    expect(document).toMatchObject({ id: ID, file, rebuilt: true, source: 'files' })
    expect(readFileSync(document.kept, 'utf8')).toBe('{"schema":1,"cycle_id":"')
    expect(readdirSync(path.dirname(file))).toContain(path.basename(document.kept))
    expect(readCycle(one.cwd, ID)).toMatchObject({ state: 'ok', record: { cycle_id: ID } })
    expect(await one.run('resume', ID)).toMatchObject(NO_PROGRAM)
    expect(JSON.parse((await one.run('rebuild', ID, '--json')).stdout)).toMatchObject({
      rebuilt: false,
      kept: null,
      notes: [],
    })
  })

  test.each([
    { why: 'a test session by its name', id: 'WFS-test-a' },
    { why: 'the run of a test session', id: 'WFS-test-a.012345' },
  ])('sends $why to resume, which does it by itself', async ({ id }) => {
    const { exitCode, stdout } = await user().run('rebuild', id, '--json')
    expect(exitCode).toBe(2)
    expect(failed(stdout)).toMatchObject({
      message: `${id} is not a dev cycle or loop; a test-fix session needs no rebuild`,
      next: `continue it with: ratchet resume ${id}, which reads its files`,
    })
  })

  test('refuses an unknown cycle', async () => {
    const { exitCode, stdout } = await user().run('rebuild', ID, '--json')
    expect(exitCode).toBe(2)
    expect(failed(stdout).message).toBe('Cycle not found')
  })
})

test.each([
  { why: 'agents of test-fix alone', roles: { 'test-fix-agent': 'a' }, cycle: false },
  { why: 'one default agent', roles: { default: 'a' }, cycle: true },
  { why: 'an agent of a cycle role', roles: { 'code-developer': 'a' }, cycle: true },
  { why: 'none at all', roles: {}, cycle: false },
])('doctor checks the agents of a cycle where it finds $why: $cycle', ({ roles, cycle }) => {
  expect(rolesToCheck(Config.parse({ roles })).includes('exploration-planner')).toBe(cycle)
})
