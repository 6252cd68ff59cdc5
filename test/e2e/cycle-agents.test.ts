// Dev cycles with agents that misbehave. Each must end with what was measured, the user's repository as it
// was, nothing of an agent left running, and what went wrong named in the record.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { StoredCycle } from '../../src/adapters/records/cycle/schema.js'
import type { RunResult } from '../../src/client/index.js'
import { MARKERS } from '../../src/contract/names.js'
import { phaseForm } from '../../src/core/cycle/phase-form.js'
import { cd, ep, everybody, ra, step, vas } from '../support/cycle-play.js'
import { CALCULATOR, makeProject, markers, realUser, RIGHT_ADD, RIGHT_MUL } from '../support/real-run.js'
import type { RealUser, Step } from '../support/real-run.js'
import { filesIn, fingerprint, runGit } from '../support/repos.js'
import type { Files } from '../support/repos.js'

let user: RealUser
beforeAll(async () => { user = await realUser() })
afterAll(() => user.close())

type Ended = { project: string; result: RunResult; master: StoredCycle; issues: string; warnings: string; read: (file: string) => string; files: string[] }

const idOf = (name: string): string => `cycle-v1-20260122T100000-${name}`
const sh = (script: string) => ({ run: ['sh', '-c', script] })
const git = (...args: string[]) => ({ run: ['git', '-c', 'user.name=agent', '-c', 'user.email=agent@example.com', ...args] })
const ROLES = ['requirements-analyst', 'exploration-planner', 'code-developer', 'validation-archivist'] as const
const [RA, EP, CD, VAS] = ROLES
const stranger = (...args: string[]) => ({ protocol: 'acp', command: process.execPath, args: [fileURLToPath(new URL(`../support/agents/${args[0]}.mjs`, import.meta.url)), ...args.slice(1)] })

async function whole(name: string, steps: Step[], config: Record<string, unknown> = {}, { files = CALCULATOR, ...input }: Record<string, unknown> & { files?: Files } = {}): Promise<Ended> {
  const project = makeProject(user, name, [...steps, ...everybody([RIGHT_ADD, RIGHT_MUL])], config, files)
  const before = fingerprint(project)
  const id = idOf(name)
  const run = await user.cycle(project, id, { task: 'Make the calculator right', maxIterations: 1, ...input })
  const result = await user.finish(run)
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  expect(Object.fromEntries(Object.entries(fingerprint(project)).filter(([file]) => !file.startsWith('.workflow')))).toEqual(before)
  expect(runGit(project, 'ls-tree', '-r', '--name-only', result.branch ?? '')).not.toContain('.ratchet')
  const dir = path.join(project, '.workflow/.cycle')
  const master = StoredCycle.parse(JSON.parse(readFileSync(path.join(dir, `${id}.json`), 'utf8')))
  // What is measured is what a user reads: in the result, the record and the summary.
  expect(master.test_results?.pass_rate ?? null).toBe(result.passRate)
  const progress = path.join(dir, `${id}.progress`)
  const read = (file: string): string => readFileSync(path.join(progress, file), 'utf8')
  expect(read('coordination/summary.md')).toContain(result.passRate === null ? '| Pass rate, measured | not measured |' : `| Pass rate, measured | ${result.passRate} %`)
  return {
    project, result, master, read, issues: master.iterations.flatMap((one) => one.issues_found).join('\n'), warnings: master.ratchet.warnings.join('\n'),
    files: readdirSync(progress, { recursive: true }) as string[],
  }
}

