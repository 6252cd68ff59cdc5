// Runs one row of the table and judges the verdict without Ratchet's numbers: the branch by git,
// its tests by their own command in a clean checkout, the user's tree by content, mode and time.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { RunResult } from '../../src/client/index.js'
import { MARKERS } from '../../src/contract/names.js'
import { layout, projectKey } from '../../src/adapters/state-dir.js'
import { findMarked } from '../../src/adapters/process/find.js'
import {
  filesIn,
  filesOf,
  runGit,
  writeFiles,
  type Files,
  fingerprint,
  outsideOfRecord,
} from '../support/repositories/repos.js'
import { makeProject } from '../support/runs/real-run.js'
import type { InProcessUser } from '../support/in-process/user.js'
import type { Runner as RunsFixes } from '../support/runs/whole-run.js'
import { analysis, type Expected, type Mover, type Play } from './play.js'
import { withEdits, type OwnRun, type Repository } from './repository.js'

/** A user whose workspaces lie below `dirs`. */
export type Runner = RunsFixes & Pick<InProcessUser, 'dirs' | 'json'>

export type Row = { repository: Repository; mover: Mover }

export type Verdict = {
  row: Row
  expected: Expected
  result?: RunResult
  /** Pass rate of the code as it was, and as the branch has it, by the project's own tests. */
  before?: number
  after?: number
  /** Errors of the verdict; empty if it is right. */
  problems: string[]
  seconds: number
}

/** Longest run of a row. */
const PATIENCE_MS = 8 * 60_000
const PROGRAMS = path.resolve(import.meta.dirname, 'agents')

/** Runs a row to its end. Returns errors and never throws. */
export async function verdict(user: Runner, row: Row): Promise<Verdict> {
  const { repository, mover } = row
  const expected = mover.expected(repository)
  const answer: Verdict = { row, expected, problems: [], seconds: 0 }
  const startedAt = Date.now()
  try {
    await judged(user, answer)
  } catch (error) {
    answer.problems.push(error instanceof Error ? error.message : String(error))
  }
  return { ...answer, seconds: (Date.now() - startedAt) / 1000 }
}

/** Name of a row's project and session. */
export function sessionName({ repository, mover }: Row): string {
  return `${repository.name}-${mover.name
    .replace(/[^a-z]+/g, '-')
    .slice(0, 30)
    .replace(/-$/, '')}`
}

async function judged(user: Runner, answer: Verdict): Promise<void> {
  const {
    row: { repository, mover },
    expected,
    problems,
  } = answer
  const play = mover.play(repository)
  const name = sessionName(answer.row)
  const pids = path.join(user.root, `${name}.pids`)
  const project = makeProject(
    user,
    name,
    play.steps ?? [{ do: [] }],
    config(user, name, repository, play, pids),
    repository.files(),
  )
  const untouched = fingerprint(project)

  const session = `WFS-test-${name}`
  const run = await user.fix(project, session, { maxIterations: play.maxIterations ?? 1 })
  let result = await within(PATIENCE_MS, user.finish(run))
  if (play.answer !== undefined) {
    await user.json(project, 'answer', session, play.answer)
    result = (await within(PATIENCE_MS, user.json<RunResult>(project, 'watch', session))).document
  }
  answer.result = result

  const left = [...findMarked(MARKERS.run, run.id).map(({ pid }) => pid), ...written(pids)].filter(
    isAlive,
  )
  for (const pid of written(pids).filter(isAlive)) process.kill(pid, 'SIGKILL')
  if (left.length > 0 && expected.mayLeave !== true)
    problems.push(`left processes: ${left.join(', ')}`)
  const touched = differences(untouched, outsideOfRecord(project))
  if (touched.length > 0) problems.push(`touched the user's tree: ${touched.join(', ')}`)

  judgeRepository(answer, project, layout.workspace(user.dirs, projectKey(project), session))
  judgeTree(answer, project, result)
  judgeResult(answer, project, result)
}

