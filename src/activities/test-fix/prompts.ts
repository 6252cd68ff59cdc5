// Builds the prompt of a turn from what the workflow asks and what the host has: role texts,
// results of test runs, files of the record. src/core decides what a prompt says.
import path from 'node:path'
import { agentDefinition, agentsFor, type Config } from '../../contract/config/config.js'
import type { AgentTurnInput, TurnAsk } from '../../contract/turn-input.js'
import { mayUseTools, offersTools, toolsPart } from '../../core/agents/agent-tools.js'
import { shownPart, type ShownPart } from '../../core/test-fix/code/failing-code.js'
import { attemptsOf, type FailureFact } from '../../core/test-fix/failure-facts.js'
import { passRate } from '../../core/test-results/pass-rate.js'
import { earlierLessons } from '../../core/records/earlier-lessons.js'
import { assessPrompt } from '../../core/test-fix/prompts/prompt-assess.js'
import type { PromptCode } from '../../core/test-fix/prompts/prompt-code.js'
import { diagnosePrompt } from '../../core/test-fix/prompts/prompt-diagnose.js'
import type { FormRead } from '../../core/prompts/prompt-forms.js'
import { handOverPrompt } from '../../core/prompts/prompt-hand-over.js'
import {
  continuedDiagnosePrompt,
  newFailures,
} from '../../core/test-fix/prompts/prompt-continued.js'
import { shownFailures } from '../../core/test-fix/prompts/prompt-run.js'
import { prepPrompt } from '../../core/prep/prep-prompt.js'
import { retryPrompt } from '../../core/prompts/prompt-resume.js'
import { convergePrompt } from '../../core/test-fix/prompts/prompt-test-fix.js'
import { roleText } from '../../adapters/agents/roles.js'
import { failuresOf } from '../../adapters/records/failures-of.js'
import { fixesIn, knownFixes } from '../../adapters/records/test-fix/fix-histories.js'
import { codeFacts, newCodeFacts } from './code-facts.js'
import { broughtIn } from '../../adapters/trust/brought-texts.js'
import {
  attemptsBrought,
  common,
  continuedFacts,
  continuedPrompt,
  promptRun,
  recordOf,
  shownBefore,
} from './prompt-facts.js'
import { taskTurn, type BuiltPrompt } from './task-prompts.js'
import { cyclePrompt } from '../dev-cycle/cycle-prompts.js'
import { loopPrompt } from '../dev-loop/loop-prompts.js'

/**
 * Builds the prompt of a turn, but for its first line.
 *
 * @param seen code that its session was shown
 */
export async function buildPrompt(
  input: AgentTurnInput,
  config: Config,
  seen: readonly ShownPart[],
): Promise<BuiltPrompt> {
  const built = withTools(input, config, await askedPrompt(input, config, seen))
  return input.handOver === undefined
    ? built
    : { ...built, text: handOverPrompt(input.handOver, built.text) }
}

function withTools(input: AgentTurnInput, config: Config, built: BuiltPrompt): BuiltPrompt {
  const { role, agent, ask } = input
  const protocol = agentDefinition(config, agent)?.protocol
  if (
    protocol === undefined ||
    !offersTools(config, { role, agent, protocol }) ||
    !mayUseTools(role, ask.about)
  )
    return built
  const part = toolsPart(config.limits.agentTestRuns)
  const { text, continued } = built
  return {
    ...built,
    text: `${text}\n\n${part}`,
    ...(continued === undefined ? {} : { continued: `${continued}\n\n${part}` }),
  }
}

async function askedPrompt(
  input: AgentTurnInput,
  config: Config,
  seen: readonly ShownPart[],
): Promise<BuiltPrompt> {
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
    case 'prep':
      return { text: prepPrompt(ask, input.limitMs) }
    case 'diagnose':
      return diagnose(input, ask, config, seen)
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
    case 'gate':
    case 'task':
    case 'fix-task':
      return taskTurn(input, ask)
  }
}

async function diagnose(
  input: AgentTurnInput,
  ask: Extract<TurnAsk, { about: 'diagnose' }>,
  config: Config,
  seen: readonly ShownPart[],
): Promise<BuiltPrompt> {
  const recordDir = recordOf(input)
  const { agent } = input
  const definition = agentDefinition(config, agent)
  const chain = agentsFor(config, input.role)
  const session = path.basename(recordDir)
  const claims = input.read?.as === 'analysis' ? input.read.claims : undefined
  const failures = failuresOf(ask.lastRun, config.test.criticality, claims)
  const attempts = attemptsOf(input.history, fixesIn(recordDir))
  const facts = {
    ...common(input),
    ...ask,
    session,
    iteration: input.iteration,
    maxIterations: input.maxIterations,
    run: promptRun(ask.lastRun, failures),
    attempts,
    attemptsFrom: attemptsBrought(input),
    lessons: earlierLessons(
      failures,
      knownFixes(input.workspace.project, recordDir, broughtIn(input.workspace)),
      session,
    ),
    chain: [agent, ...chain.slice(chain.indexOf(agent) + 1)],
    model: definition?.protocol === 'acp' ? definition.model : undefined,
    timeoutMs: input.limitMs,
  }
  const shown = shownFailures(facts)
  const code = await codeFacts(input, shown, ask.contextSize, attempts)
  const text = diagnosePrompt({ ...facts, code })
  let newCode: typeof code
  const continued = await continuedPrompt(input, async () => {
    const { fresh, known } = newFailures(shown, shownBefore(input.knows?.shown))
    const { run } = facts
    newCode = await newCodeFacts(input, fresh, seen, ask.contextSize)
    return continuedDiagnosePrompt({
      ...facts,
      ...(await continuedFacts(input)),
      run:
        run.kind === 'measured'
          ? { ...run, failures: fresh, failuresTotal: run.failuresTotal - known.length }
          : run,
      known,
      code: newCode,
    })
  })
  return { text, continued, code: { whole: partsOf(code), continued: partsOf(newCode) } }
}

function partsOf(code: PromptCode | undefined): ShownPart[] {
  return (code?.shown ?? []).map(shownPart)
}

/** No source has rated it yet. */
function isOpen({ source }: FailureFact): boolean {
  return source === undefined || source === 'default'
}

/** What is read in the answer, where it has a form of the test-fix cycle. */
function formRead(read: AgentTurnInput['read']): FormRead | undefined {
  return read === undefined || read.as === 'phase' || read.as === 'worker' || read.as === 'prep'
    ? undefined
    : read.as
}
