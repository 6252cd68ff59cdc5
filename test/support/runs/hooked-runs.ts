// Runs with hooks, against stub hosts, that soon ask a question.
import { CancelledFailure } from '@temporalio/common'
import type { HostActivities } from '../../../src/activities/index.js'
import type { AskedEvent } from '../../../src/contract/hooks.js'
import type { Spending } from '../../../src/contract/budget.js'
import { cancelled } from '../stub-host.js'
import { waitFor } from '../wait.js'
import type { Running } from '../servers/workflow-env.js'

export const HOOKS: AskedEvent[] = ['question', 'budget']
export const ONE_TURN: Spending = { onRateLimit: 'wait', budget: { turns: 1 } }

/** Script of a run with hooks that asks after its first turn. */
export const HOOKED = { hooks: HOOKS, spending: ONE_TURN }

/** A hook that runs until it is withdrawn. */
export const hangs: HostActivities['notify'] = async () => {
  await cancelled()
  throw new CancelledFailure('withdrawn')
}

/** Warnings that a run carries. */
export async function warningsOf(run: Running): Promise<string[]> {
  return (await run.handle.query<{ state: { warnings: string[] } }>('state')).state.warnings
}

/** Waits until a hook caused a warning. */
export function warned(run: Running): Promise<unknown> {
  return waitFor(
    async () =>
      (await run.status()).questions === 1 &&
      (await warningsOf(run)).some((text) => text.includes('hook')),
    { what: 'the warning of a hook', timeoutMs: 20_000 },
  )
}
