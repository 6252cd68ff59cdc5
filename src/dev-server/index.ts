// Controls the local processes for the CLI. The entry of its own program in dist.
export {
  ensureProjectWorker,
  ensureRunning,
  STARTING,
  wantsPrivate,
  type EnsureOptions,
  type LocalServer,
} from './ensure-running.js'
export { giveEnvironment, inOwnEnvironment, type Giving } from './environments/give-environment.js'
export {
  LocalStartError as LocalStartFailed,
  NoTemporalBinaryError as NoTemporalBinary,
  WrongTemporalBinaryError as WrongTemporalBinary,
} from './failures.js'
export type { Measure, OnProgress } from './go-build.js'
export { localStatus, type LocalStatus, type LocalWorker } from './local-status.js'
export { uiLink } from './ui/ui-link.js'
export { stopLocal } from './stop-local.js'
export { registeredProject, registerProject } from '../adapters/config/registry.js'
