// What holds for every run of a cycle, for any moves of its agents and its person.
import { expect } from 'vitest'
import type { TestRun } from '../../../src/contract/test-run.js'
import { exitCodeOf } from '../../../src/cli/output/ending.js'
import { judgedCycle } from './cycle-oracle.js'
import { EXTENSION, type PlayedCycle, type Ran } from './play.js'
import { heldAgainst } from './project.js'
import { boughtTwice, extendedIn } from './turns.js'

export function checkCycle({ facts, runs }: PlayedCycle): void {
  const { turns } = facts
  for (const [n, ran] of runs.entries())
    checkRun(facts, ran, n, n === 0 ? 0 : (runs[n - 1]?.result.iterations ?? 0))
  expect(boughtTwice(turns), 'no turn is bought twice').toEqual([])
  expect(turns.late, 'no turn begins after a stop').toEqual([])
  expect(
    heldAgainst(facts.project.base, facts.world, facts.state().openIssues),
    'what failed before, or could not be run now, is no open item',
  ).toEqual([])
}

function checkRun(facts: PlayedCycle['facts'], ran: Ran, n: number, before: number): void {
  const { world, turns } = facts
  const { result, from, to, extensions, head, raised } = ran
  const own = turns.all.filter(({ at }) => at > from && at <= to)
  const { open, review, unmoved } = judgedCycle({ ...facts, plan: () => ran.plan, head }, ran)
  const isSure = result.outcome === 'completed' && result.confirmedByPerson !== true
  if (isSure) expect(open, 'completed only with no open item').toEqual([])
  if (isSure && review.length > 0)
    expect(result.reviewNeeded, `a person has to look at it: ${review.join(', ')}`).toBe(true)
  // A run that is resumed without a further task is the same run: what it committed before counts.
  if (
    unmoved &&
    result.confirmedByPerson !== true &&
    (n === 0 || world.then === 'extend' || extendedIn(turns, ran) > 0)
  )
    expect(exitCodeOf(result), 'a lazy run is not done').not.toBe(0)
  expect(result.iterations, 'within its limit').toBeLessThanOrEqual(
    before + world.limit + extensions + (n > 0 && world.then === 'extend' ? 1 : 0),
  )
  if (world.turns > 0)
    expect(
      own.filter(({ outcome }) => outcome !== 'stopped' && outcome !== 'rate_limited').length,
      'within its budget, but for the turns under way',
    ).toBeLessThanOrEqual(world.turns + raised + 3)
  // A cycle that passes the first gate of a package continues without a commit.
  if (world.input.interactive !== true && extensions === 0 && world.prep === undefined)
    checkBrakes(facts, ran, before)
  const isStopped = turns.stopped || result.outcome === 'stopped'
  if (world.input.interactive !== true && world.turns === 0 && !isStopped) checkMeasured(facts, ran)
  if (n > 0 && world.then === 'extend' && own.some(({ who }) => who === 'cd'))
    expect(
      own.some(({ who, asked }) => who === 'cd' && asked.includes(EXTENSION)),
      'the developer sees the extension',
    ).toBe(true)
  const isFree =
    world.input.interactive !== true &&
    world.turns === 0 &&
    extensions === 0 &&
    !turns.stopped &&
    world.lazy === 'none' &&
    // A gate needs a run that was measured.
    (world.prep === undefined || world.suite) &&
    world.flaky.length === 0 &&
    !world.allFail.some((one) => one >= world.rightFrom) &&
    turns.edits.length === 0
  if (n === 0 && isFree && result.iterations >= world.rightFrom + 2)
    expect(result.outcome, 'three iterations in which everyone does right complete it').toBe(
      'completed',
    )
}

/** What a run left open, a further run looks at once the developer has had a turn. */
function checkMeasured({ world, turns, measured }: PlayedCycle['facts'], { from, to }: Ran): void {
  const last = measured.filter(({ at }) => at > from && at <= to).at(-1)
  if (last?.run === undefined || isGreen(last.run, world.requireGreen)) return
  expect(
    turns.all
      .filter(({ who, outcome, at }) => who === 'cd' && outcome === 'completed' && at > last.at)
      .filter(({ at }) => at <= to)
      .map(({ step }) => step),
    'what is open is measured again after the turn of the developer',
  ).toEqual([])
}

function isGreen(run: TestRun, requireGreen: boolean): boolean {
  if (run.kind !== 'measured') return false
  // What fails before any change failed before.
  const before = run.commit === 'base' ? run.failed : (run.comparison?.known?.total ?? 0)
  return run.failed <= (requireGreen ? 0 : before)
}

/** Idle twice with the same open items, or failed alike: the run ends there. */
function checkBrakes(
  { open, turns }: PlayedCycle['facts'],
  { from, to, result }: Ran,
  before: number,
): void {
  const own = open.filter(({ iteration }) => iteration > before && iteration <= result.iterations)
  for (const [n, { iteration, texts, commits }] of own.entries()) {
    const [first, second] = [own[n - 2], own[n - 1]]
    const isIdle =
      second !== undefined &&
      texts === second.texts &&
      commits === second.commits &&
      second.commits === (first?.commits ?? (n === 1 && before === 0 ? 0 : -1))
    if (isIdle && texts.split('\n').length < 10)
      expect(result.iterations, 'two idle iterations with the same open items end it').toBe(
        iteration,
      )
  }
  for (let iteration = before + 1; iteration < result.iterations; iteration++) {
    const group = turns.all.filter(
      (one) => one.iteration === iteration && one.at > from && one.at <= to,
    )
    const isAlike =
      new Set(group.map(({ who }) => who)).size > 1 &&
      group.every(({ outcome }) => outcome === 'failed')
    expect(isAlike, `all agents of iteration ${iteration} failed alike, and the run ends`).toBe(
      false,
    )
  }
}
