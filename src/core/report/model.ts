// The data of a report, for every kind of run and every format. It is what `ratchet report --format
// json` prints. Texts are as agents and tools wrote them, so renderers escape them.
import { z } from 'zod'
import { AgentTests } from '../../contract/agent-tools.js'
import { LoopMode } from '../../contract/dev-loop/loop-input.js'
import { IterationSummary, RunUsage } from '../../contract/result.js'
import { LoopTask } from '../../contract/dev-loop/action-reading.js'
import { CycleRecord } from '../../contract/dev-cycle/cycle-record.js'
import { Conflict, Finding, WorkerOutput } from '../../contract/dev-loop/loop-record.js'
import { PerGainedTest } from './per-gained-test.js'
import { TurnKind, TurnOutcome } from '../../contract/turn.js'
import { TestChange } from '../../contract/test-fix/test-change.js'
import { Criticality } from '../../contract/test-run.js'

const Text = z.string()
const Millis = z.number()

/** A file that the reader may open; `path` is absolute. */
export const FileLink = z.object({ label: Text, path: Text })
export type FileLink = z.infer<typeof FileLink>

export const ChangedFile = z.object({
  path: Text,
  /** Lines; `null` for a binary file. */
  added: z.number().nullable(),
  removed: z.number().nullable(),
  /** Whether its lines are in `text`. */
  shown: z.boolean(),
})
export type ChangedFile = z.infer<typeof ChangedFile>

/** What a commit changed, or why that is unknown. */
export const Patch = z.discriminatedUnion('state', [
  /** `text` is a unified diff of the files that are shown. */
  z.object({
    state: z.literal('known'),
    from: Text,
    to: Text,
    files: z.array(ChangedFile),
    text: Text,
  }),
  /** `why` is half a sentence. */
  z.object({ state: z.literal('gone'), to: Text, why: Text }),
])
export type Patch = z.infer<typeof Patch>

