// Every activity, wired from its dependencies by the worker. Workflows import the types only.
import { createAgentActivities } from './agent-turn.js'
import { createAnalysisActivities } from './test-fix/analysis.js'
import { createConfirmActivities } from './test-fix/confirm.js'
import { createCycleActivities } from './dev-cycle/cycle.js'
import { createHookActivities } from './hooks.js'
import { createLoopActivities } from './dev-loop/loop.js'
import { createPrepActivities } from './prep/prep.js'
import { createRecordActivities } from './record.js'
import { createTestChangeActivities } from './test-fix/test-change.js'
import { createTestQualityActivities } from './test-fix/test-quality.js'
import { createTestActivities } from './tests.js'
import { createWorkspaceActivities } from './workspace.js'
import type { HostDeps, WorkerDeps } from './host/deps.js'
import { onlyOwn } from './host/validate-input.js'

export { createLightActivities } from './host/server-facts.js'
export type { LightActivities } from './host/server-facts.js'
export type { HostDeps } from './host/deps.js'

/** Those of a dev cycle alone. */
export type CycleActivities = ReturnType<typeof createCycleActivities>

/** Those of a dev loop alone. */
export type LoopActivities = ReturnType<typeof createLoopActivities>

/** Those of a preparation alone. */
export type PrepActivities = ReturnType<typeof createPrepActivities>

export type HostActivities = ReturnType<typeof createHostActivities>

const activitiesOfRun = (deps: HostDeps) => ({
  ...createWorkspaceActivities(deps),
  ...createTestActivities(deps),
  ...createConfirmActivities(deps),
  ...createTestChangeActivities(deps),
  ...createTestQualityActivities(deps),
  ...createAgentActivities(deps),
  ...createAnalysisActivities(deps),
  ...createRecordActivities(deps),
  ...createCycleActivities(deps),
  ...createLoopActivities(deps),
  ...createPrepActivities(deps),
  ...createHookActivities(deps),
})

/**
 * Activities of one project on its host, in the environment of their run. Each refuses what is not
 * that project's.
 */
export const createHostActivities = (deps: WorkerDeps) => onlyOwn(deps, activitiesOfRun)
