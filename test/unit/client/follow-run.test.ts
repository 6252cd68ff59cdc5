// What a script sees of a run: each change once, also changes between two polls.
import { expect, test } from 'vitest'
import { ServerUnavailableError } from '../../../src/client/errors.js'
import {
  changes,
  followRun,
  type Followed,
  type Progress,
  type RunLook,
} from '../../../src/client/follow-run.js'
import type { RunOutcome } from '../../../src/client/handle.js'
import type { Question } from '../../../src/contract/question.js'
import type { IterationSummary, RunResult, StatusReply } from '../../../src/contract/result.js'

const entry = (iteration: number): IterationSummary => ({
  iteration,
  passRate: iteration * 10,
  result: iteration === 0 ? 'baseline' : 'kept',
  commit: null,
  turns: 1,
})
const question = (id: string, askedAt = 1): Question => ({
  id,
  kind: 'menu',
  text: 'What next?',
  options: ['develop', 'exit'],
  askedAt,
})
const status = (rest: Partial<StatusReply> = {}): StatusReply => ({
  id: 'ID',
  kind: 'test-fix',
  project: '/p',
  status: 'running',
  phase: 'measuring',
  iteration: 0,
  maxIterations: 5,
  passRate: null,
  waitingFor: 'tests: running',
  branch: null,
  questions: 0,
  history: [],
  ...rest,
})
const look = (rest: Partial<StatusReply> = {}, more: Partial<RunLook> = {}): RunLook => ({
  status: status(rest),
  questions: [],
  pending: [],
  ...more,
})
const end = (iterations: number): RunOutcome => ({
  result: {
    id: 'ID',
    outcome: 'success',
    history: Array.from({ length: iterations + 1 }, (_, n) => entry(n)),
  } as unknown as RunResult,
})

/** The type of an event, with what tells it apart. */
const short = (event: Progress): string => {
  switch (event.type) {
    case 'phase':
      return `phase ${event.phase} ${event.status.status}`
    case 'iteration':
      return `iteration ${event.iteration.iteration}`
    case 'waiting':
      return `waiting ${event.waitingFor}`
    case 'question':
    case 'questionClosed':
      return `${event.type} ${event.question.id} ${event.question.askedAt}`
    case 'away':
      return `away ${event.message}`
    case 'ended':
      return 'result' in event.end
        ? `ended ${event.end.result.outcome}`
        : `ended ${event.end.ended.kind}`
  }
}

test.each<{ why: string; before?: RunLook; now: RunLook; events: string[] }>(
  // prettier-ignore
  [
  { why: 'the first look tells where the run is', now: look({ history: [entry(0)], questions: 1 }, { questions: [question('q')] }), events: ['iteration 0', 'phase measuring running', 'waiting tests: running', 'question q 1'] },
  { why: 'nothing new, no event', before: look(), now: look(), events: [] },
  { why: 'two iterations between two looks are two events', before: look({ history: [entry(0)] }), now: look({ history: [entry(0), entry(1), entry(2)] }), events: ['iteration 1', 'iteration 2'] },
  { why: 'a pause in the same phase is an event', before: look(), now: look({ status: 'paused', waitingFor: 'paused: lunch' }), events: ['phase measuring paused', 'waiting paused: lunch'] },
  { why: 'an answered question closes', before: look({}, { questions: [question('q')] }), now: look(), events: ['questionClosed q 1'] },
  { why: 'a question asked again is a new one', before: look({}, { questions: [question('q')] }), now: look({}, { questions: [question('q', 2)] }), events: ['questionClosed q 1', 'question q 2'] },
  { why: 'the host knows the reason of the wait', before: look({ waitingFor: 'agent: x' }), now: look({ waitingFor: 'agent: x' }, { pending: [{ name: 'agentTurn', attempt: 2, started: true, running: false, progress: undefined, lastFailure: 'KEY is not set', lastFailureType: 'MissingVariable' }] }), events: ['waiting missing variable: KEY is not set'] },
],
)('progress: $why', ({ before, now, events }) =>
  expect(changes('ID', before, now).map(short)).toEqual(events),
)

/** A run whose polls return these looks in order, and which ends after the last. */
function scripted(
  looks: (RunLook | Error)[],
  how: RunOutcome | Error = end(0),
): Followed & { aborted: () => boolean } {
  let finish: (settled: RunOutcome | Error) => void = () => undefined
  const result = new Promise<RunOutcome>((resolve, reject) => {
    finish = (settled) => {
      if (settled instanceof Error) reject(settled)
      else resolve(settled)
    }
  })
  let seen: AbortSignal | undefined
  return {
    id: 'ID',
    aborted: () => seen?.aborted === true,
    look: () => {
      const next = looks.shift()
      if (next instanceof Error) return Promise.reject(next)
      return next === undefined ? new Promise(() => undefined) : Promise.resolve(next)
    },
    result: ({ signal }) => {
      seen = signal
      signal.addEventListener('abort', () => finish(signal.reason as Error))
      return result
    },
    pause: async (_ms, signal) => {
      await Promise.resolve()
      signal.throwIfAborted()
      if (looks.length === 0) finish(how)
    },
  }
}

async function all(run: Followed): Promise<string[]> {
  const events: string[] = []
  for await (const event of followRun(run, {})) events.push(short(event))
  return events
}

const away = new ServerUnavailableError('no answer from the server: x', 'SERVER')

test.each<{ why: string; run: Followed; events: string[] }>(
  // prettier-ignore
  [
  { why: 'the end has the iterations that no poll has seen', run: scripted([look({ history: [entry(0)] })], end(2)), events: ['iteration 0', 'phase measuring running', 'waiting tests: running', 'iteration 1', 'iteration 2', 'ended success'] },
  { why: 'a run that could not be polled still has its history', run: scripted([away], end(1)), events: ['iteration 0', 'iteration 1', 'ended success'] },
  { why: 'a refused run ends without a result', run: scripted([away], { ended: { kind: 'failed', type: 'BadInput', message: 'no' } }), events: ['ended failed'] },
  { why: 'one failed poll is no event', run: scripted([look(), away, look()], end(-1)), events: ['phase measuring running', 'waiting tests: running', 'ended success'] },
  { why: 'an absent server is one event, and its return brings what has changed', run: scripted([look(), away, away, away, look({ phase: 'fixing' })], end(-1)), events: ['phase measuring running', 'waiting tests: running', 'away no answer from the server: x', 'phase fixing running', 'ended success'] },
],
)('progress: $why', async ({ run, events }) => expect(await all(run)).toEqual(events))

test('progress throws when waiting for the run fails', async () => {
  await expect(all(scripted([look()], away))).rejects.toBe(away)
})

test('progress throws an error that is no absence of the server', async () => {
  await expect(all(scripted([new TypeError('bug')]))).rejects.toThrow('bug')
})

test('leaving the loop ends all polls', async () => {
  const run = scripted([look(), look()])
  for await (const event of followRun(run, {})) {
    expect(event.type).toBe('phase')
    break
  }
  expect(run.aborted()).toBe(true)
})

test('a signal ends the iteration with its reason', async () => {
  const controller = new AbortController()
  const run = scripted([look(), look()])
  const reason = new Error('enough')
  await expect(
    (async () => {
      for await (const event of followRun(run, { signal: controller.signal }))
        if (event.type === 'waiting') controller.abort(reason)
    })(),
  ).rejects.toBe(reason)
  expect(run.aborted()).toBe(true)
})

test('polls nothing before the first event is requested', () => {
  const run = scripted([look()])
  followRun(run, {})
  expect(run.aborted()).toBe(false)
})
