// npm run matrix: runs of every mode, struck at every point. `SEEDS=1-300` selects cases,
// `TOGETHER=3` sets how many of them share one run, `LANES=6` how many runs are concurrent.
// `SLICE=<hash>` selects the cases that CI takes for a commit. The default is all cases. `AGAIN=1`
// retries a failed run once, and names it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { realUser, type RealUser } from '../support/runs/real-run.js'
import { SETTABLE } from './clock.js'
import { mayMount, removeDisk, stateDisk } from '../support/disk.js'
import { play, undisturbed, type Case, type Outcome, type Still } from './lane.js'
import { slicedBy } from '../slice.js'
import { CASES, MODES, named, planOf, POINTS, runsOf, seedsOf, type Mode } from './plan.js'
import { tableOf } from './table.js'

/**
 * Runs per server, before the lane gets a new one: workers of finished projects stay for a while.
 */
const RUNS_OF_A_LANE = 8
const asked =
  process.env['SEEDS'] === undefined
    ? slicedBy(process.env, 'cases', CASES)
    : seedsOf(process.env['SEEDS'])
/** A full disk needs a mount, which not every user may make. */
const seeds = mayMount() ? asked : asked.filter((seed) => planOf(seed).victim !== 'disk')
const AGAIN = process.env['AGAIN'] === '1'
const runs = runsOf(
  seeds,
  Number(process.env['TOGETHER'] ?? (process.env['SEEDS'] === undefined ? '6' : '1')),
)

const still = new Map<Mode, Still>()
const outcomes = new Map<number, Outcome>()
const redOnce: string[] = []
const free: { user: RealUser; runs: number }[] = []

beforeAll(async () => {
  const user = await realUser()
  const modes = MODES.filter(
    (mode) => seeds.length >= MODES.length || seeds.some((seed) => planOf(seed).mode === mode),
  )
  await Promise.all(modes.map(async (mode) => still.set(mode, await undisturbed(user, mode))))
  free.push({ user, runs: modes.length })
}, 300_000)
afterAll(async () => {
  await Promise.all(free.map(({ user }) => user.close()))
  console.log(tableOf(outcomes))
  for (const red of redOnce) console.log(`failed once, and ran again: ${red}`)
  if (seeds.length < asked.length)
    console.log(`not run, as this user may not mount a disk: ${asked.length - seeds.length}`)
}, 120_000)

test('the table of points matches undisturbed runs', () => {
  const passed = Object.fromEntries([...still].map(([mode, { points }]) => [mode, points]))
  expect(passed).toEqual(Object.fromEntries([...still.keys()].map((mode) => [mode, POINTS[mode]])))
})

describe.concurrent('runs', () => {
  test.for(
    runs.map((cases) => ({
      cases,
      name: `${cases.map(({ seed }) => seed).join(',')} ${cases.map(({ plan }) => named(plan)).join('; ')}`,
    })),
  )('$name', async ({ cases }) => {
    const outcome = await runCases(cases)
    expect(outcome.problems, again(cases)).toEqual([])
    // A blow may keep the run from reaching the moment of another case, which then runs alone.
    for (const left of cases.filter(({ seed }) => !outcome.struck.includes(seed))) {
      const alone = await runCases([left])
      expect(alone.problems, again([left])).toEqual([])
      expect(alone.struck, again([left])).toEqual([left.seed])
    }
  })
})

const again = (cases: readonly Case[]): string =>
  `TOGETHER=${cases.length} SEEDS=${cases.map(({ seed }) => seed).join(',')} npm run matrix runs it again`

async function runCases(cases: readonly Case[]): Promise<Outcome> {
  const outcome = await onALane(cases)
  if (!AGAIN || outcome.problems.length === 0) return outcome
  redOnce.push(`${again(cases)}: ${outcome.problems.join('; ')}`)
  return onALane(cases)
}

async function onALane(cases: readonly Case[]): Promise<Outcome> {
  const [clock, disk] = [
    cases.some(({ plan }) => plan.victim === 'clock'),
    cases.some(({ plan }) => plan.blow === 'of the state full'),
  ]
  const own = clock || disk
  const state = disk ? stateDisk() : undefined
  const lane = (own ? undefined : free.pop()) ?? {
    user: await realUser({
      ...(clock ? SETTABLE : {}),
      ...(state === undefined ? {} : { XDG_STATE_HOME: state }),
    }),
    runs: 0,
  }
  const outcome = await play(lane.user, cases, still.get((cases[0] as Case).plan.mode) as Still)
  for (const { seed } of cases) outcomes.set(seed, outcome)
  lane.runs += 1
  if (own || outcome.problems.length > 0 || lane.runs >= RUNS_OF_A_LANE) await lane.user.close()
  else free.push(lane)
  if (state !== undefined) removeDisk(state)
  return outcome
}