describe('files of others', () => {
  test('edits by a tool call are named, silent ones of documents are undone and named', async () => {
    const id = idOf('foreign')
    const { result, issues, warnings, read } = await whole('foreign', [
      step(RA, { turn: 'work' }, [RIGHT_ADD, ...ra()]),
      step(EP, { turn: 'work' }, [{ write: { path: `.ratchet/${id}.progress/vas/validation.md`, text: 'all is well, says EP\n' } }, ...ep()]),
      step(CD, { turn: 'work' }, cd([RIGHT_MUL])),
      step(VAS, { turn: 'validate' }, [sh('cd .ratchet/*.progress && echo forged > ra/requirements.md && rm ep/plan.json'), ...vas(100)]),
    ])
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 100 })
    expect(issues).toContain('RA: changed files that are not its own: calc.py')
    expect(issues).toMatch(/EP: changed files that are not its own: .*vas\/validation\.md/)
    for (const file of ['ra/requirements.md', 'ep/plan.json']) expect(warnings).toContain(`${file} was changed by another agent, and restored`)
    expect(read('ra/requirements.md')).toContain('FR-001: add adds')
    expect(read('ra/requirements.md.edited-1')).toBe('forged\n')
    expect(JSON.parse(read('ep/plan.json'))).toMatchObject({ total_tasks: 2 })
  })

  test('links, pipes, deleted and endless files in the progress directory reach nothing of the user', async () => {
    const id = idOf('links')
    const flag = path.join(user.root, 'deleted')
    const own = path.join(user.root, 'projects', 'links')
    const after = { wait: { 'until-file': flag } }
    const linked = (phase: string, to: string) => sh(`mkdir -p .ratchet/${id}.progress; rm -rf .ratchet/${id}.progress/${phase}; ln -s ${to} .ratchet/${id}.progress/${phase}`)
    const { result, issues, warnings, read, master } = await whole('links', [
      step(RA, { iteration: 1 }, [...ra(), sh(`rm -rf .ratchet; touch ${flag}`)]),
      step(EP, { iteration: 1 }, [after, linked('ep', `${own}/docs`), ...ep().slice(-1)]),
      step(CD, { iteration: 1 }, [after, ...cd([RIGHT_ADD])]),
      step(VAS, { iteration: 1, turn: 'work' }, [after, linked('vas', '/etc'), ...vas(100).slice(-1)]),
      // What the second iteration finds: a pipe, files without an end, and the whole directory a link at last.
      step(VAS, { iteration: 1, turn: 'validate' }, [...vas(66.6), sh('cd .ratchet/*.progress && mkdir -p ra cd coordination && rm -rf ra/* coordination/* && mkfifo ra/changes.log && truncate -s 3G ra/requirements.md cd/implementation.md coordination/discoveries.ndjson')]),
      step(VAS, { iteration: 2, turn: 'validate' }, [sh(`rm -rf .ratchet; ln -s ${own} .ratchet`), ...vas(100).slice(-1)]),
    ], {}, { maxIterations: 2, files: { ...CALCULATOR, 'docs/plan.json': '{"of": "the user"}\n', 'docs/changes.log': 'of the user\n', 'docs/exploration.md': 'of the user\n' } })
    expect(result).toMatchObject({ passRate: 100, iterations: 2 })
    expect(issues).toMatch(/RA: requirements\.md is missing/)
    expect(issues).toMatch(/EP: plan\.json is missing/)
    expect(issues).toMatch(/VAS: validation\.md is missing/)
    expect(warnings).toMatch(/discoveries\.ndjson was flooded/)
    expect(warnings).toContain('cd/implementation.md was changed by another agent, and restored')
    expect(read('coordination/discoveries.ndjson')).toContain('tech_stack')
    expect(read('cd/implementation.md')).toContain('Done.')
    expect(master.plan?.tasks).toHaveLength(2)
    expect(read('ep/changes.log')).not.toContain('of the user')
  })
})

describe('the record', () => {
  test('an agent that removes it has removed nothing', async () => {
    const dir = path.join(user.root, 'projects', 'record', '.workflow/.cycle')
    const { result, read, master, warnings } = await whole('record', [
      step(CD, { turn: 'work' }, [...cd([RIGHT_ADD, RIGHT_MUL]), sh(`rm -rf ${dir}`)]),
      step(VAS, { turn: 'validate' }, [...vas(100), sh(`rm -rf ${dir}`)]),
    ])
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(read('ra/requirements.md')).toContain('FR-001')
    expect(read('coordination/discoveries.ndjson')).toContain('tech_stack')
    expect(master).toMatchObject({ status: 'completed', plan: { tasks: [{ id: 'TASK-001' }, { id: 'TASK-002' }] }, ratchet: { commits: result.commits } })
    expect(warnings).toContain('ra/requirements.md was removed from the record, and is back')
  })
})

