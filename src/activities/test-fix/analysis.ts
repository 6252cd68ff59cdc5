// A fix without a usable analysis: when every agent of the chain has failed, Ratchet plans from
// earlier fixes and from what the failures name.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { DegradedInput } from '../../contract/test-fix/test-fix-step.js'
import type { TurnReading } from '../../contract/turn.js'
import { causeDigest, type Analysis } from '../../core/test-fix/answers/analysis-answer.js'
import type { FailureFact } from '../../core/test-fix/failure-facts.js'
import { lesson } from '../../core/records/archive-entry.js'
import { earlierLessons } from '../../core/records/earlier-lessons.js'
import {
  bestFix,
  fallbackApproach,
  placesIn,
  type KnownFix,
} from '../../core/test-fix/fix-history-match.js'
import { repositoryMark } from '../../core/prompts/from-repository.js'
import { isGuarded } from '../../core/guard/test-guard.js'
import { shownId } from '../../core/test-results/test-merge.js'
import { failpoint } from '../../adapters/failpoint.js'
import { frozenConfig } from '../../adapters/config/frozen-config.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { isOwnDir } from '../../adapters/records/safe-files.js'
import { knownFixes } from '../../adapters/records/test-fix/fix-histories.js'
import { broughtIn } from '../../adapters/trust/brought-texts.js'
import { withHeartbeat } from '../host/with-heartbeat.js'
import type { HostDeps } from '../host/deps.js'
import { writtenAnalysis } from './answers.js'

/** How sure a pattern match can be: less than any analysis that is used. */
const CONFIDENCE = { match: 0.3, places: 0.1 }
/** Failing tests that the fix is said to be about. */
const TESTS = 20

export const createAnalysisActivities = (deps: HostDeps) => ({
  /** Plans IMPL-fix-N without an agent, and writes the same files as an analysis does. */
  degradedAnalysis: withHeartbeat(
    deps.inFlight,
    async (input: DegradedInput): Promise<TurnReading & { kind: 'analysis' }> => {
      const config = frozenConfig(deps.dirs, input.configHash, deps.project)
      failpoint('degraded:begin')
      const { lastRun, workspace, recordDir } = input
      const failures = failuresOf(lastRun, config.test.criticality, input.claims)
      const texts =
        lastRun.kind === 'measured'
          ? failures.map(({ error }) => error)
          : [lastRun.reason, lastRun.tail]
      const reading = await writtenAnalysis({
        ask: input,
        at: input.at,
        workspace,
        recordDir,
        history: input.history,
        config,
        quality: 'degraded',
        agent: 'ratchet',
        turn: `${input.run}/degraded-${input.iteration}`,
        analysis: patternMatch(input, failures, texts),
        answer: `No agent gave a usable analysis: ${input.reason}\n`,
      })
      if (reading.kind !== 'analysis') throw new Error(`a degraded analysis became ${reading.kind}`)
      failpoint('degraded:done')
      return reading
    },
  ),
})

function patternMatch(
  { workspace, recordDir, lastRun }: DegradedInput,
  failures: readonly FailureFact[],
  texts: readonly string[],
): Analysis {
  const known = knownFixes(workspace.project, recordDir, broughtIn(workspace))
  const match = bestFix(failures, known)
  const { failed } = earlierLessons(failures, known, path.basename(recordDir))
  const tests = new Set(failures.map(({ file }) => file))
  const places = placesIn(
    texts,
    (named) => projectFile(workspace.cwd, named),
    (file) => isGuarded(file) || tests.has(file),
  )
  const rootCauses =
    match?.root_causes !== undefined && match.root_causes.length > 0
      ? match.root_causes
      : ['Not known: no agent gave a usable analysis']
  return {
    rootCauses,
    approach: [
      `${fallbackApproach(match, places)}${failedText(failed)}`,
      ...repositoryMark([match, ...failed].map((fix) => fix?.brought)),
    ]
      .join(' ')
      .trim(),
    points: match?.modification_points ?? places,
    expectedOutcome: lastRun.kind === 'measured' ? 'All tests pass' : 'The suite starts',
    verificationSteps: [],
    confidence: match === undefined ? CONFIDENCE.places : CONFIDENCE.match,
    affectedTests: failures.slice(0, TESTS).map(shownId),
    criticality: [],
    cause: causeDigest(rootCauses),
  }
}

function failedText(failed: readonly KnownFix[]): string {
  return failed.length === 0
    ? ''
    : ` What did not help in earlier sessions: ${failed.map((fix) => `${fix.session}: ${lesson(fix)}`).join(' | ')}`
}

// A file of the project, relative to it: nothing that was installed, nothing outside, also behind a
// link.
function projectFile(cwd: string, named: string): string | undefined {
  const relative = path.relative(cwd, path.resolve(cwd, named)).split(path.sep).join('/')
  if (
    relative.startsWith('..') ||
    /(^|\/)(node_modules|\.git|\.venv|venv|site-packages|vendor)\//.test(relative)
  )
    return undefined
  const file = path.join(cwd, relative)
  return isOwnDir(path.dirname(file), relative.split('/').length - 1) &&
    lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
    ? relative
    : undefined
}
