// A session resumes from its record alone: the workflow is gone, and in some cases the workspace,
// the state directory or the branch.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readStoredRun, testRunsDir } from '../../src/adapters/test-runners/stored-run.js'
import type { PendingFix, TestFixState } from '../../src/contract/test-fix/test-fix-state.js'
import type { PreparedRun } from '../../src/contract/test-fix/test-fix-step.js'
import { NO_USAGE } from '../../src/core/run/run-usage.js'
import {
  AT,
  commitAll,
  filesOf,
  refs,
  runGit,
  writeFiles,
  type Files,
} from '../support/repositories/repos.js'
import {
  fixTaskFile,
  iteration,
  measuredRun,
  PENDING,
  recordInput,
  stored,
} from '../support/records.js'
import { plannedTask } from '../support/runs/sessions.js'
import { madeOnce, sessionHost, type Place, type SessionHost } from './session-host.js'

const OPEN = { generateTests: false }
const BRANCH = 'refs/heads/ratchet/WFS-test-login'
const CANDIDATE_2 = 'refs/ratchet/WFS-test-login/candidate-2'
const iterationState = (dir: string) => path.join(dir, '.process/iteration-state.json')

/** A session after iteration 1: its fix is kept, 9 of 10 pass. */
type Bench = SessionHost & {
  prepared: PreparedRun
  state: TestFixState
  fix: string
  dir: string
  pending: (n?: number) => PendingFix
  commitFix: (n: number, text: string, note?: boolean) => Promise<string>
}

/** Its commits, on this host. */
function committing(
  host: SessionHost,
  prepared: PreparedRun,
  from: string,
): Pick<Bench, 'pending' | 'commitFix'> {
  const { workspace } = prepared
  const pending = (n = 2): PendingFix => ({ ...PENDING, iteration: n, task: `IMPL-fix-${n}` })
  let head = from
  return {
    pending,
    async commitFix(n, text, note = true) {
      writeFiles(workspace.root, { 'src/add.js': text })
      const committed = await host.commit({
        run: host.run,
        step: `iteration-${n}/commit`,
        workspace,
        configHash: prepared.configHash,
        expectHead: head,
        at: AT + n,
        subject: `IMPL-fix-${n}: test fix, iteration ${n}`,
        body: '',
        candidate: String(n),
        ...(note ? { record: { dir: prepared.recordDir, pending: pending(n) } } : {}),
      })
      return (head = committed.head)
    },
  }
}

type Begun = Place & Pick<Bench, 'prepared' | 'state' | 'fix'>

async function begin(files?: Files): Promise<Begun> {
  const host = sessionHost(files)
  const prepared = await host.prepare({ open: OPEN })
  const { workspace } = prepared
  const tests = path.join(testRunsDir(workspace), 'of-the-run')
  writeFiles(prepared.recordDir, { '.task/IMPL-fix-1.json': fixTaskFile(1) })
  const candidate = await committing(host, prepared, prepared.head).commitFix(
    1,
    'fixed once\n',
    false,
  )
  const { head: fix } = await host.accept({
    run: host.run,
    step: 'iteration-1/keep',
    workspace,
    configHash: prepared.configHash,
    expectHead: candidate,
    at: AT + 1,
    commits: [{ task: 'IMPL-fix-1', subject: 'fix(IMPL-fix-1): once', body: '', trailers: {} }],
  })
  const ten = (failing: number) =>
    Array.from({ length: 10 }, (_, n) =>
      stored(
        `t${n}`,
        n < failing ? { error: 'no', streak: 1, criticality: 'high', source: 'default' } : {},
      ),
    )
  const first = measuredRun(tests, 'baseline', ten(3), { commit: workspace.base })
  const second = measuredRun(tests, 'retest', ten(1), { commit: candidate })
  const { tasks = [], unplanned: _unplanned, restored: _restored, ...plain } = prepared
  const state: TestFixState = {
    schema: 1,
    input: { project: host.project, session: 'WFS-test-login' },
    startedAt: AT,
    facts: { searchAttributes: [], queue: 'q', project: host.project, projectKey: 'k' },
    prepared: plain,
    iteration: 1,
    maxIterations: 5,
    head: fix,
    lastRun: { ...second, commit: fix },
    baseline: first.results,
    lastFull: second.results,
    history: [
      iteration(0, { passRate: 70, passed: 7, total: 10, result: 'baseline' }),
      iteration(1, { passRate: 90, passed: 9, total: 10, commit: fix }),
    ],
    commits: [fix],
    usage: { ...NO_USAGE, turns: 2 },
    warnings: [],
    requestIds: [],
    queue: tasks.map((task) => ({ ...task, status: 'in_progress', attempts: 1 })),
    extended: 1,
  }
  await host.record(recordInput(state))
  return { project: host.project, dirs: host.dirs, prepared, state, fix }
}

