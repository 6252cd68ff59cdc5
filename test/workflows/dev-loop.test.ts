// The logic of the dev loop on a real Temporal server with a scripted host.
import { describe, expect, test } from 'vitest'
import type { Question } from '../../src/contract/question.js'
import { conflict, loopHost, loopTasks } from '../support/loop/loop-host.js'
import { AUTO, INTERACTIVE, PARALLEL, loopRuns } from '../support/loop/loop-runs.js'
import { measured, notStarted } from '../support/test-runs.js'
import { waitFor } from '../support/wait.js'

const { run, whole } = loopRuns()

describe('auto', () => {
  test('init, develop, validate, complete: the tests ran for the validation, and the result says so', async () => {
    const { host, result } = await whole({ runs: [measured(1, 3), measured(3, 3)] })
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(host.tests.map((t) => [t.commit, t.step.split('/').slice(1).join('/')])).toEqual([
      ['base', 'baseline'],
      ['work-2', 'iteration-3/measure'],
      ['work-3', 'iteration-3/measure-again'],
    ])
    expect(result).toMatchObject({
      kind: 'dev-loop',
      outcome: 'completed',
      status: 'completed',
      loop_id: 'loop-1',
      iterations: 4,
      passRate: 100,
      branch: 'ratchet/loop-1',
    })
    expect(host.records.slice(1).map(({ status }) => status.waitingFor)).toEqual(
      Array(5).fill('host: writing the record'),
    ) // no commit is left pending
  })

  test('with the tasks of a prep package init does not run', async () => {
    const task = 'Fix the flaky importer\nOBJECTIVE: it imports'
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      prepared: { prep: { task, tasks: loopTasks(2) } },
    })
    expect(host.turnNames()).toEqual(['develop', 'develop', 'validate', 'complete'])
    expect(host.turns[0]?.ask).toMatchObject({ loop: { description: task } })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 4 })
  })

  test('a prep package without tasks leaves the breakdown to init', async () => {
    const { host } = await whole({
      runs: [measured(3, 3)],
      prepared: { prep: { task: 'refined', tasks: [] } },
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
  })

  test('develop again while tasks are pending, one task a worker', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      turn: (t) => (t.action === 'init' ? { says: { tasks: loopTasks(3) } } : {}),
    })
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'develop',
      'develop',
      'validate',
      'complete',
    ])
    expect(host.turns.filter((t) => t.action === 'develop').map((t) => t.task)).toEqual([
      'T1',
      'T2',
      'T3',
    ])
    expect(result).toMatchObject({ outcome: 'completed', iterations: 6 })
  })

  test('complex: a failed validation goes through debug and develop to a new one', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3), measured(2, 3), measured(2, 3), measured(3, 3)],
    })
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'validate',
      'debug',
      'develop',
      'validate',
      'complete',
    ])
    expect(result).toMatchObject({ outcome: 'completed', passRate: 100 })
  })

  test('debug that always points to develop does not prevent the validation', async () => {
    const { host } = await whole({
      runs: [measured(3, 3), measured(2, 3), measured(2, 3), measured(3, 3)],
      turn: (t) =>
        t.action === 'debug' ? { says: { loopBack: { to: 'develop', said: 'develop' } } } : {},
    })
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'validate',
      'debug',
      'develop',
      'validate',
      'complete',
    ])
  })

  test('the same loop-back three times without progress stops with the reason', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(2, 3)],
        turn: (t) =>
          t.action === 'validate'
            ? { says: { status: 'failed', loopBack: { to: 'develop', said: 'develop' } } }
            : {},
      },
      { ...AUTO, maxIterations: 50 },
    )
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'validate',
      'develop',
      'validate',
      'develop',
      'validate',
    ])
    expect(result).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      reason: expect.stringMatching(/validate.*develop/) as unknown,
    })
  })

  test('spent iterations are an outcome of their own, not a success', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) => (t.action === 'init' ? { says: { tasks: loopTasks(9) } } : {}),
      },
      { ...AUTO, maxIterations: 3 },
    )
    expect(host.turnNames()).toEqual(['init', 'develop', 'develop'])
    expect(result).toMatchObject({ outcome: 'max_iterations', status: 'failed', iterations: 3 })
  })

  test('a worker out of time counts for what it did, two in a row fail', async () => {
    const late = { outcome: 'timed_out' as const, reason: 'limit' }
    const once = await whole({
      runs: [measured(3, 3)],
      turn: (t) => (t.action === 'develop' && t.iteration === 2 ? late : {}),
    })
    expect(once.host.turnNames().slice(0, 5)).toEqual([
      'init',
      'develop',
      'develop converge',
      'develop',
      'validate',
    ])
    expect(once.result.outcome).toBe('completed')
    const twice = await whole({
      runs: [measured(3, 3)],
      turn: (t) => (t.action === 'develop' ? late : {}),
    })
    expect(twice.host.turnNames()).toEqual([
      'init',
      'develop',
      'develop converge',
      'develop',
      'develop converge',
    ])
    expect(twice.result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('time') as unknown,
    })
  })

  test('limits: ten minutes for a worker, five to converge', async () => {
    const { host } = await whole({
      runs: [measured(3, 3)],
      turn: (t) =>
        t.action === 'develop' && t.iteration === 2 && t.turn === 'work'
          ? { outcome: 'timed_out' }
          : {},
    })
    expect(host.turns.filter((t) => t.iteration === 2).map((t) => [t.turn, t.limitMs])).toEqual([
      ['work', 600_000],
      ['converge', 300_000],
    ])
    expect(host.turns[2]).toMatchObject({ sessionId: 's-develop', ask: { about: 'loop-converge' } })
  })

  test('auto mode takes the recommended answer and records it', async () => {
    const question = {
      id: 'Q1',
      text: 'Which database?',
      options: ['SQLite', 'Postgres'],
      recommended: 'Postgres',
    }
    const { host } = await whole({
      runs: [measured(3, 3)],
      turn: (t) =>
        t.action === 'develop' && t.turn === 'work'
          ? { says: { status: 'needs_input', questions: [question] } }
          : {},
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'develop clarify', 'validate', 'complete'])
    expect(host.turns[2]).toMatchObject({
      sessionId: 's-develop',
      ask: {
        about: 'loop-clarify',
        answers: [{ question: 'Which database?', answer: 'Postgres' }],
      },
    })
    expect(
      host.records.flatMap((r) => r.workers).find((w) => w.action === 'develop')?.clarifications,
    ).toEqual([{ question: 'Which database?', answer: 'Postgres', by: 'ratchet' }])
  })

  test('a worker that keeps asking fails after five rounds', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      turn: (t) =>
        t.action === 'develop'
          ? {
              says: {
                status: 'needs_input',
                questions: [{ id: 'Q1', text: 'And now?', options: [] }],
              },
            }
          : {},
    })
    expect(host.turnNames().filter((one) => one === 'develop clarify')).toHaveLength(5)
    expect(result).toMatchObject({ outcome: 'failed' })
  })

  test('needs_input without a question: one retry prompt, then failed', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      turn: (t) =>
        t.action === 'develop'
          ? {
              says: {
                status: 'needs_input',
                problem: 'it names no question',
                form: 'WORKER_RESULT:',
              },
            }
          : {},
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'develop retry'])
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('develop') as unknown,
    })
  })

  test('a project without tests is completed, and the result says that nothing was measured', async () => {
    const { result } = await whole({ runs: [null] })
    expect(result).toMatchObject({ outcome: 'completed', passRate: null, reviewNeeded: true })
  })

  test('a suite that does not start is not a validation that passed', async () => {
    const { host } = await whole({
      runs: [measured(3, 3), notStarted(), notStarted(), measured(3, 3)],
    })
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'validate',
      'debug',
      'develop',
      'validate',
      'complete',
    ])
  })

  test('a claim of success despite failing tests is reported and ignored', async () => {
    const { host } = await whole({
      runs: [measured(3, 3), measured(2, 3), measured(2, 3), measured(3, 3)],
      turn: (t) =>
        t.action === 'validate'
          ? { says: { claimed: { passed: 3, failed: 0, total: 3, coverage: null } } }
          : {},
    })
    const first = host.records.find((r) => r.state.validation?.iteration === 3)
    expect(first?.state.validation).toMatchObject({
      passed: false,
      claimed: 100,
      why: expect.stringContaining('claimed') as unknown,
    })
  })

  test('a claim without a total is compared as well', async () => {
    const { host } = await whole({
      runs: [measured(3, 3), measured(2, 3), measured(2, 3), measured(3, 3)],
      turn: (t) =>
        t.action === 'validate'
          ? { says: { claimed: { passed: 3, failed: 0, total: null, coverage: null } } }
          : {},
    })
    expect(
      host.records.find((r) => r.state.validation?.iteration === 3)?.state.validation,
    ).toMatchObject({ passed: false, claimed: 100 })
  })

  test('a check that fails since the base fails the validation, one that failed before does not', async () => {
    const check = (before: 'passed' | 'failed') => ({
      name: 'lint',
      command: 'npm run lint',
      result: 'failed' as const,
      before,
      tail: '',
      durationMs: 1,
    })
    const broken = await whole({
      runs: [measured(3, 3)],
      quality: (input, call) => ({
        commit: input.commit,
        coverage: null,
        checks: call <= 2 ? [check('passed')] : [],
      }),
    })
    expect(broken.host.turnNames()).toContain('debug')
    const old = await whole({
      runs: [measured(3, 3)],
      quality: (input) => ({ commit: input.commit, coverage: null, checks: [check('failed')] }),
    })
    expect(old.host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
  })
})

