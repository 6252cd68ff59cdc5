// The prompts of a dev loop, from what the workflow asks and what the workspace has. What they say
// is decided in src/core/dev-loop.
import type { LoopBrief } from '../../contract/dev-loop/loop-step.js'
import type { AgentTurnInput, TurnAsk } from '../../contract/turn-input.js'
import { FAILING_SHOWN } from '../../core/dev-cycle/prompts/prompt-measured.js'
import { clarifyPrompt } from '../../core/dev-loop/prompts/prompt-clarify.js'
import { workerConvergePrompt } from '../../core/dev-loop/prompts/prompt-action-converge.js'
import { workerPrompt, type LoopPaths } from '../../core/dev-loop/prompts/prompt-action.js'
import { roleText } from '../../adapters/agents/roles.js'
import { loopFiles } from '../../adapters/records/dev-loop/loop-paths.js'
import { layOutLoop } from '../../adapters/records/dev-loop/loop-progress.js'
import { withFailingTests } from '../../adapters/test-runners/failing-tests.js'

type LoopAsk = Extract<TurnAsk, { about: 'loop-work' | 'loop-clarify' | 'loop-converge' }>

/**
 * Builds the prompt of a turn of a dev loop, but for its first line, and lays out what it names.
 */
export function loopPrompt(input: AgentTurnInput, ask: LoopAsk): string {
  const { limitMs } = input
  switch (ask.about) {
    case 'loop-clarify':
      return clarifyPrompt(ask)
    case 'loop-converge':
      return workerConvergePrompt({ loop: ask.loop, limitMs })
    case 'loop-work':
      return workerPrompt({
        loop: detailed(ask.loop),
        roleText: roleText(input.role),
        paths: pathsOf(input, ask.loop),
        limitMs,
        simplified: ask.simplified,
        words: ask.words,
      })
  }
}

function detailed(loop: LoopBrief): LoopBrief {
  return loop.measured === undefined
    ? loop
    : { ...loop, measured: withFailingTests(loop.measured, FAILING_SHOWN) }
}

function pathsOf(
  { workspace }: AgentTurnInput,
  {
    loopId,
    action,
  }: { loopId: string; action: Parameters<ReturnType<typeof layOutLoop>['outputFile']>[0] },
): LoopPaths {
  const { progress, workersDir, outputFile, progressFile, projectTech, guidelines } = layOutLoop(
    workspace.cwd,
    workspace.project,
    loopId,
  )
  return {
    workspace: workspace.cwd,
    progress,
    workersDir,
    outputFile: outputFile(action),
    progressFile: progressFile(action),
    stateFile: loopFiles(workspace.project, loopId).master,
    projectTech,
    guidelines,
  }
}
