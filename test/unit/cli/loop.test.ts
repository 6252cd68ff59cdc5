// Loops on the command line: arguments, start, and what the record alone says about a loop. No
// test needs a server; the server program of this user does not exist, so that a start fails and
// says so.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { rolesToCheck } from '../../../src/cli/doctor/agent-checks.js'
import { extendOpenLoop } from '../../../src/cli/start/further-task.js'
import { keptIn } from '../../../src/cli/find/run-record.js'
import { loopMode } from '../../../src/cli/options.js'
import type { RunHandle } from '../../../src/client/handle.js'
import { Config } from '../../../src/contract/config/config.js'
import { LoopRecord } from '../../../src/contract/dev-loop/loop-record.js'
import type { RunResult } from '../../../src/contract/result.js'
import { NO_PROGRAM, failed, git, repoUser as user } from './repo-user.js'
import { cliUser, type CliUser } from './support.js'

type Notes = LoopRecord['ratchet']

const ID = 'loop-b-20261120T200203-4k2j9x0q'
const AT = '2026-11-20T20:02:03+08:00'

function record(
  fields: Partial<Omit<LoopRecord, 'ratchet'>>,
  notes: Partial<Notes> = {},
): LoopRecord {
  return LoopRecord.parse({
    schema: 1,
    loop_id: ID,
    title: 'add a cart',
    description: 'add a cart',
    mode: 'interactive',
    status: 'running',
    current_iteration: 3,
    max_iterations: 10,
    created_at: AT,
    updated_at: AT,
    skill_state: {
      phase: 'develop',
      action_index: 1,
      workers_completed: ['init', 'develop'],
      parallel_results: {
        develop: null,
        debug: null,
        validate: null,
        conflicts: [
          {
            file: 'cart.js',
            workers: ['develop', 'validate'],
            resolution: 'manual',
            chosen: 'develop',
          },
        ],
        merged_at: AT,
      },
      pending_tasks: [
        { id: 'T2', description: 'a till', priority: 'high', status: 'pending', files: [] },
        { id: 'T3', description: 'the bank', priority: 'low', status: 'blocked', files: [] },
      ],
      completed_tasks: [
        { id: 'T1', description: 'a cart', priority: 'high', status: 'completed', files: [] },
      ],
      findings: [],
    },
    ...fields,
    ratchet: {
      run: ID,
      branch: `ratchet/${ID}`,
      commits: ['c'],
      warnings: [],
      task_history: ['add a cart'],
      workers: [],
      validation: {
        passed: false,
        why: '1 of 4 tests fails',
        iteration: 2,
        commit: 'c',
        passRate: 75,
      },
      history: [
        {
          iteration: 1,
          passRate: null,
          result: 'no_change',
          commit: null,
          turns: 1,
          note: 'init: success',
        },
        {
          iteration: 2,
          passRate: 75,
          passed: 3,
          total: 4,
          result: 'kept',
          commit: 'c',
          turns: 1,
          note: 'validate: success',
          files: 2,
        },
      ],
      ...notes,
    },
  })
}

const ENDED = {
  completed: record({ status: 'completed', completed_at: AT }, { outcome: 'completed' }),
  left: record({ status: 'user_exit', completed_at: AT }, { outcome: 'user_exit' }),
  stopped: record(
    { status: 'failed', failure_reason: 'stopped by request' },
    { outcome: 'stopped' },
  ),
  spent: record(
    { status: 'failed', failure_reason: '2 tasks are open' },
    { outcome: 'max_iterations' },
  ),
}

