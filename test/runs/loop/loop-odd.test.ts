// Unusual dev loops: stops at the wrong moment, in-place runs, agents that meddle. Git and pytest
// are real, the workers of the loop are scripted.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Question } from '../../../src/contract/question.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { BOTH, debug, develop, init, step, workers } from '../../support/loop/loop-play.js'
import { CALCULATOR, makeProject, RIGHT_ADD, RIGHT_MUL } from '../../support/runs/real-run.js'
import { commitAll, runGit } from '../../support/repositories/repos.js'
import { asked, recordOf, turnsOf } from '../../support/loop/ended-loop.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const idOf = (name: string): string => `loop-b-20260122T100000-${name}`
const IN_PLACE = { workspace: { isolation: 'in-place' } }

describe.concurrent('odd', () => {
  test.each(['auto', 'parallel'] as const)(
    'in-place, %s: touches nothing outside of the repository',
    async (mode) => {
      const project = makeProject(
        user,
        `place-${mode}`,
        [
          step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
          step('develop', {}, develop(mode === 'parallel' ? [RIGHT_ADD, RIGHT_MUL] : [RIGHT_MUL])),
          ...workers([]),
        ],
        IN_PLACE,
      )
      commitAll(project, 'settled')
      const outside = path.join(path.dirname(project), 'workers', mode)
      mkdirSync(outside, { recursive: true })
      writeFileSync(path.join(outside, 'mine.txt'), 'mine\n')
      const result = await user.finish(
        await user.loop(project, idOf(`place-${mode}`), {
          task: 'Make the calculator right',
          mode,
        }),
      )
      expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
      expect(readFileSync(path.join(outside, 'mine.txt'), 'utf8')).toBe('mine\n')
      expect(existsSync(path.join(path.dirname(project), 'tests'))).toBe(false)
      expect(runGit(project, 'status', '--porcelain', '--untracked-files=no')).toBe('')
      expect(readFileSync(path.join(project, 'calc.py'), 'utf8')).toContain('a * b')
    },
  )

  test('an agent commits, switches branches, then deletes its .git: its files count, and the loop is completed', async () => {
    const sh = (line: string) => ({ run: ['sh', '-c', line] })
    const once = path.join(user.root, 'meddled')
    const project = makeProject(user, 'meddler', [
      step(
        'develop',
        { task: 'T1' },
        develop([
          RIGHT_ADD,
          sh('git checkout -q -b other && git add -A && git commit -qm own && git tag mine'),
        ]),
      ),
      step(
        'develop',
        { task: 'T2' },
        develop([RIGHT_MUL, sh(`[ -e ${once} ] || { touch ${once}; rm -rf .git; }`)]),
      ),
      ...workers([]),
    ])
    const id = idOf('meddler1')
    const result = await user.finish(await user.loop(project, id))
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(recordOf(project, id)).toMatchObject({
      status: 'completed',
      skill_state: { completed_tasks: [{ id: 'T1' }, { id: 'T2' }] },
    })
    expect(runGit(project, 'tag')).toBe('')
  })

  test('60 files in conflict, answered at once', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, n) => [`data/f${String(n).padStart(2, '0')}.txt`, 'old\n']),
    )
    const writes = (text: string) => [
      { run: ['sh', '-c', `for f in data/f*.txt; do echo ${text} > $f; done`] },
    ]
    const project = makeProject(
      user,
      'sixty',
      [
        step('develop', {}, develop([RIGHT_ADD, RIGHT_MUL, ...writes('develop')], {}, BOTH)),
        step('debug', {}, debug({}, writes('debug'))),
        ...workers([]),
      ],
      {},
      { ...CALCULATOR, ...files },
    )
    const id = idOf('sixty001')
    const run = await user.loop(project, id, {
      task: 'Make the calculator right',
      mode: 'parallel',
    })
    const question = await asked(run, ({ kind }) => kind === 'conflict')
    await run.answer({ questionId: question.id, choice: 'develop: all' })
    let more: Question | undefined
    void asked(run, ({ id: other }) => other !== question.id)
      .then((one) => {
        more = one
        return run.stop('asked again')
      })
      .catch(() => undefined)
    const result = await user.finish(run)
    expect(more).toBeUndefined()
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(runGit(project, 'show', `ratchet/${id}:data/f59.txt`)).toBe('develop')
  })

  test('two loops of one project at once', async () => {
    const project = makeProject(user, 'twins', [
      step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
      step('develop', {}, develop([RIGHT_MUL])),
      ...workers([]),
    ])
    const runs = await Promise.all(
      ['twin0001', 'twin0002'].map((id) => user.loop(project, idOf(id))),
    )
    for (const result of await Promise.all(runs.map((run) => user.finish(run))))
      expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
  })

  test('200 tasks with odd and equal ids; one develop claims to have done them all', async () => {
    const tasks = Array.from({ length: 200 }, (_, n) => ({
      id: n % 2 === 0 ? 'T1' : `../${n}\n# x`,
      description: `task ${n}`,
      priority: n % 3,
      files: ['calc.py'],
    }))
    const project = makeProject(user, 'many', [
      step('init', {}, init(tasks)),
      step(
        'develop',
        {},
        develop(
          [RIGHT_ADD, RIGHT_MUL],
          {},
          { tasks_completed: Array.from({ length: 200 }, (_, n) => `T${n + 1}`) },
        ),
      ),
      ...workers([]),
    ])
    const id = idOf('many0001')
    const result = await user.finish(await user.loop(project, id))
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
    expect(turnsOf(user, 'many')).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(recordOf(project, id).skill_state).toMatchObject({
      pending_tasks: [],
      completed_tasks: Array.from({ length: 20 }, (_, n) => ({ id: `T${n + 1}` })),
    })
  })
})
