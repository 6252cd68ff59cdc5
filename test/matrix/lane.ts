// Runs one case on the server of its lane, so that its blows do not disturb other cases.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import type { RealUser } from '../support/runs/real-run.js'
import { outsideOfRecord } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'
import type { Mode, Plan } from './plan.js'
import { mountAt, unmount } from '../support/disk.js'
import { Reach } from './reach.js'
import { ANSWERS, ASKED, elsewhere, endOf, projectOf, trace, traced } from './runs.js'
import { ASLEEP_MS, recordOf, strike } from './strike.js'

const CASE_MS = Number(process.env['CASEMS'] ?? 240_000)

/**
 * How a run differed from the undisturbed one, as text; empty if it did not. `struck`: the cases
 * whose moment came.
 */
export type Outcome = { problems: string[]; struck: number[]; ms: number }
/** A case and its number. */
export type Case = { seed: number; plan: Plan }
export type Still = {
  end: Record<string, unknown>
  points: Record<string, number>
  testRuns: number
}

/**
 * A blow spoils the test runs of the current step, of which a confirmation has three, and the one
 * that begins during the restart.
 */
const SPOILT_BY_A_BLOW = 4
/**
 * A full disk spoils each attempt until it has room: at once, and after 1, 2, 4 and 8 seconds.
 */
const SPOILT_BY_A_FULL_DISK = 5

/** The end of an undisturbed run, and the points that it passed. */
export async function undisturbed(user: RealUser, mode: Mode): Promise<Still> {
  const struck = projectOf(user, mode, `still-${mode}`)
  trace(user, struck.project)
  const run = await struck.start()
  const reach = new Reach(user, run.id, Date.now() + CASE_MS)
  const result = await reach.end(ANSWERS[mode], () => undefined).finally(() => reach.close())
  return {
    end: endOf(user, struck, result),
    points: traced(user, struck.project),
    testRuns: begun(testsLog(user, struck.project)),
  }
}

const named = new Map<string, number>()

/** A case whose moment did not come runs again, in a project of another name. */
function nameOf(cases: readonly Case[]): string {
  const name = `case-${cases.map(({ seed }) => seed).join('-')}`
  const times = (named.get(name) ?? 0) + 1
  named.set(name, times)
  return times === 1 ? name : `${name}-${times}`
}

/** Runs cases of one mode in one run and returns its differences from the undisturbed run. */
export async function play(user: RealUser, cases: readonly Case[], still: Still): Promise<Outcome> {
  const began = Date.now()
  const problems: string[] = []
  const mode = modeOf(cases)
  const struck = projectOf(
    user,
    mode,
    nameOf(cases),
    cases.flatMap(({ plan: { moment } }) => (moment.at === 'turn' ? [moment.nth] : []))[0],
  )
  const { project } = struck
  const atTheEnd: (() => Promise<void> | void)[] = []
  if (cases.some(({ plan }) => plan.blow === 'of the record full')) {
    mountAt(recordOf(project))
    atTheEnd.push(() => unmount(recordOf(project)))
  }
  const before = outsideOfRecord(project)
  const limit = CASE_MS + cases.filter(({ plan }) => plan.blow === 'asleep').length * ASLEEP_MS
  const armed = cases.map(({ seed, plan }) => ({ seed, plan, ...arm(user, project, plan, limit) }))
  const run = await struck.start()
  const reach = new Reach(user, run.id, began + limit)
  let open = cases.some(({ plan }) => plan.moment.at === 'question') ? ASKED[mode] : undefined
  const hit: number[] = []
  const oneByOne = new Turns()
  const end = reach.end(ANSWERS[mode], () => open)
  let over = false
  end
    .catch(() => undefined)
    .finally(() => {
      over = true
    })
  const blow = async ({ seed, plan, come, dies, goOn }: (typeof armed)[number]): Promise<void> => {
    if (!(await come(reach, () => over))) return
    await oneByOne.take(async () => {
      hit.push(seed)
      const aftermath = dies ? {} : await strike(user, plan, project, run.id, reach)
      if (aftermath.atTheEnd !== undefined) atTheEnd.push(aftermath.atTheEnd)
      if (plan.moment.at === 'question') open = undefined
      // On a full disk the server accepts no request, so the disk always gets room again after a
      // while.
      await Promise.all([goOn(reach), aftermath.onTheWay?.(() => over)])
    })
  }
  try {
    await Promise.all(armed.map(blow))
    const [was, is] = [still.end, endOf(user, struck, await end)]
    problems.push(
      ...(cases.some(({ plan }) => plan.victim === 'run')
        ? differences(once(was), once(is))
        : differences(was, is)),
    )
    problems.push(...elsewhere(user, project).map((turn) => `paid twice: ${turn}`))
    const testRuns = begun(testsLog(user, project))
    if (
      testRuns < still.testRuns ||
      (testRuns > still.testRuns + mostSpoilt(cases) &&
        !cases.some(({ plan }) => plan.victim === 'run'))
    )
      problems.push(`test runs: ${testRuns} instead of ${still.testRuns}`)
    problems.push(
      ...findMarked(MARKERS.run, run.id).map(({ pid }) => `still there: process ${pid}`),
    )
    if (!isDeepStrictEqual(before, outsideOfRecord(project)))
      problems.push('the repository of the user has changed')
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error))
  } finally {
    await reach.close()
    for (const act of atTheEnd) await act()
  }
  return { problems, struck: hit, ms: Date.now() - began }
}

