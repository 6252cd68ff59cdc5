// Dev cycles that are continued and extended on the command line: real repositories, and bad input.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { StoredCycle } from '../../../src/adapters/records/dev-cycle/cycle-schema.js'
import type { Question } from '../../../src/contract/question.js'
import { cd, everybody, step } from '../../support/cycle/cycle-play.js'
import { commandUser, type CommandUser } from '../../support/in-process/command-user.js'
import { RIGHT_ADD } from '../../support/runs/real-run.js'
import { commitAll, runGit, writeFiles } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'
import { Finished } from '../../support/documents.js'
import { followed, refused, statusOf } from '../../support/command-answers.js'

let user: CommandUser
beforeAll(async () => {
  user = await commandUser()
})
afterAll(() => user.remove())

const cycleDir = (project: string) => path.join(project, '.workflow/.cycle')
const masterFile = (project: string, id: string) => path.join(cycleDir(project), `${id}.json`)
const masterOf = (project: string, id: string) =>
  StoredCycle.parse(JSON.parse(readFileSync(masterFile(project, id), 'utf8')))
/** Id of the cycle that a followed command names. */
const idIn = (stderr: string): string => /^(cycle-v1-\S+) {2}develops/m.exec(stderr)?.[1] ?? ''

test('interactive, in a subfolder without tests: continue, extend, stop; a stopped cycle resumes with the next iteration', async () => {
  const repo = path.join(user.root, 'projects/mono')
  const project = path.join(repo, 'app')
  writeFiles(repo, {
    'README.md': 'two parts\n',
    'app/calc.py': 'def add(a, b):\n    return a - b\n',
    'other/keep.py': 'x = 1\n',
  })
  runGit(repo, 'init', '-q')
  commitAll(repo, 'first')
  const tests = {
    write: {
      path: 'tests/test_calc.py',
      text: 'from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    },
  }
  const neg = [{ append: { path: 'calc.py', text: '\n\ndef neg(a):\n    return -a\n' } }]
  const steps = [
    step(
      'code-developer',
      { iteration: 1, turn: 'work' },
      cd([{ write: { path: 'conftest.py', text: '' } }, tests]),
    ),
    step('code-developer', { iteration: 3, turn: 'work' }, cd(neg)),
    step('code-developer', { iteration: 4, turn: 'work' }, cd([RIGHT_ADD])),
    ...everybody([]),
  ]
  writeFiles(project, {
    'ratchet.config.json': JSON.stringify({ roles: { default: 'playbook' } }),
    'ratchet.playbook.yaml': JSON.stringify({ steps }),
  })

  const cycle = user.start(project, 'cycle', 'make it right, with tests', '--interactive', '--json')
  const asked = (iteration: number) =>
    waitFor(() => cycle.stderr().includes(`question     Iteration ${iteration} of 5: `), {
      what: `the question after iteration ${iteration}`,
      timeoutMs: 90_000,
    })
  await waitFor(() => cycle.stderr().includes('Approve the plan of iteration 1? '), {
    what: 'the plan',
    timeoutMs: 90_000,
  })
  await user.json(project, 'answer', idIn(cycle.stderr()), 'approve')
  await asked(1)
  expect(cycle.stderr()).toContain(`develops in ${project}, which has no tests yet\n`)
  const id = idIn(cycle.stderr())
  expect(cycle.stderr()).toContain(`answer with: ratchet answer ${id} continue\n`)
  const { document } = await user.json<{ questions: Question[] }>(project, 'answer', id)
  expect(document.questions).toMatchObject([
    {
      id: 'iteration-1',
      kind: 'menu',
      options: ['continue', 'extend', 'stop'],
      recommended: 'continue',
      text: expect.stringContaining('0 % (0 of 1)') as string,
    },
  ])
  expect(await refused(user, project, 'answer', id, 'perhaps')).toMatchObject({
    exitCode: 2,
    next: 'use one of: continue, extend, stop',
  })
  expect((await statusOf(user, project, id))?.waitingFor).toMatch(/^person: /)
  expect(await user.json(project, 'answer', id, 'continue')).toMatchObject({
    exitCode: 0,
    document: { answer: 'continue' },
  })
  await asked(2)
  expect(await user.json(project, 'answer', id, 'extend', 'also add neg')).toMatchObject({
    exitCode: 0,
    document: { answer: 'extend' },
  })
  await asked(3)
  expect(masterOf(project, id)).toMatchObject({
    status: 'running',
    task_history: ['make it right, with tests', 'also add neg'],
    iterations: [{}, {}, { number: 3, extension: 'also add neg', resolved: false }],
  })
  expect(await user.json(project, 'answer', id, 'stop')).toMatchObject({
    exitCode: 0,
    document: { answer: 'stop' },
  })
  const ended = await cycle.ended
  expect(ended.exitCode).toBe(1)
  expect(Finished.parse(JSON.parse(ended.stdout))).toMatchObject({
    outcome: 'stopped',
    status: 'failed',
    iterations: 3,
    passRate: 0,
    reason: expect.stringContaining('stopped by choice after iteration 3') as string,
  })
  expect(masterOf(project, id)).toMatchObject({
    status: 'failed',
    completed_at: expect.any(String) as string,
  })

  expect(await followed(user, project, 'resume', id, '--auto')).toMatchObject({
    exitCode: 0,
    result: { id, outcome: 'completed', iterations: 4, passRate: 100 },
  })
  const master = masterOf(project, id)
  expect(master).toMatchObject({
    status: 'completed',
    current_iteration: 4,
    max_iterations: 8,
    requirements: { version: '1.3.0' },
    test_results: { total_tests: 1, pass_rate: 100 },
  })
  expect(master.failure_reason).toBeUndefined()
  expect(runGit(repo, 'ls-tree', '-r', '--name-only', `ratchet/${id}`).split('\n')).toEqual(
    expect.arrayContaining(['app/calc.py', 'app/tests/test_calc.py', 'other/keep.py']),
  )
  expect(await user.json(project, 'apply', id)).toMatchObject({ exitCode: 0 })
  expect(readFileSync(path.join(project, 'calc.py'), 'utf8')).toMatch(/a \+ b[^]*def neg/)
})

test('an unknown or ambiguous name is refused with a remedy, and nothing starts', async () => {
  const project = user.project('refusals', everybody([]))
  const other = user.project('refusals-fix')
  expect(await refused(user, project, 'cycle')).toMatchObject({
    exitCode: 2,
    message: 'Missing cycleId or task',
  })
  expect(await refused(user, project, 'cycle', 'add a cart', '--cycle-id', 'x')).toMatchObject({
    exitCode: 2,
    message: 'a task and --cycle-id cannot be used together',
  })
  const none = 'cycle-v1-none'
  await Promise.all(
    [
      ['cycle', '--cycle-id', none],
      ['cycle', '--cycle-id', none, '--extend', 'more'],
      ['rebuild', none],
    ].map(async (words) =>
      expect(await refused(user, project, ...words), words.join(' ')).toMatchObject({
        exitCode: 2,
        type: 'BadInput',
        message: 'Cycle not found',
      }),
    ),
  )
  await Promise.all(
    [
      ['resume', none],
      ['extend', none, 'more'],
      ['status', none],
      ['watch', none],
      ['apply', none],
      ['answer', none, 'stop'],
    ].map(async (words) =>
      expect(await refused(user, project, ...words), words.join(' ')).toMatchObject({
        exitCode: 2,
        type: 'BadInput',
        message: `there is no run ${none}`,
        next: expect.stringContaining('ratchet status --all') as string,
      }),
    ),
  )
  expect(existsSync(path.join(project, '.workflow'))).toBe(false)
  expect(
    await refused(user, other, 'cycle', 'add', 'a', 'cart', '--base', 'nowhere'),
  ).toMatchObject({
    exitCode: 2,
  })
})
