// Whole dev loops without questions: scripted workers with real git and pytest.
import { readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { BOTH, debug, develop, step, validate, workers } from '../../support/loop/loop-play.js'
import { makeProject, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { runGit, outsideOfRecord } from '../../support/repositories/repos.js'
import { asked, loopFile, outputOf, recordOf, turnsOf } from '../../support/loop/ended-loop.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

describe.concurrent('the three modes', () => {
  test('auto: two tasks, a failed validation, debug, develop, success; the record has every file', async () => {
    const project = makeProject(user, 'auto', [
      step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
      // It falsely claims to be done; the tests show it.
      step(
        'develop',
        { task: 'T2' },
        develop([{ write: { path: 'notes.md', text: 'mul\n' } }], {
          files_changed: ['calc.py', 'src/other.py'],
        }),
      ),
      step('develop', {}, develop([RIGHT_MUL])),
      step(
        'validate',
        { iteration: 4 },
        validate({ status: 'needs_fix', summary: 'mul is wrong' }),
      ),
      ...workers([]),
    ])
    const before = outsideOfRecord(project)
    const id = 'loop-b-20260122T100000-auto0001'
    const result = await user.finish(await user.loop(project, id))

    expect(turnsOf(user, 'auto')).toEqual([
      'init',
      'develop',
      'develop',
      'validate',
      'debug',
      'develop',
      'validate',
      'complete',
    ])
    expect(result).toMatchObject({
      kind: 'dev-loop',
      outcome: 'completed',
      status: 'completed',
      loop_id: id,
      iterations: 8,
      passRate: 100,
      failures: [],
      branch: `ratchet/${id}`,
      reviewNeeded: false,
    })
    expect(result.suggestion).toMatchObject({
      message: 'Fix the calculator',
      readyForPr: true,
      command: expect.stringContaining(`ratchet apply ${id} && git add`) as unknown,
    })
    expect(runGit(project, 'show', `${result.branch ?? ''}:calc.py`)).toContain('return a * b')
    expect(outsideOfRecord(project)).toEqual(before)

    expect(recordOf(project, id)).toMatchObject({
      loop_id: id,
      mode: 'auto',
      status: 'completed',
      current_iteration: 8,
      max_iterations: 10,
      completed_at: expect.any(String) as unknown,
      skill_state: {
        phase: 'complete',
        workers_completed: ['init', 'develop', 'validate', 'debug', 'complete'],
        pending_tasks: [],
        completed_tasks: [{ id: 'T1', status: 'completed' }, { id: 'T2' }],
        parallel_results: null,
      },
    })
    expect(outputOf(project, id, 'develop')).toMatchObject({
      action: 'develop',
      status: 'success',
      files_changed: ['calc.py'],
    })
    expect(outputOf(project, id, 'validate')).toMatchObject({
      tests: { total: 3, passed: 3, failed: 0 },
    })
    const files = readdirSync(loopFile(project, `${id}.progress`))
    expect(files).toEqual(
      expect.arrayContaining([
        'init.md',
        'develop.md',
        'debug.md',
        'validate.md',
        'complete.md',
        'summary.md',
      ]),
    )
    expect(readFileSync(loopFile(project, `${id}.progress/develop.md`), 'utf8')).toContain(
      '- changed calc.py',
    )
  })

  test('parallel: a real conflict names its file and all workers, and waits for the choice of a version', async () => {
    const wrong = { patch: { path: 'calc.py', find: 'a - b', replace: 'b - a' } }
    const project = makeProject(user, 'conflict', [
      step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL], {}, BOTH)),
      step('debug', {}, debug({}, [wrong])),
      ...workers([]),
    ])
    const id = 'loop-b-20260122T100000-confl001'
    const run = await user.loop(project, id, {
      task: 'Make the calculator right',
      mode: 'parallel',
    })
    const question = await asked(run)
    expect(question).toMatchObject({
      kind: 'conflict',
      text: expect.stringMatching(/calc\.py/) as unknown,
      options: expect.arrayContaining(['develop', 'debug', 'base']) as unknown,
    })
    expect((await run.status()).waitingFor).toContain('calc.py')
    expect(recordOf(project, id).skill_state.parallel_results?.conflicts).toEqual([
      { file: 'calc.py', workers: ['develop', 'debug'], resolution: 'manual' },
    ])
    await run.answer({ questionId: question.id, choice: 'develop' })
    expect(await user.finish(run)).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(runGit(project, 'show', `ratchet/${id}:calc.py`)).toContain('return a * b')
    expect(recordOf(project, id).skill_state.parallel_results?.conflicts).toMatchObject([
      { file: 'calc.py', resolution: 'manual', chosen: 'develop' },
    ])
  })
})