/** One turn of an agent. */
export const ReportTurn = z.object({
  /** Its place within the run, like `iteration-2/fix`. */
  step: Text,
  role: Text,
  agent: Text,
  /** That the definition of the agent names. */
  model: Text.optional(),
  turn: TurnKind.or(Text),
  iteration: z.number().int(),
  task: Text.optional(),
  startedAt: Millis,
  /** Absent while it is running, and if its worker died. */
  endedAt: Millis.optional(),
  /** `open`: its files contain no end. */
  outcome: TurnOutcome.or(z.literal('open')),
  reason: Text.optional(),
  /** How often its prompt was sent: 1 for an undisturbed turn. */
  attempts: z.number().int(),
  /** When it waited for a person to answer; without an end it is still waiting. */
  waits: z.array(z.object({ from: Millis, to: Millis.optional() })).optional(),
  /** A person was asked, for an unknown time. */
  waitUnknown: z.literal(true).optional(),
  crashes: z.number().int(),
  /**
   * Time by the clock of the turn: without the wait for a slot, a rate limit, a pause, a person or
   * the test runs that its agent asked for.
   */
  workedMs: Millis,
  /** Test runs that its agent asked for. */
  tests: AgentTests.optional(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number().optional(),
  costUsd: z.number().optional(),
  estimated: z.boolean(),
  files: z.array(FileLink),
})
export type ReportTurn = z.infer<typeof ReportTurn>

/**
 * The total usage of an agent or a role. `workedMs` is by the clocks of the turns, `waitedMs` the
 * known waits for a person.
 */
export const UsageRow = z.object({
  name: Text,
  turns: z.number().int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  cachedTokens: z.number().optional(),
  costUsd: z.number().optional(),
  estimated: z.boolean(),
  workedMs: Millis,
  waitedMs: Millis.optional(),
  waitUnknown: z.literal(true).optional(),
  /** Test runs that the agents asked for. */
  tests: AgentTests.optional(),
})
export type UsageRow = z.infer<typeof UsageRow>

/** One iteration; 0 is the first measurement, before anything was changed. */
export const ReportIteration = IterationSummary.extend({
  /** What was tried, in one line. */
  title: Text,
  rateBefore: z.number().nullable(),
  /** Of a test fix: what the analysis said. */
  plan: z
    .object({
      approach: Text,
      rootCauses: z.array(Text),
      points: z.array(Text),
      expected: Text,
      confidence: z.number().nullable(),
      aimedAt: z.number().int(),
    })
    .optional(),
  newFailures: z.number().int().optional(),
  /** Of a kept fix: it changed nothing that was measured. */
  noGain: z.literal(true).optional(),
  usage: UsageRow.omit({ name: true }).optional(),
  patch: Patch.optional(),
  files: z.number().int().optional(),
  links: z.array(FileLink),
})
export type ReportIteration = z.infer<typeof ReportIteration>

export const ReportFailure = z.object({
  file: Text,
  test: Text,
  error: Text,
  criticality: Criticality,
})
export type ReportFailure = z.infer<typeof ReportFailure>

/** The turns on an axis on which long silences are shortened. */
export const Timeline = z.object({
  lanes: z.array(Text),
  /**
   * `from` and `to` are milliseconds on the axis; `turn` is an index; `waits` are the parts in
   * which it waited for a person.
   */
  bars: z.array(
    z.object({
      lane: z.number().int(),
      turn: z.number().int(),
      from: Millis,
      to: Millis,
      waits: z.array(z.object({ from: Millis, to: Millis })).optional(),
    }),
  ),
  /**
   * Points of the axis with the times they stand for, in order: between two of them the scale is
   * linear.
   */
  marks: z.array(z.object({ at: Millis, time: Millis })),
  /** Shortened silences: point of the axis, and duration. */
  breaks: z.array(z.object({ at: Millis, ms: Millis })),
})
export type Timeline = z.infer<typeof Timeline>

const CyclePart = CycleRecord.pick({
  requirements: true,
  exploration: true,
  plan: true,
  iterations: true,
  coordination: true,
}).extend({
  tasks: z.array(Text),
  openIssues: z.array(Text),
  documents: z.array(FileLink.extend({ version: Text.optional() })),
  coverage: z.number().nullable(),
})

const LoopPart = z.object({
  mode: LoopMode,
  tasks: z.array(LoopTask),
  findings: z.array(Finding),
  conflicts: z.array(Conflict),
  /** The last of each action. */
  workers: z.array(
    WorkerOutput.pick({
      action: true,
      status: true,
      summary: true,
      iteration: true,
      agent: true,
      files_changed: true,
      clarifications: true,
    }).extend({ timedOut: z.boolean(), links: z.array(FileLink) }),
  ),
  validation: z.object({ passed: z.boolean(), why: Text }).optional(),
  suggestion: z.object({ message: Text, command: Text, readyForPr: z.boolean() }).optional(),
})

export const Tone = z.enum(['good', 'warn', 'bad', 'open'])
export type Tone = z.infer<typeof Tone>

/** A report. Times are epoch milliseconds, rates are percent. */
export const Report = z.object({
  schema: z.literal(1),
  id: Text,
  kind: z.enum(['test-fix', 'dev-cycle', 'dev-loop']),
  /** Of its record and branch. */
  name: Text,
  project: Text.nullable(),
  title: Text,
  /** `open` while it is running; `unfinished` if it has not ended and no run works on it. */
  outcome: Text,
  status: Text,
  tone: Tone,
  reviewNeeded: z.boolean(),
  /**
   * Of a completed cycle or loop: a person agreed to it; nothing was committed for the last task.
   */
  confirmedByPerson: z.boolean().optional(),
  nothingCommitted: z.literal(true).optional(),
  /** The outcome in one sentence. */
  headline: Text,
  /** The reason in the run's words; `null` if the outcome explains it. */
  reason: Text.nullable(),
  waitingFor: Text.optional(),
  questions: z.array(Text),
  writtenAt: Millis,
  startedAt: Millis.nullable(),
  endedAt: Millis.nullable(),
  passRate: z.number().nullable(),
  rateAtStart: z.number().nullable(),
  iterationsDone: z.number().int(),
  maxIterations: z.number().int().optional(),
  branch: Text.nullable(),
  base: Text.nullable(),
  commits: z.array(Text),
  testCommand: Text.optional(),
  /** What enclosed agents, set-up, checks and tests. */
  sandbox: Text.optional(),
  /** Commands that continue from here. */
  next: z.array(z.object({ what: Text, command: Text })),
  iterations: z.array(ReportIteration),
  turns: z.array(ReportTurn),
  timeline: Timeline,
  usage: RunUsage,
  perGainedTest: PerGainedTest.optional(),
  usageByAgent: z.array(UsageRow),
  failures: z.array(ReportFailure),
  failuresTotal: z.number().int(),
  flaky: z.array(z.object({ file: Text, test: Text })),
  /** Test changes that agents proposed. */
  proposedTestChanges: z.array(TestChange).optional(),
  cycle: CyclePart.optional(),
  loop: LoopPart.optional(),
  recordDir: Text.nullable(),
  records: z.array(FileLink),
  warnings: z.array(Text),
  /** What the report could not find, and what it does not show. */
  notes: z.array(Text),
})
export type Report = z.infer<typeof Report>
