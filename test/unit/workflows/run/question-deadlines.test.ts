// The clock of questions with a deadline.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { QuestionDeadlines } from '../../../../src/workflows/run/question-deadlines.js'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const wait = (ms: number) => vi.advanceTimersByTime(ms)

test('a question keeps its deadline when it is asked again, until it is answered', () => {
  const clock = new QuestionDeadlines(undefined)
  clock.begin('q', 100)
  wait(40)
  clock.begin('q', 100)
  expect(clock.left('q')).toBe(60)
  clock.end('q')
  expect(clock.left('q')).toBeUndefined()
  clock.begin('q', 100)
  expect(clock.left('q')).toBe(100)
})

test('it stands still while the run is paused, also for a question of that time', () => {
  const clock = new QuestionDeadlines(undefined)
  clock.begin('q', 100)
  wait(40)
  clock.pause()
  wait(1_000)
  clock.pause()
  clock.begin('later', 100)
  wait(1_000)
  expect(clock.shown('q')).toEqual({ remainingMs: 60 })
  expect(clock.shown('later')).toEqual({ remainingMs: 100 })
  clock.resume()
  clock.resume()
  expect(clock.shown('q')).toEqual({ deadline: 2_100 })
  expect(clock.left('later')).toBe(100)
})

test('the next iteration has the same deadlines, also in a pause', () => {
  const clock = new QuestionDeadlines(undefined)
  expect(clock.carried()).toBeUndefined()
  clock.begin('q', 100)
  wait(40)
  const next = new QuestionDeadlines(clock.carried())
  wait(10)
  expect(next.left('q')).toBe(50)
  next.pause()
  const third = new QuestionDeadlines(JSON.parse(JSON.stringify(next.carried())) as never)
  wait(1_000)
  expect(third.isPaused).toBe(true)
  expect(third.left('q')).toBe(50)
  third.resume()
  expect(third.left('q')).toBe(50)
})

test('of many questions without an answer the newest are carried', () => {
  const clock = new QuestionDeadlines(undefined)
  for (let n = 0; n < 30; n++) clock.begin(`q-${n}`, 100)
  const ids = Object.keys(clock.carried()?.at ?? {})
  expect(ids).toHaveLength(20)
  expect(ids.at(-1)).toBe('q-29')
})
