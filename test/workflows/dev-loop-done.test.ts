// When a dev loop is done, on a real Temporal server: what keeps it from `completed`, and what
// resolves that.
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/output/ending.js'
import { RestoredLoop } from '../../src/contract/dev-loop/loop-state.js'
import {
  conflict,
  loopHost,
  loopTasks,
  type LoopScript,
  type LoopTurn,
} from '../support/loop/loop-host.js'
import { AUTO, INTERACTIVE, PARALLEL, loopRuns } from '../support/loop/loop-runs.js'
import { compared, measured } from '../support/test-runs.js'

const { run, whole } = loopRuns()

const green = [measured(3, 3)]
const nothing = { changes: () => false }
const with3 = (t: LoopTurn) => (t.action === 'init' ? { says: { tasks: loopTasks(3) } } : undefined)
const blocked = { says: { status: 'failed' as const, blocked: true, summary: 'no key' } }
const developed = (host: ReturnType<typeof loopHost>) =>
  host.turns.filter((t) => t.action === 'develop').map((t) => t.task)

describe('tasks', () => {
  test('a developer never names the task that it was given: the validation closes it, and a person should look', async () => {
    const { host, result } = await whole({
      runs: green,
      turn: (t) => (t.action === 'develop' ? { says: { tasksCompleted: [] } } : {}),
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: 'the developer did not name T1 as done, so the validation closed it',
    })
  })
})

describe('validation', () => {
  test('validate reports needs_fix with a finding and no next action: debug runs, and only a later validation completes the loop', async () => {
    let validations = 0
    const { host, result } = await whole({
      runs: green,
      turn: (t) =>
        t.action === 'validate' && ++validations === 1
          ? {
              says: {
                status: 'failed',
                reported: 'needs_fix',
                findings: ['the total is not rounded'],
              },
            }
          : {},
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
    expect(result).toMatchObject({ outcome: 'completed', reviewNeeded: false, reason: null })
    expect(
      host.records.find((r) => r.state.validation !== undefined)?.state.validation,
    ).toMatchObject({
      passed: false,
      status: 'failed',
      word: 'refuses',
      why: expect.stringContaining('the total is not rounded') as unknown,
    })
  })

  test('the tests ran at the start and no test command is found now: not measured, and the loop does not complete', async () => {
    const { result } = await whole({ runs: [...green, null] }, { ...AUTO, maxIterations: 8 })
    expect(result.outcome).not.toBe('completed')
    expect(result.reason).toMatch(/the test suite did not start: no test command is configured/)
  })

  test('a loop whose validate always says needs_fix is never completed', async () => {
    const { host, result } = await whole({
      runs: green,
      turn: (t) =>
        t.action === 'validate'
          ? { says: { status: 'failed', reported: 'needs_fix', findings: ['wrong'] } }
          : {},
    })
    expect(host.turnNames()).not.toContain('complete')
    expect(result).toMatchObject({
      outcome: 'max_iterations',
      status: 'failed',
      reason: expect.stringContaining('validate: wrong') as unknown,
    })
  })

  test('a success with a finding of medium severity does not pass, one of low severity does', async () => {
    let validations = 0
    const says = (text: string) => ({
      runs: green,
      turn: (t: LoopTurn) =>
        t.action === 'validate' && ++validations === 1 ? { says: { findings: [text] } } : {},
    })
    expect((await whole(says('[medium] no limit on the input'))).host.turnNames()).toContain(
      'debug',
    )
    validations = 0
    expect((await whole(says('[low] a name could be shorter'))).host.turnNames()).not.toContain(
      'debug',
    )
  })

  test('a renamed test is accepted when validate names the removal as intended, and a person should look', async () => {
    const gone = measured(3, 4, {
      failures: [{ file: 'a.test.ts', test: 'adds', error: '', missing: true }],
      comparison: compared({
        removed: [{ file: 'a.test.ts', passed: true, total: 1, tests: ['adds'] }],
      }),
    })
    const { host, result } = await whole({
      runs: [measured(4, 4), gone],
      turn: (t) =>
        t.action === 'validate' ? { says: { removedTests: ['a.test.ts > adds'] } } : {},
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: '1 test removed on purpose according to the validation: a.test.ts > adds',
    })
  })

  test('tests that failed before the loop do not hold it up, and the validation says so', async () => {
    const known = measured(2, 3, {
      comparison: compared({ known: { total: 1, tests: ['a.test.ts > test 1'], differently: 0 } }),
    })
    const { host, result } = await whole({ runs: [measured(2, 3), known] })
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(result).toMatchObject({
      outcome: 'completed',
      reason: '1 test failed before the run and still does: a.test.ts > test 1',
    })
    expect(host.records.at(-1)?.state.validation).toMatchObject({
      passed: true,
      why: expect.stringContaining('1 test failed before the run and still does') as unknown,
    })
  })

  test('two validations with the same findings and no commit in between end the loop', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(5, 5), measured(4, 5)],
        changes: ({ action, step }) => action === 'develop' && step.startsWith('iteration-2/'),
      },
      { ...AUTO, maxIterations: 40 },
    )
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'validate',
      'debug',
      'develop',
      'validate',
    ])
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^two validations in a row found the same, and nothing was committed in between; 2 items are open: a\.test\.ts > test 1/,
      ) as unknown,
    })
  })

  test('tests that failed before the loop hold it up with cycle.requireGreen', async () => {
    const known = measured(2, 3, {
      comparison: compared({ known: { total: 1, tests: ['a.test.ts > test 1'], differently: 0 } }),
    })
    const { loop } = {
      loop: await whole(
        { runs: [measured(2, 3), known], prepared: { requireGreen: true } },
        { ...AUTO, maxIterations: 4 },
      ),
    }
    expect(loop.result.outcome).toBe('max_iterations')
  })
})