/** Git finds nothing wrong in the user's repository, and no file of the workspace is one of it. */
function judgeRepository({ problems }: Verdict, project: string, workspace: string): void {
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['fsck', '--full', '--no-dangling', '--no-progress'],
    { cwd: project, encoding: 'utf8' },
  )
  if (status !== 0)
    problems.push(`the user's repository is damaged: ${`${stdout}${stderr}`.slice(0, 500)}`)
  const own = inodesOf(project)
  const theirs = inodesOf(workspace)
  if (theirs.size === 0) problems.push(`there is no workspace at ${workspace}`)
  const shared = [...theirs].filter(([inode]) => own.has(inode)).map(([, file]) => file)
  if (shared.length > 0)
    problems.push(
      `the workspace shares inodes with the user's repository: ${shared.slice(0, 5).join(', ')}`,
    )
}

/** Files below a directory by device and inode. */
function inodesOf(dir: string): Map<string, string> {
  const entries = existsSync(dir) ? readdirSync(dir, { recursive: true, withFileTypes: true }) : []
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = path.join(entry.parentPath, entry.name)
        const { dev, ino } = lstatSync(file, { bigint: true })
        return [`${dev} ${ino}`, file]
      }),
  )
}

/** The branch holds the user's work tree with exactly the expected edits, byte by byte. */
function judgeTree(
  { row: { repository }, expected, problems }: Verdict,
  project: string,
  result: RunResult,
): void {
  const was = filesOf(project, [...repository.installed, '.workflow'])
  const must: Files = { ...withEdits(was, expected.edits), ...expected.files }
  const is = filesIn(project, branchOf(result))
  for (const file of expected.mayBe ?? []) for (const files of [must, is]) delete files[file]
  const wrong = differences(must, is)
  if (wrong.length > 0)
    problems.push(`the branch differs from what the fixes make of the project: ${wrong.join(', ')}`)
}

function judgeResult(answer: Verdict, project: string, result: RunResult): void {
  const {
    row: { repository },
    expected,
    problems,
  } = answer
  const wrong = (what: string, is: unknown, must: unknown) => {
    if (JSON.stringify(is) !== JSON.stringify(must))
      problems.push(`${what} is ${JSON.stringify(is)}, not ${JSON.stringify(must)}`)
  }
  const own = withMissing(checkedOut(repository, project, branchOf(result)), expected)
  const pristine = withMissing(
    ownRun(repository, {
      ...withEdits(repository.files(), expected.edits),
      ...(expected.missing === undefined ? {} : expected.files),
    }),
    expected,
  )
  const base = ownRun(repository, repository.files())
  const before = rate(base)
  answer.before = rate(base)
  answer.after = rate(own)

  wrong('the outcome', result.outcome, expected.outcome)
  wrong('the pass rate', result.passRate, rate(own))
  wrong('the pass rate of the best state', result.best?.passRate, rate(own))
  if (result.confirmed === false)
    problems.push(`canaries did not confirm an honest result: ${result.unconfirmed}`)
  wrong('the head', result.head, runGit(project, 'rev-parse', branchOf(result)))
  if (rate(own) !== rate(pristine))
    problems.push(`the branch passes ${rate(own)} % where the fixes alone pass ${rate(pristine)} %`)
  if (rate(own) < rate(base))
    problems.push(
      `BELOW THE START: the branch passes ${rate(own)} %, the code before ${rate(base)} %`,
    )
  if (expected.notStarted === undefined)
    wrong('the pass rate before', result.history[0]?.passRate, before)
  wrong(
    'the pass rate of the baseline',
    result.baselinePassRate,
    expected.notStarted === undefined ? before : null,
  )
  if (
    result.outcome === 'success' &&
    !(own.green && pristine.green && expected.missing === undefined)
  )
    problems.push(
      `FALSE SUCCESS: the project's own run passes ${pristine.passed} of ${pristine.total} tests`,
    )
  if (result.outcome === 'success') wrong('the list of broken tests', result.broken, [])
  wrong('the number of failures', result.failuresTotal, own.total - own.passed)
  wrong('the list of failures', result.failures.length, Math.min(50, own.total - own.passed))
  wrong('"needs a review"', result.reviewNeeded, expected.outcome === 'partial_success')
  if (expected.iterations !== undefined)
    wrong('the iterations', result.iterations, expected.iterations)
  if (expected.results !== undefined)
    wrong(
      'what became of the iterations',
      result.history.slice(1).map((one) => one.result),
      expected.results,
    )
  if (expected.takenBack !== undefined)
    wrong(
      'what was taken back alone',
      result.history
        .filter((one) => one.result === 'kept')
        .flatMap(({ parts = [] }) => parts.filter((part) => part.result === 'rolled_back'))
        .map(({ task }) => task),
      expected.takenBack,
    )
  wrong(
    'the criticality of the failures',
    [...new Set(result.failures.map((failure) => failure.criticality))],
    expected.levels ?? (own.total === own.passed ? [] : ['high']),
  )

  const notes = result.history.map((one) => one.note ?? '').join('\n')
  const named = expected.restored ?? []
  if (named.length > 0 && !/restored/.test(notes))
    problems.push('it is not said that changes of tests were restored')
  if (named.length > 0 && !named.some((file) => notes.includes(file)))
    problems.push(`no restored file is named: ${notes}`)
  if (expected.claimed !== undefined)
    wrong('the claim', result.history.at(-1)?.claimed, expected.claimed)
}

