// Whole dev loops without questions: scripted workers with real git and pytest.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LoopRecord, WorkerOutput } from '../../../src/contract/dev-loop/loop-record.js'
import type { LoopAction } from '../../../src/contract/dev-loop/loop-input.js'
import type { Question } from '../../../src/contract/question.js'
import type { RunHandle } from '../../../src/client/index.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { BOTH, debug, develop, step, validate, workers } from '../../support/loop/loop-play.js'
import { makeProject, markers, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { fingerprint, runGit } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const place = (project: string, file: string) => path.join(project, '.workflow/.loop', file)
const recordOf = (project: string, id: string) =>
  LoopRecord.parse(JSON.parse(readFileSync(place(project, `${id}.json`), 'utf8')))
const outputOf = (project: string, id: string, action: LoopAction) =>
  WorkerOutput.parse(
    JSON.parse(readFileSync(place(project, `${id}.workers/${action}.output.json`), 'utf8')),
  )
const turnsOf = (name: string) =>
  markers(user, name).map(
    (m) => `${m.role.replace('loop-', '')}${m.turn === 'work' ? '' : ` ${m.turn}`}`,
  )
const asked = (run: RunHandle, fits: (question: Question) => boolean = () => true) =>
  waitFor(async () => (await run.questions()).find(fits), {
    what: 'a question',
    timeoutMs: 120_000,
  })
const untouched = (project: string) =>
  Object.fromEntries(
    Object.entries(fingerprint(project)).filter(([file]) => !file.startsWith('.workflow')),
  )

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
    const before = untouched(project)
    const id = 'loop-b-20260122T100000-auto0001'
    const result = await user.finish(await user.loop(project, id))

    expect(turnsOf('auto')).toEqual([
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
    expect(untouched(project)).toEqual(before)

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
    const files = readdirSync(place(project, `${id}.progress`))
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
    expect(readFileSync(place(project, `${id}.progress/develop.md`), 'utf8')).toContain(
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
