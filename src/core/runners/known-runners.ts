// The registry as a table, and what is derived from it.
import * as registry from './registry.js'
import type { TestRunner } from './test-runner.js'

export type Runner = keyof typeof registry

/** All runners by name; nothing depends on their order. */
export const TEST_RUNNERS: Readonly<Record<Runner, TestRunner>> = { ...registry }

export const RUNNER_NAMES = Object.keys(TEST_RUNNERS).sort() as readonly Runner[]

/** The runners with their names. */
export const ALL_RUNNERS: readonly (TestRunner & { name: Runner })[] = RUNNER_NAMES.map((name) => ({
  name,
  ...TEST_RUNNERS[name],
}))

/**
 * The facts of a runner by the name in a plan or a record; `undefined` for `other` and for what is
 * not known.
 */
export function runnerNamed(name: string): TestRunner | undefined {
  return Object.hasOwn(TEST_RUNNERS, name) ? TEST_RUNNERS[name as Runner] : undefined
}
