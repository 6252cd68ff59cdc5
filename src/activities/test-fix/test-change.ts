// Test changes that agents propose: read and checked, counted against the failing tests, and
// applied on a person's word.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type {
  AppliedChanges,
  ApplyChangesInput,
  CountCoveredInput,
  Proposed,
  ProposeInput,
} from '../../contract/test-fix/test-fix-step.js'
import type { ProposedTestChange } from '../../contract/test-fix/test-change.js'
import type { Workspace } from '../../contract/workspace.js'
import { readProposals, type Proposal } from '../../core/test-fix/answers/test-change-answer.js'
import {
  changeFile,
  coverageOf,
  isAnswered,
  PATCH_GONE,
  patchFile,
  withProposal,
  type Coverage,
} from '../../core/test-fix/test-changes.js'
import { fileKind } from '../../core/guard/test-files.js'
import { isGuarded } from '../../core/guard/test-guard.js'
import { refTo } from '../../adapters/files/file-ref.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import {
  applyPatchesStep,
  patchProblem,
  type FilePatch,
} from '../../adapters/git/user-repository/apply-patch.js'
import { patchText } from '../../adapters/records/test-fix/test-changes.js'
import { writeJson, writeWhole } from '../../adapters/records/write-file.js'
import { digest } from '../../adapters/state-dir.js'
import { baselineFiles, readStoredRun } from '../../adapters/test-runners/stored-run.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { withoutSecrets } from '../host/redact-result.js'

export const createTestChangeActivities = (deps: HostDeps) => ({
  /**
   * Reads the proposals of an answer and keeps the valid ones in the record. The same answer gives
   * the same files.
   */
  proposeTestChanges: withHeartbeat(
    deps.inFlight,
    async (input: ProposeInput): Promise<Proposed> => {
      const { proposals: read, refused } = readProposals(readFileSync(input.answer.path, 'utf8'))
      const end: Proposed = { proposals: [...input.known], valid: [], refused: [...refused] }
      for (const proposal of read) {
        const problem =
          problemOfFile(deps, input, proposal.file) ??
          (await patchProblem(input.workspace, input.head, proposal))
        if (problem !== undefined) end.refused.push({ file: proposal.file, reason: problem })
        else if (
          !isAnswered(end.proposals, { file: proposal.file, sha256: digest(proposal.patch) })
        ) {
          const kept = await keep(
            input,
            proposal,
            1 + Math.max(0, ...end.proposals.map(({ number }) => number)),
          )
          end.proposals = withProposal(end.proposals, kept)
          end.valid.push(kept.file)
        }
      }
      return end
    },
  ),

  /** Counts the failing tests of a run in some files, and those in others. */
  countCovered: withHeartbeat(
    deps.inFlight,
    ({ results, files }: CountCoveredInput): Promise<Coverage> =>
      Promise.resolve(coverageOf(readStoredRun(results), files)),
  ),

  /**
   * Commits exactly the patches that the run has found valid. The guard is off for their files, and
   * for no other.
   */
  applyTestChanges: withHeartbeat(
    deps.inFlight,
    async ({ changes, ...input }: ApplyChangesInput): Promise<AppliedChanges> => {
      const patches: FilePatch[] = []
      for (const change of changes) {
        const { file } = change
        const patch = patchText(change)
        const problem =
          problemOfFile(deps, input, file) ?? (patch === undefined ? PATCH_GONE : undefined)
        if (patch === undefined || problem !== undefined)
          return { refused: { file, reason: problem ?? PATCH_GONE } }
        patches.push({ file, patch })
      }
      const applied = await applyPatchesStep(input, patches)
      return 'refused' in applied ? applied : withoutSecrets(deps, input, applied)
    },
  ),
})

/** Why a file may not be changed by a proposal: it is no test. */
function problemOfFile(
  deps: HostDeps,
  { workspace, configHash }: { workspace: Workspace; configHash: string },
  file: string,
): string | undefined {
  const { guard } = frozenConfig(deps.dirs, configHash, deps.project).test
  const reported = baselineFiles(workspace)
  if (!isGuarded(file, guard, reported)) return 'it is no test file'
  return fileKind(file, reported) === 'configuration' ? 'it configures how tests run' : undefined
}

async function keep(
  { recordDir, iteration, agent }: ProposeInput,
  { file, why, patch }: Proposal,
  number: number,
): Promise<ProposedTestChange> {
  const to = path.join(recordDir, patchFile(number))
  await writeWhole(to, patch)
  const change: ProposedTestChange = {
    number,
    file,
    why,
    iteration,
    agent,
    patch: refTo(to, patch),
  }
  await writeJson(path.join(recordDir, `${changeFile(number)}.json`), {
    schema: 1,
    number,
    file,
    why,
    iteration,
    agent,
    patch: patchFile(number),
    sha256: change.patch.sha256,
  })
  return change
}
