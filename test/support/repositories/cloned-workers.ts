// Clones for workers, and one whose making is killed.
import path from 'node:path'
import { expect } from 'vitest'
import {
  cloneForWorker,
  type CloneForWorker,
} from '../../../src/adapters/workspace/worker-clones.js'
import { Config } from '../../../src/contract/config/config.js'
import type { Workspace } from '../../../src/contract/workspace.js'
import { killedBefore, killPoints } from './killed-git.js'
import {
  filesOf,
  makeRepo,
  prepare,
  refs,
  RUN,
  runGit,
  tempDir,
  tempDirs,
  writeFiles,
} from './repos.js'

export function clone(
  workspace: Workspace,
  input: Partial<CloneForWorker> & { workspaceConfig?: Record<string, unknown> } = {},
): ReturnType<typeof cloneForWorker> {
  const { workspaceConfig = {}, ...rest } = input
  const into = path.join(path.dirname(workspace.root), 'workers', 'develop')
  return cloneForWorker({
    workspace,
    head: workspace.base,
    into,
    run: RUN,
    config: Config.parse({ workspace: workspaceConfig }),
    env: process.env,
    ...rest,
  })
}

export const NODE = {
  'package.json': '{ "name": "sample" }',
  'web/package.json': '{}',
  'web/src/x.js': 'x\n',
  '.gitignore': 'node_modules/\n.env\ndist/\n',
}

/** A clone that is killed at these places, and made again, is whole. */
export async function expectWholeClone(
  which: (points: readonly number[]) => readonly number[],
): Promise<void> {
  const project = makeRepo(NODE)
  writeFiles(project, { 'node_modules/m/index.js': 'm' })
  const { workspace } = await prepare(project, tempDirs())
  const dir = tempDir()
  const points = await killPoints([dir, workspace.root], () =>
    clone(workspace, { into: path.join(dir, 'develop') }),
  )
  expect(points.length).toBeGreaterThan(4)
  for (const n of which(points)) {
    const into = path.join(tempDir(), 'develop')
    expect(await killedBefore(n, () => clone(workspace, { into }))).toBe(n < Infinity)
    const { workspace: own } = await clone(workspace, { into })
    expect(filesOf(own.root), `killed before command ${n}`).toEqual({
      ...NODE,
      'node_modules/m/index.js': 'm',
    })
    expect(
      [refs(own.root), runGit(own.root, 'status', '--porcelain')],
      `killed before command ${n}`,
    ).toEqual([{ [`refs/heads/${workspace.branch}`]: workspace.base }, ''])
  }
}
