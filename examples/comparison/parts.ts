// What the comparison takes from the sources: the model stub of the tests, and how processes are
// found.
export { MARKERS } from '../../src/contract/names.js'
export { endMarked } from '../../src/adapters/process/end.js'
export { findMarked } from '../../src/adapters/process/find.js'
export { projectKey } from '../../src/adapters/state-dir.js'
export { claudeProgram, setUp } from '../../test/support/model-stub/set-up.js'
export { ModelStub } from '../../test/support/model-stub/stub.js'
