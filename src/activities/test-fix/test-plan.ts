// Finds the plan of the tests in a record, and writes a basic one if there is none.
import path from 'node:path'
import { TEST_PLAN } from '../../contract/test-fix/task.js'
import type { AgentTurnInput } from '../../contract/turn-input.js'
import { basicTestPlan } from '../../core/test-fix/basic-test-plan.js'
import { projectFiles } from '../../adapters/git/project-files.js'
import { writeWhole } from '../../adapters/records/write-file.js'
import { textOf } from '../../adapters/files/read-text.js'

/**
 * The plan that tests are written from. Where there is none a basic one is written first, and kept.
 */
export async function testPlan(
  { workspace, testCommand }: AgentTurnInput,
  recordDir: string,
  task: unknown,
): Promise<string> {
  const file = path.join(recordDir, TEST_PLAN)
  const there = await textOf(file)
  if (there !== undefined) return there
  const basic = basicTestPlan({ task, testCommand, files: await projectFiles(workspace) })
  await writeWhole(file, basic)
  return basic
}
