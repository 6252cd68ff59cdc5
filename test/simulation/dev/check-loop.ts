// What holds for every run of a loop, in each of its modes.
import { expect } from 'vitest'
import { exitCodeOf } from '../../../src/cli/output/ending.js'
import { openIn } from '../../../src/core/dev-loop/loop-open.js'
import { foundIn, judgedLoop, lookedAt, validations } from './loop-oracle.js'
import type { PlayedLoop, Ran } from './play.js'
import { heldAgainst } from './project.js'
import { boughtTwice, extendedIn } from './turns.js'

export function checkLoop({ facts, runs }: PlayedLoop): void {
  for (const [n, ran] of runs.entries())
    checkRun(facts, ran, n, n === 0 ? 0 : (runs[n - 1]?.result.iterations ?? 0))
  expect(boughtTwice(facts.turns), 'no turn is bought twice').toEqual([])
  expect(facts.turns.late, 'no turn begins after a stop').toEqual([])
  expect(
    heldAgainst(
      facts.project.base,
      facts.world,
      openIn(facts.state()).items.map(({ text }) => text),
    ),
    'what failed before, or could not be run now, is no open item',
  ).toEqual([])
}

function checkRun(facts: PlayedLoop['facts'], ran: Ran, n: number, before: number): void {
  const { world, turns } = facts
  const { result, from, to, extensions, head, plan, raised } = ran
  const own = turns.all.filter(({ at }) => at > from && at <= to)
  const { open, review, unmoved } = judgedLoop({ ...facts, head, plan }, ran)
  const isSure = result.outcome === 'completed' && result.confirmedByPerson !== true
  if (isSure) expect(open, 'completed only with no open item').toEqual([])
  if (isSure && review.length > 0)
    expect(result.reviewNeeded, `a person has to look at it: ${review.join(', ')}`).toBe(true)
  // Who leaves a loop has decided. A run that is resumed without a further task is the same run:
  // what it committed before counts.
  if (
    unmoved &&
    result.outcome !== 'user_exit' &&
    result.confirmedByPerson !== true &&
    (n === 0 || world.then === 'extend' || extendedIn(turns, ran) > 0)
  )
    expect(exitCodeOf(result), 'a lazy run is not done').not.toBe(0)
  const isAlone = ![
    world.mode,
    n === 0 ? undefined : world.thenMode,
    ...world.events.map(({ what }) => what),
  ].some((one) => one === 'interactive')
  // Parallel mode counts rounds: the limit counts from each change of the mode.
  const changes = world.events.filter(({ what }) => what === 'auto' || what === 'parallel').length
  if (isAlone)
    expect(result.iterations, 'within its limit').toBeLessThanOrEqual(
      before + world.limit * (1 + changes),
    )
  if (world.turns > 0)
    expect(
      own.filter(({ outcome }) => outcome !== 'stopped' && outcome !== 'rate_limited').length,
      'within its budget, but for the turns under way',
    ).toBeLessThanOrEqual(world.turns + raised + 2)
  if (
    !isAlone ||
    n > 0 ||
    world.turns > 0 ||
    extensions > 0 ||
    turns.stopped ||
    turns.edits.length > 0
  )
    return
  // What a run says of a flaky test, or in an outage, the trees do not show; whose work is taken
  // back, the oracle does not say where a further task comes.
  const isSteady = world.flaky.length + world.outages.length === 0 && world.then !== 'extend'
  if (world.mode === 'auto' && changes === 0 && isSteady) checkValidations(facts, ran)
  if (
    world.lazy !== 'none' ||
    world.flaky.length > 0 ||
    world.blocked.length > 0 ||
    world.allFail.some((one) => one >= world.rightFrom)
  )
    return
  const isParallel = world.mode === 'parallel' && !world.events.some(({ what }) => what === 'auto')
  const enough = isParallel ? 3 : world.tasks + 8
  if (result.iterations >= world.rightFrom + enough)
    expect(result.outcome, 'workers that do right complete it').not.toBe('max_iterations')
}

/**
 * Two validations of one commit with the same open items: nothing follows but the end. What the
 * validations of the commit found is part of it: another finding is another item. A task that is
 * left has its turn first.
 */
function checkValidations(facts: PlayedLoop['facts'], { plan, from, to }: Ran): void {
  const turns = facts.turns.all.filter(({ at }) => at > from && at <= to)
  const own = validations(turns)
  // One that gave no answer, or none that anybody knows, says nothing.
  const ends = own.filter(
    (one, n) =>
      own[n + 1]?.iteration !== one.iteration &&
      one.said !== undefined &&
      one.said.move.status !== 'splendid',
  )
  const marks = ends.map((one) => {
    const head = lookedAt(one, facts.work)
    const { open } = judgedLoop({ ...facts, head, plan }, { from, to: one.at })
    return {
      open,
      mark: JSON.stringify([
        head,
        open,
        foundIn(
          head,
          turns.filter(({ at }) => at <= one.at),
          facts.work,
        ),
      ]),
    }
  })
  for (const [n, { open, mark }] of marks.entries()) {
    if (
      mark !== marks[n - 1]?.mark ||
      open.length === 0 ||
      open.some((text) => text.startsWith('task '))
    )
      continue
    const later = turns.filter(
      ({ at, who }) => at > (ends[n] as { at: number }).at && who !== 'complete',
    )
    expect(
      later.map(({ step }) => step),
      `two validations found the same open: ${mark}`,
    ).toEqual([])
  }
}
