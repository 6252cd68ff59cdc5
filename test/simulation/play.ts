// Plays the real workflow of a fix against a world: its own code, without Temporal.
import type { Question } from '../../src/contract/question.js'
import type { RunResult, StatusReply } from '../../src/contract/result.js'
import type { RunTestsInput } from '../../src/contract/step.js'
import { testFixCycle } from '../../src/workflows/test-fix/workflow.js'
import { hostOf, type Played } from './host.js'
import { ContinuedAsNew, onHost, startAgain, type Steering } from './workflow-sdk.js'
import type { World } from './world.js'

/** Input of a run of a world. */
export function inputOf({ limit, person }: World): object {
  return {
    project: '/repo',
    maxIterations: limit,
    ...(person === 'accepts' || person === 'refuses' ? { attended: true } : {}),
  }
}

/**
 * Input of the run with which a person continues the session: with the changes that are left open,
 * or after a stop; `undefined` if no person does.
 */
export function nextInput(world: World, end: RunResult): object | undefined {
  const session = { ...inputOf(world), session: 'WFS-test-repo' }
  const { proposedTestChanges: changes = [], outcome, recordDir } = end
  if (world.person === 'accepts later' && changes.some(({ answer }) => answer === undefined))
    return { ...session, acceptTestChanges: true }
  return world.resumes === true && outcome === 'stopped' && recordDir !== null ? session : undefined
}

/** What a person says to a question of a run. */
export function answerOf({ person }: World, { kind }: Pick<Question, 'kind'>): string {
  if (kind !== 'test_change') return 'end'
  return person === 'accepts' ? 'accept' : 'refuse'
}

/** @param sees gets the input of each full run */
export async function play(
  world: World,
  sees: (input: RunTestsInput) => void = () => undefined,
): Promise<Played> {
  const {
    activities: { runTests, ...others },
    startsAgain,
    ended,
  } = hostOf(world)
  const activities = {
    ...others,
    runTests(input: never, cancelled: boolean) {
      sees(input)
      return runTests?.(input, cancelled)
    },
  }
  const { stopsAt, pausesAt, extendsAt } = world
  let [next, due, extended] = [1, extendsAt?.n, 0]
  const extend = (run: Steering, at: number | 'canaries'): boolean => {
    if (extendsAt === undefined || at !== due) return false
    due = undefined
    try {
      run.update('extend', { iterations: extendsAt.by })
    } catch {
      return false // the run prepares or ends
    }
    extended += extendsAt.by
    return true
  }
  const before = (n: number, run: Steering, activity: string): void => {
    next = n + 1
    extend(run, n)
    if (activity === 'confirmResults') extend(run, 'canaries')
    if (n === stopsAt) run.signal('stop', { reason: 'enough' })
    else if (n === pausesAt?.n) run.signal('pause', { mode: pausesAt.mode })
  }
  const idle = (run: Steering): boolean => {
    const [question] = run.query<Question[]>('questions')
    if (run.query<StatusReply>('status').status === 'paused') run.signal('resume')
    else if (question === undefined) return false
    else if (extend(run, next)) return true
    else run.update('answer', { questionId: question.id, choice: answerOf(world, question) })
    return true
  }
  const whole = async (input: object): Promise<RunResult> => {
    let carried: unknown[] = [input]
    for (;;) {
      try {
        return await testFixCycle(...(carried as Parameters<typeof testFixCycle>))
      } catch (error) {
        if (!(error instanceof ContinuedAsNew)) throw error
        carried = error.carried
      }
    }
  }
  const host = { id: 'WFS-test-simulated.000000', activities, before, idle }
  const result = await onHost(host, async () => {
    const end = await whole(inputOf(world))
    const next = nextInput(world, end)
    if (next === undefined) return end
    startAgain()
    startsAgain()
    extended = 0
    return whole(next)
  })
  return { result, extended, ...ended() }
}
