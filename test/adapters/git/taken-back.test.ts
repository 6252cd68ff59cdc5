import { expect, test } from 'vitest'
import { takenBack } from '../../../src/adapters/git/numstat.js'
import { commitStep } from '../../../src/adapters/git/steps.js'
import { AT, makeWorkspace, RUN, writeFiles, type Files } from '../../support/repositories/repos.js'

test('work is taken back where every file is as it was, at the base or when the last task came', async () => {
  const { workspace } = await makeWorkspace({ 'a.txt': 'base\n' })
  let head = workspace.base
  const committed = async (step: string, files: Files | Record<string, null>): Promise<string> => {
    writeFiles(workspace.root, files)
    ;({ head } = await commitStep(
      { workspace, run: RUN, step, expectHead: head, at: AT, subject: step },
      () => false,
    ))
    return head
  }
  const first = await committed('one', { 'a.txt': 'one\n' })
  expect(await takenBack({ workspace }, first)).toEqual({})
  const second = await committed('two', { 'b.txt': 'two\n' })
  const third = await committed('three', { 'b.txt': null })
  expect(await takenBack({ workspace, workFrom: first }, second)).toEqual({})
  expect(await takenBack({ workspace, workFrom: first }, third)).toEqual({ takenBack: true })
  expect(await takenBack({ workspace }, third)).toEqual({})
  const last = await committed('four', { 'a.txt': 'base\n' })
  expect(await takenBack({ workspace }, last)).toEqual({ takenBack: true })
})
