// The prompts of a dev cycle, from what the workflow asks and what the workspace has. What they say
// is decided in src/core/dev-cycle.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { Phase } from '../../contract/dev-cycle/discovery.js'
import type { AgentTurnInput, TurnAsk } from '../../contract/turn-input.js'
import type { TestRun } from '../../contract/test-run.js'
import { boardDigest, boardView, readBoard } from '../../core/dev-cycle/documents/board.js'
import { cycleConvergePrompt } from '../../core/dev-cycle/prompts/prompt-converge.js'
import { FAILING_SHOWN } from '../../core/dev-cycle/prompts/prompt-measured.js'
import { feedbackPrompt } from '../../core/dev-cycle/prompts/prompt-feedback.js'
import { validatePrompt } from '../../core/dev-cycle/prompts/prompt-validate.js'
import { versionOf } from '../../core/dev-cycle/documents/versions.js'
import { workPrompt, type CyclePaths } from '../../core/dev-cycle/prompts/prompt-work.js'
import { roleText } from '../../adapters/agents/roles.js'
import { cycleFiles } from '../../adapters/records/dev-cycle/cycle-paths.js'
import { layOut, type LaidOut } from '../../adapters/records/dev-cycle/cycle-progress.js'
import { readDocuments } from '../../adapters/records/dev-cycle/documents.js'
import { readLog, readOwn } from '../../adapters/records/safe-files.js'
import { ownFolderLaidOut } from '../../adapters/workspace/own-folder.js'
import { withFailingTests } from '../../adapters/test-runners/failing-tests.js'

type CycleAsk = Extract<TurnAsk, { brief: unknown }>

/** Whose documents an agent reads first. */
const PREDECESSORS: Record<Phase, readonly string[]> = {
  ra: [],
  ep: ['ra/requirements.md'],
  cd: ['ep/plan.json', 'ra/requirements.md'],
  vas: ['cd/changes.log', 'ra/requirements.md'],
}

/**
 * Builds the prompt of a turn of a dev cycle, but for its first line, and lays out what it names.
 */
export function cyclePrompt(input: AgentTurnInput, ask: CycleAsk): string {
  const { workspace, limitMs } = input
  const { phase, cycleId } = ask.brief
  const laidOut = layOut(workspace.cwd, workspace.project, cycleId, { refs: ask.brief.sourceRefs })
  ownFolderLaidOut(workspace.root)
  const brief = { ...ask.brief, sourceRefs: laidOut.sources }
  const paths: CyclePaths = {
    workspace: workspace.cwd,
    progress: laidOut.progress[phase],
    board: laidOut.board,
    dir: laidOut.dir,
    stateFile: cycleFiles(workspace.project, cycleId).master,
  }
  switch (ask.about) {
    case 'cycle-converge':
      return cycleConvergePrompt({ brief, phase, paths, limitMs })
    case 'cycle-feedback':
      return feedbackPrompt({
        brief,
        phase,
        feedback: ask.feedback,
        paths,
        measured: detailed(ask.measured),
      })
    case 'cycle-validate':
      return validatePrompt({
        brief,
        roleText: roleText(input.role),
        paths,
        validation: {
          ...ask.validation,
          ...(ask.validation.measured === undefined
            ? {}
            : { measured: detailed(ask.validation.measured) }),
        },
        changesLog: path.join(laidOut.dir, 'cd', 'changes.log'),
      })
    case 'cycle-work':
      return workPrompt({
        brief,
        roleText: roleText(input.role),
        paths,
        board: digestOf(laidOut.board, phase),
        first: firstSteps(laidOut, phase, cycleFiles(workspace.project, cycleId).progress),
        own: readDocuments(paths.progress, phase).files,
        simplified: ask.simplified,
        measured: detailed(ask.measured),
      })
  }
}

function detailed<T extends TestRun | undefined>(run: T): T | TestRun {
  return run === undefined ? run : withFailingTests(run, FAILING_SHOWN)
}

function digestOf(board: string, phase: Phase): string {
  return boardDigest(boardView(readBoard(readLog(board)).entries), phase)
}

function firstSteps(
  { dir, projectTech, guidelines, feedback }: LaidOut,
  phase: Phase,
  record: string,
) {
  return {
    projectTech,
    guidelines,
    feedback,
    predecessors: PREDECESSORS[phase].map((file) => ({
      path: path.join(dir, file),
      there: isThere(path.join(dir, file)),
      ...versionIn(path.join(record, file)),
    })),
  }
}

// The agent's own copy may have another number, which the record's does not keep.
function versionIn(file: string): { version?: string } {
  const read = readOwn(file)
  const version =
    read !== undefined && 'text' in read ? versionOf(path.basename(file), read.text) : undefined
  return version === undefined ? {} : { version }
}

function isThere(file: string): boolean {
  const there = lstatSync(file, { throwIfNoEntry: false })
  return there?.isFile() === true && there.size > 0
}
