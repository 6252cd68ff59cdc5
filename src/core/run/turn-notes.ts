// Returns notes about a turn and the commit of its work, for the history of a run.
import type { TurnResult } from '../../contract/turn.js'
import { leftBranchesText } from '../agents/left-branches.js'
import { shortList } from '../text/short-text.js'
import type { CommitResult } from '../../contract/workspace.js'

/** Names the permissions that an agent requested and did not get. */
export function deniedNote({ denied = [] }: Pick<TurnResult, 'denied'>): string | undefined {
  return denied.length > 0
    ? `permission was denied for ${shortList(denied.map((title) => JSON.stringify(title)))} ("permissions" in the configuration: allow or ask)`
    : undefined
}

/** Returns the notes about a turn and about the commit of its work. */
export function turnNotes(
  turn: { result: TurnResult; note?: string },
  committed: CommitResult,
): (string | undefined)[] {
  return [
    turn.note,
    deniedNote(turn.result),
    (committed.changedTests ?? []).length > 0
      ? `${shortList(committed.changedTests ?? [])} changed, as test.mayChange allows`
      : undefined,
    committed.tampered.length > 0
      ? `changes to ${shortList(committed.tampered, committed.tamperedTotal)} were restored`
      : undefined,
    committed.leftBranches === undefined ? undefined : leftBranchesText(committed.leftBranches),
  ]
}
