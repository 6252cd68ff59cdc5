// Prompts about one task: its plan of tests, a gate, the task itself, a fix. Reads the task file
// and the files that its pre-analysis names.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { RefusalError } from '../../contract/failures.js'
import { TEST_PLAN } from '../../contract/test-fix/task.js'
import type { AgentTurnInput, TurnAsk } from '../../contract/turn-input.js'
import type { TestRun } from '../../contract/test-run.js'
import { attemptsOf } from '../../core/test-fix/failure-facts.js'
import type { ShownPart } from '../../core/test-fix/code/failing-code.js'
import { fieldOf } from '../../core/text/field-of.js'
import { iterationFiles } from '../../core/test-fix/fix-task.js'
import {
  preAnalysisSteps,
  type PreStep,
  type ResolvedStep,
} from '../../core/test-fix/pre-analysis.js'
import { continuedFixPrompt } from '../../core/test-fix/prompts/prompt-continued.js'
import { gatePrompt, planTestsPrompt } from '../../core/test-fix/prompts/prompt-gate.js'
import {
  fixTaskPrompt,
  taskPrompt,
  type FixTaskFacts,
  type PromptTask,
} from '../../core/test-fix/prompts/prompt-task.js'
import { textOf } from '../../adapters/files/read-text.js'
import { taskCopy } from '../../adapters/agents/turn/task-copy.js'
import { analysedBy } from '../../adapters/records/test-fix/analysis-files.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { fixesIn } from '../../adapters/records/test-fix/fix-histories.js'
import { resolvePreAnalysis } from '../../adapters/records/test-fix/read-pre-analysis.js'
import { taskContent } from '../../adapters/records/test-fix/task-content.js'
import { storedRunIn } from '../../adapters/test-runners/stored-run.js'
import { broughtIn } from '../../adapters/trust/brought-texts.js'
import {
  attemptsBrought,
  common,
  continuedFacts,
  continuedPrompt,
  promptRun,
  recordOf,
  recordPath,
} from './prompt-facts.js'
import { testPlan } from './test-plan.js'

/** `task`: the file that is in the agent's directory while it works. */
export type BuiltPrompt = {
  text: string
  /** The same for the session that the turn continues. */
  continued?: string | undefined
  task?: PromptTask
  /** The code that the two show. */
  code?: { whole: ShownPart[]; continued: ShownPart[] }
}

type TaskAsk = Extract<TurnAsk, { about: 'plan-tests' | 'gate' | 'task' | 'fix-task' }>

/** Builds the prompt of a turn about a task. */
export async function taskTurn(input: AgentTurnInput, ask: TaskAsk): Promise<BuiltPrompt> {
  switch (ask.about) {
    case 'plan-tests':
      return withTask(input, ask.task, undefined, async (task) =>
        planTestsPrompt({
          ...common(input),
          task,
          preAnalysis: beforePlan(input, task),
          requirements: requirements(task.json),
          ...(ask.change === undefined ? {} : await changeOfPlan(input, ask.change)),
        }),
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
            measured: ask.measured,
          }),
        ),
      )
    case 'task':
      return withTask(input, ask.task, ask.file, async (task) => {
        const writesTests = task.type === 'test-gen' || ask.repairs !== undefined
        // Before pre_analysis, which may read it
        const plan = writesTests ? await testPlan(input, recordOf(input), task.json) : undefined
        return taskPrompt({
          ...common(input),
          task,
          preAnalysis: preAnalysis(input, task, ask.simplified),
          writesTests,
          simplified: ask.simplified,
          ...(plan === undefined
            ? {}
            : { plan: { path: TEST_PLAN, text: plan, brought: planBrought(input) } }),
          feedback: ask.feedback,
          repairs: ask.repairs,
        })
      })
    case 'fix-task':
      return withTask(input, ask.task, ask.file, async (task) => {
        const facts = fixTask(input, ask, task)
        const continued = await continuedPrompt(input, async () =>
          continuedFixPrompt({ ...facts, ...(await continuedFacts(input)) }),
        )
        return { text: fixTaskPrompt(facts), continued }
      })
  }
}

function fixTask(
  input: AgentTurnInput,
  ask: Extract<TurnAsk, { about: 'fix-task' }>,
  task: PromptTask,
): FixTaskFacts {
  const recordDir = recordOf(input)
  const { lastRun, pending, simplified } = ask
  return {
    ...common(input),
    task,
    preAnalysis: preAnalysis(input, task, simplified),
    iteration: pending.iteration,
    maxIterations: input.maxIterations,
    pending,
    simplified,
    run: promptRun(lastRun, failing(lastRun)),
    attempts: attemptsOf(input.history, fixesIn(recordDir)),
    attemptsFrom: attemptsBrought(input),
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
  }
}

async function withTask(
  input: AgentTurnInput,
  id: string,
  file: string | undefined,
  text: (task: PromptTask) => Promise<string | Omit<BuiltPrompt, 'task'>>,
): Promise<BuiltPrompt> {
  const { file: at, ...content } = taskContent(recordOf(input), id, file)
  const task = {
    ...content,
    path: taskCopy(input.workspace.cwd, id),
    brought: broughtIn(input.workspace)(at),
  }
  const built = await text(task)
  return { ...(typeof built === 'string' ? { text: built } : built), task }
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
    {
      project: input.workspace.project,
      recordDir: recordOf(input),
      cwd: input.workspace.cwd,
      brought: broughtIn(input.workspace),
    },
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

// The session that made the plan may be gone, so the prompt has the plan.
async function changeOfPlan(
  input: AgentTurnInput,
  words: string,
): Promise<{ change: { words: string; plan: string; brought: string | undefined } }> {
  const plan = (await textOf(path.join(recordOf(input), TEST_PLAN))) ?? ''
  return { change: { words, plan, brought: planBrought(input) } }
}

function planBrought(input: AgentTurnInput): string | undefined {
  return broughtIn(input.workspace)(path.join(recordOf(input), TEST_PLAN))
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
