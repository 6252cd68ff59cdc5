// Activities of a run, without its workflow: a host compares the run of an input with that of the
// activity, and with what its state directory says.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Info } from '@temporalio/activity'
import { MockActivityEnvironment } from '@temporalio/testing'
import { layout, projectKey, type Dirs } from '../../../src/adapters/state-dir.js'
import { writePrepared } from '../../../src/adapters/workspace/state.js'
import { fileName } from '../../../src/contract/ids.js'
import type { Workspace } from '../../../src/contract/workspace.js'

/** An activity of a workflow of this id. */
export function activityOf(run: string, info: Partial<Info> = {}): MockActivityEnvironment {
  return new MockActivityEnvironment({
    ...info,
    workflowExecution: { workflowId: run, runId: 'r' },
  })
}

/** Makes a run the owner of a record. */
export function ownRecord(
  { dirs, project }: { dirs: Dirs; project: string },
  run: string,
  name: string,
): void {
  const dir = path.join(dirs.state, 'owners', projectKey(project))
  mkdirSync(dir, { recursive: true })
  writeFileSync(path.join(dir, `${fileName(name)}.json`), JSON.stringify({ workflowId: run }))
}

/** Makes a run the owner of a workspace, as it is here, and of the record of its name. */
export async function ownWorkspace(
  { dirs, workspace }: { dirs: Dirs; workspace: Workspace },
  run: string,
): Promise<void> {
  const { project, root, keep, isolation } = workspace
  const dir = isolation === 'in-place' ? keep : path.dirname(root)
  if (dir === undefined) throw new Error(`a workspace in place without its directory: ${root}`)
  mkdirSync(dir, { recursive: true })
  await writePrepared(dir, { schema: 1, run, workspace, warnings: [], brought: [] })
  const [name = ''] = path
    .relative(layout.workspace(dirs, projectKey(project), '.'), dir)
    .split(path.sep)
  ownRecord({ dirs, project }, run, name)
}
