// What a commit changed, file by file, with lines: for the developer's changes.log.
import type { Workspace } from '../../contract/workspace.js'
import { splitZ } from './git.js'
import { openWorkspace } from './open-workspace.js'
import { inRepo } from './repo.js'

/** `added` and `removed` are lines, `null` for a binary file. */
export type FileStat = {
  file: string
  action: 'create' | 'modify' | 'delete'
  added: number | null
  removed: number | null
}

/**
 * Files that differ between two commits of a workspace, in git's order; paths relative to the
 * repository.
 */
export async function changesOf(
  workspace: Workspace,
  before: string,
  after: string,
): Promise<FileStat[]> {
  if (before === after) return []
  const repo = await openWorkspace(workspace)
  const range = ['--no-renames', '-z', before, after]
  const actions = new Map<string, FileStat['action']>()
  const status = splitZ(await inRepo(repo, ['diff-tree', '-r', '--name-status', ...range]))
  for (let i = 0; i + 1 < status.length; i += 2)
    actions.set(status[i + 1] as string, actionOf(status[i] as string))
  const stats = splitZ(await inRepo(repo, ['diff-tree', '-r', '--numstat', ...range]))
  return stats.map((line) => {
    const [added = '-', removed = '-', ...name] = line.split('\t')
    const file = name.join('\t')
    return {
      file,
      action: actions.get(file) ?? 'modify',
      added: lines(added),
      removed: lines(removed),
    }
  })
}

function actionOf(letter: string): FileStat['action'] {
  return letter.startsWith('A') ? 'create' : letter.startsWith('D') ? 'delete' : 'modify'
}

function lines(text: string): number | null {
  return text === '-' ? null : Number(text)
}
