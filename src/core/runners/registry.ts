// The test runners that are known, one line each.
export { go } from './go-runner.js'
export { jest } from './jest-runner.js'
export { mocha } from './mocha-runner.js'
export { nextest } from './nextest-runner.js'
export { node } from './node-runner.js'
export { pytest } from './pytest-runner.js'
export { vitest } from './vitest-runner.js'
