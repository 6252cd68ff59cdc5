// A whole dev cycle: four scripted agents in one workspace, with real git and pytest.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StoredCycle } from '../../../src/adapters/records/dev-cycle/cycle-schema.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { cd, everybody, step } from '../../support/cycle/cycle-play.js'
import { makeProject, markers, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { runGit } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const masterOf = (project: string, id: string) =>
  StoredCycle.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.cycle', `${id}.json`), 'utf8')),
  )
const progressOf = (project: string, id: string) => (file: string) =>
  readFileSync(path.join(project, '.workflow/.cycle', `${id}.progress`, file), 'utf8')

describe('a cycle of three iterations', () => {
  test('feedback to CD, RA and EP, a time-out, a false claim, an extension; the record has every file', async () => {
    const project = makeProject(
      user,
      'three',
      [
        // 1: EP runs out of time and converges; CD fixes half of it and is blocked; VAS makes a
        // false claim.
        step('exploration-planner', { iteration: 1, turn: 'work' }, [{ wait: 'forever' }]),
        step(
          'code-developer',
          { iteration: 1, turn: 'work' },
          cd(
            [RIGHT_ADD],
            { status: 'partial', blockers: ['which rounding is meant?'] },
            { plan_issues: ['TASK-002 names no test'] },
          ),
        ),
        step(
          'code-developer',
          { iteration: 1 },
          cd([], { blockers: ['which rounding is meant?'] }),
        ),
        // 2: held until the extension has arrived.
        step('code-developer', { iteration: 2, turn: 'work' }, [
          { wait: { 'until-file': path.join(user.root, 'extended') } },
          ...cd([RIGHT_MUL]),
        ]),
        step(
          'code-developer',
          { iteration: 3, turn: 'work' },
          cd([
            { append: { path: 'calc.py', text: '\n\ndef neg(a):\n    return -a\n' } },
            {
              write: {
                path: 'tests/test_neg.py',
                text: 'from calc import neg\n\n\ndef test_neg():\n    assert neg(2) == -2\n',
              },
            },
          ]),
        ),
        ...everybody([]),
      ],
      { limits: { agentTurn: '12s' } },
    )
    const id = 'cycle-v1-20260122T100000-abc12345'
    const run = await user.cycle(project, id)
    await waitFor(async () => ((await run.status()).iteration === 2 ? true : undefined), {
      what: 'the second iteration',
      timeoutMs: 120_000,
    })
    expect(await run.extend({ task: 'Also add neg' })).toMatchObject({ enters: 3 })
    writeFileSync(path.join(user.root, 'extended'), '')
    const result = await user.finish(run)

    expect(result).toMatchObject({
      kind: 'dev-cycle',
      outcome: 'completed',
      status: 'completed',
      iterations: 3,
      passRate: 100,
      failures: [],
      branch: `ratchet/${id}`,
    })
    expect(result.history.map((h) => [h.iteration, h.passRate, h.claimed])).toEqual([
      [0, 33.3, undefined],
      [1, 66.6, 100],
      [2, 100, 100],
      [3, 100, 100],
    ])
    const turns = markers(user, 'three').map((m) => `${m.iteration} ${m.role} ${m.turn}`)
    for (const turn of [
      '1 exploration-planner converge',
      '1 code-developer feedback',
      '1 requirements-analyst feedback',
      '1 exploration-planner feedback',
      '3 validation-archivist validate',
    ])
      expect(turns).toContain(turn)

    const master = masterOf(project, id)
    expect(master).toMatchObject({
      cycle_id: id,
      status: 'completed',
      current_iteration: 3,
      current_phase: 'complete',
      task_history: ['Make the calculator right', 'Also add neg'],
      description: 'Make the calculator right\n\n--- ITERATION 3 ---\nAlso add neg',
      iterations: [
        { number: 1, resolved: false },
        { number: 2, resolved: true },
        { number: 3, extension: 'Also add neg', resolved: true },
      ],
      requirements: { version: '1.2.0', edge_cases: [expect.stringContaining('EC-001')] },
      plan: { version: '1.2.0', tasks: [{ id: 'TASK-001' }, { id: 'TASK-002' }] },
      test_results: { pass_rate: 100, total_tests: 4, coverage: 91 },
      coordination: { blockers: [{ id: 'BLK-001', reported_by: 'cd', status: 'resolved' }] },
    })
    expect(master.iterations[0]?.issues_found.join('\n')).toMatch(/claimed a pass rate of 100 %/)
    expect(
      master.coordination.feedback_log.map((f) => `${f.source} ${f.target} ${f.type}`),
    ).toEqual(
      expect.arrayContaining([
        'vas cd bug_report',
        'cd ra clarification',
        'user ra requirement_update',
      ]),
    )
    expect(Object.keys(master.changes?.iteration_markers ?? {})).toEqual(
      expect.arrayContaining(['1', '2', '3']),
    )

    const files = readdirSync(path.join(project, '.workflow/.cycle', `${id}.progress`), {
      recursive: true,
    }) as string[]
    for (const file of [
      'ra/requirements.md',
      'ra/edge-cases.md',
      'ra/changes.log',
      'ra/history/requirements-v1.0.0.md',
      'ra/history/requirements-v1.1.0.md',
      'ep/exploration.md',
      'ep/architecture.md',
      'ep/plan.json',
      'ep/changes.log',
      'ep/history/plan-v1.0.0.json',
      'cd/implementation.md',
      'cd/issues.md',
      'cd/changes.log',
      'cd/history',
      'vas/validation.md',
      'vas/test-results.json',
      'vas/coverage.md',
      'vas/summary.md',
      'vas/changes.log',
      'vas/history',
      'coordination/discoveries.ndjson',
      'coordination/timeline.md',
      'coordination/decisions.log',
      'coordination/feedback.md',
      'coordination/summary.md',
    ])
      expect(files).toContain(file)
    const read = progressOf(project, id)
    expect(read('ra/requirements.md')).toContain('1.2.0')
    expect(read('ra/changes.log')).toContain('9.9.9') // a wrong version is replaced and noted
    expect(read('coordination/summary.md')).toContain(`ratchet extend ${id}`)
    expect(
      read('coordination/decisions.log')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([
      { iteration: 1, decision: 'not converged' },
      { iteration: 2, decision: 'converged' },
      { iteration: 3, decision: 'converged' },
    ])
    expect(runGit(project, 'show', `${result.branch}:calc.py`)).toContain('def neg')
    expect(runGit(project, 'ls-tree', '-r', '--name-only', `${result.branch}`)).not.toContain(
      '.ratchet',
    )
  })
})

/** The prompts of all turns, from their transcripts. */
function promptsIn(dir: string): string[] {
  return (readdirSync(dir, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ndjson'))
    .flatMap((file) => readFileSync(path.join(dir, file), 'utf8').split('\n'))
    .flatMap((line) => (line.includes('"prompt"') ? [line] : []))
}

test('a person edits requirements.md and plan.json between iterations: the next prompts have the new text, and the added task must be done', async () => {
  const project = makeProject(user, 'edited', [
    step('code-developer', { iteration: 1 }, cd([RIGHT_ADD], { tasks_completed: ['TASK-001'] })),
    step(
      'code-developer',
      { iteration: 2, turn: 'work' },
      cd([RIGHT_MUL, { append: { path: 'calc.py', text: '\n\ndef neg(a):\n    return -a\n' } }], {
        tasks_completed: ['TASK-001', 'TASK-003'],
      }),
    ),
    ...everybody([]),
  ])
  const id = 'cycle-v1-20260122T110000-abc12345'
  const record = path.join(project, '.workflow/.cycle', `${id}.progress`)
  const run = await user.cycle(project, id, {
    task: 'Make the calculator right',
    interactive: true,
  })
  const asked = async (text: RegExp) =>
    waitFor(async () => (await run.questions()).find((one) => text.test(one.text)), {
      what: String(text),
      timeoutMs: 120_000,
    })
  const plan = await asked(
    /Approve the plan of iteration 1\? 2 tasks: TASK-001 .*\/ep\/plan\.json\./,
  )
  expect(plan).toMatchObject({ kind: 'approval', options: ['approve', 'change', 'stop'] })
  expect(existsSync(path.join(record, 'ep/plan.json'))).toBe(true)
  await run.answer({ questionId: plan.id, text: 'approve' })
  const menu = await asked(/Continue, extend the task, or stop/)
  const requirements = path.join(record, 'ra/requirements.md')
  writeFileSync(
    requirements,
    readFileSync(requirements, 'utf8').replace(
      '- FR-002',
      '- FR-003: neg changes the sign\n- FR-002',
    ),
  )
  writeFileSync(path.join(record, 'ep/plan.json'), '{ "tasks": [')
  await run.answer({ questionId: menu.id, choice: 'continue' })
  const invalid = await asked(/ep\/plan\.json was edited and cannot be used/)
  expect(invalid).toMatchObject({ options: ['fixed', 'discard'], recommended: 'discard' })
  const task = (n: number, title: string) => ({
    id: `TASK-00${n}`,
    title,
    description: title,
    effort: 'small',
    depends_on: [],
    files: ['calc.py'],
  })
  writeFileSync(
    path.join(record, 'ep/plan.json.edited'),
    JSON.stringify({ tasks: [task(1, 'Fix add'), task(3, 'Write neg')], critical_path: [] }),
  )
  await run.answer({ questionId: invalid.id, choice: 'fixed' })
  const end = await asked(/Finish, extend the task, or stop/)
  await run.answer({ questionId: end.id, choice: 'finish' })
  expect(await user.finish(run)).toMatchObject({
    outcome: 'completed',
    iterations: 2,
    passRate: 100,
  })

  const second = promptsIn(user.dirs.state).filter(
    (prompt) =>
      prompt.includes('in iteration 2 of') &&
      prompt.includes('EDITED BY A PERSON') &&
      prompt.includes(id),
  )
  for (const role of ['You are RA', 'You are EP', 'You are CD', 'You are VAS']) {
    const prompt = second.find((one) => one.includes(role)) ?? ''
    expect(prompt, role).toContain('+ - FR-003: neg changes the sign')
    expect(prompt, role).toContain('Write neg')
  }
  const read = progressOf(project, id)
  expect(read('ra/changes.log')).toContain('requirements.md: edited by a person (EDIT-001)')
  expect(
    masterOf(project, id).ratchet.promised?.map(({ id: one, state }) => `${one} ${state}`),
  ).toEqual(['TASK-001 done', 'TASK-003 done'])
  // The agents rewrote both documents: the person's text is still there.
  expect(read('ra/history/requirements.md.edited-1')).toContain('FR-003')
  expect(read('ep/history/plan.json.edited-1')).toContain('Write neg')
})