function withMissing(run: OwnRun, { missing = 0 }: Expected): OwnRun {
  return { ...run, total: run.total + missing }
}

/** Rejects when a run does not end in time. */
async function within<T>(ms: number, done: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the run did not end within ${ms / 1000} s`)), ms)
  })
  return Promise.race([done, late]).finally(() => clearTimeout(timer))
}

function config(
  user: Runner,
  name: string,
  repository: Repository,
  play: Play,
  pids: string,
): Record<string, unknown> {
  const common = {
    test: {
      command: repository.testCommand,
      ...(play.timeout === undefined ? {} : { timeout: play.timeout }),
    },
    ...(play.limits === undefined ? {} : { limits: play.limits }),
    ...(play.workspace === undefined ? {} : { workspace: play.workspace }),
  }
  if (play.program === undefined) return common
  const { name: program, args = [], edits = [] } = play.program
  const script = path.join(user.root, `${name}.script.json`)
  writeFileSync(
    script,
    JSON.stringify({
      analysis: analysis(repository),
      edits,
      pids,
      weakening: { testFile: repository.testFile, ...repository.weakening },
    }),
  )
  return {
    ...common,
    roles: { default: 'odd' },
    agents: {
      odd: {
        protocol: 'acp',
        command: process.execPath,
        args: [path.join(PROGRAMS, `${program}.mjs`), script, ...args],
      },
    },
  }
}

function branchOf({ branch }: RunResult): string {
  if (branch === null) throw new Error('the result names no branch')
  return branch
}

const runs = new Map<string, OwnRun>()

/** Runs the project's tests on a clean clone of the branch, with its dependencies installed. */
function checkedOut(repository: Repository, project: string, branch: string): OwnRun {
  const tree = runGit(project, 'ls-tree', '-r', branch)
    .split('\n')
    .filter((line) => !/\tratchet\.(playbook|config)\./.test(line))
    .join('\n')
  return once(`${repository.name} ${tree}`, (dir) => {
    runGit(project, 'clone', '--quiet', '--branch', branch, project, dir)
    const installed = Object.entries(repository.files()).filter(([file]) =>
      repository.installed.some((folder) => file.startsWith(`${folder}/`)),
    )
    writeFiles(dir, Object.fromEntries(installed))
    return repository.ownRun(dir)
  })
}

function ownRun(repository: Repository, files: Files): OwnRun {
  return once(`${repository.name} ${JSON.stringify(files)}`, (dir) => {
    writeFiles(dir, files)
    return repository.ownRun(dir)
  })
}

// The same tree is run once: most movers leave one of four.
function once(key: string, run: (dir: string) => OwnRun): OwnRun {
  const known = runs.get(key)
  if (known !== undefined) return known
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-own-run-')))
  try {
    const done = run(path.join(root, 'checkout'))
    runs.set(key, done)
    return done
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Percent with one decimal, rounded down, as results have it. */
function rate({ passed, total }: OwnRun): number {
  return Math.floor((passed * 1000) / total) / 10
}

function differences(
  was: Readonly<Record<string, unknown>>,
  is: Readonly<Record<string, unknown>>,
): string[] {
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((file) => was[file] !== is[file])
    .map((file) => (file in was ? (file in is ? file : `${file} (gone)`) : `${file} (new)`))
}

function written(pids: string): number[] {
  return existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []
}

// A process that was ended may wait for its new parent to notice: a zombie writes nothing any more.
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z')
}