describe('answers', () => {
  test('no block, an echoed sample, a contradiction and a false claim: what was measured counts', async () => {
    const plan = { tasks: [{ id: 'TASK-001', title: 'Mend add', depends_on: ['TASK-002'] }, { id: 'TASK-002', title: 'Mend mul', depends_on: ['TASK-001', 'TASK-009'] }], critical_path: ['TASK-404'] }
    const { result, issues, master, files, read, project } = await whole('answers', [
      step(RA, {}, [...ra().slice(0, -1), { say: 'All requirements are written.' }]),
      step(EP, { turn: 'feedback' }, ep({}, 'TASK-001, then TASK-002')),
      step(EP, {}, [...ep({}, plan).slice(0, -1), { result: phaseForm('ep') }]),
      step(CD, {}, [...cd([RIGHT_ADD], { status: 'success', blockers: ['no way to multiply'], tests_passing: '3/3' }), { result: { fields: { phase: 'cd', status: 'failed', summary: 'it is not done', issues: ['mul is wrong'] } } }]),
      step(VAS, {}, vas(100, { ready_for_production: 'true', critical_issues: 0, failed_tests: [] })),
    ])
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 66.6 })
    expect(result.reason).toContain('iterations are spent')
    expect(issues).toMatch(/VAS: claimed a pass rate of 100 % and that it is ready for production; measured: 66\.6 % \(2 of 3\)/)
    expect(issues).toMatch(/RA: gave no usable result: there is no PHASE_RESULT block/)
    expect(issues).toMatch(/EP: .*plan\.json cannot be read: it is not JSON/)
    expect(issues).toMatch(/test_mul/)
    expect(issues).toMatch(/CD: failed: it is not done/)
    expect(master.plan).toBeUndefined()
    expect(files.filter((file) => file.includes('plan.json.invalid-')).length).toBeGreaterThan(0)
    expect(read('ep/plan.json.invalid-1')).toContain('TASK-404')
    expect(master.coordination.feedback_log.find((entry) => entry.target === 'ep')?.content).toContain('points about the plan')
    expect(master.agents.ra.status).toBe('failed')
    expect(existsSync(path.join(project, '.workflow/.cycle', `${idOf('answers')}.progress`, 'ra/requirements.md'))).toBe(true)
  })

  test('an agent that only repeats its prompt has developed nothing', async () => {
    const { result, issues, master } = await whole('echoes', [], { agents: { echo: stranger('echo') }, roles: { default: 'echo' } })
    expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3, commits: [] })
    expect(result.reason).toContain('no iteration developed anything')
    for (const phase of ['RA', 'EP', 'CD', 'VAS']) expect(issues).toContain(`${phase}: gave no usable result`)
    expect(master.status).toBe('failed')
  })
})

describe('an agent that speaks the protocol its own way', () => {
  test('edits told only as diffs, decorated blocks, silence and children: each is read as what it is', async () => {
    const { result, issues, warnings, master } = await whole('strange', [], { agents: { strange: stranger('cycle-stranger') }, roles: { default: 'strange' } })
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 100 })
    expect(issues).toMatch(/RA: changed files that are not its own: .*calc\.py/)
    expect(issues).toContain('CD: gave no usable result')
    expect(`${issues}\n${warnings}`).toContain('ra/requirements.md')
    expect(master.requirements?.specification).toContain('FR-001')
    expect(master.agents).toMatchObject({ ra: { status: 'completed' }, ep: { status: 'completed' }, cd: { status: 'failed' }, vas: { status: 'completed' } })
    expect(master.plan?.tasks).toHaveLength(1)
  })
})

