// Every activity, wired from its dependencies by the worker. Workflows import the types only.
import { createAgentActivities } from './agent.js'
import { createAnalysisActivities } from './analysis.js'
import { createConfirmActivities } from './confirm.js'
import { createCycleActivities } from './cycle.js'
import { createHookActivities } from './hooks.js'
import { createLoopActivities } from './loop.js'
import { createRecordActivities } from './record.js'
import { createTestChangeActivities } from './test-change.js'
import { createTestActivities } from './tests.js'
import { createWorkspaceActivities } from './workspace.js'
import type { HostDeps } from './deps.js'
import { onlyOwn } from './own-input.js'

export { createLightActivities } from './light.js'
export type { LightActivities } from './light.js'
export type { HostDeps } from './deps.js'

/** Those of a dev cycle alone. */
export type CycleActivities = ReturnType<typeof createCycleActivities>

/** Those of a dev loop alone. */
export type LoopActivities = ReturnType<typeof createLoopActivities>

export type HostActivities = ReturnType<typeof createHostActivities>

/** Activities of one project on its host. Each refuses what is not that project's. */
export const createHostActivities = (deps: HostDeps) => onlyOwn(deps, {
  ...createWorkspaceActivities(deps),
  ...createTestActivities(deps),
  ...createConfirmActivities(deps),
  ...createTestChangeActivities(deps),
  ...createAgentActivities(deps),
  ...createAnalysisActivities(deps),
  ...createRecordActivities(deps),
  ...createCycleActivities(deps),
  ...createLoopActivities(deps),
  ...createHookActivities(deps),
})
