// The record of a loop as a whole, on real directories: each field, the files around it, and the
// effects of hand edits and other tools.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { LoopState } from '../../../../src/contract/dev-loop/loop-state.js'
import { LoopRecord, WorkerOutput } from '../../../../src/contract/dev-loop/loop-record.js'
import type { LoopOutcome } from '../../../../src/core/dev-loop/loop-outcome.js'
import { readProgress } from '../../../../src/adapters/records/dev-loop/progress-file.js'
import { writeLoopRecord } from '../../../../src/adapters/records/dev-loop/write-loop-record.js'
import { filesOf, runGit, tempDir, writeFiles } from '../../../support/repositories/repos.js'
import { compared } from '../../../support/test-runs.js'
import {
  AT,
  FACTS,
  ID,
  loopState,
  MINUTE,
  noted,
  OFFSET,
  place,
  recordInput,
  TIME,
  type Place,
} from './loop-state.js'

const END = '2026-11-20T20:20:00+08:00'

function state({ files }: Place): LoopRecord {
  return LoopRecord.parse(JSON.parse(readFileSync(files.master, 'utf8')))
}

function outputOf(
  { files }: Place,
  action: 'init' | 'develop' | 'debug' | 'validate' | 'complete',
): WorkerOutput {
  return WorkerOutput.parse(JSON.parse(readFileSync(files.output(action), 'utf8')))
}

async function worked(): Promise<Place> {
  const at = place()
  await noted(at, 'init', 1)
  await noted(at, 'develop', 2, { filesClaimed: ['src/other.js'] })
  await noted(at, 'validate', 3)
  return at
}

test('every field of the state file', async () => {
  const at = await worked()
  const from = loopState(at, { texts: ['Add up the cart', 'Also the taxes'] })
  expect(await writeLoopRecord(recordInput(from), { offset: OFFSET })).toEqual({ warnings: [] })
  const task = (n: number, status: string) => ({
    id: `T${n}`,
    description: `Task ${n}`,
    priority: 'medium',
    status,
    files: [],
  })
  expect(state(at)).toEqual({
    schema: 1,
    loop_id: ID,
    title: 'Add up the cart',
    description: 'Add up the cart\n\n--- FURTHER TASK 1 ---\nAlso the taxes',
    mode: 'auto',
    status: 'running',
    current_iteration: 3,
    max_iterations: 10,
    created_at: TIME,
    updated_at: END,
    skill_state: {
      phase: 'validate',
      action_index: 3,
      workers_completed: ['init', 'develop', 'validate'],
      parallel_results: null,
      pending_tasks: [task(2, 'in_progress'), task(3, 'blocked'), task(4, 'pending')],
      completed_tasks: [task(1, 'completed')],
      findings: from.findings,
    },
    ratchet: {
      run: ID,
      branch: `ratchet/${ID}`,
      base: 'b'.repeat(40),
      head: '1'.repeat(40),
      commits: ['1'.repeat(40)],
      warnings: [],
      task_history: ['Add up the cart', 'Also the taxes'],
      validation: from.validation,
      workers: from.workers,
      usage: { turns: 3, inputTokens: 100, outputTokens: 50, estimated: true },
      history: from.history,
    },
  })
})

test.each([
  { outcome: 'completed', status: 'completed', failure: undefined },
  { outcome: 'user_exit', status: 'user_exit', failure: undefined },
  { outcome: 'failed', status: 'failed', failure: 'Worker develop failed' },
  { outcome: 'max_iterations', status: 'failed', failure: 'Worker develop failed' },
  { outcome: 'stopped', status: 'failed', failure: 'Worker develop failed' },
] as const)('at the end $outcome is $status', async ({ outcome, status, failure }) => {
  const at = await worked()
  await writeLoopRecord(recordInput(loopState(at), { outcome, reason: 'Worker develop failed' }), {
    offset: OFFSET,
  })
  const record = state(at)
  expect(record).toMatchObject({
    status,
    completed_at: END,
    ratchet: { outcome, result: { outcome, status, history: [], loop_id: ID } },
  })
  expect(record.failure_reason).toBe(failure)
  // The loop is resumed: its earlier end is not in the record.
  await writeLoopRecord(recordInput(loopState(at, { iteration: 4 })), { offset: OFFSET })
  expect([
    state(at).status,
    state(at).completed_at,
    state(at).failure_reason,
    state(at).ratchet.outcome,
    state(at).ratchet.result,
  ]).toEqual(['running', undefined, undefined, undefined, undefined])
})

