// Reads the answer and the files of an agent of a dev cycle: its PHASE_RESULT block, its documents,
// and what its tool calls touched. Updates the record at once.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '../../contract/config/config.js'
import type { PhaseReading } from '../../contract/dev-cycle/phase-reading.js'
import type { AgentTurnInput, TurnRead } from '../../contract/turn-input.js'
import type { TurnResult } from '../../contract/turn.js'
import { foreignEdits } from '../../core/dev-cycle/documents/foreign-edits.js'
import { phaseForm } from '../../core/dev-cycle/prompts/phase-form.js'
import { answerProblem } from '../../core/dev-cycle/answers/answer-problem.js'
import { readPhaseBlock, type PhaseBlock } from '../../core/dev-cycle/answers/phase-block.js'
import { plainLine } from '../../core/text/one-line.js'
import { editedFiles } from '../../adapters/agents/turn/edited-files.js'
import { failpoint } from '../../adapters/failpoint.js'
import { readDocuments } from '../../adapters/records/dev-cycle/documents.js'
import {
  idlePhases,
  noteAgent,
  takeCycleEdits,
} from '../../adapters/records/dev-cycle/patch-cycle-record.js'
import { progressPaths } from '../../adapters/records/dev-cycle/cycle-progress.js'
import { timestamp } from '../../adapters/timestamp.js'

type PhaseRead = Extract<TurnRead, { as: 'phase' }>

/** Characters of an answer that stay in the record as the agent's last message. */
const MESSAGE_CHARS = 300

/** Reads a turn that has ended, however it ended. */
export async function readPhase(
  input: AgentTurnInput,
  read: PhaseRead,
  result: TurnResult,
  config: Config,
): Promise<PhaseReading> {
  const { phase, name } = read
  const { dir } = progressPaths(input.workspace.cwd, name)
  const text = result.answer.path === '' ? '' : readFileSync(result.answer.path, 'utf8')
  const answer = readPhaseBlock(text, phase)
  // Before the documents are read: a person's edit counts before what the agent wrote.
  const edits = await takeCycleEdits(
    {
      workspace: input.workspace,
      name,
      phases: [...new Set([phase, ...idlePhases(input.workspace.project, name)])],
      seen: read.seen ?? 0,
    },
    { iteration: read.iteration, at: read.at, offset: config.timezone },
  )
  const documents = readDocuments(path.join(dir, phase), phase)
  failpoint('answer:read')
  const plan = phase === 'cd' ? planIn(dir) : new Map<string, string>()
  const problem = answer.ok
    ? answerProblem(
        answer.block,
        [...plan.keys()].filter((id) => read.done?.includes(id) !== true),
        plan,
      )
    : answer.problem
  const reading: PhaseReading = {
    kind: 'phase',
    phase,
    ...(answer.ok
      ? ofBlock(answer.block)
      : { ...NOTHING_SAID, summary: plainLine(result.tail, MESSAGE_CHARS) }),
    files: documents.files,
    missing: documents.missing,
    invalid: documents.invalid,
    foreign: foreignEdits(editedFiles(result.transcript, input.workspace.cwd), {
      phase,
      progress: path.relative(input.workspace.cwd, dir),
    }),
    requirements: documents.requirements,
    plan: documents.plan,
    ...claims(answer.ok ? answer.block : undefined, documents.claimed),
    ...(edits.length === 0 ? {} : { edits }),
    ...(problem === undefined || result.outcome !== 'completed'
      ? {}
      : { problem, form: phaseForm(phase) }),
  }
  const now = timestamp(Date.now(), config.timezone)
  await noteAgent(
    input.workspace.project,
    name,
    phase,
    {
      status: result.outcome === 'completed' ? 'completed' : 'failed',
      completed_at: now,
      output_files: documents.files.map((file) => `${phase}/${file}`),
      last_message: reading.summary,
      ...(result.outcome === 'completed' ? {} : { error: result.reason ?? result.outcome }),
    },
    now,
    {
      take: {
        iteration: read.iteration,
        at: read.at,
        offset: config.timezone,
        cwd: input.workspace.cwd,
        answered: result.outcome === 'completed',
      },
    },
  )
  return reading
}

/** The record says that an agent is at work. */
export async function notePhaseBegun(
  input: AgentTurnInput,
  { phase, name }: PhaseRead,
  config: Config,
): Promise<void> {
  const now = timestamp(Date.now(), config.timezone)
  const { ask } = input
  const begins =
    'brief' in ask
      ? {
          begins: {
            iteration: input.iteration,
            maxIterations: input.maxIterations,
            description: ask.brief.description,
            extension: ask.brief.extension,
          },
        }
      : {}
  await noteAgent(
    input.workspace.project,
    name,
    phase,
    { status: 'running', started_at: now },
    now,
    begins,
  )
}

/** Titles of the plan's tasks by id, as far as EP has written them. */
function planIn(dir: string): ReadonlyMap<string, string> {
  const { named = [] } = readDocuments(path.join(dir, 'ep'), 'ep').plan ?? {}
  return new Map(named.map(({ id, text }) => [id, text]))
}

const NOTHING_SAID = {
  status: 'unknown' as const,
  issues: [],
  blockers: [],
  planIssues: [],
  decisions: [],
}

function ofBlock({
  status,
  summary,
  issues,
  blockers,
  planIssues,
  decisions,
  tasksNamed,
  noChange,
  filesChanged,
}: PhaseBlock) {
  return {
    status,
    summary,
    issues,
    blockers,
    planIssues,
    decisions,
    tasksNamed,
    noChange,
    filesChanged,
  }
}

// What the block says counts; the file fills in what it leaves out.
function claims(
  block: PhaseBlock | undefined,
  fromFile: PhaseReading['claimed'],
): Pick<PhaseReading, 'claimed'> {
  const said = block?.claimed
  if (said === undefined || fromFile === undefined) {
    const claimed = said ?? fromFile
    return claimed === undefined ? {} : { claimed }
  }
  return {
    claimed: {
      passRate: said.passRate ?? fromFile.passRate,
      coverage: said.coverage ?? fromFile.coverage,
      failedTests: said.failedTests.length > 0 ? said.failedTests : fromFile.failedTests,
      removedTests: said.removedTests,
      requirementsMet: said.requirementsMet,
      criticalIssues: said.criticalIssues ?? fromFile.criticalIssues,
      ready: said.ready ?? fromFile.ready,
    },
  }
}
