// Prompts of an analysis or a fix in the session of the turn before it. They say what is new: the
// tree, the failures, the strategy. What the session was told already is not repeated.
import { ANALYSIS_HEADINGS } from '../../prompts/prompt-forms.js'
import {
  bullets,
  changeSection,
  fencedJson,
  joined,
  oneLine,
  section,
} from '../../prompts/prompt-parts.js'
import { repositoryMark } from '../../prompts/from-repository.js'
import { rolePart } from '../../prompts/role-part.js'
import { describeAttempt, type FailureFact } from '../failure-facts.js'
import { preAnalysisSection } from '../pre-analysis.js'
import { codeSection } from './prompt-code.js'
import { stuckSection, type DiagnoseFacts } from './prompt-diagnose.js'
import { failuresSection, shownFailures } from './prompt-run.js'
import { causeLines, strategyWords } from './prompt-strategy.js'
import type { FixTaskFacts } from './prompt-task.js'

/** Files that a line names, and failures that are named without their error. */
const FILES_NAMED = 20
const FAILURES_NAMED = 50
const SHA_SHOWN = 12

/** How the tree differs from what a session saw at the end of its last turn. */
export type TreeChange = {
  commit: string
  /** Its own changes that were committed, and those that were taken back. */
  committed: string[]
  takenBack: string[]
  /** Changed by others. */
  others: string[]
}

/**
 * Compares the tree of a turn with that of the session's last turn.
 *
 * @param changed files that the last turn changed
 * @param between files that differ between the commits that the two turns start from
 */
export function treeChange(
  commit: string,
  changed: readonly string[],
  between: readonly string[],
): TreeChange {
  const [own, now] = [new Set(changed), new Set(between)]
  return {
    commit,
    committed: changed.filter((file) => now.has(file)),
    takenBack: changed.filter((file) => !now.has(file)),
    others: between.filter((file) => !own.has(file)),
  }
}

/** The first line of a continued prompt. */
export function treeLine({ commit, committed, takenBack, others }: TreeChange): string {
  const changes = [
    ...(committed.length === 0 ? [] : [`your changes were committed in ${named(committed)}`]),
    ...(takenBack.length === 0 ? [] : [`your changes were taken back in ${named(takenBack)}`]),
    ...(others.length === 0 ? [] : [`others changed ${named(others)}`]),
  ]
  return `The working tree is at commit ${commit.slice(0, SHA_SHOWN)}. Since your last turn ${changes.length === 0 ? 'no file has changed' : changes.join('; ')}.`
}

function named(files: readonly string[]): string {
  const shown = files.slice(0, FILES_NAMED).map((file) => oneLine(file, 200))
  const more = files.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

type Continued = {
  tree: TreeChange
  /** The session has had a turn of this role. */
  knowsRole: boolean
}

/** Splits failures into those that a session was shown with the same error, and the others. */
export function newFailures<F extends { test: string; file: string; error: string }>(
  failures: readonly F[],
  earlier: readonly { test: string; file: string; error: string }[],
): { fresh: F[]; known: F[] } {
  const id = ({ test, file, error }: { test: string; file: string; error: string }): string =>
    JSON.stringify([test, file, error])
  const seen = new Set(earlier.map(id))
  return {
    fresh: failures.filter((one) => !seen.has(id(one))),
    known: failures.filter((one) => seen.has(id(one))),
  }
}

/** Asks for the next analysis. `known`: failures that the session was shown with their errors. */
export function continuedDiagnosePrompt(
  p: DiagnoseFacts & Continued & { known: readonly FailureFact[] },
): string {
  const last = p.attempts.at(-1)
  const { run, known } = p
  return joined([
    treeLine(p.tree),
    `**TASK EXECUTION: Analyze test failures and plan the fix, iteration ${p.iteration} of ${p.maxIterations}**`,
    p.knowsRole ? '' : rolePart(p.roleText, 'analysis'),
    section('## Context Package', [
      fencedJson({
        session_id: p.session,
        iteration: p.iteration,
        analysis_type: p.analysisType,
        pass_rate: run.kind === 'measured' ? run.passRate : null,
        test_output: run.outputPath ?? null,
      }),
    ]),
    last === undefined
      ? ''
      : section('## Last Fix', [...repositoryMark(p.attemptsFrom ?? []), describeAttempt(last)]),
    section('## Strategy', [
      `**${p.strategy}**: ${oneLine(p.because)}`,
      '',
      strategyWords(p.strategy, 'analyse', p.several),
    ]),
    stuckSection(p.stuckTests),
    run.kind === 'measured' && shownFailures(p).length === 0 ? '' : failuresSection(p),
    known.length === 0
      ? ''
      : section('## Failing as Before', [
          'These fail with the error that you were shown:',
          '',
          ...bullets(
            known.map(({ file, test }) => `${file} > ${test}`),
            FAILURES_NAMED,
          ),
        ]),
    ...(p.code === undefined ? [] : codeSection(p.code)),
    changeSection(p.change?.words),
    section('## Your Task', [
      p.knowsRole
        ? 'Analyse these failures and plan the next fix, by the rules of your last analysis: change no file, name places that exist, rate each failing test.'
        : 'Analyse these failures and plan the next fix. Change no file.',
      `Answer in the same form: the headings ${ANALYSIS_HEADINGS.filter((one) =>
        one.startsWith('## '),
      )
        .map((one) => `\`${one}\``)
        .join(
          ', ',
        )}, at least 100 words, and as the last thing ONE fenced JSON object with \`root_causes\`, \`fix_strategy\` (\`approach\`, \`modification_points\`, \`expected_outcome\`), \`confidence_score\`, \`affected_tests\` and \`criticality\`${p.several === true ? ', and a list `independent_causes` of further causes (`cause`, `modification_points`, `affected_tests`)' : ''}.`,
    ]),
  ])
}

/** Has the fix made that the session has planned in its last turn. */
export function continuedFixPrompt(p: FixTaskFacts & Continued): string {
  const { task, pending } = p
  const more = preAnalysisSection(p.preAnalysis.filter(({ step }) => !KNOWN_STEPS.has(step)))
  return joined([
    treeLine(p.tree),
    `**TASK EXECUTION: ${oneLine(task.title)}**`,
    p.knowsRole ? '' : rolePart(p.roleText, 'fix'),
    section('## Your Task', [
      ...repositoryMark([task.brought]),
      `Make the fix that you have planned: ${task.id}. Its task file is ${task.path}; it holds your plan. The failures are those that you have analysed.`,
      '',
      `- Strategy **${pending.strategy}**: ${strategyWords(pending.strategy, 'fix', pending.causes !== undefined)}`,
      ...causeLines(pending.causes),
      ...(p.knowsRole
        ? [
            '- The rules of your last fix hold: change the code under test, not tests or their configuration; no whole suite; no commits.',
          ]
        : [
            '- Change the code under test. Tests, test configuration, fixtures and snapshots are not yours: they are compared and restored after your turn.',
            '- Do not run the whole suite: Ratchet runs everything after your turn, and what it measures decides.',
            '- Do not commit, stash, or switch branches. Start nothing that keeps running.',
            '- If a test itself is wrong or out of date, leave it as it is, and propose its change as one fenced JSON object with `proposed_test_changes`, in the form of your analysis.',
          ]),
      '- End with a short summary: which files you changed, why, and what you left open.',
    ]),
    more === '' ? '' : section('## Flow Control Execution', [more]),
  ])
}

/** Steps of a planned fix that read what the analysis has said itself, or was shown. */
const KNOWN_STEPS = new Set(['load_failure_context', 'load_fix_strategy'])
