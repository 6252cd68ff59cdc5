// What all activities on a project's host share, in Temporal's mock activity environment.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import {
  ActivityCancellationDetails,
  ApplicationFailure,
  CancelledFailure,
} from '@temporalio/common'
import { MockActivityEnvironment } from '@temporalio/testing'
import { describe, expect, test, vi } from 'vitest'
import { beatAtOnce, withHeartbeat, type Beat } from '../../src/activities/host/with-heartbeat.js'
import { GitError } from '../../src/adapters/git/git.js'
import { RefusalError } from '../../src/contract/failures.js'
import { inFlightOf, takeAbandoned } from '../../src/adapters/activity-journal.js'
import { tempDirs } from '../support/repositories/repos.js'

const KEY = 'a1b2c3d4e5f6'

/** An activity that waits until it is aborted and returns why. */
const untilAborted = (_: unknown, beat: Beat) =>
  new Promise<string>((resolve) => {
    if (beat.signal.aborted) resolve(beat.reason())
    beat.signal.addEventListener('abort', () => resolve(beat.reason()))
  })

describe('an abort', () => {
  test.each([
    { by: 'the workflow', details: { cancelRequested: true }, reason: 'stop' },
    { by: 'the shutdown of the worker', details: { workerShutdown: true }, reason: 'shutdown' },
    { by: 'a timeout', details: { timedOut: true }, reason: 'abandoned' },
    { by: 'a terminated workflow', details: { notFound: true }, reason: 'abandoned' },
    { by: '`temporal activity pause`', details: { paused: true }, reason: 'abandoned' },
    { by: '`temporal activity reset`', details: { reset: true }, reason: 'abandoned' },
  ])('by $by is known as "$reason"', async ({ details, reason }) => {
    const env = new MockActivityEnvironment()
    const run = env.run(withHeartbeat(inFlightOf(tempDirs(), KEY), untilAborted), undefined)
    env.cancel('CANCELLED', new ActivityCancellationDetails(details))
    expect(await run).toBe(reason)
  })
})

test('a heartbeat comes every second from a timer, with the latest progress', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const env = new MockActivityEnvironment()
    const beats: unknown[] = []
    env.on('heartbeat', (details: unknown) => beats.push(details))
    let end!: () => void
    const run = env.run(
      withHeartbeat(inFlightOf(tempDirs(), KEY), async (_: unknown, beat) => {
        beat.progress({ state: 'running' })
        await new Promise<void>((resolve) => {
          end = resolve
        })
      }),
      undefined,
    )
    vi.advanceTimersByTime(3_000)
    end()
    await run
    vi.advanceTimersByTime(3_000)
    expect(beats).toEqual([{}, { state: 'running' }, { state: 'running' }, { state: 'running' }])
  } finally {
    vi.useRealTimers()
  }
})

test('an activity that only waits beats every ten seconds, and at once if its run asks for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const env = new MockActivityEnvironment()
    let beats = 0
    env.on('heartbeat', () => beats++)
    let end!: () => void
    const run = env.run(
      withHeartbeat(inFlightOf(tempDirs(), KEY), async (_: unknown, beat) => {
        beat.waits(true)
        await new Promise<void>((resolve) => {
          end = resolve
        })
        beat.waits(false)
      }),
      undefined,
    )
    expect(beats).toBe(2) // it begins, and it waits
    vi.advanceTimersByTime(9_000)
    expect(beats).toBe(2)
    vi.advanceTimersByTime(1_000)
    expect(beats).toBe(3)
    const { workflowId } = env.context.info.workflowExecution ?? { workflowId: '' }
    beatAtOnce('another run')
    expect(beats).toBe(3)
    beatAtOnce(workflowId)
    expect(beats).toBe(4)
    end()
    await run
    expect(beats).toBe(5) // it waits no longer
    beatAtOnce(workflowId)
    expect(beats).toBe(5)
  } finally {
    vi.useRealTimers()
  }
})

test('a refusal is never retried, and gives the problem, its place and a remedy', async () => {
  const refuse = withHeartbeat(inFlightOf(tempDirs(), KEY), () =>
    Promise.reject(
      new RefusalError('NoTestCommand', 'there is no test command', '/repo', 'set test.command'),
    ),
  )
  const error = await new MockActivityEnvironment().run(refuse, undefined).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ApplicationFailure)
  expect(error).toMatchObject({
    type: 'NoTestCommand',
    nonRetryable: true,
    message: 'there is no test command (/repo). Next: set test.command',
    details: [{ message: 'there is no test command', where: '/repo', next: 'set test.command' }],
  })
})

