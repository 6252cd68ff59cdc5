// Reads the answer of a completed turn, and writes into the record what it gave. Outside of what a
// turn does only once: the same answer gives the same reading and the same files, however often it
// is read.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { agentDefinition, type Config } from '../../contract/config/config.js'
import type { FileRef } from '../../contract/files.js'
import type { IterationSummary } from '../../contract/result.js'
import type { AgentTurnInput, FixTaskAsk, TurnRead } from '../../contract/turn-input.js'
import { TEST_PLAN, type AnalysisQuality } from '../../contract/test-fix/task.js'
import type { Levels } from '../../contract/test-run.js'
import type { TurnReading, TurnResult } from '../../contract/turn.js'
import type { Workspace } from '../../contract/workspace.js'
import { readAnalysis, type Analysis } from '../../core/test-fix/answers/analysis-answer.js'
import { impliedTests } from '../../core/test-fix/affected-tests.js'
import {
  carriedCause,
  chooseCauses,
  ofCause,
  testsOf,
  withCauses,
  type Cause,
} from '../../core/test-fix/causes/choose-causes.js'
import { testId } from '../../core/test-results/test-merge.js'
import { claimsOf, readAssessment } from '../../core/test-fix/answers/assessment-answer.js'
import { affectedFiles, attemptsOf, type FailureFact } from '../../core/test-fix/failure-facts.js'
import { filesOf } from '../../core/test-fix/modification-point.js'
import { analysisSummary, fixTaskId } from '../../core/test-fix/fix-task.js'
import {
  criticalPatterns,
  readGate,
  readPlan,
  type GateAnswer,
} from '../../core/test-fix/answers/gate-answer.js'
import { gateReport, gateReportName } from '../../core/test-fix/gate-report.js'
import { gateThresholds } from '../../core/test-fix/gate-thresholds.js'
import { formOf, type FormRead } from '../../core/prompts/prompt-forms.js'
import { passRate } from '../../core/test-results/pass-rate.js'
import { layerCounts } from '../../core/test-gen/test-layers.js'
import { failpoint } from '../../adapters/failpoint.js'
import { writeAnalysisFiles } from '../../adapters/records/test-fix/analysis-files.js'
import { keepRefused } from '../../adapters/records/test-fix/refused-analyses.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { fixesIn } from '../../adapters/records/test-fix/fix-histories.js'
import { taskContent } from '../../adapters/records/test-fix/task-content.js'
import { testsThatRan } from '../../adapters/records/test-fix/test-quality-files.js'
import { writeWhole } from '../../adapters/records/write-file.js'
import { readClaims, recount, writeClaims } from '../../adapters/test-runners/claim-reports.js'
import { testRunsDir } from '../../adapters/test-runners/stored-run.js'
import { timestamp } from '../../adapters/timestamp.js'
import { readPhase } from '../dev-cycle/cycle-answers.js'
import { readWorkerTurn } from '../dev-loop/loop-answers.js'
import { readPrepDraft } from '../prep/prep-turn.js'
import { recordPath } from './prompt-facts.js'

/** Files of a plan that its run carries. */
const FILES_CARRIED = 20

type Read<K extends TurnRead['as']> = Extract<TurnRead, { as: K }>
type Source = { input: AgentTurnInput; recordDir: string; text: string; config: Config }

/** Reads the answer of a turn that was asked for one of a form. */
export async function readAnswer(
  input: AgentTurnInput,
  result: TurnResult,
  config: Config,
): Promise<TurnReading> {
  const { read, recordDir } = input
  if (read?.as === 'phase') return readPhase(input, read, result, config)
  if (read?.as === 'worker') return readWorkerTurn(input, read, result, config)
  if (read?.as === 'prep') return readPrepDraft(read, result)
  if (read === undefined || recordDir === undefined)
    throw new Error(`nothing to read in turn ${input.key}`)
  const source: Source = {
    input,
    recordDir,
    text: readFileSync(result.answer.path, 'utf8'),
    config,
  }
  switch (read.as) {
    case 'analysis':
      return analysisReading(source, read)
    case 'assessment':
      return assessmentReading(source, read)
    case 'gate':
      return gateReading(source, read)
    case 'plan':
      return planReading(source)
  }
}