test('a failure without a reason has its outcome as the reason; title and parallel results are unchanged', async () => {
  const at = place()
  const results = {
    develop: null,
    debug: null,
    validate: null,
    conflicts: [
      {
        file: 'a.js',
        workers: ['develop' as const, 'debug' as const, 'validate' as const],
        resolution: 'manual' as const,
        chosen: 'develop',
      },
    ],
    merged_at: TIME,
  }
  await writeLoopRecord(
    recordInput(
      loopState(at, { texts: [`line one\n${'x'.repeat(200)}`], parallelResults: results }),
      { outcome: 'stopped' },
    ),
    { offset: OFFSET },
  )
  expect(state(at)).toMatchObject({
    failure_reason: 'stopped',
    skill_state: { parallel_results: results },
  })
  expect(state(at).title).toBe(`line one ${'x'.repeat(91)}`)
})

test('the tree of the record', async () => {
  const at = await worked()
  await writeLoopRecord(recordInput(loopState(at), { outcome: 'completed' }), {
    offset: OFFSET,
    commitFiles: Array.from({ length: 21 }, (_, n) => `src/${n}.js`),
  })
  const shown = Object.keys(filesOf(path.join(at.project, '.workflow')))
    .filter((name) => !name.endsWith('/') && !path.basename(name).startsWith('.'))
    .sort()
  expect(shown).toEqual([
    `.loop/${ID}.json`,
    ...['commit-files.txt', 'develop.md', 'init.md', 'summary.md', 'validate.md'].map(
      (name) => `.loop/${ID}.progress/${name}`,
    ),
    ...['develop', 'init', 'validate'].map((action) => `.loop/${ID}.workers/${action}.output.json`),
  ])
})

test('output files have the files by git, the answers and the measurements', async () => {
  const at = await worked()
  await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET })
  expect(outputOf(at, 'develop')).toMatchObject({
    files_changed: ['src/cart.js'],
    files_claimed: ['src/other.js'],
    clarifications: [{ question: 'Which store?', answer: 'sql', by: 'user' }],
    timestamp: '2026-11-20T20:02:00+08:00',
  })
  expect(outputOf(at, 'validate')).toMatchObject({
    tests: { total: 10, passed: 9, failed: 1 },
    coverage: 81.5,
    quality: { lint: 'failed', types: 'passed' },
  })
  expect(outputOf(at, 'init').tests).toBeUndefined()
  // The next record has no facts about them: the written ones stay until the next turn of the
  // worker.
  await writeLoopRecord(recordInput(loopState(at), undefined, { workers: [] }), { offset: OFFSET })
  expect(outputOf(at, 'develop')).toMatchObject({
    files_changed: ['src/cart.js'],
    clarifications: [{ answer: 'sql' }],
  })
  await noted(at, 'develop', 4)
  await noted(at, 'validate', 5)
  expect(outputOf(at, 'develop')).toMatchObject({
    iteration: 4,
    files_changed: [],
    clarifications: [],
  })
  expect(outputOf(at, 'validate').tests).toBeUndefined()
})

test('facts about a finished iteration do not reach the answer of the next one', async () => {
  const at = await worked()
  await noted(at, 'develop', 4, { summary: 'newer' })
  await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET })
  expect(outputOf(at, 'develop')).toMatchObject({
    iteration: 4,
    summary: 'newer',
    files_changed: [],
  })
})

