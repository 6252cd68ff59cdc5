// The record of a cycle as a whole, on real directories: each field, the files around it, and the
// effects of hand edits, kills and other agents.
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { CycleRecord } from '../../../../src/contract/dev-cycle/cycle-record.js'
import { layOut, progressPaths } from '../../../../src/adapters/records/dev-cycle/cycle-progress.js'
import { writeCycleRecord } from '../../../../src/adapters/records/dev-cycle/write-cycle-record.js'
import { StoredCycle } from '../../../../src/adapters/records/dev-cycle/cycle-schema.js'
import { restoreIgnored } from '../../../../src/adapters/workspace/installed.js'
import { ownFolderLaidOut } from '../../../../src/adapters/workspace/own-folder.js'
import { filesOf, makeWorkspace, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import {
  AT,
  cycleState,
  DOCUMENTS,
  ID,
  MINUTE,
  OFFSET,
  place,
  PLAN,
  recordInput,
  REQUIREMENTS,
  type Place,
} from './cycle-state.js'

const COMMIT = {
  sha: '1'.repeat(40),
  changes: [
    { file: 'src/cart.js', action: 'modify' as const, added: 3, removed: 1 },
    { file: 'logo.png', action: 'create' as const, added: null, removed: null },
  ],
}
const CD_LOG = `${JSON.stringify({ timestamp: 'x', file: './src/cart.js', action: 'modify', task: 'TASK-001', description: 'Add the last item' })}\n`
const LINE = (n: number): string =>
  JSON.stringify({
    ts: '2026-11-20T12:00:00Z',
    agent: 'ra',
    type: 'utility',
    data: { name: `u${n}`, file: 'a.js', usage: 'b' },
  })

function master({ master: file }: Place): StoredCycle {
  return StoredCycle.parse(JSON.parse(readFileSync(file, 'utf8')))
}

test('a record after one iteration has every field, and measured numbers next to the claim', async () => {
  const at = place({
    ...DOCUMENTS,
    'cd/changes.log': CD_LOG,
    'coordination/discoveries.ndjson': `${LINE(1)}\nnot json\n`,
  })
  const told = await writeCycleRecord(recordInput(cycleState(at)), {
    offset: OFFSET,
    commit: COMMIT,
  })
  expect(told).toEqual({
    warnings: [],
    foreign: [],
    board: { entries: 1, skipped: 1, restored: 0 },
  })
  const record = master(at)
  expect(CycleRecord.safeParse(record).success).toBe(true)
  expect(record).toMatchObject({
    cycle_id: ID,
    title: 'Add up the cart',
    description: 'Add up the cart',
    task_history: ['Add up the cart'],
    status: 'running',
    created_at: '2026-11-20T20:00:00+08:00',
    updated_at: '2026-11-20T20:20:00+08:00',
    current_iteration: 1,
    max_iterations: 5,
    current_phase: 'aggregation',
    completed_phases: ['ra', 'ep', 'cd', 'vas'],
    requirements: { version: '1.0.0', specification: REQUIREMENTS },
    plan: {
      version: '1.0.0',
      critical_path: ['TASK-001', 'TASK-002'],
      tasks: [
        { id: 'TASK-001', status: 'completed' },
        { id: 'TASK-002', status: 'pending' },
      ],
    },
    changes: {
      total_files: 2,
      iteration_markers: { 1: '2026-11-20T20:20:00+08:00' },
      changes: [
        {
          file: 'src/cart.js',
          action: 'modify',
          iteration: 1,
          agent: 'cd',
          description: 'Add the last item',
        },
        { file: 'logo.png', action: 'create', description: 'create logo.png' },
      ],
    },
    test_results: {
      version: '1.0.0',
      pass_rate: 90,
      coverage: 82,
      failed_tests: ['test/unit/cart.test.js > cart 3'],
      total_tests: 10,
      claimed: 100,
    },
    iterations: [
      {
        number: 1,
        completed_at: '2026-11-20T20:10:00+08:00',
        agent_results: { cd: { status: 'success', files_modified: 2 } },
        issues_found: ['1 test fails: cart 3'],
        resolved: false,
      },
    ],
    convergence: null,
    source_refs: null,
    ratchet: {
      branch: `ratchet/${ID}`,
      commits: ['1'.repeat(40)],
      open_issues: ['1 test fails: cart 3'],
      one_to_hundred: false,
    },
  })
  expect(record.requirements?.edge_cases).toHaveLength(1)
  expect(record.completed_at).toBeUndefined()
})

test('the tree of the record', async () => {
  const at = place({ ...DOCUMENTS, 'coordination/discoveries.ndjson': `${LINE(1)}\n` })
  await writeCycleRecord(
    recordInput(cycleState(at), { outcome: 'completed_with_issues', reason: '1 test fails' }),
    { offset: OFFSET, commit: COMMIT },
  )
  const shown = Object.keys(filesOf(path.join(at.project, '.workflow')))
    .filter((name) => !name.endsWith('/') && !path.basename(name).startsWith('.'))
    .sort()
  expect(shown).toEqual([
    `.cycle/${ID}.json`,
    ...[
      'cd/changes.log',
      'cd/implementation.md',
      'coordination/decisions.log',
      'coordination/discoveries.ndjson',
      'coordination/feedback.md',
      'coordination/summary.md',
      'coordination/timeline.md',
      'ep/architecture.md',
      'ep/exploration.md',
      'ep/plan.json',
      'ra/requirements.md',
      'vas/summary.md',
      'vas/test-results.json',
      'vas/validation.md',
    ].map((name) => `.cycle/${ID}.progress/${name}`),
  ])
  for (const phase of ['ra', 'ep', 'cd', 'vas'])
    expect(existsSync(path.join(at.record, phase, 'history'))).toBe(true)
  expect(readFileSync(path.join(at.project, '.workflow/.gitignore'), 'utf8')).toBe('*\n')
  expect(master(at)).toMatchObject({
    status: 'completed',
    completed_at: '2026-11-20T20:20:00+08:00',
    current_phase: 'complete',
    ratchet: { outcome: 'completed_with_issues' },
  })
})

test('the same input twice changes no file', async () => {
  const at = place({
    ...DOCUMENTS,
    'ra/requirements.md': '# Requirements\n\n**Version**: 7.7\n',
    'cd/changes.log': CD_LOG,
    'coordination/discoveries.ndjson': `${LINE(1)}\n`,
  })
  const input = recordInput(cycleState(at), { outcome: 'failed', reason: 'spent' })
  await writeCycleRecord(input, { offset: OFFSET, commit: COMMIT })
  const [record, workspace] = [filesOf(path.join(at.project, '.workflow')), filesOf(at.cwd)]
  const again = await writeCycleRecord(input, { offset: OFFSET, commit: COMMIT })
  expect(again.warnings).toEqual([])
  expect(filesOf(path.join(at.project, '.workflow'))).toEqual(record)
  expect(filesOf(at.cwd)).toEqual(workspace)
})

test('the record keeps lists that the state no longer carries', async () => {
  const at = place(DOCUMENTS)
  const first = cycleState(at, {
    phaseErrors: [{ phase: 'ra', error: 'timed out', at: AT }],
    warnings: ['w1'],
  })
  await writeCycleRecord(recordInput(first), { offset: OFFSET })
  const second = cycleState(at, {
    iteration: 2,
    feedbackLog: [
      {
        timestamp: 'later',
        source: 'user',
        target: 'ra',
        content: 'more',
        type: 'requirement_update',
      },
    ],
    blockers: [],
    phaseErrors: [],
    warnings: ['w2'],
    decisions: [
      {
        id: 'DEC-001',
        description: 'Which store?',
        options: ['sql', 'files'],
        status: 'made',
        made_by: 'user',
        chosen_option: 'sql',
      },
    ],
    iterations: [
      {
        number: 2,
        startedAt: AT + 20 * MINUTE,
        agentResults: {},
        issuesFound: [],
        resolved: false,
      },
    ],
    history: [],
    commits: [],
  })
  await writeCycleRecord(recordInput(second), { offset: OFFSET })
  const record = master(at)
  expect(record.iterations.map(({ number }) => number)).toEqual([1, 2])
  expect(record.coordination.feedback_log.map(({ content }) => content)).toEqual([
    'cart 3 fails',
    'more',
  ])
  expect(record.coordination.blockers.map(({ id }) => id)).toEqual(['BLK-001'])
  expect(record.coordination.pending_decisions).toEqual([
    expect.objectContaining({ id: 'DEC-001', status: 'made' }),
  ])
  expect(record.phase_errors).toHaveLength(1)
  expect(record.ratchet).toMatchObject({
    warnings: ['w1', 'w2'],
    commits: ['1'.repeat(40)],
    history: [{ iteration: 1 }],
  })
  expect(
    readFileSync(path.join(at.record, 'coordination/decisions.log'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { id: 'DEC-001', status: 'pending' },
    {
      iteration: 1,
      decision: expect.stringMatching(/^(not )?converged$/) as unknown,
      why: expect.any(String) as unknown,
    },
    { id: 'DEC-001', status: 'made' },
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'a status typed to paused names the signal', edit: (text: string) => text.replace('"status": "running"', '"status": "paused"'), says: `; a run is not paused by a file: ratchet pause ${ID}` },
  { why: 'any other edit', edit: (text: string) => text.replace('Add up the cart', 'Mine'), says: '' },
  { why: 'a file that was cut', edit: (text: string) => text.slice(0, text.length / 2), says: '' },
],
)('hand edit: $why, is reported once and kept in a copy', async ({ edit, says }) => {
  const at = place(DOCUMENTS)
  const input = recordInput(cycleState(at))
  await writeCycleRecord(input, { offset: OFFSET })
  const before = readFileSync(at.master, 'utf8')
  const edited = edit(before)
  expect(edited).not.toBe(before)
  writeFileSync(at.master, edited)
  const { warnings } = await writeCycleRecord(input, { offset: OFFSET })
  expect(warnings).toEqual([
    `${ID}.json was edited by hand and has been rewritten; the edited text is kept next to it${says}`,
  ])
  expect(readFileSync(at.master, 'utf8')).toBe(before)
  expect(readFileSync(`${at.master}.edited-1`, 'utf8')).toBe(edited)
  expect((await writeCycleRecord(input, { offset: OFFSET })).warnings).toEqual([])
})

test('a record of a newer version is not touched', async () => {
  const at = place(DOCUMENTS)
  writeFileSync(at.master, '{"schema":2}\n')
  await expect(
    writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET }),
  ).rejects.toMatchObject({
    type: 'BadInput',
    message: `the record of ${ID} has schema 2, written by a newer version of Ratchet`,
  })
  expect(readFileSync(at.master, 'utf8')).toBe('{"schema":2}\n')
})

test.each(
  // prettier-ignore
  [
  { why: 'changed', change: (dir: string) => writeFileSync(path.join(dir, 'ra/requirements.md'), '# Mine\n'), kept: 1 },
  { why: 'removed', change: (dir: string) => rmSync(path.join(dir, 'ra/requirements.md')), kept: 0 },
  { why: 'replaced by a link', change: (dir: string) => { rmSync(path.join(dir, 'ra/requirements.md')); symlinkSync('/etc/passwd', path.join(dir, 'ra/requirements.md')) }, kept: 0 },
],
)(
  'a document of a settled agent that another agent $why is named and restored',
  async ({ change, kept }) => {
    const at = place(DOCUMENTS)
    await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
    change(at.dir)
    const { foreign } = await writeCycleRecord(
      recordInput(cycleState(at), undefined, ['ra', 'ep', 'vas']),
      { offset: OFFSET },
    )
    expect(foreign).toEqual(['ra/requirements.md'])
    expect(readFileSync(path.join(at.dir, 'ra/requirements.md'), 'utf8')).toBe(REQUIREMENTS)
    expect(readFileSync(path.join(at.record, 'ra/requirements.md'), 'utf8')).toBe(REQUIREMENTS)
    expect(
      readdirSync(path.join(at.record, 'ra')).filter((name) => name.includes('.edited-')),
    ).toHaveLength(kept)
    expect(
      (await writeCycleRecord(recordInput(cycleState(at), undefined, ['ra']), { offset: OFFSET }))
        .foreign,
    ).toEqual([])
  },
)

test.each(
  // prettier-ignore
  [
  { why: 'removed with everything around it', change: (dir: string) => rmSync(path.dirname(dir), { recursive: true }), foreign: ['ra/requirements.md', 'cd/implementation.md'] },
  { why: 'replaced by a link to the user\'s files', change: (dir: string, users: string) => { rmSync(path.join(dir, 'ra'), { recursive: true }); symlinkSync(users, path.join(dir, 'ra')) }, foreign: ['ra/requirements.md'] },
],
)(
  'restores a folder of a settled agent that is $why, and writes nothing through it',
  async ({ change, foreign }) => {
    const at = place(DOCUMENTS)
    const users = tempDir()
    writeFiles(users, { 'requirements.md': 'of the user\n' })
    await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
    change(at.dir, users)
    const told = await writeCycleRecord(recordInput(cycleState(at), undefined, ['ra', 'cd']), {
      offset: OFFSET,
    })
    expect(told.foreign).toEqual(foreign)
    expect(told.warnings).toEqual(
      foreign.map((file) => `${file} was changed by another agent, and restored`),
    )
    expect(master(at).ratchet.warnings).toEqual(told.warnings)
    expect(readFileSync(path.join(at.dir, 'ra/requirements.md'), 'utf8')).toBe(REQUIREMENTS)
    expect(filesOf(users)).toEqual({ 'requirements.md': 'of the user\n' })
  },
)

test('a measurement that removes the folder of the documents accuses no agent, and hides no change of one', async () => {
  const { workspace } = await makeWorkspace()
  const at = { ...place(), cwd: workspace.cwd, dir: progressPaths(workspace.cwd, ID).dir }
  const state = cycleState(at)
  state.prepared.workspace = { ...workspace, project: at.project }
  const written = () =>
    writeCycleRecord(recordInput(state, undefined, ['ra', 'ep', 'cd', 'vas']), { offset: OFFSET })
  const beginTurn = () => {
    layOut(at.cwd, at.project, ID, { refs: [] })
    ownFolderLaidOut(workspace.root)
  }
  beginTurn()
  writeFiles(at.dir, DOCUMENTS)
  await writeCycleRecord(recordInput(state), { offset: OFFSET })

  await restoreIgnored(workspace, { step: 'tests', tracked: [], keepPackages: true })
  expect(existsSync(at.dir)).toBe(false)
  expect(await written()).toMatchObject({ foreign: [], warnings: [] })
  writeFiles(at.dir, { 'ra/requirements.md': 'by a program that is left running' })
  expect((await written()).foreign).toEqual(['ra/requirements.md'])

  beginTurn()
  expect(readFileSync(path.join(at.dir, 'ep/plan.json'), 'utf8')).toContain('TASK-001')
  rmSync(path.dirname(at.dir), { recursive: true })
  expect((await written()).foreign).toContain('ep/plan.json')
})

test('restores documents removed from the record from the workspace, also of settled agents', async () => {
  const at = place(DOCUMENTS)
  const input = recordInput(cycleState(at), undefined, ['ra', 'ep', 'cd', 'vas'])
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  const before = readFileSync(path.join(at.record, 'ra/requirements.md'), 'utf8')
  rmSync(at.record, { recursive: true })
  rmSync(at.master)
  const { warnings, foreign } = await writeCycleRecord(input, { offset: OFFSET })
  expect(foreign).toEqual([])
  expect(warnings).toContain('ra/requirements.md was removed from the record, and is back')
  expect(readFileSync(path.join(at.record, 'ra/requirements.md'), 'utf8')).toBe(before)
  expect(master(at).plan?.tasks).toHaveLength(2)
  expect((await writeCycleRecord(input, { offset: OFFSET })).warnings).toEqual([])
})

test('an endless board is read up to its limit, reported, and started again', async () => {
  const at = place({ ...DOCUMENTS, 'coordination/discoveries.ndjson': `${LINE(1)}\n` })
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  const board = path.join(at.dir, 'coordination/discoveries.ndjson')
  writeFileSync(board, `${LINE(1)}\n${LINE(2)}\n`)
  truncateSync(board, 9 * 1024 * 1024)
  const { warnings } = await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  expect(warnings).toEqual([
    'coordination/discoveries.ndjson was flooded: it had 9216 kB, of which the first 8192 kB were read',
  ])
  expect(readFileSync(path.join(at.record, 'coordination/discoveries.ndjson'), 'utf8')).toBe(
    `${LINE(1)}\n${LINE(2)}\n`,
  )
  expect(readFileSync(board, 'utf8')).toBe(`${LINE(1)}\n${LINE(2)}\n`)
  expect(
    (await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })).warnings,
  ).toEqual([])
})