async function analysisReading(
  { input, recordDir, text, config }: Source,
  read: Read<'analysis'>,
): Promise<TurnReading> {
  const answer = readAnalysis(text, read)
  if (!answer.ok) {
    const refused = await keepRefused(recordDir, read.iteration, {
      turn: input.key,
      agent: input.agent,
      reason: answer.problem,
      answer: text,
    })
    return { ...unusable('analysis', answer.problem), refused }
  }
  const definition = agentDefinition(config, input.agent)
  const { weak } = answer
  const analysis = withTests(
    answer.analysis,
    failuresOf(read.lastRun, config.test.criticality, read.claims),
  )
  return writtenAnalysis({
    ask: read,
    at: read.at,
    workspace: input.workspace,
    recordDir,
    history: input.history,
    config,
    analysis,
    weak,
    quality: 'normal',
    agent: input.agent,
    answer: text,
    turn: input.key,
    model: definition?.protocol === 'acp' ? definition.model : undefined,
  })
}

function withTests(analysis: Analysis, failures: readonly FailureFact[]): Analysis {
  return analysis.affectedTests.length > 0
    ? analysis
    : { ...analysis, affectedTests: impliedTests(analysis.points, failures) }
}

export type AnalysisToWrite = {
  ask: FixTaskAsk
  at: number
  workspace: Workspace
  recordDir: string
  history: readonly IterationSummary[]
  config: Config
  analysis: Analysis
  weak?: string | undefined
  quality: AnalysisQuality
  /** Who gave it, and its model where one is configured. */
  agent: string
  model?: string | undefined
  /** The raw answer. */
  answer: string
  turn: string
}

/** Writes the files of an analysis, and what it says of the criticality of failures. */
export async function writtenAnalysis(a: AnalysisToWrite): Promise<TurnReading> {
  const { ask, config, recordDir } = a
  const { lastRun } = ask
  failpoint('answer:read')
  const claimed = claimedLevels(a)
  const failures = failuresOf(lastRun, config.test.criticality, claimed.claims ?? ask.claims)
  const causes = causesOf(a, failures)
  const analysis = causes.length === 0 ? a.analysis : withCauses(a.analysis, causes)
  const facts = {
    ...ask,
    session: path.basename(recordDir),
    recordPath: recordPath(a),
    quality: a.quality,
    analysis,
    failures,
    failuresTotal: lastRun.kind === 'measured' ? lastRun.failuresTotal : 0,
    passRate: lastRun.kind === 'measured' ? passRate(lastRun.passed, lastRun.total) : null,
    ...(lastRun.kind === 'measured' ? {} : { notStarted: lastRun.reason }),
    attempts: attemptsOf(a.history, fixesIn(recordDir)),
    agent: a.agent,
    model: a.model,
    timestamp: timestamp(a.at, config.timezone),
    answer: a.answer,
  }
  const written = await writeAnalysisFiles(
    recordDir,
    facts,
    a,
    causes.map((cause, n) => {
      const named = testsOf(cause, failures)
      return {
        ...facts,
        part: n + 1,
        analysis: ofCause(a.analysis, cause, n),
        failures: failures.filter((one) => named.has(testId(one))),
      }
    }),
  )
  return {
    kind: 'analysis',
    ...written,
    ...(causes.length === 0
      ? {}
      : {
          causes: causes.map((cause, n) => carriedCause(fixTaskId(ask.iteration, n + 1), cause)),
        }),
    summary: analysisSummary(facts),
    points: analysis.points.length,
    confidence: analysis.confidence,
    cause: analysis.cause,
    affectedFiles: affectedFiles(analysis.affectedTests, failures),
    files: filesOf(analysis.points).slice(0, FILES_CARRIED),
    ...claimed,
    quality: a.quality,
    weak: a.weak,
  }
}