test('a worker that never answered has an output file; an interrupted one has failed', async () => {
  const at = await worked()
  const workers = loopState(at).workers.map((one) =>
    one.action === 'validate'
      ? { ...one, status: 'failed' as const, summary: 'Worker timeout', timedOut: true }
      : one,
  )
  await writeLoopRecord(
    recordInput(
      loopState(at, {
        workers: [
          ...workers,
          {
            action: 'debug',
            status: 'failed',
            summary: 'Worker timeout',
            iteration: 4,
            files: ['a.js'],
            filesTotal: 1,
            timedOut: true,
          },
        ],
      }),
    ),
    { offset: OFFSET },
  )
  expect(outputOf(at, 'debug')).toMatchObject({
    status: 'failed',
    reported: '',
    summary: 'Worker timeout',
    iteration: 4,
    files_changed: ['a.js'],
    agent: null,
    timestamp: END,
  })
  expect(outputOf(at, 'validate')).toMatchObject({
    status: 'failed',
    reported: 'success',
    summary: 'validate is done',
  })
})

test('restores a damaged or missing output file from the state', async () => {
  const at = await worked()
  await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET })
  const text = readFileSync(at.files.output('develop'), 'utf8')
  writeFileSync(at.files.output('develop'), text.slice(0, text.indexOf('"detailed_output"')))
  const { warnings } = await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET })
  expect(warnings).toEqual([
    `${ID}.workers/develop.output.json was edited by hand and has been rewritten; the edited text is kept next to it`,
  ])
  expect(outputOf(at, 'develop')).toEqual({
    ...(JSON.parse(text) as WorkerOutput),
    detailed_output: '',
    agent: null,
    timestamp: END,
  })
})

test('the same input twice changes no file', async () => {
  const at = await worked()
  const input = recordInput(loopState(at), { outcome: 'failed', reason: 'spent' })
  const options = { offset: OFFSET, commitFiles: Array.from({ length: 30 }, (_, n) => `${n}.js`) }
  await writeLoopRecord(input, options)
  await writeLoopRecord(input, options) // digests of what was there before are forgotten now
  const before = filesOf(at.files.dir)
  expect((await writeLoopRecord(input, options)).warnings).toEqual([])
  expect(filesOf(at.files.dir)).toEqual(before)
})

test('the record keeps lists that the state no longer carries, and texts that it carries cut', async () => {
  const at = place()
  const long = 'a long text that is longer than the line it is on, and much longer than it'
  const cut = `${long.slice(0, 45)}…`
  const first = loopState(at, {
    warnings: [long, 'w1'],
    findings: [
      { id: 'F1', description: long, source: 'debug', iteration: 1, status: 'closed' },
      { id: 'F2', description: 'open', source: 'debug', iteration: 2, status: 'open' },
      { id: 'F3', description: 'still open', source: 'validate', iteration: 3, status: 'open' },
    ],
  })
  const [task] = first.tasks
  const [worker] = first.workers
  if (task === undefined || worker === undefined) throw new Error('no task')
  first.tasks = [{ ...task, description: long, files: ['a', 'b'] }]
  first.workers = [
    { ...worker, summary: long, files: ['a', 'b', 'c'], filesTotal: 3 },
    { ...worker, action: 'develop', iteration: 2 },
  ]
  first.history = first.history.map((one) => ({ ...one, note: `${one.iteration} ${long}` }))
  await writeLoopRecord(recordInput(first), { offset: OFFSET })
  const next = loopState(at, {
    iteration: 5,
    warnings: [cut, 'w2'],
    commits: ['2'.repeat(40)],
    findings: [
      { id: 'F3', description: 'still open', source: 'validate', iteration: 3, status: 'open' },
    ],
    tasks: [{ ...task, description: cut, files: ['a'], status: 'completed' }],
    workers: [
      { ...worker, summary: cut, files: [], filesTotal: 3 },
      { ...worker, action: 'develop', iteration: 3 },
    ],
    history: [
      ...first.history.slice(2).map((one) => ({ ...one, note: `3 ${cut}` })),
      { iteration: 4, passRate: null, result: 'kept', commit: null, turns: 1, note: 'fourth' },
    ],
  })
  await writeLoopRecord(recordInput(next), { offset: OFFSET })
  const { skill_state: skill, ratchet } = state(at)
  expect(ratchet.warnings).toEqual([long, 'w1', 'w2'])
  expect(ratchet.commits).toEqual(['1'.repeat(40), '2'.repeat(40)])
  expect(ratchet.history.map(({ iteration, note }) => [iteration, note])).toEqual([
    [1, `1 ${long}`],
    [2, `2 ${long}`],
    [3, `3 ${long}`],
    [4, 'fourth'],
  ])
  expect(ratchet.workers[0]).toMatchObject({ summary: long, files: ['a', 'b', 'c'] })
  expect(skill.completed_tasks).toMatchObject([{ description: long, files: ['a', 'b'] }])
  // F2 was found before the develop of iteration 3 ended.
  expect(skill.findings.map(({ id, status, description }) => [id, status, description])).toEqual([
    ['F1', 'closed', long],
    ['F2', 'closed', 'open'],
    ['F3', 'open', 'still open'],
  ])
})

