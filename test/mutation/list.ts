// All protections, in the order of the design: agents, truth, workspaces and git, preparations,
// trust, sandbox.
import { AGENTS } from './agents.js'
import { CAUSES } from './causes.js'
import type { Protection } from './protection.js'
import { PREP } from './prep.js'
import { SANDBOX } from './sandbox.js'
import { TRUST } from './trust.js'
import { TRUTH } from './truth.js'
import { WORKSPACES } from './workspaces.js'

export const PROTECTIONS: readonly Protection[] = [
  ...AGENTS,
  ...TRUTH,
  ...CAUSES,
  ...WORKSPACES,
  ...PREP,
  ...TRUST,
  ...SANDBOX,
]
