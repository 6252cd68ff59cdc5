// What a run says and decides about the test changes that its agents propose.
import type { ProposedTestChange, TestChange } from '../../contract/test-fix/test-change.js'
import type { Question } from '../../contract/question.js'
import type { StoredRun, TestRun } from '../../contract/test-run.js'
import { firstSentence, shortList } from '../text/short-text.js'

/** Most proposals that a run carries; the oldest go first. */
export const PROPOSALS_KEPT = 20

/** Why a proposal cannot be applied whose patch is not the one that was checked. */
export const PATCH_GONE = 'its patch in the record is gone, or was changed since it was checked'

/**
 * Whether a person has answered this very change: it is not asked about again.
 *
 * @param sha256 of the patch
 */
export function isAnswered(
  known: readonly ProposedTestChange[],
  { file, sha256 }: { file: string; sha256: string },
): boolean {
  return known.some(
    (one) => one.file === file && one.answer !== undefined && one.patch.sha256 === sha256,
  )
}

/** The proposals with a new one, which takes the place of an open one for the same file. */
export function withProposal(
  known: readonly ProposedTestChange[],
  added: ProposedTestChange,
): ProposedTestChange[] {
  return [
    ...known.filter((one) => one.file !== added.file || one.answer !== undefined),
    added,
  ].slice(-PROPOSALS_KEPT)
}

type Proposing = { proposals?: ProposedTestChange[] | undefined }

/** Proposals that no person has answered. */
export function openChanges({ proposals = [] }: Proposing): ProposedTestChange[] {
  return proposals.filter(({ answer }) => answer === undefined)
}

/** The same proposals, the open ones answered. */
export function answered(
  proposals: readonly ProposedTestChange[],
  answer: NonNullable<TestChange['answer']>,
): ProposedTestChange[] {
  return proposals.map((one) => (one.answer === undefined ? { ...one, answer } : one))
}

/** Failing tests of a full run: those in files with an open proposal, and the others. */
export type Coverage = { covered: number; uncovered: number }

/** Counts the failing and missing tests of a full run in some files, and those in others. */
export function coverageOf(
  { tests, missing }: Pick<StoredRun, 'tests' | 'missing'>,
  files: readonly string[],
): Coverage {
  const failing = [...tests.filter(({ status }) => status === 'failed'), ...missing]
  const covered = failing.filter(({ file }) => files.includes(file)).length
  return { covered, uncovered: failing.length - covered }
}

/**
 * Whether nothing but the proposals is left: every failing test is in a file with one, and the run
 * would end, or its last iteration made no progress.
 */
export function nothingElseLeft(
  { covered, uncovered }: Coverage,
  { ends, progress }: { ends: boolean; progress: boolean },
): boolean {
  return covered > 0 && uncovered === 0 && (ends || !progress)
}

/** Why a run ends that waits for a person's word on its proposals. */
export function proposedReason(
  id: string,
  open: readonly TestChange[],
  { covered }: Coverage,
): string {
  const files = shortList([...new Set(open.map(({ file }) => file))])
  return `${covered} test${covered === 1 ? ' is' : 's are'} proposed to change (${files}); apply the proposals with: ratchet answer ${id} accept`
}

/**
 * Note on the proposals of an answer: those that were found valid, and those that were not, with
 * the reason.
 */
export function proposalNotes(
  valid: readonly string[],
  refused: readonly { file: string; reason: string }[],
): string[] {
  return [
    ...(valid.length === 0 ? [] : [`a change is proposed to ${shortList(valid)}`]),
    ...(refused.length === 0
      ? []
      : [
          `proposed test changes that cannot be used: ${shortList(
            refused.map(({ file, reason }) => `${file} (${reason})`),
            refused.length,
            3,
          )}`,
        ]),
  ]
}

/**
 * Why an accepted change is undone: the tests do not start with it, or it breaks tests of files
 * that it does not touch; else `undefined`.
 *
 * @param names the files that it touches, for which the run counts as the earlier one
 */
export function changeProblem(measured: TestRun, names: string): string | undefined {
  if (measured.kind !== 'measured')
    return `the tests do not start with the accepted change of ${names}, so it was undone: ${firstSentence(measured.reason)}`
  const { best, broken = 0, brokenTests = [] } = measured.comparison ?? {}
  // Without a best state nothing says what the other files did before.
  if (best === undefined || broken === 0) return undefined
  return `the accepted change of ${names} breaks ${broken} test${broken === 1 ? '' : 's'} of other files, so it was undone: ${shortList(brokenTests, broken)}`
}

/** The question about every open proposal. */
export function testChangeQuestion(open: readonly ProposedTestChange[], askedAt: number): Question {
  const one = open.length === 1
  return {
    id: `test-change-${Math.max(...open.map(({ number }) => number))}`,
    kind: 'test_change',
    text: `${open[0]?.agent ?? 'An agent'} proposes to change ${one ? 'a test' : `${open.length} tests`}: ${open.map(({ file, why, number }) => `${file} (${why}; ${patchFile(number)})`).join('; ')}. Apply ${one ? 'it' : 'them'}?`,
    options: ['accept', 'refuse'],
    descriptions: {
      accept:
        'Ratchet commits exactly these patches, measures the commit, and the run continues from it',
      refuse: 'the tests stay as they are',
    },
    recommended: 'refuse',
    askedAt,
  }
}

/** Place of a proposal in the record, without its ending. */
export function changeFile(number: number): string {
  return `.process/proposed-test-changes/${number}`
}

/** Its patch. */
export function patchFile(number: number): string {
  return `${changeFile(number)}.patch`
}
