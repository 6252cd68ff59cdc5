// Hooks of runs: real commands get failed ends, questions and successful ends; a failure of a hook
// is a warning.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HookAsked } from '../../src/contract/hook-event.js'
import { everybody } from '../support/cycle/cycle-play.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { workers } from '../support/loop/loop-play.js'
import { ANALYSE, makeProject, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import { filesIn } from '../support/repositories/repos.js'
import { filesBelow, FIX, toldHooks, type Called } from '../support/runs/told-hooks.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
let hooks: ReturnType<typeof toldHooks>
beforeAll(async () => {
  user = await inProcessUser()
  hooks = toldHooks(user.root)
})
afterAll(() => user.close())

test('budget, then done: a command runs once for each, in the project, for the end after the record is written', async () => {
  const project = makeProject(user, 'done', FIX, {
    limits: { maxTurns: 1 },
    hooks: {
      ...hooks.every('done'),
      done: [
        'sh',
        '-c',
        `ls .workflow/WFS-test-done > '${user.root}/done.record'; ${hooks.command('done')[2] ?? ''}`,
      ],
    },
  })
  const run = await user.fix(project, 'WFS-test-done')
  const [{ document: asked }] = (await waitFor(
    () => {
      const told = hooks.calls('done')
      return told.length > 0 && told
    },
    { what: 'the question', timeoutMs: 60_000 },
  )) as [Called]
  expect(asked).toMatchObject({
    event: 'budget',
    question: { id: 'budget-1', options: ['raise', 'stop'] },
    answer: {
      command: `ratchet answer ${run.id} --question budget-1 stop`,
      update: { questionId: 'budget-1', choice: 'stop' },
    },
  })
  await run.answer({ ...(asked as HookAsked).answer.update, choice: 'raise', text: '10' })
  const result = await user.finish(run)
  expect(result.outcome).toBe('success')
  const [, { document, ...called }, ...more] = hooks.calls('done') as [Called, Called, ...Called[]]
  expect(more).toEqual([])
  expect(called).toEqual({ event: 'done', run: run.id, cwd: project })
  expect(document).toMatchObject({
    event: 'done',
    run: {
      id: run.id,
      kind: 'test-fix',
      project,
      recordDir: result.recordDir,
      branch: result.branch,
      iteration: 1,
      passRate: 100,
    },
    text: `${run.id}: success after 1 iteration, pass rate 100.0 %`,
    result: { outcome: 'success', commits: result.commits, failures: [], usage: result.usage },
  })
  expect(readFileSync(path.join(user.root, 'done.record'), 'utf8')).toContain(
    'workflow-session.json',
  )
  expect(filesIn(project, result.branch ?? '')).not.toHaveProperty('.workflow')
})

test('failed and stuck: the event has the reason, the failures and the hook', async () => {
  const nothing: Step[] = [ANALYSE, { when: { role: 'test-fix-agent' }, do: [{ say: 'nothing' }] }]
  const failed = await user.finish(
    await user.fix(
      makeProject(user, 'failed', nothing, { hooks: hooks.every('failed') }),
      'WFS-test-failed',
      { maxIterations: 1 },
    ),
  )
  expect(failed.outcome).toBe('failed')
  expect(hooks.calls('failed')).toMatchObject([
    {
      event: 'failed',
      document: {
        result: {
          outcome: 'failed',
          status: 'failed',
          reason: failed.reason,
          failuresTotal: 2,
          failures: failed.failures,
        },
      },
    },
  ])
  const stuck = await user.finish(
    await user.fix(
      makeProject(user, 'stuck', nothing, {
        hooks: hooks.every('stuck'),
        roles: { 'code-developer': 'playbook' },
      }),
      'WFS-test-stuck',
    ),
  )
  expect(stuck.outcome).toBe('blocked')
  expect(hooks.calls('stuck')).toMatchObject([
    {
      event: 'stuck',
      document: { event: 'stuck', result: { outcome: 'blocked', reason: stuck.reason } },
    },
  ])
})

test('question of a loop: a script can answer it with the update in the event', async () => {
  const run = await user.loop(
    makeProject(user, 'menu', workers([RIGHT_ADD, RIGHT_MUL]), { hooks: hooks.every('menu') }),
    'loop-b-menu',
    { task: 'Make the calculator right' },
  )
  const choices = ['develop', 'validate', 'exit']
  for (const [n, choice] of choices.entries()) {
    const event = await waitFor(() => hooks.calls('menu').at(n), {
      what: 'the hook',
      timeoutMs: 60_000,
    })
    const { update } = (event.document as HookAsked).answer
    await run.answer({ ...update, choice })
  }
  expect(await user.finish(run)).toMatchObject({ outcome: 'user_exit' })
  expect(hooks.calls('menu').map(({ event }) => event)).toEqual([
    'question',
    'question',
    'question',
    'done',
  ])
  expect(new Set(hooks.calls('menu').map(({ document }) => document.eventId)).size).toBe(4)
})

test('the end of a dev cycle runs its hook', async () => {
  const run = await user.cycle(
    makeProject(user, 'cycle', everybody([RIGHT_ADD, RIGHT_MUL]), { hooks: hooks.every('cycle') }),
    'cycle-v1-hooked',
  )
  expect(await user.finish(run)).toMatchObject({ outcome: 'completed' })
  expect(hooks.calls('cycle')).toMatchObject([
    {
      event: 'done',
      run: run.id,
      document: { run: { kind: 'dev-cycle' }, result: { outcome: 'completed', passRate: 100 } },
    },
  ])
})

test('hooks that fail or hang only cause a warning, in the state, the record and the log of the worker', async () => {
  const project = makeProject(user, 'broken', FIX, {
    limits: { maxTurns: 1 },
    hooks: {
      budget: ['sh', '-c', 'echo no display >&2; exit 3'],
      done: { command: ['sleep', '1000'], timeout: '1s' },
    },
  })
  const run = await user.fix(project, 'WFS-test-broken')
  const first = 'the hook "budget" failed for "budget": ended with code 3: no display'
  await waitFor(
    async () => JSON.stringify(await run.state()).includes('ended with code 3: no display'),
    { what: 'the warning', timeoutMs: 60_000 },
  )
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10' })
  const result = await user.finish(run)
  expect(result).toMatchObject({ outcome: 'success' })
  const second = 'the hook "done" failed for "done": was ended after 1 s'
  const record = [...filesBelow(result.recordDir ?? '')]
    .map(({ bytes }) => bytes.toString('utf8'))
    .join('\n')
  expect(record).toContain('ended with code 3: no display')
  expect(record).toContain('was ended after 1 s')
  expect(user.log()).toContain(`${run.id}: ${first}`)
  expect(user.log()).toContain(`${run.id}: ${second}`)
})

test('a stopped run is reported as failed', async () => {
  const run = await user.loop(
    makeProject(user, 'stopped', workers([RIGHT_ADD]), {
      hooks: { failed: hooks.command('stopped') },
    }),
    'loop-b-stopped',
    { task: 'Make the calculator right' },
  )
  await waitFor(async () => (await run.questions()).length === 1, {
    what: 'the menu',
    timeoutMs: 60_000,
  })
  await run.stop('enough')
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped' })
  expect(hooks.calls('stopped')).toMatchObject([
    {
      event: 'failed',
      document: { result: { outcome: 'stopped', reason: 'stopped by request: enough' } },
    },
  ])
})
