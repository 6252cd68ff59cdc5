// An answer of a run is kept for as long as its history does not grow.
import { expect, test } from 'vitest'
import { KeptAnswers, type Told } from '../../../src/dev-server/api/kept-answers.js'

const told = (phase: string): Told => ({ status: { phase }, questions: [] }) as unknown as Told

/** Asks through `kept`, and returns the phase and how often the run itself was asked. */
function asking(kept: KeptAnswers) {
  let asked = 0
  return async (runId: string, historyLength: string): Promise<[string, number]> => {
    const { status } = await kept.of(runId, historyLength, () =>
      Promise.resolve(told(`${runId} at ${historyLength}, asked ${++asked}`)),
    )
    return [status.phase, asked]
  }
}

test('a run is asked again only when its history has grown', async () => {
  const ask = asking(new KeptAnswers())
  expect(await ask('a', '7')).toEqual(['a at 7, asked 1', 1])
  expect(await ask('a', '7')).toEqual(['a at 7, asked 1', 1])
  expect(await ask('a', '9')).toEqual(['a at 9, asked 2', 2])
  // A reset makes a history shorter.
  expect(await ask('a', '7')).toEqual(['a at 7, asked 3', 3])
})

test('each run has its own answer', async () => {
  const ask = asking(new KeptAnswers())
  await ask('a', '7')
  expect(await ask('b', '7')).toEqual(['b at 7, asked 2', 2])
  expect(await ask('a', '7')).toEqual(['a at 7, asked 1', 2])
})

test('a run that does not answer is asked again', async () => {
  const kept = new KeptAnswers()
  await expect(kept.of('a', '7', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect((await kept.of('a', '7', () => Promise.resolve(told('there')))).status.phase).toBe('there')
})

test('of more than 1,000 runs those that were not asked for longest are forgotten', async () => {
  const ask = asking(new KeptAnswers())
  for (let n = 0; n < 1_000; n++) await ask(`run-${n}`, '7')
  await ask('run-0', '7')
  await ask('one more', '7')
  expect(await ask('run-0', '7')).toEqual(['run-0 at 7, asked 1', 1_001])
  expect(await ask('run-1', '7')).toEqual(['run-1 at 7, asked 1002', 1_002])
})
