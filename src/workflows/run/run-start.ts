// The start of every kind of run: its workspace, and for a cycle or a loop the first measurement.
import { workflowInfo } from '@temporalio/workflow'
import type { RunResult } from '../../contract/result.js'
import type { ServerFacts } from '../../contract/test-fix/test-fix-state.js'
import { noAgentReason } from '../../core/agents/agents-needed.js'
import { openingSummary } from '../../core/run/iteration-summary.js'
import { files, light } from './activity-options.js'
import { measure, type MeasuredRun } from './measure.js'
import type { Carried, OpenRun } from './open-run.js'

/** What every activity that prepares a workspace gets. */
type Preparation = { run: string; chain: string; project: string; at: number }

/** Reads facts about the server, and prepares a workspace. */
export async function prepareWorkspace<P>(
  run: OpenRun<Carried, string>,
  prepare: (host: ReturnType<typeof files>, about: Preparation) => Promise<P>,
): Promise<{ facts: ServerFacts; prepared: P }> {
  const facts = await light.serverFacts({ project: run.input.project })
  run.details.register(facts.searchAttributes)
  run.details.upsert({ RatchetProject: facts.project, RatchetKind: run.kind })
  const prepared = await run.control.step(() => {
    run.enter('preparing', 'host: preparing the workspace')
    return prepare(files(facts.queue, 'prepare the workspace'), {
      run: run.id,
      chain: workflowInfo().firstExecutionRunId,
      project: facts.project,
      at: Date.now(),
    })
  })
  return { facts, prepared }
}

type FirstRun = MeasuredRun & {
  readonly ready: {
    history: RunResult['history']
    prepared: { agents: Parameters<typeof noAgentReason>[0] }
  }
}

/**
 * Writes the first record, and runs the tests before any change.
 *
 * @returns the end of a run that has no agent
 */
export async function firstMeasurement<R extends FirstRun>(
  run: R,
  record: (run: R) => Promise<unknown>,
): Promise<{ outcome: 'failed'; reason: string } | undefined> {
  const reason = noAgentReason(run.ready.prepared.agents)
  if (reason !== undefined) return { outcome: 'failed', reason }
  await record(run)
  await measure(run, 'baseline')
  if (run.ready.history.length === 0) run.ready.history.push(openingSummary(run.ready))
  return undefined
}
