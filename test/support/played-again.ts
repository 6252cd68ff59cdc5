// Names the tests that were green only when they were played once more.
import type { Reporter, TestCase } from 'vitest/node'

export class PlayedAgain implements Reporter {
  private readonly names: string[] = []

  onTestCaseResult(test: TestCase): void {
    const { retryCount = 0 } = test.diagnostic() ?? {}
    if (retryCount > 0 && test.result().state === 'passed') this.names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    for (const name of this.names) process.stdout.write(`green only when played once more: ${name}\n`)
  }
}
