// Random agents and people in a preparation.
import { expect, test } from 'vitest'
import { qualityOf, settledScores } from '../../src/core/prep/prep-quality.js'
import { playPrep, prepWorlds, readingOf, unpaused, type PlayedPrep } from './dev/prep-world.js'
import { DEV_SEQUENCES, overAll } from './dev/properties.js'

/** Two drafts: each may fail once, and get one retry prompt. */
const TURNS_MOST = 6
const LEAST_QUALITY = 6

test(`${DEV_SEQUENCES} sequences of a preparation: a package only of a draft that could be read, ready only if it is known, no turn too many, and pauses change nothing`, async () => {
  await overAll(prepWorlds, DEV_SEQUENCES, async (world) => {
    const played = await playPrep(world)
    check(played)
    if (played.stopped || world.events.length === 0) return
    const undisturbed = await playPrep(unpaused(world))
    expect(verdictOf(played), 'pauses change no verdict').toEqual(verdictOf(undisturbed))
  })
})

function check({ world, result, host, stopped, late, answered }: PlayedPrep): void {
  const { turns, records } = host
  const written = records.at(-1)
  expect(['ready', 'needs_refinement', 'failed', 'stopped']).toContain(result.outcome)
  if (result.outcome === 'stopped') expect(stopped, 'stopped by a person only').toBe(true)
  expect(late, 'no turn begins after a stop').toBe(0)
  expect(new Set(turns.map(({ key }) => key)).size, 'no turn is bought twice').toBe(turns.length)
  expect(turns.length, 'no turn too many').toBeLessThanOrEqual(TURNS_MOST)
  expect([result.branch, result.commits], 'it delivers no commit').toEqual([null, []])

  const isMade = result.outcome === 'ready' || result.outcome === 'needs_refinement'
  expect(result.package !== undefined, 'a package, or none').toBe(isMade)
  if (!isMade) {
    expect(written?.draft, 'nothing to write').toBeUndefined()
    return
  }
  const answers = written?.answers ?? []
  expect(answers, 'each question is settled').toHaveLength(world.questions.length)
  for (const [n, { by, answer }] of answers.entries()) {
    const given = answered.get(`Q${n + 1}`)
    expect([by, answer], 'only a person answers as one').toEqual(
      given === undefined ? ['ratchet', 'one'] : ['user', given],
    )
  }
  if (world.auto) expect(answered.size, 'in auto mode no one is asked').toBe(0)
  const quality = qualityOf(settledScores(readingOf(world).scores, answers))
  if (result.outcome === 'ready')
    expect(quality, 'ready only if enough is known').toBeGreaterThanOrEqual(LEAST_QUALITY)
  else if (result.reason?.includes('not worked in') !== true)
    expect(quality, 'refused only for what is not known').toBeLessThan(LEAST_QUALITY)
}

function verdictOf({ result, host, answered }: PlayedPrep): Record<string, unknown> {
  return {
    outcome: result.outcome,
    reason: result.reason,
    package: result.package?.prep_status,
    answers: host.records.at(-1)?.answers,
    answered: [...answered],
  }
}