test('a broken plan or another version of a settled agent does not count as an edit of another agent', async () => {
  const at = place({ ...DOCUMENTS, 'ra/requirements.md': '# Requirements\n\n**Version**: 7.7\n' })
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  writeFiles(at.dir, { 'ep/plan.json': '{"tasks":' })
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  const { foreign } = await writeCycleRecord(
    recordInput(cycleState(at), undefined, ['ra', 'ep', 'cd', 'vas']),
    { offset: OFFSET },
  )
  expect(foreign).toEqual([])
  expect(readFileSync(path.join(at.dir, 'ep/plan.json'), 'utf8')).toBe('{"tasks":')
  expect(JSON.parse(readFileSync(path.join(at.record, 'ep/plan.json'), 'utf8'))).toEqual(PLAN)
})

test('a new workspace gets the documents back, and no agent is blamed', async () => {
  const at = place({ ...DOCUMENTS, 'ra/requirements.md': '# Requirements\n\n**Version**: 7.7\n' })
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  const cwd = tempDir()
  const state = cycleState({ ...at, cwd })
  // No agent has had a turn
  const gone = await writeCycleRecord(recordInput(state), { offset: OFFSET, commit: COMMIT })
  layOut(cwd, at.project, ID, { refs: [] })
  const back = await writeCycleRecord(recordInput(state, undefined, ['ra', 'ep', 'cd', 'vas']), {
    offset: OFFSET,
  })
  expect([gone.foreign, back.foreign, back.board.restored]).toEqual([[], [], 0])
})