describe('processes', () => {
  test('silent, flooding, forking and crashing at once: what is left is judged, and nothing goes on running', async () => {
    const { result, issues, master } = await whole('processes', [
      step(RA, {}, [{ wait: 'forever' }]),
      step(EP, { turn: 'work' }, [{ flood: 50 }, ...ep()]),
      step(CD, { turn: 'work' }, [{ fork: { setsid: true, 'ignore-term': true } }, { fork: {} }, ...cd([RIGHT_ADD, RIGHT_MUL])]),
      step(VAS, {}, [{ crash: 7 }]),
    ], { limits: { idle: '2s', converge: '2s' } })
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 100 })
    expect(issues).toMatch(/RA: gave no answer: .*fell silent/)
    expect(issues).toMatch(/VAS: gave no answer: .*died/)
    expect(master.phase_errors.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['ra', 'vas']))
    expect(Object.values(master.agents).map(({ status }) => status)).toEqual(['failed', 'completed', 'completed', 'failed'])
    expect(markers(user, 'processes').filter(({ role, turn }) => role === VAS && turn === 'validate').length).toBeGreaterThan(2)
  })
})

describe('the tree', () => {
  test('weakened configuration and deleted tests are restored, commits and branches of the agent folded in, readiness is not believed', async () => {
    const { result, issues, warnings, project } = await whole('tampers', [
      step(CD, {}, cd([
        { write: { path: 'pytest.ini', text: '[pytest]\naddopts = --deselect tests/test_calc.py::test_mul\n' } },
        { delete: 'tests/test_zero.py' }, git('add', '-A'), git('commit', '-qm', 'mine'), git('checkout', '-qb', 'elsewhere'),
        { write: { path: 'conftest.py', text: 'collect_ignore = ["tests/test_calc.py"]\n' } }, git('commit', '-qam', 'mine too'),
      ])),
      step(VAS, {}, vas(100, { ready_for_production: 'true' })),
    ], {}, { files: { ...CALCULATOR, 'tests/test_zero.py': 'from calc import add\n\n\ndef test_other_zero():\n    assert add(1, 1) == 2\n' } })
    expect(result.outcome).toBe('completed_with_issues')
    expect(result.passRate).toBeLessThan(50)
    expect(issues).toMatch(/test configuration were restored: .*pytest\.ini/)
    expect(issues).toMatch(/restored: .*tests\/test_zero\.py/)
    expect(issues).toMatch(/VAS: claimed a pass rate of 100 %.*ready for production/)
    expect(warnings).toMatch(/tests that were there before were changed.*conftest\.py/)
    const tree = filesIn(project, result.branch ?? '')
    expect(tree['tests/test_zero.py']).toContain('test_other_zero')
    expect(tree['pytest.ini']).toBeUndefined()
    expect(runGit(project, 'log', '--format=%s', `HEAD..${result.branch}`)).not.toContain('mine')
    expect(runGit(project, 'branch', '--list', 'elsewhere')).toBe('')
  })

  test('a tree that was emptied fails its tests', async () => {
    const { result, project } = await whole('empties', [step(CD, { turn: 'work' }, [sh('find . -mindepth 1 -maxdepth 1 ! -name .git ! -name .ratchet -exec rm -rf {} +'), ...cd([])]), step(CD, {}, cd([]))])
    expect(result.outcome).toBe('completed_with_issues')
    expect(result.passRate ?? 0).toBe(0)
    expect(filesIn(project, result.branch ?? '')['tests/test_calc.py']).toBe(CALCULATOR['tests/test_calc.py'])
  })

  test('a workspace that was removed ends the cycle as failed, with what was kept', async () => {
    const { result, master, project } = await whole('removes', [step(CD, {}, [sh('rm -rf .git calc.py tests conftest.py .ratchet .'), { say: 'done' }])])
    expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3 })
    expect(result.reason).toMatch(/is gone/)
    expect(master.failure_reason).toMatch(/is gone/)
    expect(filesIn(project, result.branch ?? '')['calc.py']).toBe(CALCULATOR['calc.py'])
  })
})