test('several workers of one round each have their line in the history', async () => {
  const at = place()
  const line = (iteration: number, note: string) => ({
    iteration,
    passRate: null,
    result: 'kept' as const,
    commit: null,
    turns: 1,
    note,
  })
  await writeLoopRecord(
    recordInput(
      loopState(at, {
        history: [
          line(1, 'develop: success'),
          line(1, 'debug: success'),
          line(1, 'validate: success'),
        ],
      }),
    ),
    { offset: OFFSET },
  )
  await writeLoopRecord(
    recordInput(
      loopState(at, {
        history: [
          line(1, 'validate: success'),
          line(1, 'complete: success'),
          line(2, 'develop: success'),
        ],
      }),
    ),
    { offset: OFFSET },
  )
  expect(state(at).ratchet.history.map(({ iteration, note }) => `${iteration} ${note}`)).toEqual([
    '1 develop: success',
    '1 debug: success',
    '1 validate: success',
    '1 complete: success',
    '2 develop: success',
  ])
})

test.each(
  // prettier-ignore
  [
  { why: 'a status typed to paused names the signal', edit: (text: string) => text.replace('"status": "running"', '"status": "paused"'), says: `; a run is not paused by a file: ratchet pause ${ID}` },
  { why: 'any other edit', edit: (text: string) => text.replace('Add up the cart', 'Mine'), says: '' },
  { why: 'a task that was moved', edit: (text: string) => text.replace('"status": "blocked"', '"status": "completed"'), says: '' },
  { why: 'another id', edit: (text: string) => text.replace(`"loop_id": "${ID}"`, '"loop_id": "other"'), says: '' },
  { why: 'Windows line ends, a byte order mark', edit: (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`, says: '' },
  { why: 'a key twice', edit: (text: string) => text.replace('"mode": "auto"', '"mode": "auto", "mode": "interactive"'), says: '' },
  { why: 'a truncated file', edit: (text: string) => text.slice(0, text.length / 2), says: '' },
  { why: 'an emptied file', edit: () => '', says: '' },
],
)('hand edit: $why, is reported once, kept in a copy, and undone', async ({ edit, says }) => {
  const at = await worked()
  const input = recordInput(loopState(at))
  await writeLoopRecord(input, { offset: OFFSET })
  const before = readFileSync(at.files.master, 'utf8')
  const edited = edit(before)
  expect(edited).not.toBe(before)
  writeFileSync(at.files.master, edited)
  const { warnings } = await writeLoopRecord(input, { offset: OFFSET })
  expect(warnings).toEqual([
    `${ID}.json was edited by hand and has been rewritten; the edited text is kept next to it${says}`,
  ])
  expect(readFileSync(at.files.master, 'utf8')).toBe(before)
  expect(readFileSync(`${at.files.master}.edited-1`, 'utf8')).toBe(edited)
  expect((await writeLoopRecord(input, { offset: OFFSET })).warnings).toEqual([])
})

test('a record of a newer version is not touched; a state file of another tool is kept', async () => {
  const at = place()
  writeFileSync(at.files.master, '{"schema":2}\n')
  await expect(
    writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET }),
  ).rejects.toMatchObject({
    type: 'BadInput',
    message: `the record of ${ID} has schema 2, written by a newer version of Ratchet`,
  })
  expect(readFileSync(at.files.master, 'utf8')).toBe('{"schema":2}\n')
  writeFileSync(at.files.master, '{"loop_id":"other"}\n')
  expect((await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET })).warnings).toEqual(
    [],
  )
  expect(readFileSync(`${at.files.master}.before-ratchet`, 'utf8')).toBe('{"loop_id":"other"}\n')
})

test.each([
  { why: 'a link in place of the state file', of: ({ files }: Place) => files.master },
  { why: 'a link in place of the summary', of: ({ files }: Place) => files.summary },
  { why: 'a link in place of an output file', of: ({ files }: Place) => files.output('develop') },
  { why: 'a link in place of a progress file', of: ({ files }: Place) => files.note('init') },
  { why: 'a link in place of the list of files', of: ({ files }: Place) => files.commitFiles },
])('nothing is written through $why', async ({ of }) => {
  const at = place()
  const outside = path.join(tempDir(), 'mine')
  writeFileSync(outside, 'mine\n')
  symlinkSync(outside, of(at))
  await writeLoopRecord(recordInput(loopState(at), { outcome: 'completed' }), {
    offset: OFFSET,
    commitFiles: Array.from({ length: 21 }, (_, n) => `${n}`),
  })
  expect(readFileSync(outside, 'utf8')).toBe('mine\n')
  expect(readFileSync(of(at), 'utf8')).not.toBe('mine\n')
})

test('refuses a directory in place of a file and says what to do', async () => {
  const at = place()
  mkdirSync(path.join(at.project, 'elsewhere'))
  const own = path.join(at.files.dir, `${ID}2.progress`)
  writeFileSync(own, '')
  const input = recordInput(loopState(at))
  input.state.prepared.name = `${ID}2`
  await expect(writeLoopRecord(input, { offset: OFFSET })).rejects.toMatchObject({
    name: 'RecordUnwritable',
    message: expect.stringContaining('a link or a file is in the place of a directory') as string,
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'before the worker', first: async (at: Place) => { await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET }); await noted(at, 'init', 1) } },
  { why: 'after the worker', first: async (at: Place) => { await noted(at, 'init', 1); await writeLoopRecord(recordInput(loopState(at)), { offset: OFFSET }) } },
  { why: 'in a file written by hand', first: (at: Place) => { writeFileSync(at.files.note('init'), 'mine'); return noted(at, 'init', 1) } },
],
)(
  'the progress file of init has the start of the loop too, once, up to date: $why',
  async ({ first }) => {
    const at = place()
    await first(at)
    await writeLoopRecord(
      recordInput(
        loopState(at, { mode: 'interactive', texts: ['Add up the cart', '$& more --> <!--'] }),
      ),
      { offset: OFFSET },
    )
    await noted(at, 'init', 1, { summary: 'again' })
    const text = readFileSync(at.files.note('init'), 'utf8')
    expect(readProgress(text)).toMatchObject({
      head: {
        loop: ID,
        run: ID,
        mode: 'interactive',
        texts: ['Add up the cart', '$& more --> <!--'],
        created_at: TIME,
        max_iterations: 10,
        branch: `ratchet/${ID}`,
      },
      sections: [{ iteration: 1 }],
    })
    expect(text.match(/<!-- ratchet \{"loop"/g)).toHaveLength(1)
  },
)

test('a list of files that is too long for a line is written for git', async () => {
  const at = place()
  const repo = tempDir()
  runGit(repo, 'init', '-q')
  const names = [
    'a b.js',
    '[id].ts',
    'i.ts',
    ':weird',
    'é.md',
    '"quoted"',
    'new\nline',
    ...Array.from({ length: 20 }, (_, n) => `src/${n}.js`),
  ]
  writeFiles(repo, Object.fromEntries([...names, 'd.ts'].map((name) => [name, 'x'])))
  await writeLoopRecord(recordInput(loopState(at), { outcome: 'completed' }), {
    offset: OFFSET,
    commitFiles: names,
  })
  mkdirSync(path.join(repo, 'sub'))
  runGit(path.join(repo, 'sub'), 'add', '-A', `--pathspec-from-file=${at.files.commitFiles}`)
  expect(
    runGit(repo, '-c', 'core.quotePath=false', 'ls-files', '-z')
      .split('\0')
      .filter((name) => name !== '')
      .sort(),
  ).toEqual(names.sort())
  const few = place()
  await writeLoopRecord(recordInput(loopState(few), { outcome: 'completed' }), {
    offset: OFFSET,
    commitFiles: ['a'],
  })
  expect(existsSync(few.files.commitFiles)).toBe(false)
})

test.each(['completed', 'user_exit', 'failed'] as const)(
  'SESSION_SUMMARY of a loop that is %s',
  async (outcome: LoopOutcome) => {
    const at = await worked()
    await noted(at, 'complete', 4, {}, { detail: '## SESSION_SUMMARY\n```\nall | done\n```' })
    const conflicts = [
      {
        file: 'a|b.js',
        workers: ['develop' as const, 'debug' as const],
        resolution: 'manual' as const,
        chosen: 'debug',
      },
      {
        file: 'c.js',
        workers: ['develop' as const],
        resolution: 'manual' as const,
        chosen: 'base',
      },
      { file: 'd.js', workers: ['develop' as const], resolution: 'manual' as const },
    ]
    const from = loopState(at, {
      warnings: ['*loud* warning'],
      parallelResults: { develop: null, debug: null, validate: null, conflicts, merged_at: TIME },
    })
    const input = recordInput(from, { outcome, reason: 'because' })
    if (input.result === undefined) throw new Error('no result')
    input.result.usage.cachedTokens = 60
    input.result.suggestion = {
      message: 'Add carts\n\n# not a heading',
      command: `ratchet apply '${ID}' && git add -A -- 'src/cart.js'`,
      readyForPr: false,
      branchStrategy: 'squash',
    }
    await writeLoopRecord(input, { offset: OFFSET })
    const text = readFileSync(at.files.summary, 'utf8')
    const said: readonly string[] = [
      `# Summary of ${ID}`,
      '| Reason | because |',
      '| Mode | auto |',
      '| Iterations | 3 of at most 10 |',
      `| Created | ${TIME} |`,
      `| ${outcome === 'user_exit' ? 'Left' : 'Completed'} | ${END} |`,
      '| Agents | 3 turns, 100 tokens in (60 cached), 50 out (estimated) |',
      '| Files changed | 1, a file counts once a commit |',
      '| develop | success | 2 | 1 | src/cart.js | develop is done |',
      '- 3: no change, 90 %: worker 3: success: it is done as far as it goes',
      '- ✓ T1: Task 1',
      '- ✗ T3 (blocked): Task 3',
      '| Measured | 90 % (9 of 10) at 111111111111 |',
      '| Claimed | 100 % |',
      '| Last validation | not passed: 1 of 10 tests fails |',
      '| Coverage | 81.5 % |',
      '| lint | npm run lint | failed | passed |',
      '| types | npx tsc / cat | passed |   |',
      '| a/b.js | develop, debug | debug |',
      '| c.js | develop | none: the file is unchanged |',
      '| d.js | develop | not decided |',
      `- ${'1'.repeat(40)}`,
      '- T2 is not done: Task 2',
      '- validate: cart 3 fails',
      '- warning: \\*loud\\* warning',
      `- ${ID}.workers/develop.output.json`,
      `ratchet apply ${ID}`,
      `ratchet apply '${ID}' && git add -A -- 'src/cart.js'`,
      '# not a heading',
      'The suggested commit (squash), not ready for a pull request:',
      `ratchet extend ${ID} "…"`,
    ]
    for (const line of said) expect(text.split('\n')).toContain(line)
    expect(text).toContain('- test/unit/cart.test.js \\> cart 3: ')
    expect(text.split('\n').includes(`ratchet loop --loop-id ${ID}`)).toBe(outcome !== 'completed')
    expect(text).toContain('````text\n## SESSION_SUMMARY\n```\nall | done\n```\n````')
    expect([...text.matchAll(/^## .*$/gm)].map(([line]) => line)).toEqual([
      '## Metadata',
      '## Workers',
      '## Tasks',
      '## Tests and Checks',
      '## Conflicts',
      '## Commits',
      '## Open',
      '## Known Before, Remarks',
      '## What complete says',
      '## SESSION_SUMMARY',
      '## Files of the Record',
      '## Continuation',
    ])
  },
)

test('a test that failed before the loop and a low remark are no open items of the summary', async () => {
  const at = await worked()
  const from = loopState(at)
  if (from.lastRun?.kind !== 'measured') throw new Error('not measured')
  const [{ file, test: name } = { file: '', test: '' }] = from.lastRun.failures
  const lastRun = {
    ...from.lastRun,
    comparison: compared({ known: { total: 1, tests: [`${file} > ${name}`], differently: 0 } }),
  }
  await writeLoopRecord(
    recordInput(
      {
        ...from,
        lastRun,
        findings: [
          {
            id: 'F1',
            description: '[low] a better name',
            source: 'validate',
            status: 'open',
            iteration: 2,
          },
        ] as LoopState['findings'],
      },
      { outcome: 'completed' },
    ),
    { offset: OFFSET },
  )
  const text = readFileSync(at.files.summary, 'utf8')
  const open = /## Open\n\n([\s\S]*?)\n\n## /.exec(text)?.[1] ?? ''
  expect(open).not.toContain('cart 3')
  expect(open).not.toContain('better name')
  const aside = /## Known Before, Remarks\n\n([\s\S]*?)\n\n## Files/.exec(text)?.[1] ?? ''
  expect(aside).toContain('1 test failed before the run and still does')
  expect(aside).toContain('remark of validate: \\[low\\] a better name')
})

test('the summary of a loop without a result says so', async () => {
  const at = place()
  const {
    lastRun: _run,
    quality: _quality,
    validation: _validation,
    ...rest
  } = loopState(at, {
    mode: 'interactive',
    iteration: 0,
    tasks: [],
    findings: [],
    workers: [],
    history: [],
    commits: [],
  })
  await writeLoopRecord(
    recordInput(
      { ...rest, unmeasured: 'there are no tests' } satisfies LoopState,
      { outcome: 'stopped' },
      { workers: [], at: AT + MINUTE },
    ),
    { offset: OFFSET },
  )
  const text = readFileSync(at.files.summary, 'utf8')
  for (const line of [
    'No worker has had a turn yet.',
    'None were planned.',
    '| Measured | nothing: there are no tests |',
    '| Last validation | none |',
    'None.',
    '- no validation has checked the work',
    '| Iterations | 0 |',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).not.toContain('ratchet apply')
})

test('leaves out facts of workers unknown to the state', async () => {
  const at = place()
  await writeLoopRecord(
    recordInput(loopState(at, { workers: [] }), undefined, { workers: FACTS }),
    { offset: OFFSET },
  )
  expect(existsSync(at.files.output('develop'))).toBe(false)
})