describe('interactive', () => {
  test('init once, then the menu with its counts; complete ends it', async () => {
    const host = loopHost({
      runs: [measured(3, 3)],
      turn: (t) => (t.action === 'init' ? { says: { tasks: loopTasks(2) } } : {}),
    })
    const result = await run(
      host,
      async (r) => {
        const menu = await r.asked()
        expect(menu).toMatchObject({
          kind: 'menu',
          id: 'menu-1',
          options: ['develop', 'debug', 'validate', 'complete', 'exit'],
          text: expect.stringMatching(/completed: 0, pending: 2/) as unknown,
        })
        await r.choose('develop')
        expect((await r.asked(({ id }) => id === 'menu-2')).text).toMatch(
          /completed: 1, pending: 1/,
        )
        await r.choose('complete')
        const open = await r.asked(({ id }) => id === 'complete-2')
        expect(open).toMatchObject({
          kind: 'menu',
          options: ['complete anyway', 'continue'],
          recommended: 'continue',
          text: '2 items are open: T2 is not done: task 2; no validation has checked the work. Complete anyway?',
        })
        await r.answer({ questionId: open.id, choice: 'complete anyway' })
        return r.result()
      },
      INTERACTIVE,
    )
    expect(host.turnNames()).toEqual(['init', 'develop', 'complete'])
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 3,
      passRate: 100,
      reviewNeeded: true,
      confirmedByPerson: true,
      reason: '2 items are open: T2 is not done: task 2; no validation has checked the work',
    })
  })

  test('the text of a menu choice reaches the worker, that of exit becomes the reason', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        const menu = await r.asked()
        await r.answer({ questionId: menu.id, choice: 'develop', text: 'use decimal.js' })
        const next = await r.asked(({ id }) => id === 'menu-2')
        await r.answer({ questionId: next.id, choice: 'exit', text: 'I look at it first' })
        return r.result()
      },
      INTERACTIVE,
    )
    expect(host.turns.map(({ ask }) => ('words' in ask ? ask.words : undefined))).toEqual([
      undefined,
      'use decimal.js',
    ])
    expect(result).toMatchObject({
      outcome: 'user_exit',
      reason: expect.stringMatching(/^I look at it first/) as unknown,
    })
  })

  test('complete with open items, answered "continue": the menu opens again, and complete does not run', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        await r.choose('complete')
        const open = await r.asked(({ id }) => id === 'complete-1')
        await r.answer({ questionId: open.id, choice: 'continue' })
        await r.asked(({ id }) => id === 'menu-1')
        await r.handle.signal('resume', { mode: 'auto' })
        return r.result()
      },
      INTERACTIVE,
    )
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(result).toMatchObject({ outcome: 'completed', reviewNeeded: false, reason: null })
    expect(result).not.toHaveProperty('confirmedByPerson')
  })

  test('complete without open items asks nothing', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        for (const [n, choice] of ['develop', 'validate', 'complete'].entries()) {
          await r.asked(({ id }) => id === `menu-${n + 1}`)
          await r.choose(choice)
        }
        return r.result()
      },
      INTERACTIVE,
    )
    expect(result).toMatchObject({ outcome: 'completed', reviewNeeded: false, reason: null })
  })

  test('exit ends as user_exit', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        await r.choose('exit')
        return r.result()
      },
      INTERACTIVE,
    )
    expect(result).toMatchObject({ outcome: 'user_exit', status: 'user_exit', iterations: 1 })
    expect(host.records.at(-1)).toMatchObject({ result: { status: 'user_exit' } })
  })

  test('the iteration limit does not apply to a person', async () => {
    const host = loopHost({ runs: [measured(3, 3)], prepared: {} })
    const result = await run(
      host,
      async (r) => {
        for (let n = 1; n <= 6; n++) {
          await r.asked(({ id }) => id === `menu-${n}`)
          await r.choose('debug')
        }
        await r.asked(({ id }) => id === 'menu-7')
        await r.choose('exit')
        return r.result()
      },
      { ...INTERACTIVE, maxIterations: 2 },
    )
    expect(result).toMatchObject({ outcome: 'user_exit', iterations: 7 })
  })

  test('bad input: a choice while a worker runs, an unknown option, a closed question, a second choice', async () => {
    let develop = (): void => undefined
    const gate = new Promise<void>((resolve) => {
      develop = resolve
    })
    const host = loopHost({
      runs: [measured(3, 3)],
      turn: async (t) => {
        if (t.action !== 'init') await gate
        return {}
      },
    })
    await run(
      host,
      async (r) => {
        await r.asked()
        const why = (answer: unknown) =>
          r.answer(answer).then(
            () => 'taken',
            (error: { cause?: { message?: string } }) => error.cause?.message,
          )
        expect(await why('deploy')).toMatch(
          /"deploy" is not an option of question menu-1: develop \| debug \| validate \| complete \| exit/,
        )
        const [one, two] = await Promise.all([why({ choice: 'develop' }), why({ choice: 'debug' })])
        expect([one, two]).toEqual(
          expect.arrayContaining([expect.stringMatching(/is running|no open question/), 'taken']),
        )
        await r.until('a worker', (s) => s.phase === 'develop' || s.phase === 'debug')
        expect(await why({ choice: 'validate' })).toMatch(
          /is running, and asks nothing; the menu follows when it has ended/,
        )
        expect(await why({ questionId: 'menu-1', choice: 'exit' })).toMatch(
          /no open question "menu-1"/,
        )
        develop()
        await r.asked(({ id }) => id === 'menu-2')
        await r.choose('exit')
        await r.result()
      },
      INTERACTIVE,
    )
  })

  test('clarification: asked all at once, answered one by one or together, in several rounds', async () => {
    const q = (n: number, options: string[] = []) => ({
      id: `Q${n}`,
      text: `question ${n}?`,
      options,
      ...(options[0] === undefined ? {} : { recommended: options[0] }),
    })
    const host = loopHost({
      runs: [measured(3, 3)],
      turn: (t) =>
        t.action !== 'develop'
          ? {}
          : t.turn === 'work'
            ? { says: { status: 'needs_input', questions: [q(1, ['a', 'b']), q(2)] } }
            : t.key.endsWith('clarify-1')
              ? { says: { status: 'needs_input', questions: [q(3)] } }
              : {},
    })
    await run(
      host,
      async (r) => {
        await r.choose('develop')
        await r.asked(({ id }) => id === 'clarify-2-1-Q2')
        await r.answer({ answers: { Q1: 'b', Q2: 'as you like' } })
        await r.asked(({ id }) => id === 'clarify-2-2-Q3')
        await r.answer({ text: 'yes' })
        await r.asked(({ id }) => id === 'menu-2')
        await r.choose('exit')
        await r.result()
      },
      INTERACTIVE,
    )
    expect(host.turns.filter((t) => t.turn === 'clarify').map((t) => t.ask)).toMatchObject([
      {
        about: 'loop-clarify',
        answers: [
          { question: 'question 1?', answer: 'b' },
          { question: 'question 2?', answer: 'as you like' },
        ],
      },
      { answers: [{ question: 'question 3?', answer: 'yes' }] },
    ])
  })

  test('a pause at the menu holds the loop and is recorded; resume shows the menu again', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        await r.asked()
        await r.handle.signal('pause', { reason: 'for the night' })
        await r.until('paused', (s) => s.status === 'paused')
        await waitFor(() => host.records.at(-1)?.status.status === 'paused', {
          what: 'the record of the pause',
        })
        expect(
          await r
            .answer('develop')
            .catch((error: { cause?: { message?: string } }) => error.cause?.message),
        ).toMatch(/^the run is paused, and asks nothing; continue with: ratchet resume loop-b-/)
        await r.handle.signal('resume')
        await r.until('the menu', (s) => s.questions === 1)
        await r.choose('exit')
        return r.result()
      },
      INTERACTIVE,
    )
    expect(result.outcome).toBe('user_exit')
  })

  test('the mode can change and a further task can be added while the loop runs', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        await r.asked()
        expect(
          await r.handle.executeUpdate('extend', { args: ['Also cover the CSV import'] }),
        ).toMatchObject({ task: 'T2', pending: 2 })
        expect((await r.asked()).text).toMatch(/pending: 2/)
        await r.handle.signal('resume', { mode: 'auto' })
        return r.result()
      },
      INTERACTIVE,
    )
    expect(host.turnNames()).toEqual(['init', 'develop', 'develop', 'validate', 'complete'])
    expect(result.outcome).toBe('completed')
  })

  test('the run continues as new every few actions without losing state', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    await run(
      host,
      async (r) => {
        for (let n = 1; n <= 5; n++) {
          await r.asked(({ id }) => id === `menu-${n}`)
          await r.choose('debug')
        }
        await r.asked(({ id }) => id === 'menu-6')
        await r.choose('exit')
        await r.result()
      },
      INTERACTIVE,
    )
    const runs = new Set(host.turns.map((t) => t.key.split('/')[1]))
    expect(runs.size).toBeGreaterThan(1)
    expect(host.records.at(-1)?.state.workersCompleted).toEqual(['init', 'debug'])
  })
})