test('an interruption is a cancellation, any other error stays what it is', async () => {
  const env = new MockActivityEnvironment()
  const aborted = withHeartbeat(
    inFlightOf(tempDirs(), KEY),
    (_: unknown, beat) =>
      new Promise((_resolve, reject) =>
        beat.signal.addEventListener('abort', () =>
          reject(new DOMException('aborted', 'AbortError')),
        ),
      ),
  )
  const run = env.run(aborted, undefined)
  env.cancel('CANCELLED', new ActivityCancellationDetails({ cancelRequested: true }))
  await expect(run).rejects.toBeInstanceOf(CancelledFailure)
  const broken = withHeartbeat(inFlightOf(tempDirs(), KEY), () =>
    Promise.reject(new TypeError('a bug')),
  )
  await expect(new MockActivityEnvironment().run(broken, undefined)).rejects.toThrow(TypeError)
})

test("a note on disk lives as long as the activity, and a living worker's notes are not abandoned", async () => {
  const dirs = tempDirs()
  const notes = () => readdirSync(path.join(dirs.state, 'in-flight', KEY))
  let seen = 0
  await new MockActivityEnvironment().run(
    withHeartbeat(inFlightOf(dirs, KEY), () => {
      seen = notes().length
      return Promise.resolve(takeAbandoned(dirs, KEY))
    }),
    undefined,
  )
  expect(seen).toBe(1)
  expect(notes()).toEqual([])
  expect(existsSync(dirs.state)).toBe(true)
})

const failing = (errors: (() => unknown)[]) => {
  let call = 0
  return withHeartbeat(inFlightOf(tempDirs(), KEY), () => {
    const error = errors[call++ % errors.length]?.()
    if (error === undefined) return Promise.resolve()
    throw error as Error
  })
}
const errorsOf = async (
  activity: (input: unknown) => Promise<unknown>,
  times: number,
): Promise<unknown[]> => {
  const errors: unknown[] = []
  for (let n = 0; n < times; n++)
    errors.push(
      await new MockActivityEnvironment().run(activity, undefined).catch((e: unknown) => e),
    )
  return errors
}

describe('a programming error', () => {
  const broken = (): Error => new TypeError('x is undefined')
  test('that repeats three times in the same way ends the activity, which says so', async () => {
    const errors = await errorsOf(failing([broken]), 3)
    expect(
      errors.map((error) => error instanceof ApplicationFailure && error.nonRetryable),
    ).toEqual([false, false, true])
    expect(errors[2]).toMatchObject({
      type: 'InternalError',
      message: expect.stringContaining(
        'Ratchet failed 3 times in the same way: TypeError: x is undefined',
      ) as string,
    })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'another one in between', errors: [broken, broken, () => new RangeError('far')] },
    { why: 'a success in between',   errors: [broken, broken, () => undefined] },
    { why: 'an error of the system', errors: [() => Object.assign(new Error('disk full'), { code: 'ENOSPC' })] },
  ],
  )('is retried with $why', async ({ errors }) => {
    expect(
      (await errorsOf(failing(errors), 6)).filter((error) => error instanceof ApplicationFailure),
    ).toEqual([])
  })
})

describe('a fault of git', () => {
  const fault = (stderr: string) => () => new GitError(['write-tree'], '/repo', 128, stderr)
  const locked = fault("fatal: Unable to create '/repo/.git/index.lock': File exists.")

  test('that repeats ten times ends the activity, which says what git says', async () => {
    const errors = await errorsOf(failing([locked]), 10)
    expect(
      errors.map((error) => error instanceof ApplicationFailure && error.nonRetryable),
    ).toEqual([...Array<boolean>(9).fill(false), true])
    expect(errors[9]).toMatchObject({
      type: 'GitFailed',
      message: expect.stringMatching(
        /^git failed 10 times in a row: .*index\.lock': File exists.*Next: repair the repository/,
      ) as string,
    })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'on a full disk', errors: [fault('error: unable to write file: No space left on device')] },
    { why: 'with a success in between', errors: [...Array<() => unknown>(9).fill(locked), () => undefined] },
  ],
  )('is retried $why', async ({ errors }) => {
    expect(
      (await errorsOf(failing(errors), 25)).filter((error) => error instanceof ApplicationFailure),
    ).toEqual([])
  })
})