function keep({ cwd }: CliUser, content: LoopRecord | string, name = ID): string {
  const dir = path.join(cwd, '.workflow/.loop')
  for (const folder of ['progress', 'workers'])
    mkdirSync(path.join(dir, `${name}.${folder}`), { recursive: true })
  const file = path.join(dir, `${name}.json`)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test.each(
  // prettier-ignore
  [
  { why: 'neither task nor loop', argv: [], message: 'Missing loopId or task', next: 'ratchet loop "<task>"' },
  { why: 'an empty task', argv: [' '], message: 'Missing loopId or task', next: 'ratchet loop "<task>"' },
  { why: 'both', argv: ['add', 'a', 'cart', '--loop-id', ID], message: 'a task and --loop-id cannot be used together', next: '--extend "<task>"' },
  { why: 'an unknown loop', argv: ['--loop-id', ID], message: 'Loop not found', next: 'ratchet loop "<task>"' },
  { why: 'an unknown mode', argv: ['t', '--mode', 'turbo'], message: '--mode must be interactive, auto, parallel', next: '--mode interactive' },
  { why: 'an unknown mode for a resumed loop', argv: ['--loop-id', ID, '--mode', 'turbo'], message: '--mode must be interactive, auto, parallel', next: '--mode interactive' },
  { why: 'two modes', argv: ['t', '--mode', 'parallel', '--auto'], message: '--mode parallel and --auto cannot be used together', next: 'use one of them' },
  { why: 'auto and interactive', argv: ['t', '--auto', '--interactive'], message: '--auto and --interactive cannot be used together', next: 'use one of them' },
  { why: 'an extension of no loop', argv: ['--extend', 'more'], message: '--extend needs the loop to extend', next: 'ratchet loop --loop-id <id> --extend "more"' },
  { why: 'an empty extension', argv: ['--loop-id', ID, '--extend', ' '], message: 'no further task given', next: `ratchet extend ${ID}` },
  { why: 'a base for an existing loop', argv: ['--loop-id', ID, '--base', 'HEAD'], message: '--base is for a new loop', next: 'use one of them' },
  { why: 'iterations of 0', argv: ['t', '--max-iterations', '0'], message: '--max-iterations must be a whole number', next: '--max-iterations 5' },
  { why: 'far too many iterations', argv: ['t', '--max-iterations', '1001'], message: 'maxIterations', next: 'correct it' },
  { why: 'an id that could leave its directory', argv: ['--loop-id', '../x'], message: 'the id must', next: 'ratchet status' },
],
)('arguments: $why is exit 2, and nothing is started', async ({ argv, message, next }) => {
  const one = user()
  const { exitCode, stdout, stderr } = await one.run('loop', '--json', ...argv)
  expect({ exitCode, type: failed(stdout).type }).toEqual({ exitCode: 2, type: 'BadInput' })
  expect(failed(stdout).message).toContain(message)
  expect(failed(stdout).next).toContain(next)
  expect(stderr).toMatch(/^error: .*\n {2}where {2}\S.*\n {2}next {3}\S.*\n$/)
  expect(existsSync(path.join(one.state, 'ratchet/supervisor.json'))).toBe(false)
  expect(existsSync(path.join(one.cwd, '.workflow'))).toBe(false)
})

test.each(
  // prettier-ignore
  [
  { why: 'the default is the loop\'s', given: {}, mode: undefined },
  { why: 'by its name', given: { mode: 'parallel' }, mode: 'parallel' },
  { why: 'by its own flag', given: { auto: true }, mode: 'auto' },
  { why: 'by both, where they agree', given: { mode: 'interactive', interactive: true }, mode: 'interactive' },
],
)('mode: $why -> $mode', ({ given, mode }) => expect(loopMode(given, 'ratchet loop')).toBe(mode))

test.each(
  // prettier-ignore
  [
  { why: 'no git repository', make: () => cliUser(), type: 'NoRepository' },
  { why: 'no agent for two of its workers', make: () => user({ roles: { 'loop-init': 'playbook', 'loop-develop': 'playbook', 'loop-debug': 'playbook' } }), type: 'BadConfig', message: 'no agent is configured for loop-validate and loop-complete' },
  { why: 'a base that is no commit', make: () => user(), argv: ['--base', 'nowhere'], type: 'BadInput' },
],
)('loop refuses $why before anything is started', async ({ make, argv = [], type, message }) => {
  const one = make()
  const { exitCode, stdout } = await one.run('loop', '--json', 'add a cart', ...argv)
  expect({ exitCode, type: failed(stdout).type }).toEqual({ exitCode: 2, type })
  if (message !== undefined) expect(failed(stdout).message).toBe(message)
  expect(existsSync(one.state)).toBe(false)
})

test.each([[[]], [['--mode', 'auto']], [['--mode', 'parallel', '--max-iterations', '2']]])(
  'accepts a project without tests %j: the start fails only at the server',
  async (argv) => {
    expect(await user().run('loop', 'add', 'a', 'cart', ...argv)).toMatchObject(NO_PROGRAM)
  },
)

test('an unknown loop is refused with the nearest ones of the project', async () => {
  const one = user()
  keep(one, ENDED.stopped)
  const { stdout } = await one.run('loop', '--loop-id', ID.replace('4k2j', '4j2k'), '--json')
  expect(failed(stdout)).toMatchObject({
    message: 'Loop not found',
    next: `loops of this project: ${ID}`,
  })
  expect(failed((await one.run('resume', 'nope', '--json')).stdout).next).toBe(
    `loops of this project: ${ID}`,
  )
})

describe('a loop that has ended, by its record alone', () => {
  const ON = [
    ['resume', ID],
    ['loop', '--loop-id', ID],
    ['resume', ID, '--mode', 'auto'],
    ['loop', '--loop-id', ID, '--mode', 'parallel'],
    ['extend', ID, 'and', 'a', 'till'],
    ['resume', ID, '--max-iterations', '9'],
  ]
  const MORE = [
    ['extend', ID, 'and a till'],
    ['extend', ID, 'and a till', '--max-iterations', '2'],
    ['loop', '--loop-id', ID, '--extend', 'and a till', '--auto'],
  ]
  test.each(
    // prettier-ignore
    [
    { why: 'resumes one that a person left', content: ENDED.left, argv: ON },
    { why: 'resumes a stopped one', content: ENDED.stopped, argv: ON },
    { why: 'resumes one that has used its iterations', content: ENDED.spent, argv: ON },
    { why: 'resumes one whose run was lost', content: record({}), argv: ON },
    { why: 'extends a completed one with a further task', content: ENDED.completed, argv: MORE },
    { why: 'rebuilds a damaged one first', content: '{"schema":1,"loop_id":"', argv: [['resume', ID], ...MORE] },
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
    { why: 'a completed one', content: ENDED.completed, message: `the loop ${ID} is completed`, next: `ratchet extend ${ID} "<task>"` },
    { why: 'one of a later version', content: JSON.stringify({ ...record({}), schema: 2 }), message: 'was written by a later version (schema 2)', next: 'update ratchet' },
  ],
  )('refuses to resume $why and says what to do', async ({ content, message, next }) => {
    const one = user()
    keep(one, content)
    for (const words of [
      ['resume', ID],
      ['loop', '--loop-id', ID],
    ]) {
      const { exitCode, stdout } = await one.run(...words, '--json')
      expect(exitCode).toBe(2)
      expect(failed(stdout).message).toContain(message)
      expect(failed(stdout).next).toContain(next)
    }
  })

  test('a loop is no cycle and no session', async () => {
    const one = user()
    keep(one, ENDED.stopped)
    for (const [words, message] of [
      [['cycle', '--cycle-id', ID], `${ID} is not a dev cycle`],
      [['fix', '--resume-session', ID], `${ID} is not a test session but a dev loop`],
    ] as const) {
      const { exitCode, stdout } = await one.run(...words, '--json')
      expect([exitCode, failed(stdout).message, failed(stdout).next]).toEqual([
        2,
        message,
        `continue it with: ratchet resume ${ID}`,
      ])
    }
  })

  test('a mode is for loops only', async () => {
    const one = user()
    mkdirSync(path.join(one.cwd, '.workflow/.cycle/cycle-v1-a.progress'), { recursive: true })
    const { exitCode, stdout } = await one.run('resume', 'cycle-v1-a', '--mode', 'auto', '--json')
    expect([exitCode, failed(stdout).message]).toEqual([
      2,
      '--mode is for dev loops, and cycle-v1-a is not one',
    ])
  })

  test.each(
    // prettier-ignore
    [
    { inAll: '3', why: 'three are spent', ran: { exitCode: 2, stderr: expect.stringContaining('has used 3 of 3 iterations') as string } },
    { inAll: '4', why: 'one is left', ran: NO_PROGRAM },
  ],
  )('iterations in all, with --max-iterations $inAll: $why', async ({ inAll, ran }) => {
    const one = user()
    keep(one, ENDED.spent)
    expect(await one.run('resume', ID, '--max-iterations', inAll)).toMatchObject(ran)
  })

  test.each(
    // prettier-ignore
    [
    { why: 'completed', content: ENDED.completed, exitCode: 0, status: 'completed', phase: 'completed' },
    { why: 'left', content: ENDED.left, exitCode: 0, status: 'user_exit', phase: 'user_exit' },
    { why: 'stopped', content: ENDED.stopped, exitCode: 1, status: 'failed', phase: 'stopped' },
    { why: 'spent', content: ENDED.spent, exitCode: 1, status: 'failed', phase: 'max_iterations' },
  ],
  )('status and watch need no server: $why', async ({ content, exitCode, status, phase }) => {
    const one = user()
    keep(one, content)
    expect(JSON.parse((await one.run('status', ID, '--json')).stdout)).toMatchObject({
      runs: [
        {
          id: ID,
          kind: 'dev-loop',
          status,
          phase,
          iteration: 3,
          passRate: 75,
          waitingFor: 'nothing',
        },
      ],
    })
    const watched = await one.run('watch', ID, '--json')
    expect(watched.exitCode).toBe(exitCode)
    expect(JSON.parse(watched.stdout)).toMatchObject({
      id: ID,
      loop_id: ID,
      kind: 'dev-loop',
      outcome: phase,
      status,
      iterations: 3,
      passRate: 75,
      branch: `ratchet/${ID}`,
      recordDir: path.join(one.cwd, `.workflow/.loop/${ID}.progress`),
    })
    expect((await one.run('status', ID)).stdout).toContain(
      '         iteration 1  init: success\n         iteration 2  validate: success · 2 files · 75.0 % (3 of 4)\n',
    )
  })

  test('a completed record without a result asks for a review, although it shows nothing open', async () => {
    const one = user()
    const { skill_state: skill, ratchet } = ENDED.completed
    const done: LoopRecord = {
      ...ENDED.completed,
      skill_state: { ...skill, pending_tasks: [] },
      ratchet: {
        ...ratchet,
        head: 'c',
        validation: {
          passed: true,
          why: 'all tests pass',
          iteration: 2,
          commit: 'c',
          passRate: 100,
          status: 'success',
          word: 'agrees',
        },
      },
    }
    keep(one, done)
    const { stdout } = await one.run('watch', ID, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'completed',
      passRate: 100,
      reviewNeeded: true,
    })
  })

  test('the end names tasks, conflicts, and where the summary lies', async () => {
    const one = user()
    keep(one, ENDED.left)
    const summary = path.join(one.cwd, `.workflow/.loop/${ID}.progress/summary.md`)
    writeFileSync(summary, '# Summary\n')
    const { stdout } = await one.run('watch', ID)
    for (const line of [
      'user exit after 3 iterations, pass rate 75.0 %',
      '  tasks    1 done, 2 open, 1 of them blocked',
      '  open     T2 a till',
      '           T3 the bank',
      '  conflict cart.js: develop, validate, taken from develop',
      `  continue ratchet loop --loop-id ${ID}`,
      `  summary  ${summary}`,
    ])
      expect(stdout).toContain(`${line}\n`)
  })

  test('shows the end as the record has it', async () => {
    const one = user()
    const result: RunResult = {
      warnings: [],
      id: ID,
      kind: 'dev-loop',
      outcome: 'completed',
      status: 'completed',
      iterations: 3,
      passRate: 100,
      reviewNeeded: false,
      branch: `ratchet/${ID}`,
      commits: ['c'],
      failures: [],
      failuresTotal: 0,
      reason: null,
      recordDir: '/elsewhere',
      usage: { turns: 4, inputTokens: 9, outputTokens: 8, estimated: false },
      history: [],
      loop_id: ID,
      suggestion: {
        message: 'add a cart',
        command: `ratchet apply ${ID} && git commit -m 'add a cart'`,
        readyForPr: true,
      },
    }
    const stored = record({ status: 'completed' }, { outcome: 'completed', result })
    keep(one, stored)
    expect(JSON.parse((await one.run('watch', ID, '--json')).stdout)).toEqual({
      ...result,
      history: stored.ratchet.history,
      recordDir: path.join(one.cwd, `.workflow/.loop/${ID}.progress`),
      uiUrl: null,
    })
    expect((await one.run('watch', ID)).stdout).toContain(
      `\nratchet apply ${ID} && git commit -m 'add a cart'\n`,
    )
  })

  test('shows how to resume a loop without a run, or whose state file is missing or truncated', async () => {
    const one = user()
    const shown = async (): Promise<unknown> =>
      JSON.parse((await one.run('status', ID, '--json')).stdout)
    mkdirSync(path.join(one.cwd, `.workflow/.loop/${ID}.workers`), { recursive: true })
    expect(await shown()).toMatchObject({
      runs: [
        {
          id: ID,
          kind: 'dev-loop',
          status: 'failed',
          waitingFor: `person: its state file is gone; continue with: ratchet resume ${ID}`,
        },
      ],
    })
    keep(one, '{"schema":1,')
    expect(await shown()).toMatchObject({
      runs: [
        {
          waitingFor: expect.stringMatching(
            /^person: its state file cannot be read: .*; continue with: ratchet resume /,
          ) as string,
        },
      ],
    })
    keep(one, record({}))
    expect(await shown()).toMatchObject({
      runs: [
        {
          id: ID,
          status: 'paused',
          phase: 'develop',
          passRate: 75,
          waitingFor: `person: no run has this loop; continue with: ratchet resume ${ID}`,
        },
      ],
    })
    expect((await one.run('watch', ID)).stderr).toContain(
      `next   continue it with: ratchet resume ${ID}\n`,
    )
  })

  test('finds a loop whose id has colons by its id and by its file name', async () => {
    const one = user()
    const id = 'nightly-2026-11-20T12:02:00Z'
    keep(
      one,
      {
        ...ENDED.completed,
        loop_id: id.replaceAll(':', '-'),
        ratchet: { ...ENDED.completed.ratchet, run: id },
      },
      id.replaceAll(':', '-'),
    )
    for (const typed of [id, id.replaceAll(':', '-')])
      expect(JSON.parse((await one.run('status', typed, '--json')).stdout), typed).toMatchObject({
        runs: [{ id }],
      })
    expect(keptIn(one.cwd, id)).toMatchObject({
      kind: 'dev-loop',
      id,
      name: 'nightly-2026-11-20T12-02-00Z',
    })
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'with its iterations', iterations: 2, answer: { maxIterations: 12, task: 'T4', pending: 2 }, sent: { task: 't', iterations: 2 }, given: { maxIterations: 12, task: 'T4', pending: 2, said: 'ID added it as T4, 2 pending' } },
  { why: 'without iterations', iterations: undefined, answer: { maxIterations: 10, task: 'T4', pending: 1 }, sent: { task: 't' }, given: { maxIterations: 10, task: 'T4', pending: 1, said: 'ID added it as T4, 1 pending' } },
  { why: 'before it has a breakdown', iterations: undefined, answer: { maxIterations: 10, pending: 0 }, sent: { task: 't' }, given: { maxIterations: 10, task: null, pending: 0, said: 'ID works on it with the rest of its task' } },
],
)(
  'sends a further task to an open loop once, $why',
  async ({ iterations, answer, sent, given }) => {
    const calls: unknown[][] = []
    const handle = {
      extend: (...args: unknown[]) => {
        calls.push(args)
        return Promise.resolve(answer)
      },
    } as unknown as RunHandle
    expect(await extendOpenLoop({ id: 'ID', handle }, 't', iterations)).toEqual(given)
    expect(calls).toEqual([[sent, expect.stringMatching(/^[0-9a-f-]{36}$/)]])
  },
)

test('apply brings over the commits that a loop has made so far, clean removes its branch and keeps its record', async () => {
  const one = user()
  const base = git(one, 'rev-parse', 'HEAD')
  git(one, 'checkout', '-q', '-b', `ratchet/${ID}`)
  writeFileSync(path.join(one.cwd, 'cart.txt'), 'cart\n')
  git(one, 'add', 'cart.txt')
  git(one, 'commit', '-q', '-m', 'cart')
  const head = git(one, 'rev-parse', 'HEAD')
  git(one, 'checkout', '-q', '-')
  const file = keep(
    one,
    record({ status: 'completed' }, { outcome: 'completed', base, head, commits: [head] }),
  )
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
  expect(existsSync(file)).toBe(true)
})

describe('rebuild of a loop', () => {
  test('rewrites a damaged state file from the files of the loop and keeps the old file', async () => {
    const one = user()
    const file = keep(one, '{"schema":1,"loop_id":"')
    const { exitCode, stdout } = await one.run('rebuild', ID, '--json')
    expect(exitCode).toBe(0)
    const document = JSON.parse(stdout) as { kept: string }
    expect(document).toMatchObject({ id: ID, file, rebuilt: true, source: 'files' })
    expect(readFileSync(document.kept, 'utf8')).toBe('{"schema":1,"loop_id":"')
    expect(keptIn(one.cwd, ID)).toMatchObject({
      kind: 'dev-loop',
      standing: { phase: expect.any(String) as string },
    })
    expect(JSON.parse((await one.run('rebuild', ID, '--json')).stdout)).toMatchObject({
      rebuilt: false,
      kept: null,
      notes: [],
    })
  })

  test('refuses an unknown loop', async () => {
    const { exitCode, stdout } = await user().run('rebuild', ID, '--json')
    expect([exitCode, failed(stdout).message]).toEqual([2, 'Loop not found'])
  })
})

test.each([
  { why: 'agents of test-fix alone', roles: { 'test-fix-agent': 'a' }, loop: false },
  { why: 'one default agent', roles: { default: 'a' }, loop: true },
  { why: 'an agent of a loop role', roles: { 'loop-develop': 'a' }, loop: true },
  { why: 'an agent of a cycle role', roles: { 'code-developer': 'a' }, loop: false },
])('doctor checks the workers of a loop where it finds $why: $loop', ({ roles, loop }) => {
  expect(rolesToCheck(Config.parse({ roles })).includes('loop-complete')).toBe(loop)
})
