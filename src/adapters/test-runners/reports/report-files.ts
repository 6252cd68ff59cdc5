// Finds the report that one execution wrote, and no other: an old report reads as a result.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { lastOf } from '../../../core/runners/runner-words.js'
import { stopwatch } from '../../stopwatch.js'
import { runnerNamed } from '../../../core/runners/known-runners.js'
import type { TestPlan } from '../command.js'
import { FORMATS } from './read-report.js'

export type Found =
  { state: 'found'; files: string[] } | { state: 'missing' | 'stale'; where: string }

export type ReportWatch = {
  /** File that flags name as the report; it does not exist yet, and its directory is its own. */
  file: string
  /** Looks after the execution. `output` is its text, which may name another place. */
  find(output: string): Found
}

/** File times may lag behind one another by a tick of the kernel. */
const TICK_MS = 1_000

/** Notes what is there before an execution, and clears old reports away inside the project. */
export function watchReport(plan: TestPlan, cwd: string, outDir: string): ReportWatch {
  const format = FORMATS[plan.report.format]
  const own = path.join(outDir, `report-${randomBytes(6).toString('hex')}`)
  mkdirSync(own, { mode: 0o700 })
  const file = path.join(own, `report.${format.extension}`)
  const began = beginning(outDir)
  const before = new Map<string, string>()
  const pattern = plan.report.by === 'path' ? plan.report.path : undefined
  if (pattern !== undefined)
    for (const old of matches(pattern, cwd))
      if (isInside(old, cwd) && format.begins(headOf(old))) unlinkSync(old)
      else before.set(old, stamp(old))

  return {
    file,
    find(output) {
      const found =
        pattern !== undefined ? matches(pattern, cwd) : elsewhere(plan, cwd, file, output)
      const since = began()
      const fresh = found.filter(
        (one) => before.get(one) !== stamp(one) && statSync(one).mtimeMs >= since,
      )
      if (fresh.length > 0) return { state: 'found', files: fresh }
      return {
        state: found.length > 0 ? 'stale' : 'missing',
        where: pattern === undefined ? file : path.resolve(cwd, pattern),
      }
    },
  }
}

// By the clock of the disk. Where it was set back meanwhile, the beginning is as long ago as it is.
function beginning(dir: string): () => number {
  const now = (): number => {
    const probe = path.join(dir, `clock-${randomBytes(6).toString('hex')}`)
    writeFileSync(probe, '', { mode: 0o600 })
    const { mtimeMs } = statSync(probe)
    unlinkSync(probe)
    return mtimeMs
  }
  const began = now()
  const passed = stopwatch()
  return () => Math.min(began, now() - passed()) - TICK_MS
}

function matches(pattern: string, cwd: string): string[] {
  return globSync(pattern, {
    cwd,
    absolute: true,
    onlyFiles: true,
    dot: true,
    followSymbolicLinks: false,
  }).sort()
}

function stamp(file: string): string {
  const { ino, mtimeMs, size } = statSync(file)
  return `${ino} ${mtimeMs} ${size}`
}

// A link would have another file read, and written, in its place.
function exists(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

function isInside(file: string, dir: string): boolean {
  return !path.relative(dir, file).startsWith('..')
}

// A glob like `**/*.xml` may match what the project needs; only reports are removed.
function headOf(file: string): string {
  const head = Buffer.alloc(512)
  const fd = openSync(file, 'r')
  try {
    return head.toString('utf8', 0, readSync(fd, head, 0, head.length, 0))
  } finally {
    closeSync(fd)
  }
}

// The command, or the project's own configuration, may name a file, which then wins over ours: some
// runners say which, others write to a place that is known.
function elsewhere(plan: TestPlan, cwd: string, file: string, output: string): string[] {
  const { written, writtenTo } = runnerNamed(plan.runner)?.report ?? {}
  const named = written === undefined ? undefined : lastOf(written, output)?.[1]
  const known = writtenTo === undefined ? [] : matches(writtenTo, cwd)
  const own = plan.ownReport === undefined ? [] : [path.resolve(cwd, plan.ownReport)]
  return [file, ...(named === undefined ? [] : [path.resolve(cwd, named)]), ...own, ...known]
    .filter(exists)
    .slice(0, 1)
}
