// Reads what tests are asked for: a file of the project, or the record and branch of an earlier
// run.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { fileName, idProblem } from '../../contract/ids.js'
import type { TestsFor } from '../../contract/test-fix/test-fix-input.js'
import { REQUEST_BYTES, type RequestSource } from '../../core/test-gen/test-request.js'
import { git, splitZ } from '../git/git.js'
import { findRepo, inRepo, resolve } from '../git/repo.js'
import { archivedPlace } from '../records/archive.js'
import { cycleFiles } from '../records/dev-cycle/cycle-paths.js'
import { loopFiles } from '../records/dev-loop/loop-paths.js'
import { readOwn } from '../records/safe-files.js'
import { archivedDir, recordDir } from '../records/test-fix/session-paths.js'
import { isInside } from '../workspace/environment.js'

/** Text of all summaries of a run, in characters, and files of them. */
const SUMMARIES_CHARS = 40_000
const SUMMARIES = 40

/**
 * @throws RefusalError `BadInput` for a file that is not in the project, is no text or too large,
 * and for a run that is not there
 */
export async function readRequest(
  project: string,
  asked: TestsFor | undefined,
): Promise<RequestSource> {
  if (asked === undefined) return { from: 'all' }
  if (asked.text !== undefined) return { from: 'text', text: asked.text }
  if (asked.file !== undefined) return readFile(project, asked.file)
  return readRun(project, asked.from as string)
}

function readFile(project: string, named: string): RequestSource {
  const file = path.resolve(project, named)
  const refused = (problem: string): RefusalError =>
    new RefusalError(
      BAD_INPUT,
      `${named} ${problem}`,
      file,
      'name a text file of the project that says what to test',
    )
  if (!existsSync(file)) throw refused('is not there')
  if (!isInside(realpathSync(file), realpathSync(project))) throw refused('is not in the project')
  const read = readOwn(file, REQUEST_BYTES)
  if (read === undefined) throw refused('is not there')
  if ('problem' in read) throw refused(read.problem)
  if (read.text.trim() === '') throw refused('is empty')
  if (read.text.includes('\0')) throw refused('is no text')
  return { from: 'file', name: path.relative(project, file), text: read.text }
}

async function readRun(project: string, typed: string): Promise<RequestSource> {
  const problem = idProblem(typed)
  if (problem !== undefined)
    throw new RefusalError(BAD_INPUT, `from: ${problem}`, project, LIST_RUNS)
  // A workflow id is the name of a session and a part of the project's key.
  const name = fileName(/^(WFS-[\w-]+)\.[0-9a-f]{6}$/.exec(typed)?.[1] ?? typed)
  const places = [
    recordDir(project, name),
    ...['dev-cycle', 'dev-loop'].flatMap((kind) => foldersOf(project, kind, name)),
    archivedDir(project, name),
    archivedPlace(project, name),
  ].filter((place): place is string => place !== undefined && existsSync(place))
  const records = [...new Set(places)]
  const changed = await changedOn(project, `ratchet/${name}`)
  if (records.length === 0 && changed === undefined)
    throw new RefusalError(BAD_INPUT, `there is no run ${typed}`, project, LIST_RUNS)
  return { from: 'run', name, changed: changed ?? [], summaries: records.flatMap(summariesIn) }
}

const LIST_RUNS = 'list the runs of the project with: ratchet status'

function foldersOf(project: string, kind: string, name: string): string[] {
  try {
    return kind === 'dev-cycle'
      ? [cycleFiles(project, name).progress]
      : [loopFiles(project, name).progress]
  } catch (error) {
    if (error instanceof RefusalError) return []
    throw error
  }
}

/** Summaries of a record, without links. */
function summariesIn(dir: string): { name: string; text: string }[] {
  const files = globSync(['**/.summaries/**/*.md', '**/*summary*.md', '**/changes.log'], {
    cwd: dir,
    dot: true,
    followSymbolicLinks: false,
    deep: 5,
  }).sort()
  let left = SUMMARIES_CHARS
  return files.slice(0, SUMMARIES).flatMap((name) => {
    const read = readOwn(path.join(dir, name))
    if (read === undefined || 'problem' in read || left <= 0) return []
    const text = read.text.slice(0, left)
    left -= text.length
    return [{ name, text }]
  })
}

/** Files that a branch changed, relative to the project; `undefined` where it is not there. */
async function changedOn(project: string, branch: string): Promise<string[] | undefined> {
  const repo = await findRepo(project)
  const ref = `refs/heads/${branch}`
  if ((await resolve(repo, ref)) === undefined) return undefined
  const base = await git(repo.root, ['merge-base', 'HEAD', ref], { okCodes: [1] })
  if (base.code !== 0) return []
  const prefix = path.relative(repo.root, realpathSync(project)).split(path.sep).join('/')
  const below = prefix === '' ? '' : `${prefix}/`
  const files = splitZ(
    await inRepo(repo, [
      'diff-tree',
      '-r',
      '--name-only',
      '-z',
      '--no-renames',
      base.stdout.trim(),
      ref,
    ]),
  )
  return files.filter((file) => file.startsWith(below)).map((file) => file.slice(below.length))
}
