// More dev cycles on the command line of a new user: the whole example, an open cycle, damaged
// records, schedules.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StoredCycle } from '../../../src/adapters/records/dev-cycle/cycle-schema.js'
import { cd, everybody, step, vas } from '../../support/cycle/cycle-play.js'
import { commandUser, type CommandUser } from '../../support/in-process/command-user.js'
import { RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { commitAll, filesOf, runGit } from '../../support/repositories/repos.js'
import { temporalPath } from '../../support/servers/temporal.js'
import { waitFor } from '../../support/wait.js'
import type { Failed } from '../../support/documents.js'
import { followed, refused, statusOf, type Status } from '../../support/command-answers.js'

let user: CommandUser
beforeAll(async () => {
  user = await commandUser()
})
afterAll(() => user.remove())

const EXAMPLE = fileURLToPath(new URL('../../../examples/cycle/project', import.meta.url))
const OWN = ['.workflow', '.git', '__pycache__', '.pytest_cache']

const cycleDir = (project: string) => path.join(project, '.workflow/.cycle')
const masterFile = (project: string, id: string) => path.join(cycleDir(project), `${id}.json`)
const masterOf = (project: string, id: string) =>
  StoredCycle.parse(JSON.parse(readFileSync(masterFile(project, id), 'utf8')))
const documentOf = (project: string, id: string, file: string) =>
  readFileSync(path.join(cycleDir(project), `${id}.progress`, file), 'utf8')

test('a task, a further task after it, two more at once, and apply', async () => {
  const project = path.join(user.root, 'projects/cart')
  cpSync(EXAMPLE, project, { recursive: true })
  runGit(project, 'init', '-q')
  commitAll(project, 'first')
  const before = filesOf(project, OWN)

  const first = await followed(user, project, 'cycle', 'add discounts in percent')
  expect(first).toMatchObject({
    exitCode: 0,
    result: {
      kind: 'dev-cycle',
      outcome: 'completed',
      iterations: 1,
      passRate: 100,
      failuresTotal: 0,
      reason: null,
    },
  })
  const { id, branch } = first.result
  expect(id).toMatch(/^cycle-v1-\d{8}T\d{6}-[0-9a-z]{8}$/)
  expect(first.stderr).toContain(`${id}  develops in ${project}, measured with: npm test\n`)
  expect(first.stderr).toContain('iteration 1  v1.0.0  100.0 % → 100.0 %  kept\n')
  expect(first.stderr).not.toContain('warning:')
  expect(filesOf(project, OWN)).toEqual(before)
  const one = masterOf(project, id)
  expect(one).toMatchObject({
    status: 'completed',
    current_iteration: 1,
    max_iterations: 5,
    completed_at: expect.any(String) as string,
  })
  // VAS said 100 % of a tree in which half of the tests failed.
  expect(one.coordination.feedback_log).toMatchObject([
    {
      source: 'vas',
      target: 'cd',
      type: 'bug_report',
      content: expect.stringContaining('Test pass rate: 50% (2 of 4)') as string,
    },
  ])

  for (const words of [
    ['resume', id],
    ['cycle', '--cycle-id', id],
  ])
    expect(await refused(user, project, ...words), words.join(' ')).toMatchObject({
      exitCode: 2,
      type: 'BadInput',
      message: `the cycle ${id} is completed`,
      next: `give it a further task: ratchet extend ${id} "<task>"`,
    })
  expect((await refused(user, project, 'answer', id)).next).toBe(
    `give it a further task: ratchet extend ${id} "<task>"`,
  )

  const extended = await user.ratchet(project, 'extend', id, 'also', 'free shipping from 50')
  expect(extended).toMatchObject({ exitCode: 0, stderr: '' })
  expect(extended.stdout).toContain('iteration 2  v1.1.0  100.0 % → 100.0 %  kept\n')
  expect(extended.stdout).toContain(`  continue ratchet extend ${id} "<a further task>"\n`)
  const two = masterOf(project, id)
  expect(two).toMatchObject({
    status: 'completed',
    created_at: one.created_at,
    current_iteration: 2,
    max_iterations: 6, // current + limit
    task_history: ['add discounts in percent', 'also free shipping from 50'],
    description: 'add discounts in percent\n\n--- ITERATION 2 ---\nalso free shipping from 50',
    iterations: [
      { number: 1, resolved: true },
      { number: 2, extension: 'also free shipping from 50', resolved: true },
    ],
    requirements: { version: '1.1.0' },
    plan: { version: '1.1.0' },
    test_results: { version: '1.1.0', pass_rate: 100, total_tests: 6 },
  })
  expect(two.coordination.feedback_log.at(-1)).toMatchObject({
    source: 'user',
    target: 'ra',
    type: 'requirement_update',
    content: 'also free shipping from 50',
  })
  expect(documentOf(project, id, 'ra/history/requirements-v1.0.0.md')).not.toContain('FR-002')
  expect(documentOf(project, id, 'ra/requirements.md')).toContain('FR-002')
  expect(documentOf(project, id, 'coordination/timeline.md')).toContain('## Iteration 2 (1.1.0)')

  expect(await statusOf(user, project, id)).toMatchObject({
    id,
    kind: 'dev-cycle',
    status: 'completed',
    phase: 'completed',
    iteration: 2,
    passRate: 100,
    waitingFor: 'nothing',
  })
  expect(await user.ratchet(project, 'rebuild', id)).toMatchObject({ exitCode: 0 })
  expect(masterOf(project, id)).toMatchObject({
    status: 'completed',
    completed_at: two.completed_at,
    task_history: two.task_history,
  })
  expect(await user.json(project, 'apply', id)).toMatchObject({
    exitCode: 0,
    document: {
      applied: ['src/cart.js', 'test/discount.test.js', 'test/shipping.test.js'],
      conflicts: [],
      branch,
    },
  })
  expect(readFileSync(path.join(project, 'src/cart.js'), 'utf8')).toContain(
    'export function shipping',
  )

  // Two terminals.
  const texts = ['also say it in euros', 'also write the docs']
  const both = await Promise.all(
    texts.map((text) => user.json<Failed>(project, 'extend', id, text, '--detach')),
  )
  const taken = texts.filter((_, n) => both[n]?.exitCode === 0)
  for (const { exitCode, document } of both)
    if (exitCode !== 0)
      expect([exitCode, document.error.message]).toEqual([
        2,
        expect.stringMatching(/is already running|still preparing|is ending/),
      ])
  expect(taken.length).toBeGreaterThan(0)
  // Its agents have nothing left to change: earlier commits of the cycle do not count for the
  // further tasks.
  expect(await followed(user, project, 'watch', id)).toMatchObject({
    exitCode: 1,
    result: {
      outcome: 'failed',
      reason: expect.stringContaining('nothing was committed') as string,
    },
  })
  expect(masterOf(project, id).task_history.slice(2).sort()).toEqual(taken.sort())
})

test('an open cycle: followed by its id, extended twice at once, its file edited by hand, an invalid prep package', async () => {
  const gate = path.join(user.root, 'gate-open')
  const project = user.project('open', [
    step('code-developer', { iteration: 1, turn: 'work' }, [
      { wait: { 'until-file': gate } },
      ...cd([RIGHT_ADD, RIGHT_MUL]),
    ]),
    step(
      'code-developer',
      { iteration: 2, turn: 'work' },
      cd([{ append: { path: 'calc.py', text: '\n\ndef rounded(a):\n    return round(a)\n' } }]),
    ),
    ...everybody([]),
  ])
  const prep = {
    prep_status: 'blocked',
    generated_at: '2020-01-01T00:00:00Z',
    environment: { project_root: '/elsewhere' },
    task: { refined: 'OBJECTIVE: other', quality_score: 3 },
    auto_iteration: {
      convergence: { test_pass_rate: 400, coverage: 80 },
      phase_gates: { zero_to_one: { iterations: [1] } },
      agent_focus: { zero_to_one: {}, one_to_hundred: {} },
    },
  }
  mkdirSync(cycleDir(project), { recursive: true })
  writeFileSync(path.join(cycleDir(project), 'prep-package.json'), JSON.stringify(prep))
  const begun = await user.json<{ id: string }>(
    project,
    'cycle',
    'make the calculator right',
    '--detach',
  )
  const SIX = [
    /prep_status must be "ready", it is "blocked"/,
    /environment\.project_root must be ".*\/open", it is "\/elsewhere"/,
    /quality_score must be at least 6/,
    /older than 24 hours/,
    /required fields are missing: phase_gates\.one_to_hundred/,
    /convergence\.test_pass_rate must be a number above 0/,
  ]
  expect(begun.exitCode).toBe(0)
  expect(begun.stderr.match(/^warning: /gm)).toHaveLength(1)
  for (const reason of SIX) expect(begun.stderr).toMatch(reason)
  const { id } = begun.document
  await user.until(project, id, /code-developer/)

  expect(await user.json(project, 'cycle', '--cycle-id', id, '--detach')).toMatchObject({
    exitCode: 0,
    document: { id },
  })
  const texts = ['also log', 'also round']
  const both = await Promise.all(texts.map((text) => user.json(project, 'extend', id, text)))
  for (const given of both)
    expect(given).toMatchObject({ exitCode: 0, document: { id, enters: 2, maxIterations: 5 } })
  expect(
    await user.json(
      project,
      'cycle',
      '--cycle-id',
      id,
      '--extend',
      'also sing',
      '--parallel',
      '2',
      '--detach',
    ),
  ).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining(
      'warning: the cycle is open and keeps its settings: --parallel has no effect',
    ) as string,
  })

  // The end of an agent's turn also writes the file: with only CD running, nothing writes it
  // between this read and write.
  await waitFor(
    () =>
      (['ra', 'ep', 'vas'] as const).every(
        (phase) => masterOf(project, id).agents[phase].status === 'completed',
      ),
    { what: 'the other agents to end', timeoutMs: 60_000 },
  )
  const edited = readFileSync(masterFile(project, id), 'utf8').replace(
    '"status": "running",',
    '"status": "paused",\n  "mine": "a note",',
  )
  writeFileSync(masterFile(project, id), edited)
  const watch = user.start(project, 'watch', id)
  await waitFor(() => watch.stderr().includes('prep-package.json is not used'), {
    what: 'the warning',
    timeoutMs: 30_000,
  })
  writeFileSync(gate, '')
  const { exitCode, stderr } = await watch.ended
  expect(exitCode).toBe(0)
  expect(stderr).toMatch(/^warning: .*\.json was (edited|changed)/m)
  const kept = readdirSync(cycleDir(project)).find((name) => name.includes('.edited-')) ?? ''
  expect(JSON.parse(readFileSync(path.join(cycleDir(project), kept), 'utf8'))).toMatchObject({
    cycle_id: id,
    status: 'paused',
    mine: 'a note',
  })
  const master = masterOf(project, id)
  expect(master).toMatchObject({
    status: 'completed',
    current_iteration: 2,
    convergence: null,
    title: 'make the calculator right',
  })
  expect(master.task_history.slice(1).sort()).toEqual(['also log', 'also round', 'also sing'])
})

