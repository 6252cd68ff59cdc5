// The bundle entry: every workflow type, by its public name.
export { devCycle } from './dev-cycle.js'
export { devLoop } from './dev-loop.js'
export { testFixCycle } from './test-fix-cycle.js'
