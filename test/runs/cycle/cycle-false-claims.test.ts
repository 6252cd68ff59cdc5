// Dev cycles with agents that claim what is not so. Each must end with the measured result, an
// unchanged user repository, no process of an agent, and the problem named in the record.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { phaseForm } from '../../../src/core/dev-cycle/prompts/phase-form.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { cd, ep, ra, step, vas } from '../../support/cycle/cycle-play.js'
import { CALCULATOR, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { filesIn, runGit } from '../../support/repositories/repos.js'
import { CD, EP, idOf, RA, sh, VAS, wholeCycle } from '../../support/cycle/whole-cycle.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const git = (...args: string[]) => ({
  run: ['git', '-c', 'user.name=agent', '-c', 'user.email=agent@example.com', ...args],
})

/** The tests of the calculator, of which none can fail. */
const SAME_NAMES = ['test_add', 'test_mul', 'test_zero']
  .map((name) => `def ${name}():\n    assert True\n`)
  .join('\n\n')

describe('agents that misbehave', () => {
  test('edits by a tool call are named; silent edits of documents are undone and named', async () => {
    const id = idOf('foreign')
    const { result, issues, warnings, read } = await wholeCycle(
      user,
      'foreign',
      // prettier-ignore
      [
      step(RA, { turn: 'work' }, [RIGHT_ADD, ...ra()]),
      step(EP, { turn: 'work' }, [{ write: { path: `.ratchet/${id}.progress/vas/validation.md`, text: 'all is well, says EP\n' } }, ...ep()]),
      step(CD, { turn: 'work' }, cd([RIGHT_MUL])),
      step(VAS, { turn: 'validate' }, [sh('cd .ratchet/*.progress && echo forged > ra/requirements.md && rm ep/plan.json'), ...vas(100)]),
    ],
    )
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      passRate: 100,
      reason: expect.stringContaining('RA: changed files that are not its own: calc.py') as string,
    })
    expect(issues).toContain('RA: changed files that are not its own: calc.py')
    expect(issues).toMatch(/EP: changed files that are not its own: .*vas\/validation\.md/)
    for (const file of ['ra/requirements.md', 'ep/plan.json'])
      expect(warnings).toContain(`${file} was changed by another agent, and restored`)
    expect(read('ra/requirements.md')).toContain('FR-001: add adds')
    expect(read('ra/requirements.md.edited-1')).toBe('forged\n')
    expect(JSON.parse(read('ep/plan.json'))).toMatchObject({ total_tasks: 2 })
  })

  test('no block, an echoed sample, a contradiction and a false claim: the measurement counts', async () => {
    const plan = {
      tasks: [
        { id: 'TASK-001', title: 'Fix add', depends_on: ['TASK-002'] },
        { id: 'TASK-002', title: 'Fix mul', depends_on: ['TASK-001', 'TASK-009'] },
      ],
      critical_path: ['TASK-404'],
    }
    const { result, issues, master, files, read, project } = await wholeCycle(
      user,
      'answers',
      // prettier-ignore
      [
      step(RA, {}, [...ra().slice(0, -1), { say: 'All requirements are written.' }]),
      step(EP, { turn: 'feedback' }, ep({}, 'TASK-001, then TASK-002')),
      step(EP, {}, [...ep({}, plan).slice(0, -1), { result: phaseForm('ep') }]),
      step(CD, {}, [...cd([RIGHT_ADD], { status: 'success', blockers: ['no way to multiply'], tests_passing: '3/3' }), { result: { fields: { phase: 'cd', status: 'failed', summary: 'it is not done', issues: ['mul is wrong'] } } }]),
      step(VAS, {}, vas(100, { ready_for_production: 'true', critical_issues: 0, failed_tests: [] })),
    ],
    )
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 66.6 })
    expect(result.reason).toContain('iterations are spent')
    expect(issues).toMatch(/VAS: claimed a pass rate of 100 %; measured: 66\.6 % \(2 of 3\)/)
    expect(issues).toMatch(/RA: gave no usable result: there is no PHASE_RESULT block/)
    expect(issues).toMatch(/EP: .*plan\.json cannot be read: it is not JSON/)
    expect(issues).toMatch(/test_mul/)
    expect(issues).toMatch(/CD: failed: it is not done/)
    expect(master.plan).toBeUndefined()
    expect(files.filter((file) => file.includes('plan.json.invalid-')).length).toBeGreaterThan(0)
    expect(read('ep/plan.json.invalid-1')).toContain('TASK-404')
    expect(
      master.coordination.feedback_log
        .filter((entry) => entry.target === 'ep')
        .map(({ content }) => content)
        .join('\n'),
    ).toContain('problems of the plan')
    expect(master.agents.ra.status).toBe('failed')
    expect(
      existsSync(
        path.join(project, '.workflow/.cycle', `${idOf('answers')}.progress`, 'ra/requirements.md'),
      ),
    ).toBe(true)
  })

  test('weakened configuration and deleted tests are restored, commits and branches of the agent folded in, a claim of readiness ignored', async () => {
    const { result, issues, warnings, project } = await wholeCycle(
      user,
      'tampers',
      [
        step(
          CD,
          {},
          cd([
            {
              write: {
                path: 'pytest.ini',
                text: '[pytest]\naddopts = --deselect tests/test_calc.py::test_mul\n',
              },
            },
            { delete: 'tests/test_zero.py' },
            git('add', '-A'),
            git('commit', '-qm', 'mine'),
            git('checkout', '-qb', 'elsewhere'),
            { write: { path: 'conftest.py', text: 'collect_ignore = ["tests/test_calc.py"]\n' } },
            git('commit', '-qam', 'mine too'),
          ]),
        ),
        step(VAS, {}, vas(100, { ready_for_production: 'true' })),
      ],
      {},
      {
        files: {
          ...CALCULATOR,
          'tests/test_zero.py':
            'from calc import add\n\n\ndef test_other_zero():\n    assert add(1, 1) == 2\n',
        },
      },
    )
    expect(result.outcome).toBe('failed') // tests that passed before are missing now
    expect(result.passRate).toBeLessThan(50)
    expect(issues).toMatch(/test configuration were restored: .*pytest\.ini/)
    expect(issues).toMatch(/restored: .*tests\/test_zero\.py/)
    expect(issues).toMatch(/VAS: claimed a pass rate of 100 %.*ready for production/)
    expect(warnings).toMatch(/existing tests were changed.*conftest\.py/)
    // It is measured again in each iteration, and no agent has touched a document.
    expect(warnings).not.toContain('was changed by another agent')
    const tree = filesIn(project, result.branch ?? '')
    expect(tree['tests/test_zero.py']).toContain('test_other_zero')
    expect(tree['pytest.ini']).toBeUndefined()
    expect(runGit(project, 'log', '--format=%s', `HEAD..${result.branch}`)).not.toContain('mine')
    expect(runGit(project, 'branch', '--list', 'elsewhere')).toBe('')
  })

  test('an existing test that is rewritten needs a review, and a commit on another branch is named', async () => {
    const { result, warnings, project } = await wholeCycle(user, 'rewrites', [
      step(
        CD,
        { turn: 'work' },
        cd([
          git('checkout', '-qb', 'spare'),
          { write: { path: 'spare.py', text: 'SPARE = 1\n' } },
          git('add', '-A'),
          git('commit', '-qm', 'keep a spare'),
          git('checkout', '-q', '-'),
          RIGHT_ADD,
          { write: { path: 'tests/test_calc.py', text: SAME_NAMES } },
        ]),
      ),
    ])
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: expect.stringContaining('existing tests were changed: tests/test_calc.py') as string,
      changedTestFiles: ['tests/test_calc.py'],
    })
    expect(warnings).toContain('other branches of its clone')
    expect(warnings).toContain('spare ("keep a spare")')
    expect(filesIn(project, result.branch ?? '')['spare.py']).toBeUndefined()
  })
})