test('a failed cycle is extended; truncated, lost and foreign state files; a server that lost its data', async () => {
  const nothing = [
    {
      result: {
        block: 'PHASE_RESULT',
        fields: { phase: 'cd', status: 'failed', summary: 'no compiler', blockers: [] },
      },
    },
  ]
  const project = user.project('damage', [
    step('code-developer', { iteration: 1 }, nothing),
    step('code-developer', { iteration: 2 }, cd([RIGHT_ADD])),
    step('code-developer', { iteration: 4 }, cd([RIGHT_MUL])),
    step('validation-archivist', { iteration: 1 }, vas(33)),
    ...everybody([]),
  ])
  const first = await followed(
    user,
    project,
    'cycle',
    'make the calculator right',
    '--max-iterations',
    '1',
  )
  expect(first).toMatchObject({
    exitCode: 1,
    result: {
      outcome: 'failed',
      status: 'failed',
      iterations: 1,
      commits: [],
      reason: expect.stringContaining('no compiler') as string,
    },
  })
  const { id } = first.result
  const file = masterFile(project, id)

  // Truncated: still shown, and rebuilt.
  const cut = readFileSync(file, 'utf8').slice(0, 900)
  writeFileSync(file, cut)
  const second = await user.ratchet(
    project,
    'extend',
    id,
    'begin with add',
    '--max-iterations',
    '1',
  )
  expect(second.exitCode).toBe(1)
  expect(second.stderr).toMatch(
    /^warning: the record was damaged \(.* is cut or is no JSON\) and has been rebuilt; the damaged file is kept as /m,
  )
  expect(second.stdout).toMatch(
    /^completed with issues after 2 iterations, pass rate 66\.6 %, needs review$/m,
  )
  expect(second.stdout).toContain(`  continue ratchet resume ${id}\n`)
  const kept = readdirSync(cycleDir(project)).find((name) => name.includes('.damaged-')) ?? ''
  expect(readFileSync(path.join(cycleDir(project), kept), 'utf8')).toBe(cut)
  expect(masterOf(project, id)).toMatchObject({
    status: 'completed',
    task_history: ['make the calculator right', 'begin with add'],
    current_iteration: 2,
    max_iterations: 2,
    ratchet: { outcome: 'completed_with_issues' },
  })

  // Of a future version: refused and left alone.
  const whole = readFileSync(file, 'utf8')
  const newer = whole.replace('"schema": 1', '"schema": 2')
  writeFileSync(file, newer)
  for (const words of [
    ['extend', id, 'more'],
    ['resume', id],
    ['rebuild', id],
  ])
    expect(await refused(user, project, ...words), words.join(' ')).toMatchObject({
      exitCode: 2,
      type: 'BadInput',
      message: expect.stringMatching(/schema 2/) as string,
    })
  expect(readFileSync(file, 'utf8')).toBe(newer)

  // A wrong type.
  writeFileSync(file, whole.replace('"current_iteration": 2', '"current_iteration": "two"'))
  expect(await user.json(project, 'rebuild', id)).toMatchObject({
    exitCode: 0,
    document: {
      id,
      rebuilt: true,
      source: 'run',
      kept: expect.stringContaining('.damaged-') as string,
    },
  })
  expect(masterOf(project, id)).toMatchObject({
    status: 'completed',
    current_iteration: 2,
    task_history: ['make the calculator right', 'begin with add'],
  })

  // Another server without the run, and no state file: the documents suffice.
  rmSync(file)
  const other = await commandUser()
  try {
    expect(await other.json(project, 'rebuild', id)).toMatchObject({
      exitCode: 0,
      document: { id, rebuilt: true, source: 'files' },
    })
    expect(masterOf(project, id)).toMatchObject({
      cycle_id: id,
      current_iteration: 2,
      task_history: ['make the calculator right', 'begin with add'],
      ratchet: { branch: `ratchet/${id}` },
    })
    const third = await other.json(project, 'extend', id, 'and now mul')
    expect(third).toMatchObject({
      exitCode: 0,
      document: { id, outcome: 'completed', iterations: 4, passRate: 100 },
    })
  } finally {
    await other.remove()
  }
  expect(masterOf(project, id)).toMatchObject({
    status: 'completed',
    current_iteration: 4,
    requirements: { version: '1.2.0' },
    iterations: [
      { number: 1 },
      { number: 2, extension: 'begin with add' },
      { number: 3, extension: 'and now mul' },
      { number: 4 },
    ],
  })
  expect(runGit(project, 'show', `ratchet/${id}:calc.py`)).toMatch(/a \+ b[^]*a \* b/)
})