function mostSpoilt(cases: readonly Case[]): number {
  return cases.reduce(
    (sum, { plan: { victim } }) =>
      sum + (victim === 'disk' ? SPOILT_BY_A_FULL_DISK : SPOILT_BY_A_BLOW),
    0,
  )
}

function modeOf(cases: readonly Case[]): Mode {
  const [first] = cases
  if (first === undefined || cases.some(({ plan }) => plan.mode !== first.plan.mode))
    throw new Error('a run has cases of one mode')
  return first.plan.mode
}

/** One blow at a time: the next waits until the victim of the last has restarted. */
class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<T>(act: () => Promise<T>): Promise<T> {
    const now = this.#last.then(act)
    this.#last = now.catch(() => undefined)
    return now
  }
}

type Armed = {
  /** Resolves when the moment has come, with false where the run was over before. */
  come: (reach: Reach, over: () => boolean) => Promise<boolean>
  /** The victim dies there by itself. */
  dies: boolean
  goOn: (reach: Reach) => Promise<unknown>
}

function arm(
  user: RealUser,
  project: string,
  { mode, victim, blow, moment }: Plan,
  timeoutMs: number,
): Armed {
  const place = user.pointsOf(project)
  mkdirSync(place, { recursive: true })
  const file = (name: string): string => path.join(place, name)
  const put = (name: string, text = ''): Promise<void> => {
    writeFileSync(file(name), text)
    return Promise.resolve()
  }
  const there = async (
    look: () => boolean,
    over: () => boolean,
    what: string,
  ): Promise<boolean> => {
    await waitFor(() => look() || over(), { what, timeoutMs })
    return look()
  }
  switch (moment.at) {
    case 'point': {
      const name = moment.point.replace(':', '-')
      const dies = victim === 'agent worker' && blow === 'SIGKILL'
      void put(name, `${moment.nth} ${dies ? 'die' : 'hold'}`)
      return {
        dies,
        come: (_, over) =>
          there(() => existsSync(file(`${name}.reached`)), over, `${moment.point} (${moment.nth})`),
        goOn: () => put(`${name}.go`),
      }
    }
    case 'turn':
      return {
        dies: false,
        come: (_, over) =>
          there(() => existsSync(file('turn.reached')), over, `turn ${moment.nth}`),
        goOn: () => put('turn.go'),
      }
    case 'tests': {
      void put(`hold-tests-${moment.nth}`)
      return {
        dies: false,
        come: (_, over) =>
          there(() => begun(testsLog(user, project)) >= moment.nth, over, `test run ${moment.nth}`),
        goOn: () => put('tests.go'),
      }
    }
    case 'paused':
      return {
        dies: false,
        come: async (reach, over) => {
          await reach.call((run) => run.pause(), 'the request to pause')
          await reach.until(
            async (run) => over() || (await run.status()).status === 'paused',
            'the pause',
          )
          return !over()
        },
        goOn: (reach) => reach.call((run) => run.resume(), 'the request to resume'),
      }
    case 'question':
      return {
        dies: false,
        come: async (reach, over) => {
          await reach.until(
            async (run) => over() || (await run.questions()).some(({ id }) => id === ASKED[mode]),
            'the question',
          )
          return !over()
        },
        goOn: () => Promise.resolve(),
      }
  }
}

const testsLog = (user: RealUser, project: string): string =>
  path.join(user.pointsOf(project), 'tests.log')

/** Started test runs, as counted by the tests themselves. */
function begun(log: string): number {
  return existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('begin')).length
    : 0
}

/** After a reset of the run, later turns are bought again. */
function once(end: Record<string, unknown>): Record<string, unknown> {
  return { ...end, bought: [...new Set(end['bought'] as string[])] }
}

function differences(still: Record<string, unknown>, end: Record<string, unknown>): string[] {
  return Object.keys({ ...still, ...end })
    .filter((key) => !isDeepStrictEqual(still[key], end[key]))
    .map((key) => `${key}: ${short(end[key])} instead of ${short(still[key])}`)
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 1_500 ? `${text.slice(0, 1_500)}…` : text
}