describe('tasks', () => {
  test('develop claims success without a change: its task is not done, and the loop is not completed', async () => {
    const { host, result } = await whole({ runs: green, ...nothing })
    expect(host.turnNames()).toEqual(['init', 'develop', 'develop'])
    expect(result).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      commits: [],
      reason: expect.stringMatching(
        /^T1 is not done after 2 tries.*nothing was committed/,
      ) as unknown,
    })
  })

  test('a validation closes a task that needs no change; a person should look at it', async () => {
    const { host, result } = await whole({
      runs: green,
      ...nothing,
      turn: (t) =>
        t.action === 'develop'
          ? { says: { tasksCompleted: [], noChange: [{ id: 'T1', why: 'the import is there' }] } }
          : {},
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      commits: [],
      reason: 'T1 needed no change: the import is there; nothing was committed',
    })
  })

  test('commits of an earlier task do not count for a further one: no_change completes it with exit code 1', async () => {
    const first = await whole({ runs: green })
    expect(exitCodeOf(first.result)).toBe(0)
    const state = first.host.records.at(-1)?.state
    const says = (t: LoopTurn) =>
      t.action === 'develop'
        ? { tasksCompleted: [], noChange: [{ id: 'T2', why: 'the import is there' }] }
        : {}
    const { result } = await whole(
      {
        runs: green,
        ...nothing,
        turn: (t) => ({ says: says(t) }),
        prepared: { head: state?.head ?? '', restored: RestoredLoop.parse(state) },
      },
      { project: '/repo', loopId: 'loop-1', mode: 'auto', extend: 'Also add the import' },
    )
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      nothingCommitted: true,
      commits: first.result.commits,
    })
    expect(exitCodeOf(result)).toBe(1)
  })

  test('a validation that does not agree leaves it open', async () => {
    const { result } = await whole(
      {
        runs: green,
        ...nothing,
        turn: (t) =>
          t.action === 'develop'
            ? { says: { tasksCompleted: [], noChange: [{ id: 'T1', why: 'it is there' }] } }
            : t.action === 'validate'
              ? { says: { status: 'partial' } }
              : {},
      },
      { ...AUTO, maxIterations: 6 },
    )
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining(
        'T1 needs no change according to the developer, but no validation agrees',
      ) as unknown,
    })
  })

  test('develop lists its own task as remaining: it gets another turn', async () => {
    const { host, result } = await whole({
      runs: green,
      turn: (t) =>
        t.action === 'develop' && t.iteration === 2
          ? { says: { tasksCompleted: [], tasksRemaining: ['T1'] } }
          : {},
    })
    expect(host.turnNames()).toEqual(['init', 'develop', 'develop', 'validate', 'complete'])
    expect(result.outcome).toBe('completed')
  })

  test('T1 stays blocked, T2 and T3 are done, and the loop is not completed', async () => {
    const { host, result } = await whole({
      runs: green,
      changes: ({ subject }) => !subject.startsWith('develop T1'),
      turn: (t) => with3(t) ?? (t.task === 'T1' ? blocked : {}),
    })
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'debug',
      'develop',
      'develop',
      'develop',
      'validate',
    ])
    expect(developed(host)).toEqual(['T1', 'T2', 'T3', 'T1'])
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringMatching(
        /^T1 is blocked after 2 tries: no key; 1 item is open/,
      ) as unknown,
    })
    expect(host.records.at(-1)?.state.tasks.map(({ status }) => status)).toEqual([
      'blocked',
      'completed',
      'completed',
    ])
  })

  test('interactive: with two tasks blocked for ever the menu has each tried, then recommends exit', async () => {
    const host = loopHost({
      runs: green,
      changes: nothing.changes,
      turn: (t) =>
        t.action === 'init' ? { says: { tasks: loopTasks(2) } } : t.task ? blocked : {},
    })
    const result = await run(
      host,
      async (r) => {
        for (let n = 1; ; n++) {
          const { recommended = '' } = await r.asked(({ id }) => id === `menu-${n}`)
          await r.choose(recommended)
          if (recommended === 'exit') return r.result()
        }
      },
      INTERACTIVE,
    )
    expect(developed(host)).toEqual(['T1', 'T2', 'T1', 'T2'])
    expect(result.outcome).toBe('user_exit')
  })

  test('a commit of debug is not progress of develop', async () => {
    const { host, result } = await whole(
      {
        runs: green,
        changes: ({ action }) => action === 'debug',
        turn: (t) => (t.action === 'develop' ? { says: { status: 'partial', next: 'debug' } } : {}),
      },
      { ...AUTO, maxIterations: 30 },
    )
    expect(host.turnNames()).toEqual(['init', 'develop', 'debug', 'develop', 'debug', 'develop'])
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining(
        'develop went back to debug 3 times without progress',
      ) as unknown,
    })
  })

  test('one develop of several fails: the others are done, and it is tried once more', async () => {
    const { host, result } = await whole({
      runs: green,
      turn: (t) =>
        with3(t) ??
        (t.action === 'develop' && t.iteration === 2
          ? { says: { status: 'failed', summary: 'out of memory' } }
          : {}),
    })
    expect(developed(host)).toEqual(['T1', 'T2', 'T3', 'T1'])
    expect(host.turnNames().slice(-2)).toEqual(['validate', 'complete'])
    expect(result).toMatchObject({ outcome: 'completed', reviewNeeded: false })
  })

  test('a loop with only that task fails', async () => {
    const { host, result } = await whole({
      runs: green,
      turn: (t) =>
        t.action === 'develop' ? { says: { status: 'failed', summary: 'no compiler' } } : {},
    })
    expect(host.turnNames()).toEqual(['init', 'develop'])
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('Worker develop failed: no compiler') as unknown,
    })
  })

  test('init can ask for debug first', async () => {
    const { host } = await whole({
      runs: green,
      turn: (t) => (t.action === 'init' ? { says: { next: 'debug' } } : {}),
    })
    expect(host.turnNames()).toEqual(['init', 'debug', 'develop', 'validate', 'complete'])
  })
})

