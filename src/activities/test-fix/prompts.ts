// The prompt of a turn, from what the workflow asks and what the host has: role texts, results of
// test runs, files of the record. What a prompt says is decided in src/core.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { agentDefinition, agentsFor, type Config } from '../../contract/config/config.js'
import { RefusalError } from '../../contract/failures.js'
import type { AgentTurnInput, TurnAsk } from '../../contract/turn-input.js'
import { FAILURES_SHOWN, type TestRun } from '../../contract/test-run.js'
import { attemptsOf, type FailureFact } from '../../core/test-fix/failure-facts.js'
import { fieldOf } from '../../core/text/field-of.js'
import { iterationFiles } from '../../core/test-fix/fix-task.js'
import { passRate } from '../../core/test-results/pass-rate.js'
import {
  preAnalysisSteps,
  type PreStep,
  type ResolvedStep,
} from '../../core/test-fix/pre-analysis.js'
import { assessPrompt } from '../../core/test-fix/prompts/prompt-assess.js'
import { diagnosePrompt } from '../../core/test-fix/prompts/prompt-diagnose.js'
import { gatePrompt, planTestsPrompt } from '../../core/test-fix/prompts/prompt-gate.js'
import type { FormRead } from '../../core/prompts/prompt-forms.js'
import { handOverPrompt } from '../../core/prompts/prompt-hand-over.js'
import { retryPrompt } from '../../core/prompts/prompt-resume.js'
import type { PromptRun } from '../../core/test-fix/prompts/prompt-run.js'
import {
  fixTaskPrompt,
  taskPrompt,
  type PromptTask,
} from '../../core/test-fix/prompts/prompt-task.js'
import { convergePrompt } from '../../core/test-fix/prompts/prompt-test-fix.js'
import { roleText } from '../../adapters/agents/roles.js'
import { taskCopy } from '../../adapters/agents/turn/task-copy.js'
import { analysedBy } from '../../adapters/records/test-fix/analysis-files.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { fixesIn } from '../../adapters/records/test-fix/fix-histories.js'
import { resolvePreAnalysis } from '../../adapters/records/test-fix/read-pre-analysis.js'
import { taskContent } from '../../adapters/records/test-fix/task-content.js'
import { storedRunIn } from '../../adapters/test-runners/stored-run.js'
import { cyclePrompt } from '../dev-cycle/cycle-prompts.js'
import { loopPrompt } from '../dev-loop/loop-prompts.js'
import { TEST_PLAN, testPlan } from './test-plan.js'

/** `task`: what is to lie in the agent's directory while it works. */
export type BuiltPrompt = { text: string; task?: PromptTask }

/** Builds the prompt of a turn, but for its first line. */
export async function buildPrompt(input: AgentTurnInput, config: Config): Promise<BuiltPrompt> {
  const built = await askedPrompt(input, config)
  return input.handOver === undefined
    ? built
    : { ...built, text: handOverPrompt(input.handOver, built.text) }
}

