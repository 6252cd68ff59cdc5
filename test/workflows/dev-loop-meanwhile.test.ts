// A further task or a change of mode that arrives while a worker of the dev loop runs is not lost.
import { describe, expect, test } from 'vitest'
import { loopHost, loopTasks, type LoopHost, type LoopTurn } from '../support/loop/loop-host.js'
import {
  AUTO,
  INTERACTIVE,
  PARALLEL,
  loopRuns,
  type RunningLoop,
} from '../support/loop/loop-runs.js'
import { measured } from '../support/test-runs.js'

const { run } = loopRuns()

const FURTHER = 'Also cover the CSV import'

/** A host whose first worker of an action waits until `meanwhile` has run. */
function during(
  action: LoopTurn['action'],
  tasks = 1,
): { host: LoopHost; meanwhile: (r: RunningLoop, act: () => Promise<unknown>) => Promise<void> } {
  let begin = (): void => undefined
  let end = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const gate = new Promise<void>((resolve) => {
    end = resolve
  })
  const host = loopHost({
    runs: [measured(3, 3)],
    turn: async (t) => {
      if (t.action === action) {
        begin()
        await gate
      }
      return t.action === 'init' ? { says: { tasks: loopTasks(tasks) } } : {}
    },
  })
  return {
    host,
    meanwhile: async (_, act) => {
      await begun
      await act()
      end()
    },
  }
}

const extend = (r: RunningLoop) => r.handle.executeUpdate('extend', { args: [FURTHER] })

describe('a further task is worked on at any time', () => {
  test('sent during init: it is pending after the breakdown, which did not include it', async () => {
    const { host, meanwhile } = during('init', 2)
    const result = await run(
      host,
      async (r) => {
        await meanwhile(r, () => extend(r))
        return r.result()
      },
      AUTO,
    )
    expect(host.turns.filter((t) => t.action === 'develop').map((t) => t.task)).toEqual([
      'T1',
      'T2',
      'T3',
    ])
    expect(
      host.records.at(-1)?.state.tasks.map(({ id, description }) => `${id} ${description}`),
    ).toEqual(['T1 task 1', 'T2 task 2', `T3 ${FURTHER}`])
    expect(result.outcome).toBe('completed')
  })

  test('auto, sent during complete: it is developed before the loop ends', async () => {
    const { host, meanwhile } = during('complete')
    const result = await run(
      host,
      async (r) => {
        await meanwhile(r, () => extend(r))
        return r.result()
      },
      AUTO,
    )
    expect(host.turnNames()).toEqual([
      'init',
      'develop',
      'validate',
      'complete',
      'develop',
      'validate',
      'complete',
    ])
    expect(result).toMatchObject({ outcome: 'completed', reason: null })
  })

  test('interactive, sent during complete: the menu opens again', async () => {
    const { host, meanwhile } = during('complete')
    const result = await run(
      host,
      async (r) => {
        await r.choose('complete')
        await r.asked(({ id }) => id === 'complete-1')
        await r.answer({ choice: 'complete anyway' })
        await meanwhile(r, () => extend(r))
        expect((await r.asked(({ id }) => id === 'menu-2')).text).toMatch(/pending: 2/)
        await r.choose('exit')
        return r.result()
      },
      INTERACTIVE,
    )
    expect(result.outcome).toBe('user_exit')
  })

  test('"complete anyway" confirms that end, not a later one', async () => {
    const { host, meanwhile } = during('complete')
    const result = await run(
      host,
      async (r) => {
        await r.choose('complete')
        await r.asked(({ id }) => id === 'complete-1')
        await r.answer({ choice: 'complete anyway' })
        await meanwhile(r, () => extend(r))
        await r.asked(({ id }) => id === 'menu-2')
        await r.handle.signal('resume', { mode: 'auto' })
        return r.result()
      },
      INTERACTIVE,
    )
    expect(result).toMatchObject({ outcome: 'completed', reviewNeeded: false, reason: null })
    expect(result).not.toHaveProperty('confirmedByPerson')
  })

  test('parallel, sent during a round: no worker got it, so another round follows', async () => {
    const { host, meanwhile } = during('develop', 2)
    const result = await run(
      host,
      async (r) => {
        await meanwhile(r, () => extend(r))
        return r.result()
      },
      PARALLEL,
    )
    const rounds = host.turns
      .filter((t) => t.action === 'develop')
      .map((t) => (t.ask.about === 'loop-work' ? t.ask.loop.tasks.map(({ id }) => id) : []))
    expect(rounds).toEqual([['T1', 'T2'], ['T3']])
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2, reason: null })
  })
})

describe('the mode is changed on resume', () => {
  test('to auto after more workers than the limit, which interactive mode ignores: the limit counts from here', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        for (const n of [1, 2, 3]) {
          await r.asked(({ id }) => id === `menu-${n}`)
          await r.choose('debug')
        }
        await r.asked(({ id }) => id === 'menu-4')
        await r.handle.signal('resume', { mode: 'auto' })
        return r.result()
      },
      { ...INTERACTIVE, maxIterations: 3 },
    )
    expect(host.turnNames().slice(4)).toEqual(['develop', 'validate', 'complete'])
    expect(result).toMatchObject({ outcome: 'completed', iterations: 7 })
  })

  test('by a bare string, as it is typed by hand', async () => {
    const host = loopHost({ runs: [measured(3, 3)] })
    const result = await run(
      host,
      async (r) => {
        await r.asked()
        await r.handle.signal('resume', 'auto')
        return r.result()
      },
      INTERACTIVE,
    )
    expect(host.turnNames()).toEqual(['init', 'develop', 'validate', 'complete'])
    expect(result.outcome).toBe('completed')
  })

  test('during a round of parallel mode: the task of develop is done', async () => {
    const { host, meanwhile } = during('develop', 2)
    const result = await run(
      host,
      async (r) => {
        await meanwhile(r, () => r.handle.signal('resume', { mode: 'auto' }))
        return r.result()
      },
      PARALLEL,
    )
    expect(host.turnNames().filter((one) => one === 'develop')).toHaveLength(1)
    expect(result).toMatchObject({ outcome: 'completed', reason: null })
  })

  test('a person who lets workers run out of time does not make auto mode fail at once', async () => {
    const host = loopHost({
      runs: [measured(3, 3)],
      turn: (t) => (t.action === 'debug' ? { outcome: 'timed_out', reason: 'limit' } : {}),
    })
    const result = await run(
      host,
      async (r) => {
        for (const n of [1, 2]) {
          await r.asked(({ id }) => id === `menu-${n}`)
          await r.choose('debug')
        }
        await r.asked(({ id }) => id === 'menu-3')
        await r.handle.signal('resume', { mode: 'auto' })
        return r.result()
      },
      INTERACTIVE,
    )
    expect(result.outcome).toBe('completed')
  })
})
