// Dev loops at a terminal: the built command, its menu and its questions. Server, workers, git and
// pytest are real, the workers of the loop are scripted.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { LoopRecord } from '../../src/contract/dev-loop/loop-record.js'
import type { Question } from '../../src/contract/question.js'
import { RunResult } from '../../src/contract/result.js'
import { PerGainedTest } from '../../src/core/report/per-gained-test.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { BUILT } from '../support/servers/local.js'
import { asks, develop, step, workers } from '../support/loop/loop-play.js'
import { KEYS, atTerminal, type Terminal } from '../support/pty.js'
import { RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { commitAll, runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
const open: Terminal[] = []
beforeAll(() => void (user = cliProcessUser()))
afterEach(() => open.splice(0).forEach((terminal) => terminal.close()))
afterAll(() => user.remove())

const Finished = RunResult.extend({
  uiUrl: z.string().nullable(),
  perGainedTest: PerGainedTest.optional(),
}).strict()
type Failed = { error: { type: string; message: string; where: string; next: string } }
type Status = {
  runs: { id: string; status: string; phase: string; iteration: number; waitingFor: string }[]
}

const EXAMPLE = fileURLToPath(new URL('../../examples/loop/project', import.meta.url))
const COMMAND = [process.execPath, path.join(BUILT, 'cli/main.js')]
const person = (project: string, ...argv: string[]): Terminal => {
  const terminal = atTerminal([...COMMAND, ...argv], { cwd: project, env: user.env })
  open.push(terminal)
  return terminal
}
const recordOf = (project: string, id: string) =>
  LoopRecord.parse(
    JSON.parse(readFileSync(path.join(project, '.workflow/.loop', `${id}.json`), 'utf8')),
  )
const statusOf = async (project: string, id: string) =>
  (await user.json<Status>(project, 'status', id)).document.runs[0]
const refused = async (project: string, ...argv: string[]) => {
  const { exitCode, document } = await user.json<Failed>(project, ...argv)
  return { exitCode, ...document.error }
}
const MENU = (completed: number, pending: number): string =>
  `Select next action (completed: ${completed}, pending: ${pending}):`
const STEPS = [
  step('develop', { task: 'T1' }, develop([RIGHT_ADD])),
  step('develop', { task: 'T2' }, develop([RIGHT_MUL])),
  ...workers([]),
]

test('interactive, at a terminal: arrow keys, an answer from elsewhere, exit, Ctrl-C, completion, commit', async () => {
  const project = user.project('menu', STEPS)
  commitAll(project, 'settled')
  await user.ratchet(project, 'trust')

  const first = person(project, 'loop', 'make the calculator right')
  const id = await first.sees(
    /(loop-b-\d{8}T\d{6}-[0-9a-z]{8}) {2}works in \S+, interactive, measured with: /,
  )
  await first.sees('iteration 1  init: success')
  await first.sees(MENU(0, 2))
  await first.sees(/❯ develop +Continue development \(2 pending\) +\(recommended\)/)
  await first.sees('exit')
  first.press(KEYS.down, KEYS.up, KEYS.enter)
  await first.sees(/iteration 2 {2}develop T1: success/)
  await first.sees(MENU(1, 1))

  // From another terminal; the prompt here closes.
  expect(await user.json(project, 'answer', id, 'develop')).toMatchObject({
    exitCode: 0,
    document: { answer: 'develop' },
  })
  await first.sees('answered elsewhere, or no longer asked: Select next action')
  await first.sees(/iteration 3 {2}develop T2: success/)
  await first.sees(MENU(2, 0))
  await first.sees('❯ validate')
  first.press(KEYS.down, KEYS.down, KEYS.enter)
  await first.sees('user exit after 3 iterations')
  await first.sees('tasks    2 done, none open')
  await first.sees(`continue ratchet loop --loop-id ${id}`)
  expect(await first.ended).toBe(0)
  expect(recordOf(project, id)).toMatchObject({
    status: 'user_exit',
    skill_state: { pending_tasks: [] },
  })

  const second = person(project, 'resume', id)
  await second.sees(MENU(2, 0))
  second.press(KEYS.ctrlC)
  await second.sees(`continue with: ratchet watch ${id}`)
  expect(await second.ended).toBe(130)
  expect(await statusOf(project, id)).toMatchObject({
    status: 'running',
    waitingFor: expect.stringMatching(/^person: /) as string,
  })

  // A signal at an open prompt is a normal interruption and does not kill the command.
  const hungUp = person(project, 'watch', id)
  await hungUp.sees(MENU(2, 0))
  hungUp.close()
  expect(await hungUp.ended).toBe(130)
  await hungUp.sees(`the run continues; follow it with: ratchet watch ${id}`)

  const third = person(project, 'watch', id)
  await third.sees(MENU(2, 0))
  third.press(KEYS.enter)
  await third.sees(/iteration 4 {2}validate: success.* 100\.0 % \(3 of 3\)/)
  await third.sees(MENU(2, 0))
  await third.sees('❯ complete')
  third.press(KEYS.enter)
  await third.sees('completed after 5 iterations, pass rate 100.0 %')
  const commit = await third.sees(/commit {3}ready for a pull request; .*\n(ratchet apply .*)\n/)
  await third.sees(/summary {2}\S+summary\.md/)
  expect(await third.ended).toBe(0)

  // The printed line, in the shell of a user who has the command on the path.
  const bin = path.join(user.root, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(path.join(bin, 'ratchet'), `#!/bin/sh\nexec '${COMMAND.join("' '")}' "$@"\n`, {
    mode: 0o755,
  })
  const who = {
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.com',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.com',
  }
  await execa('sh', ['-c', commit], {
    cwd: project,
    env: { ...user.env, ...who, PATH: `${bin}:${user.env['PATH'] ?? ''}` },
    extendEnv: false,
  })
  expect(runGit(project, 'log', '-1', '--format=%s')).toBe('Fix the calculator')
  expect(runGit(project, 'show', '--stat', '--format=', 'HEAD')).toContain('calc.py')
  expect(readFileSync(path.join(project, 'calc.py'), 'utf8')).toMatch(/a \+ b[^]*a \* b/)
})

test('questions of a worker: one after the other at a terminal, one answered in free text', async () => {
  const project = user.project('asks', [
    step('develop', { task: 'T1', turn: 'work' }, [
      asks('Which store? | Options: [redis, files] | Recommended: [redis]', 'Which port?'),
    ]),
    step('develop', { task: 'T1', turn: 'clarify' }, develop([RIGHT_ADD])),
    ...workers([]),
  ])
  const { document } = await user.json<{ id: string }>(
    project,
    'loop',
    'make the calculator right',
    '--detach',
  )
  const { id } = document
  const questions = async () =>
    (await user.json<{ questions: Question[] }>(project, 'answer', id)).document.questions
  await waitFor(async () => (await questions()).some(({ kind }) => kind === 'menu'), {
    what: 'the menu',
    timeoutMs: 90_000,
  })
  expect(await refused(project, 'answer', id, 'perhaps')).toMatchObject({
    exitCode: 2,
    next: 'use one of: develop, debug, validate, complete, exit',
  })
  expect((await user.ratchet(project, 'answer', id, 'develop')).exitCode).toBe(0)
  await waitFor(async () => (await questions()).length === 2, {
    what: 'two questions',
    timeoutMs: 90_000,
  })
  expect((await questions()).map((one) => one.id)).toEqual(['clarify-2-1-Q1', 'clarify-2-1-Q2'])
  expect(await refused(project, 'answer', id, 'redis')).toMatchObject({
    exitCode: 2,
    message: 'several questions are open',
  })

  const terminal = person(project, 'answer', id)
  await terminal.sees('Which store?')
  await terminal.sees('other: in your own words')
  terminal.press(KEYS.down, KEYS.down, KEYS.enter)
  await terminal.sees('Your answer')
  terminal.press('postgres', KEYS.enter)
  await terminal.sees('Which port?')
  terminal.press('5432', KEYS.enter)
  await terminal.sees(`answered; follow the run with: ratchet watch ${id}`)
  expect(await terminal.ended).toBe(0)
  const output = path.join(project, '.workflow/.loop', `${id}.workers/develop.output.json`)
  await waitFor(() => existsSync(output) && readFileSync(output, 'utf8').includes('5432'), {
    what: 'the answers in the record',
    timeoutMs: 90_000,
  })
  expect(JSON.parse(readFileSync(output, 'utf8'))).toMatchObject({
    clarifications: [
      { question: 'Which store?', answer: 'postgres', by: 'user' },
      { question: 'Which port?', answer: '5432', by: 'user' },
    ],
  })
  await user.ratchet(project, 'stop', id)
})

test('auto, at a terminal, asks nothing and prints lines', async () => {
  const project = user.project('auto', STEPS)
  const terminal = person(project, 'loop', 'make the calculator right', '--auto')
  for (const line of [
    'init: success',
    'develop T1: success',
    'develop T2: success',
    'validate: success',
    'complete: success',
  ])
    await terminal.sees(line)
  await terminal.sees('completed after 5 iterations')
  expect(await terminal.ended).toBe(0)
  expect(terminal.shown()).not.toContain('❯')
})

test('the example, with every recommended choice, and in parallel with a conflict', async () => {
  const project = path.join(user.root, 'projects/cart')
  cpSync(EXAMPLE, project, { recursive: true })
  runGit(project, 'init', '-q')
  commitAll(project, 'first')
  await user.ratchet(project, 'trust')

  const terminal = person(project, 'loop', 'add discounts in percent')
  const id = await terminal.sees(/(loop-b-\S+) {2}works in/)
  const took = async (seen: string, next: string): Promise<void> => {
    await terminal.sees(seen)
    await terminal.sees(new RegExp(`❯ ${next} .*\\(recommended\\)`))
    terminal.press(KEYS.enter)
  }
  await took(MENU(0, 2), 'develop')
  await took('develop asks: How is half a cent rounded?', 'up')
  await took(MENU(1, 1), 'develop')
  await took(MENU(2, 0), 'validate')
  await terminal.sees(/iteration 4 {2}validate: success: .* 40\.0 % \(2 of 5\), claimed 100\.0 %/)
  await took('Measured: tests fail: 40 % (2 of 5)', 'debug')
  await terminal.sees('iteration 5  debug: success: The percentage is taken off as cents')
  await took('debug ended with success', 'develop')
  await terminal.sees('iteration 6  develop: success: The percentage is one now')
  await took('develop ended with success', 'validate')
  await terminal.sees(/iteration 7 {2}validate: success: .* 100\.0 % \(5 of 5\)/)
  await took('Measured: all tests pass: 100 % (5 of 5)', 'complete')
  await terminal.sees('completed after 8 iterations, pass rate 100.0 %')
  expect(await terminal.ended).toBe(0)
  expect(terminal.shown()).not.toContain('warning:')
  expect(recordOf(project, id)).toMatchObject({
    status: 'completed',
    skill_state: { completed_tasks: [{ id: 'T1' }, { id: 'T2' }] },
  })

  for (const [whose, outcome, iterations] of [
    ['develop', 'completed', 1],
    ['debug', 'failed', 3],
  ] as const) {
    const loop = user.start(
      project,
      'loop',
      'add discounts in percent',
      '--mode',
      'parallel',
      '--json',
    )
    await waitFor(
      () => loop.stderr().includes('question     src/cart.js was changed by develop and debug'),
      { what: 'the conflict', timeoutMs: 90_000 },
    )
    const [, run = ''] = /^(loop-b-\S+) {2}works in/m.exec(loop.stderr()) ?? []
    expect(await user.json(project, 'answer', run, whose)).toMatchObject({ exitCode: 0 })
    expect(Finished.parse(JSON.parse((await loop.ended).stdout))).toMatchObject({
      outcome,
      iterations,
    })
  }
})
