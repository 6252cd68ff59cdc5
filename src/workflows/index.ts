// The bundle entry: every workflow type, by its public name.
export { devCycle } from './dev-cycle/workflow.js'
export { devLoop } from './dev-loop/workflow.js'
export { prepare } from './prep/workflow.js'
export { testFixCycle } from './test-fix/workflow.js'
