// More dev cycles with agents that misbehave. Each must end with the measured result, an unchanged
// user repository, no process of an agent, and the problem named in the record.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { cd, ep, ra, step, vas } from '../../support/cycle/cycle-play.js'
import { CALCULATOR, markers, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { filesIn } from '../../support/repositories/repos.js'
import { CD, EP, idOf, RA, sh, VAS, wholeCycle } from '../../support/cycle/whole-cycle.js'
import { foreign } from '../../support/runs/whole-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

describe('files of others', () => {
  test('links, pipes, deleted and endless files in the progress directory do no harm to user files', async () => {
    const id = idOf('links')
    const flag = path.join(user.root, 'deleted')
    const own = path.join(user.root, 'projects', 'links')
    const after = { wait: { 'until-file': flag } }
    const linked = (phase: string, to: string) =>
      sh(
        `mkdir -p .ratchet/${id}.progress; rm -rf .ratchet/${id}.progress/${phase}; ln -s ${to} .ratchet/${id}.progress/${phase}`,
      )
    const { result, issues, warnings, read, master } = await wholeCycle(
      user,
      'links',
      // prettier-ignore
      [
      step(RA, { iteration: 1 }, [...ra(), sh(`rm -rf .ratchet; touch ${flag}`)]),
      step(EP, { iteration: 1 }, [after, linked('ep', `${own}/docs`), ...ep().slice(-1)]),
      step(CD, { iteration: 1 }, [after, ...cd([RIGHT_ADD])]),
      step(VAS, { iteration: 1, turn: 'work' }, [after, linked('vas', '/etc'), ...vas(100).slice(-1)]),
      // What the second iteration finds: a pipe, endless files, and finally a link in place of the
      // directory.
      step(VAS, { iteration: 1, turn: 'validate' }, [...vas(66.6), sh('cd .ratchet/*.progress && mkdir -p ra cd coordination && rm -rf ra/* coordination/* && mkfifo ra/changes.log && truncate -s 3G ra/requirements.md cd/implementation.md coordination/discoveries.ndjson')]),
      step(VAS, { iteration: 2, turn: 'validate' }, [sh(`rm -rf .ratchet; ln -s ${own} .ratchet`), ...vas(100).slice(-1)]),
    ],
      {},
      {
        maxIterations: 2,
        files: {
          ...CALCULATOR,
          'docs/plan.json': '{"of": "the user"}\n',
          'docs/changes.log': 'of the user\n',
          'docs/exploration.md': 'of the user\n',
        },
      },
    )
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
  test('survives an agent that removes it', async () => {
    const dir = path.join(user.root, 'projects', 'record', '.workflow/.cycle')
    const { result, read, master, warnings } = await wholeCycle(user, 'record', [
      step(CD, { turn: 'work' }, [...cd([RIGHT_ADD, RIGHT_MUL]), sh(`rm -rf ${dir}`)]),
      step(VAS, { turn: 'validate' }, [...vas(100), sh(`rm -rf ${dir}`)]),
    ])
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(read('ra/requirements.md')).toContain('FR-001')
    expect(read('coordination/discoveries.ndjson')).toContain('tech_stack')
    expect(master).toMatchObject({
      status: 'completed',
      plan: { tasks: [{ id: 'TASK-001' }, { id: 'TASK-002' }] },
      ratchet: { commits: result.commits },
    })
    expect(warnings).toContain('ra/requirements.md was removed from the record, and is back')
  })
})

describe('answers', () => {
  test('an agent that only repeats its prompt counts as no development', async () => {
    const { result, issues, master } = await wholeCycle(user, 'echoes', [], {
      agents: { echo: foreign('echo') },
      roles: { default: 'echo' },
    })
    expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3, commits: [] })
    expect(result.reason).toContain('nothing was committed')
    for (const phase of ['RA', 'EP', 'CD', 'VAS'])
      expect(issues).toContain(`${phase}: gave no usable result`)
    expect(master.status).toBe('failed')
  })
})

describe('an agent with unusual protocol messages', () => {
  test('edits reported only as diffs, decorated blocks, silence and child processes are all understood', async () => {
    const { result, issues, warnings, master } = await wholeCycle(user, 'strange', [], {
      agents: { strange: foreign('cycle-stranger') },
      roles: { default: 'strange' },
    })
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 100 })
    expect(issues).toMatch(/RA: changed files that are not its own: .*calc\.py/)
    expect(issues).toContain('CD: gave no usable result')
    expect(`${issues}\n${warnings}`).toContain('ra/requirements.md')
    expect(master.requirements?.specification).toContain('FR-001')
    expect(master.agents).toMatchObject({
      ra: { status: 'completed' },
      ep: { status: 'completed' },
      cd: { status: 'failed' },
      vas: { status: 'completed' },
    })
    expect(master.plan?.tasks).toHaveLength(1)
  })
})

describe('processes', () => {
  test('silent, flooding, forking and crashing at once: the remaining work is judged, and no process is left', async () => {
    const { result, issues, master } = await wholeCycle(
      user,
      'processes',
      // prettier-ignore
      [
      step(RA, {}, [{ wait: 'forever' }]),
      step(EP, { turn: 'work' }, [{ flood: 50 }, ...ep()]),
      step(CD, { turn: 'work' }, [{ fork: { setsid: true, 'ignore-term': true } }, { fork: {} }, ...cd([RIGHT_ADD, RIGHT_MUL])]),
      step(VAS, {}, [{ crash: 7 }]),
    ],
      { limits: { idle: '2s', converge: '2s' } },
    )
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 100 })
    expect(issues).toMatch(/RA: gave no answer: .*fell silent/)
    expect(issues).toMatch(/VAS: gave no answer: .*died/)
    expect(master.phase_errors.map(({ phase }) => phase)).toEqual(
      expect.arrayContaining(['ra', 'vas']),
    )
    expect(Object.values(master.agents).map(({ status }) => status)).toEqual([
      'failed',
      'completed',
      'completed',
      'failed',
    ])
    expect(
      markers(user, 'processes').filter(({ role, turn }) => role === VAS && turn === 'validate')
        .length,
    ).toBeGreaterThan(2)
  })
})

describe('the tree', () => {
  test('an emptied tree fails its tests', async () => {
    const { result, project } = await wholeCycle(user, 'empties', [
      step(CD, { turn: 'work' }, [
        sh('find . -mindepth 1 -maxdepth 1 ! -name .git ! -name .ratchet -exec rm -rf {} +'),
        ...cd([]),
      ]),
      step(CD, {}, cd([])),
    ])
    expect(result.outcome).toBe('failed') // the suite ran before
    expect(result.passRate ?? 0).toBe(0)
    expect(filesIn(project, result.branch ?? '')['tests/test_calc.py']).toBe(
      CALCULATOR['tests/test_calc.py'],
    )
  })

  test('a removed workspace ends the cycle as failed, with the kept work', async () => {
    const { result, project } = await wholeCycle(user, 'removes', [
      step(CD, {}, [sh('rm -rf "$PWD"'), { say: 'done' }]),
    ])
    expect(result.outcome).toBe('failed')
    expect(result.reason).toMatch(/the suite ran before the cycle and does not now|is gone/)
    expect(filesIn(project, 'HEAD')['calc.py']).toBe(CALCULATOR['calc.py'])
  })
})
