// Suggests one commit of a loop's work when the loop ends.
import { existsSync } from 'node:fs'
import type { RecordLoopAnswer, RecordLoopInput } from '../../contract/dev-loop/loop-step.js'
import { suggestedCommit } from '../../core/dev-loop/commit-command.js'
import { openIn } from '../../core/dev-loop/loop-open.js'
import { currentRun } from '../../core/dev-loop/loop-view.js'
import { titleOf } from '../../core/dev-loop/prompts/brief.js'
import { WorkspaceMissingError } from '../../adapters/git/git.js'
import { changesOf } from '../../adapters/git/numstat.js'

/** Returns the commit and all of its files; `undefined` if the loop changed none. */
export async function suggestCommit({
  run,
  state,
}: RecordLoopInput): Promise<
  { commit: NonNullable<RecordLoopAnswer['suggestion']>; files: string[] } | undefined
> {
  const { workspace, name } = state.prepared
  if (state.commits.length === 0 || !existsSync(workspace.root)) return undefined
  const files = await changesOf(workspace, workspace.base, state.head).then(
    (changes) => changes.map(({ file }) => file),
    (error: unknown) => {
      // Publishing the branch reports a missing workspace.
      if (error instanceof WorkspaceMissingError) return []
      throw error
    },
  )
  if (files.length === 0) return undefined
  const { last, texts } = state
  const commit = suggestedCommit({
    id: run,
    record: name,
    suggestion: last?.action === 'complete' ? last.suggestion : undefined,
    title: titleOf(texts[0] ?? ''),
    files,
    filesTotal: files.length,
    ready: currentRun(state) !== undefined && openIn(state).items.length === 0,
  })
  return { commit, files }
}