describe('parallel', () => {
  const failing: LoopScript['turn'] = (t) =>
    with3(t) ??
    (t.action === 'develop' ? { says: { status: 'failed', summary: 'no compiler' } } : {})
  const rounds = (host: ReturnType<typeof loopHost>) =>
    host.turns
      .filter((t) => t.action === 'develop')
      .map((t) => (t.ask.about === 'loop-work' ? t.ask.loop.tasks.map(({ id }) => id) : []))

  test('develop failed and all tasks are pending: further rounds, then max_iterations', async () => {
    const { host, result } = await whole(
      { runs: green, turn: failing },
      { ...PARALLEL, maxIterations: 3 },
    )
    expect(rounds(host)).toEqual([
      ['T1', 'T2', 'T3'],
      ['T1', 'T2', 'T3'],
      ['T1', 'T2', 'T3'],
    ])
    expect(host.turnNames()).not.toContain('complete')
    expect(result).toMatchObject({
      outcome: 'max_iterations',
      status: 'failed',
      iterations: 3,
      reason: expect.stringMatching(/^the 3 rounds are spent; .*T1 is not done: task 1/) as unknown,
    })
  })

  test('it can be continued in any mode, with more iterations', async () => {
    const first = await whole({ runs: green, turn: failing }, { ...PARALLEL, maxIterations: 1 })
    // A completed one is refused
    expect(first.result).toMatchObject({ outcome: 'max_iterations', status: 'failed' })
    const {
      startedAt,
      texts,
      mode,
      iteration,
      maxIterations,
      phase,
      actionIndex,
      initialised,
      workersCompleted,
      tasks,
      findings,
      workers,
      parallelResults,
      history,
      commits,
    } = first.host.records.at(-1)?.state ?? ({} as never)
    const restored: RestoredLoop = {
      startedAt,
      texts,
      mode,
      iteration,
      maxIterations,
      phase,
      actionIndex,
      initialised,
      workersCompleted,
      tasks,
      findings,
      workers,
      parallelResults,
      history,
      commits,
      usage: { turns: 9, inputTokens: 900, outputTokens: 90, estimated: false },
    }
    const again = { project: '/repo', loopId: 'loop-1', maxIterations: 6 }
    const auto = await whole({ runs: green, prepared: { restored } }, { ...again, mode: 'auto' })
    expect(auto.host.turnNames()).toEqual(['develop', 'develop', 'develop', 'validate', 'complete'])
    expect(auto.result).toMatchObject({ outcome: 'completed', iterations: 6 })
    expect(auto.result.usage.turns).toBe(9 + auto.host.turns.length)
    const parallel = await whole({ runs: green, prepared: { restored } }, again)
    expect(parallel.result).toMatchObject({ outcome: 'completed', iterations: 2 })
  })

  test('only a validation of the merge completes the loop; a refusal leads to another round', async () => {
    const { host, result } = await whole(
      {
        runs: green,
        turn: (t) =>
          t.action === 'validate' && t.workspace.cwd === '/state/tree' && t.iteration === 1
            ? { says: { status: 'failed', findings: ['the import loses a row'] } }
            : {},
      },
      PARALLEL,
    )
    expect(host.merges).toHaveLength(2)
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 2,
      reviewNeeded: false,
      reason: null,
    })
  })

  test('two rounds in a row without a commit and with the same open items end the loop', async () => {
    const host = loopHost({ runs: green, turn: failing })
    host.activities.mergeWorkers = (input) =>
      Promise.resolve({
        head: input.expectHead,
        commits: [],
        files: [],
        filesTotal: 0,
        conflicts: [],
        conflictsTotal: 0,
        warnings: [],
        workers: input.workers.map(({ action }) => ({
          action,
          commit: null,
          files: [],
          filesTotal: 0,
          undone: [],
        })),
      })
    const result = await run(host, (r) => r.result(), PARALLEL)
    expect(result).toMatchObject({
      outcome: 'failed',
      iterations: 2,
      reason: expect.stringMatching(
        /^two rounds in a row committed nothing; 5 items are open/,
      ) as unknown,
    })
  })

  test('a task is open again if the conflicts of all its files were decided for another worker', async () => {
    const host = loopHost({
      runs: green,
      conflicts: [conflict('src/develop.ts', ['develop', 'debug'])],
    })
    const result = await run(
      host,
      async (r) => {
        const { id } = await r.asked()
        await r.answer({ questionId: id, choice: 'debug' })
        const second = await r.asked((question) => question.id !== id)
        const lost = host.records.filter((r) => r.state.iteration === 1).at(-1)?.state.tasks
        expect(lost).toMatchObject([{ id: 'T1', status: 'pending', lost: 'src/develop.ts' }])
        await r.answer({ questionId: second.id, choice: 'develop' })
        return r.result()
      },
      PARALLEL,
    )
    expect(rounds(host)).toEqual([['T1'], ['T1']])
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2, reason: null })
  })

  test('a developer names none of its tasks: the validation of the merge counts for all, and a person should look', async () => {
    const { result } = await whole(
      {
        runs: green,
        turn: (t) => with3(t) ?? (t.action === 'develop' ? { says: { tasksCompleted: [] } } : {}),
      },
      PARALLEL,
    )
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: 'the developer named no task of the plan, so the validation closed all of them',
    })
  })
})