const BEGUN = {
  clone: madeOnce(() => begin()),
  'in-place': madeOnce(() =>
    begin({
      'src/add.js': 'a\n',
      'package.json': '{ "scripts": { "test": "vitest run" } }',
      'ratchet.config.json': '{ "workspace": { "isolation": "in-place" } }',
      '.gitignore': '.workflow/\n',
    }),
  ),
}

async function afterOne(isolation: 'clone' | 'in-place' = 'clone'): Promise<Bench> {
  const { project, dirs, prepared, state, fix } = await BEGUN[isolation]()
  const host = sessionHost(undefined, { project, dirs })
  return {
    ...host,
    prepared,
    state,
    fix,
    dir: prepared.recordDir,
    ...committing(host, prepared, fix),
  }
}

/** The same project on a machine without its state directory. */
const elsewhere = ({ project }: SessionHost): SessionHost => sessionHost(undefined, { project })
const resume = (host: SessionHost, open: { maxIterations?: number } = {}): Promise<PreparedRun> =>
  host.prepare({ chain: 'second', at: AT + 60_000, open: { ...OPEN, ...open } })

test('a session resumes where it was after losing the server and the state directory', async () => {
  const one = await afterOne()
  await expect(
    elsewhere(one).prepare({ chain: 'second', base: 'main', open: OPEN }),
  ).rejects.toMatchObject({
    type: 'BadInput',
    details: [
      { message: 'base cannot be set for WFS-test-login, which continues from its last state' },
    ],
  })
  const two = elsewhere(one)
  writeFiles(one.project, { 'src/add.js': 'edited by the user meanwhile\n' })
  const resumed = await resume(two)
  expect(resumed).toMatchObject({
    head: one.fix,
    warnings: [],
    workspace: { branch: 'ratchet/WFS-test-login', base: one.prepared.workspace.base },
  })
  expect(runGit(resumed.workspace.root, 'show', 'HEAD:src/add.js')).toBe('fixed once')
  expect(resumed.tasks).toMatchObject([{ id: 'IMPL-002', status: 'in_progress', attempts: 1 }])
  const { restored } = resumed
  expect(restored).toMatchObject({
    startedAt: AT,
    iteration: 1,
    history: one.state.history,
    commits: [one.fix],
    usage: { turns: 2 },
    extended: 1,
    lastRun: { passed: 9, failed: 1, commit: one.fix },
  })
  for (const ref of [
    restored?.baseline,
    restored?.lastFull,
    restored?.lastRun?.kind === 'measured' ? restored.lastRun.results : undefined,
  ]) {
    expect(ref?.path.startsWith(two.dirs.state)).toBe(true)
    if (ref !== undefined) expect(readStoredRun(ref).tests).toHaveLength(10)
  }
  expect(await resume(two)).toEqual(resumed)
  expect(refs(one.project)).toMatchObject({ [BRANCH]: one.fix })
})