describe('parallel', () => {
  test('init, three workers in their own clones, a merge, the tests, complete', async () => {
    let release = (): void => undefined
    const all = new Promise<void>((resolve) => {
      release = resolve
    })
    let waiting = 0
    const host = loopHost({
      runs: [measured(1, 3), measured(3, 3)],
      turn: async (t) => {
        if (t.action === 'init' || t.action === 'complete' || waiting === 3) return {}
        if (++waiting === 3) release()
        await all
        return {}
      },
    })
    const result = await run(host, (r) => r.result(), PARALLEL)
    expect(host.turnNames()).toEqual([
      'init',
      expect.any(String),
      expect.any(String),
      expect.any(String),
      'validate',
      'complete',
    ])
    expect(host.most()).toBe(3)
    expect(host.turns.map((t) => [t.action, t.limitMs]).sort()).toEqual([
      ['complete', 300_000],
      ['debug', 900_000],
      ['develop', 900_000],
      ['init', 300_000],
      ['validate', 600_000],
      ['validate', 900_000],
    ])
    expect(new Set(host.turns.slice(1, 4).map((t) => t.workspace.cwd)).size).toBe(3)
    expect(new Set(host.turns.map(({ key }) => key)).size).toBe(host.turns.length)
    expect(host.turns.slice(4).map((t) => t.workspace.cwd)).toEqual(['/state/tree', '/state/tree'])
    expect(host.tests.map((t) => t.commit)).toEqual(['base', 'merged', 'work-2'])
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      passRate: 100,
      reviewNeeded: false,
      commits: ['work-develop', 'work-debug', 'work-validate', 'merged', 'work-2'],
    })
    expect(host.records.at(-1)?.state.parallelResults).toMatchObject({
      develop: { status: 'success' },
      debug: { status: 'success' },
      validate: { status: 'success' },
      conflicts: [],
    })
  })

  test('a conflict names all workers and waits for a person', async () => {
    const host = loopHost({
      runs: [measured(3, 3)],
      conflicts: [
        conflict('src/a.ts', ['develop', 'debug', 'validate']),
        conflict('src/b.ts', ['develop', 'debug']),
        conflict('src/c.ts', ['develop', 'debug']),
      ],
    })
    const result = await run(
      host,
      async (r) => {
        const first = await r.asked()
        expect(first).toMatchObject({
          kind: 'conflict',
          text: expect.stringMatching(/src\/a\.ts/) as unknown,
        })
        expect((await r.status()).waitingFor).toContain('src/a.ts')
        await r.answer({ questionId: first.id, choice: 'validate' })
        const second = await r.asked(({ id }) => id !== first.id)
        expect(second.options).toContain('debug: all')
        await r.answer({ questionId: second.id, choice: 'debug: all' })
        return r.result()
      },
      PARALLEL,
    )
    expect(host.merges.map((m) => m.choices)).toEqual([
      {},
      { 'src/a.ts': 'validate', 'src/b.ts': 'debug', 'src/c.ts': 'debug' },
    ])
    expect(result.outcome).toBe('completed')
    expect(host.records.at(-1)?.state.parallelResults?.conflicts).toMatchObject([
      {
        file: 'src/a.ts',
        workers: ['develop', 'debug', 'validate'],
        resolution: 'manual',
        chosen: 'validate',
      },
      { chosen: 'debug' },
      { chosen: 'debug' },
    ])
  })

  test('one that runs out of time converges within a minute; the others count', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) => (t.action === 'debug' ? { outcome: 'timed_out' } : {}),
      },
      PARALLEL,
    )
    expect(host.turns.find((t) => t.turn === 'converge')).toMatchObject({
      action: 'debug',
      limitMs: 60_000,
      ask: { about: 'loop-converge' },
    })
    expect(result.outcome).toBe('completed')
    expect(host.records.at(-1)?.state.parallelResults).toMatchObject({
      debug: { status: 'failed', timedOut: true },
    })
  })

  test('failing tests after the merge lead to another round while iterations are left', async () => {
    const { host, result } = await whole(
      { runs: [measured(3, 3), measured(2, 3)] },
      { ...PARALLEL, maxIterations: 2 },
    )
    expect(host.merges).toHaveLength(2)
    expect(host.turnNames()).not.toContain('complete')
    expect(result).toMatchObject({
      outcome: 'max_iterations',
      status: 'failed',
      passRate: 66.6,
      iterations: 2,
      reason: expect.stringMatching(/^the 2 rounds are spent; .*a\.test\.ts > test 1/) as unknown,
    })
  })

  test('a stop while a conflict waits ends the loop and says where the work is', async () => {
    const host = loopHost({
      runs: [measured(3, 3)],
      conflicts: [conflict('src/a.ts', ['develop', 'debug'])],
    })
    const result = await run(
      host,
      async (r) => {
        await r.asked()
        await r.handle.signal('stop', { reason: 'enough' })
        return r.result()
      },
      PARALLEL,
    )
    expect(result).toMatchObject({
      outcome: 'stopped',
      status: 'failed',
      reason: expect.stringContaining('enough') as unknown,
    })
    expect(host.records.at(-1)?.clones.map(({ action }) => action)).toEqual([
      'develop',
      'debug',
      'validate',
    ])
  })
})