async function askedPrompt(input: AgentTurnInput, config: Config): Promise<BuiltPrompt> {
  const { ask } = input
  switch (ask.about) {
    case 'converge':
      return {
        text: convergePrompt({
          role: input.role,
          task: input.task,
          limitMs: input.limitMs,
          read: formRead(input.read),
        }),
      }
    case 'retry':
      return { text: retryPrompt(ask) }
    case 'cycle-work':
    case 'cycle-validate':
    case 'cycle-feedback':
    case 'cycle-converge':
      return { text: cyclePrompt(input, ask) }
    case 'loop-work':
    case 'loop-clarify':
    case 'loop-converge':
      return { text: loopPrompt(input, ask) }
    case 'diagnose':
      return { text: diagnose(input, ask, config) }
    case 'assess': {
      const failures = failuresOf(
        ask.lastRun,
        config.test.criticality,
        input.read?.as === 'assessment' ? input.read.claims : undefined,
      )
      const open = failures.filter(isOpen)
      return {
        text: assessPrompt({
          roleText: roleText(input.role),
          failures: [...open, ...failures.filter((failure) => !isOpen(failure))],
          failuresTotal: ask.lastRun.failuresTotal,
          passRate: passRate(ask.lastRun.passed, ask.lastRun.total),
        }),
      }
    }
    case 'plan-tests':
      return withTask(input, ask.task, undefined, (task) =>
        Promise.resolve(
          planTestsPrompt({
            ...common(input),
            task,
            preAnalysis: beforePlan(input, task),
            requirements: requirements(task.json),
          }),
        ),
      )
    case 'gate':
      return withTask(input, ask.task, ask.file, (task) =>
        Promise.resolve(
          gatePrompt({
            ...common(input),
            task,
            preAnalysis: preAnalysis(input, task, false),
            gate: ask.gate,
            attempt: ask.attempt,
          }),
        ),
      )
    case 'task':
      return withTask(input, ask.task, ask.file, async (task) => {
        const writesTests = task.type === 'test-gen' || ask.mends !== undefined
        // Before pre_analysis, which may read it
        const plan = writesTests ? await testPlan(input, recordOf(input), task.json) : undefined
        return taskPrompt({
          ...common(input),
          task,
          preAnalysis: preAnalysis(input, task, ask.simplified),
          writesTests,
          simplified: ask.simplified,
          ...(plan === undefined ? {} : { plan: { path: TEST_PLAN, text: plan } }),
          feedback: ask.feedback,
          mends: ask.mends,
        })
      })
    case 'fix-task':
      return withTask(input, ask.task, ask.file, (task) =>
        Promise.resolve(fixTask(input, ask, task)),
      )
  }
}

function diagnose(
  input: AgentTurnInput,
  ask: Extract<TurnAsk, { about: 'diagnose' }>,
  config: Config,
): string {
  const recordDir = recordOf(input)
  const { agent } = input
  const definition = agentDefinition(config, agent)
  const chain = agentsFor(config, input.role)
  return diagnosePrompt({
    ...common(input),
    ...ask,
    session: path.basename(recordDir),
    iteration: input.iteration,
    maxIterations: input.maxIterations,
    run: promptRun(
      ask.lastRun,
      failuresOf(
        ask.lastRun,
        config.test.criticality,
        input.read?.as === 'analysis' ? input.read.claims : undefined,
      ),
    ),
    attempts: attemptsOf(input.history, fixesIn(recordDir)),
    chain: [agent, ...chain.slice(chain.indexOf(agent) + 1)],
    model: definition?.protocol === 'acp' ? definition.model : undefined,
    timeoutMs: input.limitMs,
  })
}

function fixTask(
  input: AgentTurnInput,
  ask: Extract<TurnAsk, { about: 'fix-task' }>,
  task: PromptTask,
): string {
  const recordDir = recordOf(input)
  const { lastRun, pending, simplified } = ask
  return fixTaskPrompt({
    ...common(input),
    task,
    preAnalysis: preAnalysis(input, task, simplified),
    iteration: pending.iteration,
    maxIterations: input.maxIterations,
    pending,
    simplified,
    run: promptRun(lastRun, failing(lastRun)),
    attempts: attemptsOf(input.history, fixesIn(recordDir)),
    source:
      analysedBy(recordDir, pending.iteration) ??
      (pending.quality === 'degraded' ? 'ratchet' : 'cli-planning-agent'),
    session: {
      workflowDir: `${recordPath(input)}/`,
      analysisFile: iterationFiles(pending.iteration).analysis,
    },
    testFramework:
      lastRun.kind === 'measured' && existsSync(lastRun.results.path)
        ? storedRunIn(lastRun.results.path).runner
        : 'unknown',
    coverageTarget: coverageTarget(recordDir, pending.parent),
  })
}

async function withTask(
  input: AgentTurnInput,
  id: string,
  file: string | undefined,
  text: (task: PromptTask) => Promise<string>,
): Promise<BuiltPrompt> {
  const task = {
    ...taskContent(recordOf(input), id, file),
    path: taskCopy(input.workspace.cwd, id),
  }
  return { text: await text(task), task }
}

