// Plays the real workflow of a fix against a world: its own code, without Temporal.
import type { Question } from '../../src/contract/question.js'
import type { RunResult, StatusReply } from '../../src/contract/result.js'
import type { RunTestsInput } from '../../src/contract/step.js'
import { testFixCycle } from '../../src/workflows/test-fix/workflow.js'
import { hostOf, type Played } from './host.js'
import { ContinuedAsNew, onHost, startAgain, type Steering } from './workflow-sdk.js'
import type { World } from './world.js'

/** Input of a run of a world, and of the one that begins with the accepted changes. */
export function inputsOf({ limit, person }: World): [first: object, accepting: object] {
  const input = {
    project: '/repo',
    maxIterations: limit,
    ...(person === 'accepts' || person === 'refuses' ? { attended: true } : {}),
  }
  return [input, { ...input, session: 'WFS-test-repo', acceptTestChanges: true }]
}

/** What a person says to a question of a run. */
export function answerOf({ person }: World, { kind }: Pick<Question, 'kind'>): string {
  if (kind !== 'test_change') return 'end'
  return person === 'accepts' ? 'accept' : 'refuse'
}

/** Whether a person accepts the changes that a run has left open. */
export function acceptsLater({ person }: World, { proposedTestChanges = [] }: RunResult): boolean {
  return person === 'accepts later' && proposedTestChanges.some((one) => one.answer === undefined)
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
    const [first, accepting] = inputsOf(world)
    const end = await whole(first)
    if (!acceptsLater(world, end)) return end
    startAgain()
    startsAgain()
    extended = 0
    return whole(accepting)
  })
  return { result, extended, ...ended() }
}
