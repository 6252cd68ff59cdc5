// Lint, types, build and coverage of one commit. What does not pass is run on the base too: where
// it failed before, the errors of both are counted; what ran there and does not now is named.
// Coverage of the base is measured once. The lock that tests take is the caller's.
//
// Each check begins on the files of the commit, without those of the check before. A check that
// does not end, cannot start or is killed says nothing about the code: it was not run, with the
// reason.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Quality, QualityCheck } from '../../contract/quality.js'
import { MARKERS } from '../../contract/names.js'
import type { Workspace } from '../../contract/workspace.js'
import { NO_SECRETS, type Redactor } from '../../core/text/redact.js'
import { firstSentence } from '../../core/text/short-text.js'
import { firstChars, firstWithin, lastChars, plainText } from '../../core/text/test-text.js'
import { changesOf } from '../git/numstat.js'
import { restoreTree, showTree } from '../git/steps.js'
import { endMarkedAll } from '../process/end.js'
import { runLimited } from '../process/limited.js'
import type { SpawnGroup } from '../process/spawn-group.js'
import { testEnv } from '../test-runners/run-env.js'
import { stopwatch } from '../stopwatch.js'
import { qualityCommands, type QualityCommand } from './check-commands.js'
import { watchCoverage } from './coverage.js'
import { errorCount } from './error-count.js'

export type RunQuality = {
  workspace: Workspace
  commit: string
  /** What failing checks are compared with. */
  base: string
  /** Markers of every process that is started; together unique on this host. */
  run: string
  step: string
  /** The user's environment, as it is in the workspace. */
  env: Readonly<Record<string, string | undefined>>
  /** Limit of each check. */
  timeoutMs: number
  /** Between TERM and KILL for what has to be ended; 10 s. */
  graceMs?: number
  signal: AbortSignal
  /** For what the checks print: they have the keys of the agents, too. */
  redact?: Redactor
  /** Coverage of the base, where it was measured already. */
  coverageBefore?: number | null
  /** Names of the checks of the base, where they are known already. */
  checksBefore?: readonly string[]
  /** Instead of what the project has. */
  commands?: readonly QualityCommand[]
  /** Starts them: inside a sandbox, where there is one. */
  spawn?: SpawnGroup | undefined
}

/** Longest tail of a check, in characters. Source: `QualityCheck.tail`. */
const TAIL = 500
/** Kept of the output of a check, in bytes. */
const OUTPUT_BYTES = 2 << 20
/** Changed files without tests that are named, and the bytes that their names may take. */
const UNTESTED_SHOWN = 5
const UNTESTED_BYTES = 500
const GONE = 'the project no longer has it'

type Ran = Pick<QualityCheck, 'result' | 'tail' | 'durationMs'> & {
  coverage: number | null
  uncovered: string[]
  errors?: number | undefined
  command: string
}

/**
 * Runs the checks of a project, one after the other, and leaves the workspace at `commit`.
 *
 * Coverage is a number, not a check: it stands among the checks only where it could not be run.
 * Rejects with the signal's reason when aborted, after all processes have ended; nothing that a
 * check does throws.
 */
export async function runQuality(input: RunQuality): Promise<Quality> {
  const { workspace, commit, base, run, step, signal } = input
  signal.throwIfAborted()
  await endMarkedAll({ [MARKERS.run]: run, [MARKERS.step]: step })
  await restoreTree(workspace, commit, [base])
  const env = testEnv(input.env)
  const find = () => input.commands ?? qualityCommands(workspace.cwd, env)
  const checks: QualityCheck[] = []
  const errors = new Map<string, number | undefined>()
  let coverage: number | null = null
  let uncovered: string[] = []
  let coverageLost: string | undefined = GONE
  let { coverageBefore, checksBefore } = input
  try {
    for (const command of find()) {
      // A build of unchanged code says nothing.
      if (command.name === 'build' && commit === base) continue
      const {
        coverage: measured,
        uncovered: missed,
        errors: found,
        ...ran
      } = await runCheck(input, command, env)
      await restoreTree(workspace, commit)
      if (command.name === 'coverage') {
        coverage = measured
        uncovered = missed
        coverageLost = notMeasured(ran, command)
      }
      if (command.name !== 'coverage' || ran.result === 'not_run')
        checks.push({ name: command.name, ...ran })
      errors.set(command.name, found)
    }
    const onBase = async (name: string): Promise<Ran | undefined> => {
      await showTree(workspace, base)
      const command = find().find((one) => one.name === name)
      const ran = command === undefined ? undefined : await runCheck(input, command, env)
      await restoreTree(workspace, commit, [base])
      return ran
    }
    if (commit !== base && checksBefore === undefined) {
      await showTree(workspace, base)
      checksBefore = find().map(({ name }) => name)
      await restoreTree(workspace, commit, [base])
    }
    for (const check of checks) {
      if (check.result === 'passed' || check.name === 'coverage' || commit === base) continue
      const ran = await onBase(check.name)
      const before = ran?.result ?? 'not_run'
      if (check.result === 'failed' || before !== 'not_run') check.before = before
      const now = errors.get(check.name)
      if (
        check.result === 'failed' &&
        before === 'failed' &&
        now !== undefined &&
        ran?.errors !== undefined
      )
        check.errors = { now, before: ran.errors }
    }
    for (const name of goneFrom(checks, checksBefore)) {
      const ran = await onBase(name)
      if (ran !== undefined && ran.result !== 'not_run')
        checks.push({
          name,
          command: ran.command,
          result: 'not_run',
          before: ran.result,
          gone: true,
          tail: GONE,
          durationMs: 0,
        })
    }
    const hadCoverage = commit !== base && checksBefore?.includes('coverage') === true
    if (coverageBefore === undefined && (coverage !== null || hadCoverage))
      coverageBefore = commit === base ? coverage : ((await onBase('coverage'))?.coverage ?? null)
  } finally {
    await restoreTree(workspace, commit, [base])
  }
  const untested = await changedAmong(workspace, commit, uncovered)
  return {
    commit,
    checks,
    coverage,
    coverageBefore,
    ...(checksBefore === undefined ? {} : { checksBefore: [...checksBefore] }),
    ...(untested.length === 0 ? {} : { untested }),
    ...(coverage === null && typeof coverageBefore === 'number' && coverageLost !== undefined
      ? { coverageLost }
      : {}),
  }
}