test.each(
  // prettier-ignore
  [
  { why: 'lines were removed', board: LINE(2), restored: 1, after: [LINE(2), LINE(1)] },
  { why: 'the file is gone', board: null, restored: 1, after: [LINE(1)] },
  { why: 'the file is a link now', board: { link: '/etc/hostname' }, restored: 1, after: [LINE(1)] },
  { why: 'a line was torn', board: `${LINE(1)}\n{"ts":`, restored: 0, after: [LINE(1), '{"ts":'] },
],
)('append-only board: $why', async ({ board, restored, after }) => {
  const at = place({ ...DOCUMENTS, 'coordination/discoveries.ndjson': `${LINE(1)}\n` })
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  const file = path.join(at.dir, 'coordination/discoveries.ndjson')
  rmSync(file)
  if (board !== null) writeFiles(at.dir, { 'coordination/discoveries.ndjson': board })
  const told = await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  expect(told.board.restored).toBe(restored)
  expect(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  ).toEqual(after)
  expect(readFileSync(path.join(at.record, 'coordination/discoveries.ndjson'), 'utf8')).toContain(
    LINE(1),
  )
  expect(
    (await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })).board.restored,
  ).toBe(0)
})

test('nothing is written through a link in the record', async () => {
  const at = place(DOCUMENTS)
  const outside = path.join(tempDir(), 'outside')
  writeFileSync(outside, 'theirs')
  symlinkSync(outside, at.master)
  symlinkSync(outside, path.join(at.record, 'coordination/timeline.md'))
  symlinkSync(outside, path.join(at.record, 'ra/requirements.md'))
  await writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET })
  expect(readFileSync(outside, 'utf8')).toBe('theirs')
  expect(master(at).requirements?.specification).toBe(REQUIREMENTS)
  rmSync(path.join(at.record, 'ra'), { recursive: true })
  symlinkSync(tempDir(), path.join(at.record, 'ra'))
  await expect(
    writeCycleRecord(recordInput(cycleState(at)), { offset: OFFSET }),
  ).rejects.toMatchObject({
    name: 'RecordUnwritable',
    message: expect.stringContaining('a link or a file is in the place of a directory') as string,
  })
})
