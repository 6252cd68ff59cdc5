// Runs the test command once: process, output, report. Nothing it started outlives it.
import { copyFileSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { StoredTest } from '../../contract/test-run.js'
import { ALL_RUNNERS } from '../../core/runners/known-runners.js'
import { NO_SECRETS, type Redactor } from '../../core/text/redact.js'
import type { Counted, SuiteSize } from '../../core/test-progress/counted.js'
import { lastChars, plainText } from '../../core/text/test-text.js'
import { boundedOutput } from '../process/bounded-output.js'
import { runLimited } from '../process/limited.js'
import type { SpawnGroup } from '../process/spawn-group.js'
import { refTo } from '../files/file-ref.js'
import { redactFile } from '../files/redact-file.js'
import { stopwatch } from '../stopwatch.js'
import type { TestPlan } from './command.js'
import { watchIdle } from './idle.js'
import { watchProgress } from './progress.js'
import { FORMATS, type ReportFormat } from './reports/read-report.js'
import { joined, REPORT_BYTES } from './reports/report.js'
import { judged, TAIL, type Executed } from './judge-execution.js'
import { watchReport } from './reports/report-files.js'

export type TestPhase =
  'tests' | 'tests again' | 'flaky re-run' | 'canaries' | 'coverage' | 'mutants'
/** `counted`: how far it is, where the runner tells. */
export type TestProgress = {
  phase: TestPhase
  lines?: number
  elapsedMs: number
  counted?: Counted
}

export type ExecuteInput = {
  plan: TestPlan
  cwd: string
  env: Readonly<Record<string, string>>
  run: string
  step: string
  outDir: string
  timeoutMs: number
  /** Where tests still finish at the limit, it is given once more. */
  mayExtend?: boolean | undefined
  graceMs?: number | undefined
  /** How long a runner may do nothing behind its complete report; 10 s. */
  idleMs?: number | undefined
  signal: AbortSignal
  redact?: Redactor | undefined
  onProgress?: ((progress: TestProgress) => void) | undefined
  /** See `Execution.workedBefore`. */
  workedBefore: boolean
  phase: TestPhase
  /** Names the output file; unique within `outDir`. */
  name: string
  files?: readonly string[]
  /** How large what is run was the last time. */
  expected?: SuiteSize | undefined
  /** Starts it: inside a sandbox, where there is one. */
  spawn?: SpawnGroup | undefined
}

// Asked of every runner: a script may start another than the command names.
const isNotInstalled = (output: string) =>
  ALL_RUNNERS.some(({ notInstalled }) => notInstalled?.test(output) === true)
const foundNoTests = (output: string) =>
  ALL_RUNNERS.some(({ noTests }) => noTests?.test(output) === true)

/**
 * Runs the command once. Rejects with the signal's reason when it is aborted, after everything has
 * ended.
 */
export async function execute(input: ExecuteInput): Promise<Executed> {
  const { plan } = input
  const executed = await (plan.parts === undefined
    ? executeOne(input)
    : executeParts(input, plan.parts))
  if (executed.kind !== 'measured' || plan.note === undefined) return executed
  return {
    ...executed,
    note: executed.note === undefined ? plan.note : `${plan.note}; ${executed.note}`,
  }
}

// All of them run, also behind one that fails: a test that two of them run counts with its worse
// result.
async function executeParts(input: ExecuteInput, parts: readonly TestPlan[]): Promise<Executed> {
  const { outDir, name, timeoutMs } = input
  const passed = stopwatch()
  const tests: StoredTest[] = []
  const outputs: Buffer[] = []
  const notes = new Set<string>()
  for (const [at, plan] of parts.entries()) {
    const one = await executeOne({
      ...input,
      plan,
      name: `${name}-${at + 1}`,
      timeoutMs: Math.max(1, timeoutMs - passed()),
      expected: undefined,
    })
    if (one.kind !== 'measured') return { ...one, reason: `${plan.display}: ${one.reason}` }
    tests.push(...one.tests)
    outputs.push(Buffer.from(`$ ${plan.display}\n`), readFileSync(one.output.path))
    if (one.note !== undefined) notes.add(one.note)
  }
  const file = path.join(outDir, `${name}.log`)
  const output = Buffer.concat(outputs)
  writeFileSync(file, output, { mode: 0o600 })
  return {
    kind: 'measured',
    tests: joined(tests),
    output: refTo(file, output),
    ...(notes.size === 0 ? {} : { note: [...notes].join('; ') }),
  }
}

async function executeOne(input: ExecuteInput): Promise<Executed> {
  const { plan, cwd, outDir, name, redact = NO_SECRETS } = input
  const report = watchReport(plan, cwd, outDir)
  const file = path.join(outDir, `${name}.log`)
  const { env, files } = plan.overrides(report.file, input.env)
  for (const [name, text] of Object.entries(files)) writeFileSync(name, text, { mode: 0o600 })
  const passed = stopwatch()
  const progress = watchProgress(plan, report.file)
  const idle = watchIdle(plan, report.file, cwd, input.idleMs)
  const growth = watchGrowth()
  const ended = await runLimited({
    argv: plan.commandLine(report.file, input.files),
    cwd,
    env: { ...input.env, ...env },
    run: input.run,
    step: input.step,
    file,
    timeoutMs: input.timeoutMs,
    mayExtend: () => input.mayExtend === true && growth.isRecent(input.timeoutMs / 2),
    graceMs: input.graceMs,
    signal: input.signal,
    spawn: input.spawn,
    writable: [path.dirname(report.file)],
    isDone: () => idle.isDone(),
    onOutput(chunk, from) {
      idle.onOutput()
      progress.onOutput(chunk, from)
    },
    // A report must not lose its middle: one that is longer than any that is read is refused as
    // such.
    ...(plan.report.by === 'output' && { maxBytes: REPORT_BYTES }),
    onTick(lines) {
      const counted = progress.counted(input.expected)
      growth.saw(counted?.done ?? 0)
      input.onProgress?.({
        phase: input.phase,
        lines,
        elapsedMs: passed(),
        counted,
      })
    },
  })
  if (ended === 'not found')
    return judged(
      input,
      {
        exitCode: null,
        signal: null,
        timedOut: false,
        extended: false,
        finished: false,
        commandMissing: true,
      },
      '',
      { state: 'missing', where: report.file },
      undefined,
    )

  if (plan.report.by === 'output') splitOutput(file, report.file, plan.report.format)
  const text = plainText(readFileSync(file, 'utf8'))
  const output = refTo(file, redactFile(file, redact))
  const missing = [126, 127].includes(ended.exitCode ?? 0) || isNotInstalled(lastChars(text, TAIL))
  const seen = report.find(text)
  const found =
    seen.state === 'missing' && ended.exitCode !== 0 && foundNoTests(text)
      ? { state: 'found' as const, files: [] }
      : seen
  const executed = judged(
    input,
    { ...ended, commandMissing: missing && found.state === 'missing' },
    text,
    found,
    output,
  )
  // Read before: a path in it may look like a secret
  if (lstatSync(report.file, { throwIfNoEntry: false })?.isFile() === true)
    redactFile(report.file, redact)
  return executed
}

// The output is the report: it is kept as such, and what people read is what its events print.
function splitOutput(output: string, report: string, format: ReportFormat): void {
  const shown = FORMATS[format].printed?.(readFileSync(output, 'utf8'))
  if (shown === undefined) return // nothing ran: what it says is all there is
  copyFileSync(output, report)
  const printed = boundedOutput(output)
  printed.write(Buffer.from(shown))
  printed.finish()
}

/** When the count of tests that have finished grew last. */
function watchGrowth(): { saw(done: number): void; isRecent(ms: number): boolean } {
  let most = 0
  let since = stopwatch()
  return {
    saw(done) {
      if (done > most) [most, since] = [done, stopwatch()]
    },
    isRecent: (ms) => most > 0 && since() < ms,
  }
}