test('a fix that waits for its retest is never bought twice', async () => {
  const one = await afterOne()
  writeFiles(one.dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
  const commit = await one.commitFix(2, 'made worse\n')
  expect(refs(one.project)).toMatchObject({ [BRANCH]: one.fix, [CANDIDATE_2]: commit })
  expect(JSON.parse(readFileSync(iterationState(one.dir), 'utf8'))).toMatchObject({
    next_action: 'retest',
    current_iteration: 2,
    state: { pending: { commit } },
  })
  expect(await resume(elsewhere(one))).toMatchObject({
    head: commit,
    restored: {
      iteration: 1,
      pending: { task: 'IMPL-fix-2', commit },
      lastStrategy: 'surgical',
      lastRun: { commit: one.fix },
    },
  })

  await one.rollBack({
    run: one.run,
    step: 'iteration-2/rollback',
    workspace: one.prepared.workspace,
    configHash: one.prepared.configHash,
    expectHead: commit,
    at: AT + 3,
  })
  const again = await resume(one)
  expect(again).toMatchObject({
    head: commit,
    restored: { pending: { commit }, lastRun: { commit: one.fix } },
    warnings: [],
  })
  expect(runGit(again.workspace.root, 'show', 'HEAD:src/add.js')).toBe('made worse')
})

test.each([true, false])(
  'several causes that wait for their retest keep their commits, noted: %s',
  async (note) => {
    const one = await afterOne()
    const causes = ['src/add.js', 'src/more.js'].map((file, n) => ({
      task: `IMPL-fix-2.${n + 1}`,
      cause: file,
      files: [file],
    }))
    const pending: PendingFix = { ...one.pending(), causes }
    writeFiles(one.dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
    await one.record(recordInput({ ...one.state, pending }))
    const { workspace, configHash, recordDir } = one.prepared
    writeFiles(workspace.root, { 'src/add.js': 'fixed twice\n', 'src/more.js': 'more\n' })
    const { commit, parts = [] } = await one.commit({
      run: one.run,
      step: 'iteration-2/commit',
      workspace,
      configHash,
      expectHead: one.fix,
      at: AT + 2,
      subject: 'test fix, iteration 2',
      body: '',
      candidate: '2',
      causes,
      ...(note ? { record: { dir: recordDir, pending } } : {}),
    })
    expect(parts).toHaveLength(2)
    // The run that it started from is that of the commit before both.
    expect(await resume(note ? elsewhere(one) : one)).toMatchObject({
      head: commit,
      restored: { pending: { commit, parts, causes }, lastRun: { commit: one.fix } },
      warnings: [],
    })
  },
)

test('a commit missing from the record is found in the old workspace', async () => {
  const one = await afterOne()
  await one.record(recordInput({ ...one.state, pending: one.pending() }))
  writeFiles(one.dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
  const commit = await one.commitFix(2, 'fixed twice\n', false)
  expect(refs(one.project)[BRANCH]).toBe(one.fix)
  const resumed = await resume(one)
  expect(resumed).toMatchObject({
    head: commit,
    restored: { pending: { task: 'IMPL-fix-2', commit }, lastRun: { commit: one.fix } },
  })
})

test('a lost commit is made again, a lost fix task is analysed again', async () => {
  const one = await afterOne()
  const record = (pending: PendingFix) => one.record(recordInput({ ...one.state, pending }))
  writeFiles(one.dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
  await record({ ...one.pending(), commit: 'f'.repeat(40) })
  const lost = await resume(elsewhere(one))
  expect(lost).toMatchObject({
    head: one.fix,
    restored: { pending: { task: 'IMPL-fix-2' }, lastRun: { commit: one.fix } },
  })
  expect(lost.restored?.pending).not.toHaveProperty('commit')

  await record(one.pending())
  writeFiles(one.dir, { '.task/IMPL-fix-2.json': null })
  const gone = await resume(elsewhere(one))
  expect(gone.restored).not.toHaveProperty('pending')
  expect(gone).toMatchObject({
    restored: { iteration: 1, lastRun: { commit: one.fix } },
    warnings: ['the fix task IMPL-fix-2 is gone: the failures are analysed again'],
  })
})

test('commits of the user on the branch are kept and measured', async () => {
  const one = await afterOne()
  const tree = path.join(one.dirs.state, 'by-hand')
  runGit(one.project, 'worktree', 'add', '-q', tree, 'ratchet/WFS-test-login')
  writeFiles(tree, { 'src/add.js': 'fixed by hand\n' })
  const mine = commitAll(tree, 'by hand')
  const resumed = await resume(elsewhere(one)) // it is checked out, and stays where it is
  expect(resumed).toMatchObject({
    head: mine,
    workspace: { branch: 'ratchet/WFS-test-login' },
    warnings: ['the last test run is missing or does not match the branch: the tests run again'],
  })
  expect(resumed.restored?.lastRun).toBeUndefined()
  expect(resumed.restored).toMatchObject({ iteration: 1, baseline: {} })

  // Nor is a fix that waits for its retest put in the place of the user's work.
  writeFiles(one.dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
  const commit = await one.commitFix(2, 'fixed twice\n')
  await one.record(recordInput({ ...one.state, pending: { ...one.pending(), commit } }))
  const built = await resume(elsewhere(one))
  expect(built).toMatchObject({ head: mine, restored: { pending: { task: 'IMPL-fix-2' } } })
  expect(built.restored?.pending).not.toHaveProperty('commit')
  expect(built.restored?.lastRun).toBeUndefined()
  expect(refs(one.project)).toMatchObject({ [BRANCH]: mine, [CANDIDATE_2]: commit })
})

test('without its branch a session resumes from the working tree and keeps its iteration count', async () => {
  const one = await afterOne()
  runGit(one.project, 'update-ref', '-d', BRANCH)
  const resumed = await resume(elsewhere(one))
  expect(resumed.warnings).toEqual([
    'the branch ratchet/WFS-test-login is gone, and with it the changes of earlier iterations: the session continues from your working tree',
  ])
  expect(resumed.restored).toMatchObject({ iteration: 1, history: one.state.history })
  expect(resumed.restored?.lastRun).toBeUndefined()
  expect(resumed.head).toBe(resumed.workspace.base)
})

test('edited results are measured again', async () => {
  const one = await afterOne()
  writeFiles(one.dir, {
    '.process/results/last-run.json': readFileSync(
      path.join(one.dir, '.process/results/last-run.json'),
      'utf8',
    ).replace('"failed"', '"passed"'),
  })
  const resumed = await resume(elsewhere(one))
  expect(resumed.restored?.lastRun).toBeUndefined()
  expect(resumed.restored).toHaveProperty('baseline')
})

test('a damaged state file is kept, and the state is rebuilt from the other files', async () => {
  const one = await afterOne()
  writeFiles(one.dir, { '.process/iteration-state.json': '{ "current_iter' })
  const two = elsewhere(one)
  const resumed = await resume(two)
  expect(resumed).toMatchObject({
    head: one.fix,
    tasks: [{ attempts: 1 }],
    restored: {
      iteration: 1,
      lastRun: {
        kind: 'measured',
        passed: 9,
        total: 10,
        commit: one.fix,
        comparison: { levels: { high: 1 } },
      },
      baseline: {},
      history: [
        { iteration: 1, passRate: 90, result: 'kept', commit: one.fix, task: 'IMPL-fix-1' },
      ],
    },
    warnings: [
      '.process/iteration-state.json is damaged: the state of the session was read from its other files',
      'the damaged file was kept as iteration-state.json.damaged-1',
    ],
  })
  expect(await resume(two)).toEqual(resumed)
  const { lastRun, lastFull, baseline } = resumed.restored ?? {} // where this host has put them
  expect(
    await two.record(
      recordInput({
        ...one.state,
        lastRun,
        lastFull,
        baseline,
        prepared: { ...one.state.prepared, workspace: resumed.workspace },
      }),
    ),
  ).toEqual({ warnings: [] })
  expect(
    Object.keys(filesOf(path.join(one.dir, '.process'))).filter((name) =>
      /damaged|edited/.test(name),
    ),
  ).toEqual(['iteration-state.json.damaged-1'])
})

test('an in-place session resumes on its own branch only', async () => {
  const one = await afterOne('in-place')
  expect(await resume(one)).toMatchObject({
    head: one.fix,
    workspace: { isolation: 'in-place', base: one.prepared.workspace.base },
    restored: { iteration: 1, lastRun: { commit: one.fix } },
  })
  runGit(one.project, 'switch', '-q', 'main')
  await expect(one.prepare({ chain: 'third', open: OPEN })).rejects.toMatchObject({
    type: 'BadInput',
    details: [{ next: 'switch to it: git switch ratchet/WFS-test-login' }],
  })
  expect(existsSync(path.join(path.dirname(one.project), 'tests'))).toBe(false)
})

test.each(['before it was left', 'after it was left'])(
  'an in-place session continues with a candidate, %s',
  async (when) => {
    const one = await afterOne('in-place')
    const { workspace, configHash } = one.prepared
    await one.record(recordInput({ ...one.state, pending: one.pending() }))
    writeFiles(one.dir, { '.task/IMPL-fix-2.json': fixTaskFile(2) })
    const commit = await one.commitFix(2, 'fixed twice\n')
    if (when === 'after it was left') {
      const step = { run: one.run, step: 'end-1/candidate', at: AT + 3 }
      const left = await one.rollBack({ ...step, workspace, configHash, expectHead: commit })
      expect(left).toEqual({ head: one.fix })
      expect(refs(one.project)).toMatchObject({ [BRANCH]: one.fix, [CANDIDATE_2]: commit })
    }
    expect(await resume(one)).toMatchObject({
      head: commit,
      restored: { pending: { commit }, lastRun: { commit: one.fix } },
    })
  },
)

test('a session without iterations left says how many it used and which flag adds more', async () => {
  const one = await afterOne()
  const spent = {
    ...one.state,
    iteration: 6,
    queue: one.state.queue?.map((task) => ({ ...task, attempts: 6, status: 'blocked' as const })),
  }
  await one.record(recordInput(spent, { outcome: 'failed', reason: 'spent' }))
  const before = one.left()
  await expect(resume(one)).rejects.toMatchObject({
    type: 'BadInput',
    details: [
      {
        message: '6 iterations are spent on IMPL-002, none is left',
        next: 'allow more: ratchet fix --resume-session WFS-test-login --max-iterations 7 or higher',
      },
    ],
  })
  await expect(resume(one, { maxIterations: 4 })).rejects.toMatchObject({ type: 'BadInput' })
  expect(one.left()).toEqual(before)
  expect(await resume(one, { maxIterations: 7 })).toMatchObject({
    restored: { iteration: 6 },
    tasks: [{ attempts: 6, status: 'blocked' }],
  })
})

type LastIteration = {
  why: string
  attempts: number
  pending: { commit?: null } | undefined
  limits: object | undefined
  flag: number | undefined
  extended?: number
  status?: 'completed'
}

test.each<LastIteration>(
  // prettier-ignore
  [
  { why: 'at the fix of its last iteration', attempts: 4, pending: {}, limits: undefined, flag: undefined },
  { why: 'at the retest of its last iteration', attempts: 4, pending: { commit: null }, limits: undefined, flag: undefined },
  { why: 'at a fix that was begun before the limit was lowered', attempts: 4, pending: {}, limits: { maxIterations: 4 }, flag: 4 },
  { why: 'with its limit raised in the configuration', attempts: 5, pending: undefined, limits: { maxIterations: 6 }, flag: undefined },
  { why: 'with more iterations granted', attempts: 5, pending: undefined, limits: undefined, flag: undefined, extended: 1 },
  { why: 'before its final run', attempts: 5, pending: undefined, limits: undefined, flag: undefined, status: 'completed' },
],
)(
  'a session resumes $why',
  async ({ attempts, pending, limits, flag, extended = 0, status = 'blocked' as const }) => {
    const one = await afterOne()
    const queue = one.state.queue?.map((task) => ({ ...task, attempts, status }))
    const begun =
      pending === undefined ? {} : { pending: { ...one.pending(attempts + 1), ...pending } }
    if (pending !== undefined)
      writeFiles(one.dir, { [`.task/IMPL-fix-${attempts + 1}.json`]: fixTaskFile(attempts + 1) })
    const state: TestFixState = {
      ...one.state,
      iteration: attempts,
      extended,
      ...(queue === undefined ? {} : { queue }),
      ...begun,
    }
    await one.record(recordInput(state, { outcome: 'failed', reason: 'an agent was gone' }))
    expect(JSON.parse(readFileSync(iterationState(one.dir), 'utf8'))).toMatchObject({
      current_iteration: 5,
      max_iterations: 5,
      next_action:
        pending === undefined
          ? status === 'completed'
            ? 'complete'
            : 'analyze'
          : pending.commit === null
            ? 'retest'
            : 'execute_fix_task',
    })
    if (limits !== undefined)
      writeFiles(one.project, { 'ratchet.config.json': JSON.stringify({ limits }) })
    expect(await resume(one, flag === undefined ? {} : { maxIterations: flag })).toMatchObject({
      restored: {
        iteration: attempts,
        ...(pending === undefined ? {} : { pending: { task: 'IMPL-fix-5' } }),
      },
      tasks: [{ attempts, status }],
    })
  },
)

test('with several test tasks each has its own iterations', async () => {
  const one = await afterOne()
  writeFiles(one.dir, {
    '.task/IMPL-003.json': plannedTask('IMPL-003', 'test-fix', '@test-fix-agent', {
      context: { depends_on: ['IMPL-002'] },
    }),
  })
  const [first] = one.state.queue ?? []
  if (first === undefined) throw new Error('there is a test task')
  const queue = [
    { ...first, attempts: 5, status: 'completed' as const },
    {
      ...first,
      id: 'IMPL-003',
      file: 'IMPL-003.json',
      attempts: 2,
      status: 'blocked' as const,
      dependsOn: ['IMPL-002'],
    },
  ]
  await one.record(
    recordInput(
      { ...one.state, iteration: 7, extended: 0, queue },
      { outcome: 'failed', reason: 'an agent was gone' },
    ),
  )
  expect(await resume(one)).toMatchObject({
    tasks: [
      { id: 'IMPL-002', attempts: 5 },
      { id: 'IMPL-003', attempts: 2 },
    ],
  })
})