/** The causes that are fixed in one turn; none if it is a single one. */
function causesOf(
  { ask, analysis, quality, weak }: AnalysisToWrite,
  failures: readonly FailureFact[],
): Cause[] {
  if (ask.several !== true || quality !== 'normal' || weak !== undefined) return []
  const { points, affectedTests: tests, further = [] } = analysis
  const chosen = chooseCauses(
    { cause: analysis.rootCauses.join('; '), points, tests },
    further,
    failures,
  )
  return chosen.length > 1 ? chosen : []
}

function claimedLevels({ ask, analysis, workspace, agent, config }: AnalysisToWrite): {
  claims?: FileRef
  levels?: Levels
} {
  const { lastRun } = ask
  if (lastRun.kind !== 'measured' || analysis.criticality.length === 0) return {}
  const claims = [
    ...readClaims(ask.claims),
    ...claimsOf(analysis.criticality, { source: 'analysis', agent, iteration: ask.iteration }),
  ]
  return {
    claims: writeClaims(testRunsDir(workspace), claims),
    ...(lastRun.comparison === undefined ? {} : recount(lastRun, claims, config.test.criticality)),
  }
}

function assessmentReading(
  { input, text, config }: Source,
  { lastRun, claims: earlier }: Read<'assessment'>,
): TurnReading {
  const rules = config.test.criticality
  const answer = readAssessment(text, failuresOf(lastRun, rules, earlier))
  if (!answer.ok) return unusable('assessment', answer.problem)
  const claims = [
    ...readClaims(earlier),
    ...claimsOf(answer.levels, {
      source: 'assess',
      agent: input.agent,
      iteration: input.iteration,
      fingerprint: lastRun.fingerprint,
    }),
  ]
  return {
    kind: 'assessment',
    claims: writeClaims(testRunsDir(input.workspace), claims),
    levels: recount(lastRun, claims, rules).levels,
  }
}

async function gateReading(
  { recordDir, text }: Source,
  { task, attempt }: Read<'gate'>,
): Promise<TurnReading> {
  const answer = readGate(text)
  if (!answer.ok) return unusable('gate', answer.problem)
  const { value } = answer
  const { type, json } = taskContent(recordDir, task, undefined)
  const file = `.process/${gateReportName(type)}`
  const thresholds = gateThresholds(json)
  const report = gateReport(value, { task, attempt, text })
  await writeWhole(path.join(recordDir, file), report.whole)
  const { lines, branches, functions } = value.coverage ?? {
    lines: null,
    branches: null,
    functions: null,
  }
  return {
    kind: 'gate',
    critical: value.critical,
    error: value.error,
    warning: value.warning,
    lines,
    branches,
    functions,
    antiPatterns: criticalPatterns(value),
    ...layersOf(value, recordDir),
    report: `${report.short}\n\nThe whole report: ${file}`,
    ...(Object.keys(thresholds).length === 0 ? {} : { thresholds }),
  }
}

/** Only a test that was seen to run counts. */
function layersOf(
  { cases }: GateAnswer,
  recordDir: string,
): Pick<Extract<TurnReading, { kind: 'gate' }>, 'layers'> {
  const ran = testsThatRan(recordDir)
  return cases.length === 0 || ran.length === 0 ? {} : { layers: layerCounts(cases, ran) }
}

async function planReading({ recordDir, text }: Source): Promise<TurnReading> {
  const answer = readPlan(text)
  if (!answer.ok) return unusable('plan', answer.problem)
  await writeWhole(path.join(recordDir, TEST_PLAN), `${answer.value}\n`)
  return { kind: 'plan', file: TEST_PLAN }
}

function unusable(as: FormRead, problem: string): Extract<TurnReading, { kind: 'unusable' }> {
  return { kind: 'unusable', problem: problem.slice(0, 500), form: formOf(as) }
}
