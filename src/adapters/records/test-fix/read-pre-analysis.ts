// Reads what `flow_control.pre_analysis` of a task names, from the record and the workspace and
// from nowhere else: a task file may come from anybody, and what it names goes to an agent. The
// real path decides, so no link leads out.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { RefusalError } from '../../../contract/failures.js'
import {
  PRE_ANALYSIS_SHOWN,
  type PreStep,
  type ResolvedStep,
} from '../../../core/test-fix/pre-analysis.js'
import type { BroughtPath } from '../../trust/brought-texts.js'

export type ReadableRoots = {
  /** The user's project: what `.workflow/…` is relative to. */
  project: string
  /** The session's record. */
  recordDir: string
  /** Where agents work. */
  cwd: string
  brought: BroughtPath
}

type Read = { text: string; cut: boolean; brought?: string | undefined } | { problem: string }

/**
 * Reads the files of all steps, together at most `PRE_ANALYSIS_SHOWN` characters.
 *
 * @param task id, for the message of a refusal
 * @throws RefusalError `PreAnalysisFailed` where a file cannot be read whose step says `fail`, or
 * says `retry_once` and fails twice
 */
export function resolvePreAnalysis(
  steps: readonly PreStep[],
  roots: ReadableRoots,
  task: string,
): ResolvedStep[] {
  let left = PRE_ANALYSIS_SHOWN
  return steps.map(({ reads, ...step }) => ({
    ...step,
    files: reads.map((named) => {
      let read = readNamed(named, roots, left)
      if ('problem' in read && step.onError === 'retry_once') read = readNamed(named, roots, left)
      if ('problem' in read && step.onError !== 'skip_optional')
        throw new RefusalError(
          'PreAnalysisFailed',
          `the step ${JSON.stringify(step.step)} of ${task} could not read ${named}: ${read.problem}`,
          path.join(roots.recordDir, '.task'),
          `put the file there, or write "on_error": "skip_optional" into the step, then: ratchet fix --resume-session ${path.basename(roots.recordDir)}`,
        )
      if ('text' in read) left -= read.text.length
      return { path: named, ...read }
    }),
  }))
}

function readNamed(named: string, roots: ReadableRoots, most: number): Read {
  if (named.split(/[/\\]/).includes('..')) return { problem: 'a path must not hold ".."' }
  const { brought } = roots
  const allowed = [roots.recordDir, roots.cwd].flatMap((root) => realPath(root) ?? [])
  let outside = false
  for (const candidate of candidates(named, roots)) {
    const real = realPath(candidate)
    if (real === undefined) continue
    if (allowed.some((root) => real.startsWith(root + path.sep)))
      return { ...readText(real, most), brought: brought(candidate) ?? brought(real) }
    outside = true
  }
  return {
    problem: outside ? 'it lies outside of the session and the workspace' : 'there is no such file',
  }
}

// `.workflow/<session>/x` is written for the project; a session may have moved since.
function candidates(named: string, { project, recordDir, cwd }: ReadableRoots): string[] {
  if (path.isAbsolute(named)) return [named]
  const inSession = named.split(`${path.basename(recordDir)}/`)[1]
  return [
    path.join(project, named),
    path.join(recordDir, named),
    path.join(cwd, named),
    ...(inSession === undefined ? [] : [path.join(recordDir, inSession)]),
  ]
}

function realPath(file: string): string | undefined {
  try {
    return realpathSync(file)
  } catch (error) {
    if (
      ['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
      return undefined
    throw error
  }
}

// Not blocking: what is named may be a pipe.
function readText(file: string, most: number): Read {
  let fd: number | undefined
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!fstatSync(fd).isFile()) return { problem: 'it is not a file' }
    const buffer = Buffer.alloc(4 * most + 4) // a character has at most four bytes
    let bytes = 0
    for (let n = -1; n !== 0 && bytes < buffer.length; bytes += n)
      n = readSync(fd, buffer, bytes, buffer.length - bytes, null)
    const text = buffer.toString('utf8', 0, bytes)
    return text.includes('\0')
      ? { problem: 'it is not a text' }
      : { text: text.slice(0, most), cut: text.length > most }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['EACCES', 'EPERM', 'EISDIR', 'ELOOP', 'ENOENT', 'ENXIO'].includes(code))
      return { problem: `it cannot be read (${code})` }
    throw error
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}
