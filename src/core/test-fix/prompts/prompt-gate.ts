// The turns before the test task: a plan of the tests, and the two gates on tests that an agent
// wrote.
import type { TaskType } from '../../../contract/test-fix/task.js'
import { preAnalysisSection, type ResolvedStep } from '../pre-analysis.js'
import { repositoryMark } from '../../prompts/from-repository.js'
import { GATE_FORM, PLAN_FORM, QUALITY_FORM } from '../../prompts/prompt-forms.js'
import {
  bounded,
  bullets,
  changeSection,
  fenced,
  fencedJson,
  joined,
  oneLine,
  section,
} from '../../prompts/prompt-parts.js'
import { DOCUMENT_SHOWN, TASK_SHOWN, type PromptTask } from './prompt-task.js'
import { rolePart } from '../../prompts/role-part.js'

type Common = {
  roleText: string
  testCommand: string
  task: PromptTask
  preAnalysis: readonly ResolvedStep[]
}

const CHECKS: Record<'code-validation' | 'test-quality-review', string[]> = {
  'code-validation': [
    'Check the new tests, and the code that they test, without running the tests:',
    '- Does it compile, and do the imports exist? For types and linting, use what the project has.',
    '- Typical agent mistakes: names and functions that do not exist, parameters in the wrong order, unreachable code, stubs instead of an implementation, swallowed errors, secrets in the source.',
    '- Count what is wrong in the tests and their helpers. Name what is wrong in the code under test in "issues" without counting it: leave it to the fix loop, which may change that code.',
    '- Count each finding once. critical = it cannot work or does harm; error = it is wrong in some case; warning = it should be better.',
  ],
  'test-quality-review': [
    'Check whether the new tests are worth having:',
    '- Coverage of lines, branches and functions, measured with what the project has; null if it has nothing for it.',
    '- critical: tests that cannot fail, without an assertion, that assert only on a mock, that repeat the code under test, that are skipped.',
    '- error: dependence on the order or timing of other tests, real network, sleeping instead of waiting. warning: meaningless names, several things in one test.',
    '- What is not tested: the happy path, bad input, edge cases, state, asynchronous behaviour.',
  ],
}

/** Asks the test-fix-agent for the report of a gate. Ratchet applies the thresholds. */
export function gatePrompt(
  p: Common & { gate: TaskType; attempt: number; measured?: string | undefined },
): string {
  return joined([
    `**TASK EXECUTION: ${oneLine(p.task.title)}**`,
    rolePart(p.roleText, 'review'),
    taskSection(p.task),
    section('## STEP 2: Task Context', [
      `**ID**: ${p.task.id}`,
      `**Type**: ${p.gate}`,
      '**Agent**: @test-fix-agent',
      ...(p.attempt > 1
        ? [
            `**Attempt**: ${p.attempt}; the earlier findings have been worked on, so check everything again`,
          ]
        : []),
    ]),
    section('## STEP 3: Execute Task Based on Type', [
      ...CHECKS[p.gate === 'code-validation' ? p.gate : 'test-quality-review'].filter(
        (line) => p.measured === undefined || !line.startsWith('- Coverage of lines'),
      ),
      `- The test command of the project is: ${oneLine(p.testCommand)}`,
      '- Do not change any file: you report, others repair. Your numbers decide whether the tests pass the gate.',
    ]),
    section('## STEP 4: Flow Control Execution', [
      preAnalysisSection(p.preAnalysis) || 'The task has no pre_analysis.',
    ]),
    p.measured === undefined ? '' : section('## What Ratchet Measured', [p.measured]),
    section('## STEP 5: Answer', [
      'First say what is wrong, with file and line, so that another agent can repair it.',
      '',
      p.measured === undefined ? GATE_FORM : QUALITY_FORM,
    ]),
  ])
}

/** Asks the cli-planning-agent for a plan of the tests, before another agent writes them. */
export function planTestsPrompt(
  p: Common & {
    requirements: readonly string[]
    /** What a person wants otherwise than the plan has it; the plan is empty if there is none. */
    change?: { words: string; plan: string; brought?: string | undefined } | undefined
  },
): string {
  return joined([
    '**TASK EXECUTION: Plan the tests**',
    rolePart(p.roleText, 'plan'),
    taskSection(p.task),
    p.preAnalysis.length === 0
      ? ''
      : section('## Flow Control Execution', [preAnalysisSection(p.preAnalysis)]),
    p.change === undefined || p.change.plan === ''
      ? ''
      : section('## The Plan So Far', [
          ...repositoryMark([p.change.brought]),
          fenced(bounded(p.change.plan, DOCUMENT_SHOWN, 'of the plan')),
        ]),
    changeSection(p.change?.words),
    section('## Your Task', [
      'Read the project and plan its tests. Do not change any file: Ratchet saves your answer as TEST_ANALYSIS_RESULTS.md, and another agent writes the tests from it.',
      ...(p.requirements.length === 0
        ? []
        : ['', 'What is asked for:', ...bullets(p.requirements, 50)]),
      '',
      '1. Project: kind, test framework, conventions of the existing tests, test command.',
      '2. Coverage: what is tested now, as far as you can tell, and the target.',
      '3. Layers: L0 static (types, imports, linter), L1 unit, L2 integration, L3 end to end if the project has it. For L1: happy path, bad input, edge cases, state, asynchronous behaviour.',
      '4. Requirements by file: which functions need which tests, most important first, and the file the tests go to.',
      '5. Risks: code that looks wrong, hasty or hard to test.',
      '6. Success criteria that can be checked.',
      '',
      PLAN_FORM,
    ]),
  ])
}

function taskSection(task: PromptTask): string {
  return section('## STEP 1: Load Complete Task JSON', [
    ...repositoryMark([task.brought]),
    `The task is in ${task.path}, and here:`,
    '',
    fencedJson(task.json, TASK_SHOWN),
  ])
}
