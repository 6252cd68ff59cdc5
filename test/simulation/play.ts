// Plays the real workflow of a fix against a world: its own code, without Temporal.
import { testFixCycle } from '../../src/workflows/test-fix/workflow.js'
import { hostOf, type Played } from './host.js'
import type { RunTestsInput } from '../../src/contract/step.js'
import { ContinuedAsNew, onHost, type Steering } from './workflow-sdk.js'
import type { World } from './world.js'

/** @param sees gets the input of each full run */
export async function play(
  world: World,
  sees: (input: RunTestsInput) => void = () => undefined,
): Promise<Played> {
  const {
    activities: { runTests, ...others },
    ended,
  } = hostOf(world)
  const activities = {
    ...others,
    runTests(input: never) {
      sees(input)
      return runTests?.(input)
    },
  }
  const before = (n: number, run: Steering): void => {
    if (n === world.stopsAt) run.signal('stop', { reason: 'enough' })
  }
  const result = await onHost({ id: 'WFS-test-simulated.000000', activities, before }, async () => {
    let carried: unknown[] = [{ project: '/repo', maxIterations: world.limit }]
    for (;;) {
      try {
        return await testFixCycle(...(carried as Parameters<typeof testFixCycle>))
      } catch (error) {
        if (!(error instanceof ContinuedAsNew)) throw error
        carried = error.carried
      }
    }
  })
  return { result, ...ended() }
}
