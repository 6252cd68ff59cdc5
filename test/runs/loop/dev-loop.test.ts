// More whole dev loops: scripted workers with real git and pytest.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunHandle } from '../../../src/client/index.js'
import { localStatus } from '../../../src/dev-server/index.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import {
  BOTH,
  asks,
  complete,
  debug,
  develop,
  step,
  validate,
  workers,
} from '../../support/loop/loop-play.js'
import { makeProject, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { runGit, outsideOfRecord } from '../../support/repositories/repos.js'
import { temporalPath } from '../../support/servers/temporal.js'
import { asked, outputOf, recordOf, turnsOf } from '../../support/loop/ended-loop.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const menu = (run: RunHandle, n: number) => asked(run, ({ id }) => id === `menu-${n}`)

describe.concurrent('the three modes', () => {
  test('interactive by hand-typed JSON: menu, clarification, exit; resumed in another mode, completed', async () => {
    const project = makeProject(user, 'hand', [
      step('develop', { turn: 'work', task: 'T1' }, [
        asks('Which sign? | Options: [plus, minus] | Recommended: [plus]', 'And why?'),
      ]),
      step('develop', { turn: 'clarify' }, develop([RIGHT_ADD])),
      step('develop', {}, develop([RIGHT_MUL])),
      ...workers([]),
    ])
    const id = 'loop-b-20260122T100000-hand0001'
    const run = await user.loop(project, id, { task: 'Make the calculator right' })
    expect(await menu(run, 1)).toMatchObject({
      kind: 'menu',
      text: expect.stringMatching(/completed: 0, pending: 2/) as unknown,
    })
    const { address } = (await localStatus(user.dirs)).server ?? { address: '' }
    const cli = (input: string) =>
      execa(
        temporalPath(),
        [
          'workflow',
          'update',
          'execute',
          '--name',
          'answer',
          '--input',
          input,
          '--workflow-id',
          id,
          '--address',
          address,
          '--namespace',
          user.namespace,
        ],
        { env: { HOME: user.root } },
      )
    await cli('{"choice":"develop"}')
    await asked(run, ({ id: question }) => question === 'clarify-2-1-Q2')
    await cli('{"answers":{"Q1":"plus","Q2":"because it adds"}}')
    expect((await menu(run, 2)).text).toMatch(/completed: 1, pending: 1/)
    expect(outputOf(project, id, 'develop').clarifications).toEqual([
      { question: 'Which sign?', answer: 'plus', by: 'user' },
      { question: 'And why?', answer: 'because it adds', by: 'user' },
    ])
    await cli('"exit"')
    expect(await user.finish(run)).toMatchObject({
      outcome: 'user_exit',
      status: 'user_exit',
      iterations: 2,
    })
    expect(recordOf(project, id)).toMatchObject({
      status: 'user_exit',
      skill_state: { pending_tasks: [{ id: 'T2', status: 'pending' }] },
    })

    const again = await user.loop(project, id, { loopId: id, mode: 'auto' })
    expect(await user.finish(again)).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(turnsOf(user, 'hand')).toEqual([
      'init',
      'develop',
      'develop clarify',
      'develop',
      'validate',
      'complete',
    ])
    expect(recordOf(project, id)).toMatchObject({ mode: 'auto', status: 'completed' })
  })

  test('parallel: three clones and a clean merge that loses nothing', async () => {
    const places = path.join(user.root, 'clean.places')
    const here = { run: ['sh', '-c', `pwd >> ${places}`] }
    const more = {
      write: {
        path: 'tests/test_more.py',
        text: 'from calc import add\n\n\ndef test_more():\n    assert add(2, 2) == 4\n',
      },
    }
    const project = makeProject(user, 'clean', [
      step('develop', {}, develop([here, RIGHT_ADD], {}, BOTH)),
      step('debug', {}, debug({}, [here, RIGHT_MUL])),
      step('validate', {}, validate({}, [here, more])),
      ...workers([]),
    ])
    const before = outsideOfRecord(project)
    const id = 'loop-b-20260122T100000-clean001'
    const result = await user.finish(
      await user.loop(project, id, { task: 'Make the calculator right', mode: 'parallel' }),
    )
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1, passRate: 100 })
    // Three clones, and the workspace that validates the merge
    expect(new Set(readFileSync(places, 'utf8').trim().split('\n')).size).toBe(4)
    const branch = result.branch ?? ''
    expect(runGit(project, 'show', `${branch}:calc.py`)).toBe(
      'def add(a, b):\n    return a + b\n\n\ndef mul(a, b):\n    return a * b',
    )
    expect(runGit(project, 'show', `${branch}:tests/test_more.py`)).toContain('test_more')
    expect(runGit(project, 'log', '-1', '--format=%p', branch).split(' ')).toHaveLength(3)
    expect(recordOf(project, id).skill_state.parallel_results).toMatchObject({
      develop: { files: ['calc.py'] },
      debug: { files: ['calc.py'] },
      validate: { files: ['tests/test_more.py'] },
      conflicts: [],
    })
    expect(outsideOfRecord(project)).toEqual(before)
  })

  test('parallel: a stop while a conflict waits keeps the work of each worker for the user', async () => {
    const wrong = { patch: { path: 'calc.py', find: 'a - b', replace: 'b - a' } }
    const project = makeProject(user, 'stopped', [
      step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL], {}, BOTH)),
      step('debug', {}, debug({}, [wrong])),
      ...workers([]),
    ])
    const id = 'loop-b-20260122T100000-stopp001'
    const run = await user.loop(project, id, {
      task: 'Make the calculator right',
      mode: 'parallel',
    })
    await asked(run)
    await run.stop('enough')
    expect(await user.finish(run)).toMatchObject({ outcome: 'stopped', status: 'failed' })
    const { warnings } = recordOf(project, id).ratchet
    const kept = warnings.flatMap(
      (one) =>
        /^the work of develop was not merged; it is kept as (refs\/ratchet\/\S+),/.exec(one)?.[1] ??
        [],
    )
    expect(runGit(project, 'show', `${kept[0] ?? ''}:calc.py`)).toContain('return a * b')

    const again = await user.loop(project, id, { loopId: id, mode: 'auto' })
    expect(await user.finish(again)).toMatchObject({ outcome: 'completed', passRate: 100 })
  })

  test('restores and reports files that init, validate and complete may not change', async () => {
    const meddle = { write: { path: 'calc.py', text: 'def add(a, b):\n    return 3\n' } }
    const project = makeProject(
      user,
      'meddle',
      // prettier-ignore
      [
      step('init', {}, [meddle, { result: { block: 'WORKER_RESULT', fields: { action: 'init', status: 'success', summary: 'x' }, json: { tasks: [{ id: 'T1', description: 'both' }] } } }]),
      step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL])),
      step('validate', {}, [meddle, ...validate()]),
      step('complete', {}, [meddle, ...complete('Fix it')]),
    ],
    )
    const id = 'loop-b-20260122T100000-meddle01'
    const result = await user.finish(await user.loop(project, id))
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(runGit(project, 'show', `${result.branch ?? ''}:calc.py`)).toContain('return a * b')
    expect(recordOf(project, id).ratchet.warnings.join('\n')).toMatch(
      /init changed files that it may not change.*calc\.py[^]*validate changed[^]*complete changed/,
    )
  })
})