// Less context: what a task can do without is not read.
function preAnalysis(input: AgentTurnInput, task: PromptTask, simplified: boolean): ResolvedStep[] {
  return resolved(
    input,
    task,
    preAnalysisSteps(task.json).filter(({ onError }) => !simplified || onError !== 'skip_optional'),
  )
}

// The plan is what is asked for: a task that cannot do without it can be planned all the same.
function beforePlan(input: AgentTurnInput, task: PromptTask): ResolvedStep[] {
  const steps = preAnalysisSteps(task.json).map((step) => ({
    ...step,
    reads: step.reads.filter(
      (file) => path.posix.basename(file) !== path.posix.basename(TEST_PLAN),
    ),
  }))
  return resolved(
    input,
    task,
    steps.filter(({ reads, notRun }) => reads.length + notRun.length > 0),
  )
}

function resolved(
  input: AgentTurnInput,
  task: PromptTask,
  steps: readonly PreStep[],
): ResolvedStep[] {
  return resolvePreAnalysis(
    steps,
    { project: input.workspace.project, recordDir: recordOf(input), cwd: input.workspace.cwd },
    task.id,
  )
}

/**
 * Returns the failing tests for an agent that repairs them; their criticality does not matter
 * there.
 */
function failing(run: TestRun): { test: string; file: string; error: string }[] {
  return failuresOf(run, [], undefined).map(({ test, file, error }) => ({ test, file, error }))
}

function promptRun<F extends FailureFact | { test: string; file: string; error: string }>(
  run: TestRun,
  failures: readonly F[],
): PromptRun<F> {
  if (run.kind !== 'measured')
    return {
      kind: 'not_measured',
      reason: run.reason,
      tail: run.tail,
      ...(run.output === undefined ? {} : { outputPath: run.output.path }),
    }
  return {
    kind: 'measured',
    passRate: passRate(run.passed, run.total),
    passed: run.passed,
    total: run.total,
    failuresTotal: run.failuresTotal,
    failures: failures.slice(0, FAILURES_SHOWN),
    outputPath: run.output.path,
  }
}

function common(input: AgentTurnInput): { roleText: string; testCommand: string } {
  return { roleText: roleText(input.role), testCommand: input.testCommand }
}

/** Nobody has said yet how critical it is. */
function isOpen({ source }: FailureFact): boolean {
  return source === undefined || source === 'default'
}

function recordOf({ recordDir, ask }: AgentTurnInput): string {
  if (recordDir === undefined) throw new Error(`a turn about ${ask.about} needs a record`)
  return recordDir
}

/** The record as a path from the project, as tasks and prompts name it. */
export function recordPath({
  recordDir,
  workspace,
}: Pick<AgentTurnInput, 'recordDir' | 'workspace'>): string {
  return path
    .relative(workspace.project, recordDir ?? '')
    .split(path.sep)
    .join('/')
}

function requirements(json: unknown): string[] {
  const items = fieldOf(fieldOf(json, 'context'), 'requirements')
  return Array.isArray(items)
    ? items.filter((item): item is string => typeof item === 'string')
    : []
}

// "line:80%,branch:70%" of the test task, as a number where it has one.
function coverageTarget(recordDir: string, parent: string): number | null {
  try {
    const target = fieldOf(
      fieldOf(taskContent(recordDir, parent, undefined).json, 'meta'),
      'coverage_target',
    )
    const found =
      typeof target === 'string' || typeof target === 'number'
        ? /\d+(?:\.\d+)?/.exec(String(target))?.[0]
        : undefined
    return found === undefined ? null : Number(found)
  } catch (error) {
    if (error instanceof RefusalError) return null
    throw error
  }
}

/** What is read in the answer, where it has a form of the test-fix cycle. */
function formRead(read: AgentTurnInput['read']): FormRead | undefined {
  return read === undefined || read.as === 'phase' || read.as === 'worker' ? undefined : read.as
}