test('after a change to interactive, three workers ask at once and each is answered separately', async () => {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const host = loopHost({
    runs: [measured(3, 3)],
    turn: async (t) => {
      if (t.action === 'init' || t.action === 'complete' || t.turn === 'clarify') return {}
      await gate
      return {
        says: {
          status: 'needs_input',
          questions: [{ id: 'Q1', text: `what does ${t.action} need?`, options: [] }],
        },
      }
    },
  })
  await run(
    host,
    async (r) => {
      await waitFor(() => host.turns.length === 4, { what: 'three workers', timeoutMs: 20_000 })
      await r.handle.signal('resume', { mode: 'interactive' })
      open()
      const questions = await waitFor(
        async () => {
          const all = await r.handle.query<Question[]>('questions')
          return all.length === 3 ? all : undefined
        },
        { what: 'three questions', timeoutMs: 20_000 },
      )
      for (const { id, text } of questions) await r.answer({ questionId: id, choice: `to ${text}` })
      await r.choose('exit')
      return r.result()
    },
    PARALLEL,
  )
  const answers = host.turns.flatMap((t) => (t.ask.about === 'loop-clarify' ? t.ask.answers : []))
  expect(answers.map(({ question, answer }) => answer.endsWith(question))).toEqual([
    true,
    true,
    true,
  ])
})