/** Why a run of coverage gives no number, where it did not succeed. */
function notMeasured(
  { result, tail }: Pick<Ran, 'result' | 'tail'>,
  { display }: QualityCommand,
): string | undefined {
  if (result === 'passed') return undefined
  return result === 'failed' ? `"${firstChars(display, TAIL / 2)}" failed` : firstSentence(tail)
}

/**
 * Checks that the base has and the commit has not. A build may be part of another check by now, and
 * coverage is a number.
 */
function goneFrom(checks: readonly QualityCheck[], before: readonly string[] = []): string[] {
  return before.filter(
    (name) =>
      name !== 'build' && name !== 'coverage' && !checks.some((check) => check.name === name),
  )
}

/** Those files that differ from the base, by their paths in the repository. */
async function changedAmong(
  workspace: Workspace,
  commit: string,
  files: readonly string[],
): Promise<string[]> {
  if (files.length === 0) return []
  // A tool names files below the directory as the system resolves it.
  const roots = [workspace.root, await realpath(workspace.root)]
  const named = new Set(
    files.flatMap((file) =>
      roots.map((root) => path.relative(root, path.resolve(workspace.cwd, file))),
    ),
  )
  const changed = await changesOf(workspace, workspace.base, commit)
  return firstWithin(
    changed.flatMap(({ file }) => (named.has(file) ? [file] : [])),
    UNTESTED_SHOWN,
    UNTESTED_BYTES,
  )
}

async function runCheck(
  input: RunQuality,
  { argv, display }: QualityCommand,
  env: Readonly<Record<string, string>>,
): Promise<Ran> {
  const {
    workspace: { cwd },
    run,
    step,
    timeoutMs,
    graceMs,
    signal,
    redact = NO_SECRETS,
  } = input
  const dir = await mkdtemp(path.join(os.tmpdir(), 'ratchet-check-'))
  const passed = stopwatch()
  try {
    const file = path.join(dir, 'output')
    const coverage = watchCoverage(cwd)
    const ended = await runLimited({
      argv,
      cwd,
      env: { ...env, PWD: cwd },
      run,
      step,
      file,
      maxBytes: OUTPUT_BYTES,
      timeoutMs,
      graceMs,
      signal,
      spawn: input.spawn,
    })
    const durationMs = passed()
    if (ended === 'not found')
      return {
        result: 'not_run',
        tail: `command not found: ${firstChars(argv[0], TAIL - 50)}`,
        durationMs,
        coverage: null,
        uncovered: [],
        command: display,
      }
    const said = plainText(await readFile(file, 'utf8')).trimEnd()
    const text = redact.text(said)
    const reason = ended.timedOut
      ? `"${display}" did not end within ${timeoutMs / 1_000} s`
      : ended.signal === null
        ? ''
        : `"${display}" was ended by ${ended.signal}`
    if (reason !== '')
      return {
        result: 'not_run',
        tail: withReason(reason, text),
        durationMs,
        coverage: null,
        uncovered: [],
        command: display,
      }
    // A shell says so where the tool of a script is not installed.
    const { percent, uncovered } = coverage.read(said)
    const result =
      ended.exitCode === 0
        ? 'passed'
        : ended.exitCode === 126 || ended.exitCode === 127
          ? 'not_run'
          : 'failed'
    return {
      result,
      tail:
        result === 'not_run'
          ? withReason(`"${display}" could not be started`, text)
          : lastChars(text, TAIL),
      durationMs,
      coverage: percent,
      uncovered,
      errors: result === 'failed' ? errorCount(said) : undefined,
      command: display,
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

function withReason(reason: string, text: string): string {
  const said = firstChars(reason, TAIL / 2)
  return text === '' ? said : `${said}\n${lastChars(text, TAIL - said.length - 1)}`
}
