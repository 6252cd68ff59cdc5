// The bundle entry: every workflow type, by its public name.
export { testFixCycle } from './test-fix-cycle.js'
