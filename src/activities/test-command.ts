// The command that tests a project, as it is shown.
import { RefusalError } from '../contract/failures.js'
import type { Config } from '../contract/config/config.js'
import { resolveTestPlan } from '../adapters/test-runners/command.js'

/** The test command; empty where there is none yet: then it is looked for again at each run. */
export function testCommandIn(cwd: string, config: Config): string {
  try {
    return resolveTestPlan({ cwd, config: config.test }).display
  } catch (error) {
    if (error instanceof RefusalError && error.type === 'NoTestCommand') return ''
    throw error
  }
}
