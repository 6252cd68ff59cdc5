// A turn that fixed three causes in a small repository, and its commits.
import { openWorkspace } from '../../../src/adapters/git/open-workspace.js'
import { treeWithout } from '../../../src/adapters/git/parts.js'
import { commitStep, commitTreeStep } from '../../../src/adapters/git/steps.js'
import type { FixCause, FixPart } from '../../../src/contract/test-fix/task.js'
import type { CommitInput, CommitResult, Workspace } from '../../../src/contract/workspace.js'
import { splitByCause } from '../../../src/core/test-fix/causes/split-by-cause.js'
import { expectSamePlay, type Which } from './killed-steps.js'
import { AT, makeWorkspace, RUN, SAMPLE, writeFiles } from './repos.js'

export const FILES = {
  ...SAMPLE,
  'src/a.js': 'wrong\n',
  'src/b.js': 'wrong\n',
  'src/c.js': 'wrong\n',
  'src/old.js': 'old\n',
}
/** What a turn leaves: each cause in its file, a new file, and one that moved from one to another. */
export const TURN = {
  'src/a.js': 'right\n',
  'src/b.js': 'right\n',
  'src/c.js': null,
  'src/c.js/index.js': 'right\n',
  'src/old.js': null,
  'notes.txt': 'of no cause\n',
}
const CAUSES: FixCause[] = ['a', 'b', 'c'].map((name, n) => ({
  task: `IMPL-fix-2.${n + 1}`,
  cause: name,
  files: name === 'c' ? ['src/c.js', 'src/c.js/index.js', 'src/old.js'] : [`src/${name}.js`],
}))

const input = (workspace: Workspace): CommitInput => ({
  workspace,
  run: RUN,
  step: 'iteration-2/commit',
  expectHead: workspace.base,
  at: AT,
  subject: 'test fix, iteration 2',
  candidate: '2',
})
export const commitCauses = (workspace: Workspace) =>
  commitStep(input(workspace), () => false, { split: (files) => splitByCause(files, CAUSES) })

export async function turnOfCauses(): Promise<Workspace> {
  const { workspace } = await makeWorkspace(FILES)
  writeFiles(workspace.root, TURN)
  return workspace
}

/** The fix without some of its causes. */
export async function takeOut(
  workspace: Workspace,
  { head, parts }: { head: string; parts: FixPart[] },
  out: string[],
): Promise<CommitResult> {
  const step = {
    step: 'iteration-2/without-1',
    expectHead: head,
    subject: 'Without',
    candidate: '2-without-1',
  }
  const tree = await treeWithout(await openWorkspace(workspace), parts, out)
  return commitTreeStep({ ...input(workspace), ...step }, tree)
}

export async function expectSameParts(which: Which): Promise<void> {
  await expectSamePlay(await turnOfCauses(), commitCauses, which)
}

export async function expectSameRest(which: Which): Promise<void> {
  const workspace = await turnOfCauses()
  const { parts = [], head } = await commitCauses(workspace)
  await expectSamePlay(workspace, (one) => takeOut(one, { parts, head }, ['IMPL-fix-2.2']), which)
}
