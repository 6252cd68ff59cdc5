// A dev loop from a script: its commands, one after the other. At a terminal:
// test/processes/loop-terminal.test.ts.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopRecord } from '../../src/contract/dev-loop/loop-record.js'
import type { Question } from '../../src/contract/question.js'
import type { RunResult } from '../../src/contract/result.js'
import { commandUser, type CommandUser } from '../support/in-process/command-user.js'
import { develop, step, workers } from '../support/loop/loop-play.js'
import { RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'
import { Finished } from '../support/documents.js'
import { refused, statusOf } from '../support/command-answers.js'

let user: CommandUser
beforeAll(async () => {
  user = await commandUser()
})
afterAll(() => user.remove())

const recordOf = (project: string, id: string) =>
  LoopRecord.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.loop', `${id}.json`), 'utf8')),
  )
const DIVIDE = { append: { path: 'calc.py', text: '\n\ndef div(a, b):\n    return a / b\n' } }
const SUBTRACT = { append: { path: 'calc.py', text: '\n\ndef sub(a, b):\n    return a - b\n' } }
const STEPS = [
  step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
  step('develop', { task: 'T2' }, develop([RIGHT_MUL])),
  step('develop', { task: 'T3' }, develop([SUBTRACT])),
  step('develop', { task: 'T4' }, develop([DIVIDE])),
  ...workers([]),
]

test('from a script: refuses a choice while a worker runs, accepts a further task, changes the mode, and ends', async () => {
  const gate = path.join(user.root, 'gate')
  const project = user.project('script', [
    step('develop', { task: 'T1' }, [{ wait: { 'until-file': gate } }, ...develop([RIGHT_ADD])]),
    ...STEPS,
  ])
  const loop = user.start(project, 'loop', 'make the calculator right', '--json')
  await waitFor(() => loop.stderr().includes('answer with: ratchet answer '), {
    what: 'the menu as lines',
    timeoutMs: 90_000,
  })
  const id = /^(loop-b-\S+) {2}works in/m.exec(loop.stderr())?.[1] ?? ''
  expect(loop.stderr()).toContain(
    'options: develop (recommended), debug, validate, complete, exit\n',
  )
  expect(await user.json(project, 'answer', id, 'develop')).toMatchObject({ exitCode: 0 })
  await waitFor(async () => (await statusOf(user, project, id))?.phase === 'develop', {
    what: 'develop',
    timeoutMs: 60_000,
  })
  const early = await refused(user, project, 'answer', id, 'validate')
  expect(early).toMatchObject({
    exitCode: 2,
    type: 'BadInput',
    where: id,
    next: `see its state with: ratchet status ${id}`,
  })
  expect(early.message).toMatch(/^develop\b.* is running.*the menu follows when it has ended/)
  expect(await user.json(project, 'extend', id, 'also subtract')).toMatchObject({
    exitCode: 0,
    document: { id, task: 'T3', pending: 3 },
  }) // the one that is worked on counts
  const resumed = user.start(project, 'loop', '--loop-id', id, '--mode', 'auto', '--json')
  await waitFor(
    async () =>
      (await user.json<{ questions: Question[] }>(project, 'answer', id)).document.questions
        .length === 0,
    { what: 'no question', timeoutMs: 10_000 },
  )
  writeFileSync(gate, '')
  const [one, two] = await Promise.all([loop.ended, resumed.ended])
  for (const ended of [one, two])
    expect(Finished.parse(JSON.parse(ended.stdout))).toMatchObject({
      id,
      loop_id: id,
      kind: 'dev-loop',
      outcome: 'completed',
      passRate: 100,
      suggestion: { command: expect.stringContaining(`ratchet apply ${id} && `) as string },
    })
  expect([one.exitCode, two.exitCode]).toEqual([0, 0])
  expect(recordOf(project, id)).toMatchObject({
    mode: 'auto',
    status: 'completed',
    skill_state: { completed_tasks: [{ id: 'T1' }, { id: 'T2' }, { id: 'T3' }] },
  })

  expect(await refused(user, project, 'resume', id)).toMatchObject({
    exitCode: 2,
    next: `give it a further task: ratchet extend ${id} "<task>"`,
  })
  const extended = await user.json<RunResult>(project, 'extend', id, 'also divide')
  expect(extended).toMatchObject({ exitCode: 0, document: { outcome: 'completed', id } })
  expect(await user.json(project, 'rebuild', id)).toMatchObject({
    exitCode: 0,
    document: { source: 'run' },
  })
  expect(recordOf(project, id)).toMatchObject({
    status: 'completed',
    ratchet: { task_history: ['make the calculator right', 'also subtract', 'also divide'] },
  })
  expect(await user.json(project, 'apply', id)).toMatchObject({
    exitCode: 0,
    document: { applied: ['calc.py'] },
  })
  const { turns } = (
    await user.json<{ turns: { title: string; outcome: string }[] }>(project, 'logs', id)
  ).document
  for (const role of ['loop-init', 'loop-develop', 'loop-validate', 'loop-complete'])
    expect(
      turns.some(({ title }) => title.startsWith(role)),
      role,
    ).toBe(true)
  expect(await user.json(project, 'clean', '--all', '--force', '--dry-run')).toMatchObject({
    exitCode: 0,
    document: {
      dryRun: true,
      removed: expect.arrayContaining([expect.objectContaining({ name: id })]) as unknown,
    },
  })
  expect(await user.json(project, 'clean', id, '--force')).toMatchObject({
    exitCode: 0,
    document: { removed: [{ name: id, workspace: true, branch: `ratchet/${id}` }] },
  })
})