test('completing a loop without a commit by hand confirms it', async () => {
  const host = loopHost({ runs: green, ...nothing })
  const result = await run(
    host,
    async (r) => {
      await r.choose('complete')
      const { id, text } = await r.asked((question) => question.id.startsWith('complete-'))
      expect(text).toContain('nothing was committed')
      await r.answer({ questionId: id, choice: 'complete anyway' })
      return r.result()
    },
    INTERACTIVE,
  )
  expect(result).toMatchObject({
    outcome: 'completed',
    commits: [],
    reviewNeeded: true,
    confirmedByPerson: true,
  })
})

describe('always taking the recommended option ends the loop when the first develop did the work of the second', () => {
  test.each(
    // prettier-ignore
    [
    { says: 'no_change', noChange: [{ id: 'T2', why: 'T1 did it' }], last: 'complete', outcome: 'completed' },
    { says: 'done', noChange: [], last: 'exit', outcome: 'user_exit' },
  ],
  )('and the second says $says', async ({ noChange, last, outcome }) => {
    let develops = 0
    const says = (t: LoopTurn) =>
      t.action === 'init'
        ? { tasks: loopTasks(2) }
        : t.action === 'develop' && ++develops === 3 && noChange.length > 0
          ? { tasksCompleted: [], noChange }
          : {}
    const host = loopHost({
      runs: green,
      changes: () => develops === 1,
      turn: (t) => ({ says: says(t) }),
    })
    const [ids, taken]: [string[], string[]] = [[], []]
    const result = await run(
      host,
      async (r) => {
        while (taken.at(-1) !== last && taken.length < 8) {
          const { id, recommended = '' } = await r.asked(({ id: one }) => !ids.includes(one))
          ids.push(id)
          taken.push(recommended)
          await r.answer({ questionId: id, choice: recommended })
        }
        return taken.at(-1) === last ? r.result() : undefined
      },
      INTERACTIVE,
    )
    expect(taken).toEqual(['develop', 'develop', 'develop', 'validate', last])
    expect(result?.outcome).toBe(outcome)
  })
})