describe('control in every mode, before every worker', () => {
  test.each([
    { mode: 'auto', input: AUTO },
    { mode: 'parallel', input: PARALLEL },
  ])(
    '$mode: pause now interrupts the worker, resume continues its session, stop ends it',
    async ({ input }) => {
      let held = 0
      const host = loopHost({
        runs: [measured(3, 3)],
        turn: (t) =>
          t.action === 'init' && held++ === 0
            ? { waitForCancel: true }
            : t.action === 'complete'
              ? { waitForCancel: true }
              : {},
      })
      const result = await run(
        host,
        async (r) => {
          await r.until('init', (s) => s.phase === 'init')
          await r.handle.signal('pause', { mode: 'now' })
          await r.until('paused', (s) => s.status === 'paused')
          await r.handle.signal('resume')
          await r.until('complete', (s) => s.phase === 'complete')
          await r.handle.signal('stop', 'done for today')
          return r.result()
        },
        input,
      )
      expect(host.turnNames().slice(0, 2)).toEqual(['init', 'init'])
      expect(host.turns[0]?.key).toBe(host.turns[1]?.key)
      expect(result).toMatchObject({
        outcome: 'stopped',
        reason: 'stopped by request: done for today',
      })
    },
  )
})

describe('bad input ends the run at once and names the field', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'an unknown mode', input: { ...INTERACTIVE, mode: 'turbo' }, says: /mode: Invalid mode: must be "interactive", "auto" or "parallel"/ },
    { why: 'neither task nor id', input: { project: '/repo' }, says: /task: Missing loopId or task/ },
    { why: 'both', input: { ...INTERACTIVE, loopId: 'loop-1' }, says: /task: give either a task or a loopId/ },
    { why: 'two modes', input: { ...INTERACTIVE, mode: 'parallel', auto: true }, says: /mode: parallel and auto cannot be used together/ },
    { why: 'an invalid id', input: { project: '/repo', loopId: '../x' }, says: /loopId: must be/ },
    { why: 'a further task without an id', input: { ...INTERACTIVE, extend: 'x' }, says: /extend: needs the loopId/ },
  ],
  )('$why', async ({ input, says }) => {
    const host = loopHost({ runs: [measured(3, 3)] })
    await expect(run(host, (r) => r.result(), input)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(says) as unknown },
    })
    expect(host.prepares).toEqual([])
  })
})