test('started without the command: an id of a schedule, and none at all; a valid prep package', async () => {
  const project = user.project('hands', [
    step('code-developer', { turn: 'work', iteration: 1 }, cd([RIGHT_ADD, RIGHT_MUL])),
    ...everybody([]),
  ])
  // Once, to register the project and start its worker.
  expect(
    await followed(user, project, 'cycle', 'make the calculator right', '--max-iterations', '1'),
  ).toMatchObject({ exitCode: 0 })
  const { document } = await user.json<Status>(project, 'status')
  const start = async (input: Record<string, unknown>, ...more: string[]): Promise<string> => {
    const argv = [
      'workflow',
      'start',
      '--address',
      document.server.address,
      '--namespace',
      user.namespace,
      '--task-queue',
      'ratchet',
      '--type',
      'devCycle',
      '--input',
      JSON.stringify(input),
      '--output',
      'json',
      ...more,
    ]
    return (
      JSON.parse((await promisify(execFile)(temporalPath(), argv, { env: user.env })).stdout) as {
        workflowId: string
      }
    ).workflowId
  }
  const bare = await start({ project, task: 'make the calculator right' })
  expect(bare).toMatch(/^[0-9a-f]{8}-/)
  expect(await followed(user, project, 'watch', bare)).toMatchObject({
    exitCode: 0,
    result: { id: bare, outcome: 'completed', branch: `ratchet/${bare}` },
  })

  const gates = { iterations: [1], exit_criteria: {} }
  writeFileSync(
    path.join(cycleDir(project), 'prep-package.json'),
    JSON.stringify({
      prep_status: 'ready',
      generated_at: new Date().toISOString(),
      environment: { project_root: project },
      task: {
        original: 'vague',
        refined: 'OBJECTIVE: both operations right',
        quality_score: 8,
        source_refs: [{ path: 'notes.txt', type: 'local_file', status: 'verified' }],
      },
      auto_iteration: {
        max_iterations: 3,
        convergence: { test_pass_rate: 90, coverage: 80 },
        phase_gates: { zero_to_one: gates, one_to_hundred: { iterations: [2, 3] } },
        agent_focus: { zero_to_one: { cd: 'happy_path_first' }, one_to_hundred: {} },
      },
    }),
  )
  const nightly = 'nightly-2026-11-20T12:02:00Z'
  expect(await start({ project, task: 'vague' }, '--workflow-id', nightly)).toBe(nightly)
  expect(await followed(user, project, 'watch', nightly)).toMatchObject({
    exitCode: 0,
    result: {
      id: nightly,
      outcome: 'completed',
      iterations: 2,
      branch: 'ratchet/nightly-2026-11-20T12-02-00Z',
    },
  })
  const name = 'nightly-2026-11-20T12-02-00Z'
  expect(masterOf(project, name)).toMatchObject({
    cycle_id: nightly,
    title: 'vague',
    task_history: [
      expect.stringMatching(/^vague\n\n--- REFINED [^\n]+ ---\nOBJECTIVE: both operations right$/),
    ],
    max_iterations: 3,
    convergence: { test_pass_rate: 90, coverage: 80 },
    source_refs: [{ path: 'notes.txt' }],
    ratchet: { one_to_hundred: true },
  })
  for (const typed of [nightly, name])
    expect(await statusOf(user, project, typed), typed).toMatchObject({
      id: nightly,
      phase: 'completed',
    })
  expect(await user.json(project, 'apply', name)).toMatchObject({
    exitCode: 0,
    document: { id: nightly, applied: ['calc.py'] },
  })
  expect(await user.json(project, 'extend', name, 'and more', '--detach')).toMatchObject({
    exitCode: 0,
    document: { id: nightly },
  })
  expect(await user.json(project, 'stop', nightly)).toMatchObject({
    exitCode: 0,
    document: { outcome: 'stopped' },
  })
})
