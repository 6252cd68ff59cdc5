// Names of records that are files of one directory: `{name}.json` and the folders of the same name.
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { BAD_INPUT, RefusalError } from '../../contract/failures.js'
import { fileName, idProblem } from '../../contract/ids.js'
import { ownDir, writeOwnSync } from './safe-files.js'
import { unwritable } from './write-file.js'

/**
 * The name of a record in paths.
 *
 * @param what "cycle", "loop"
 * @param reserved a name that is something else, and what it is the name of
 * @throws RefusalError `BadInput` for a name that no record can have
 */
export function recordFileName(
  name: string,
  what: string,
  reserved?: { name: string; problem: string },
): string {
  const problem = idProblem(name) ?? (name === reserved?.name ? reserved.problem : undefined)
  if (problem !== undefined)
    throw new RefusalError(
      BAD_INPUT,
      `the id of a ${what} ${problem}`,
      name.slice(0, 120),
      'choose another id',
    )
  return fileName(name)
}

/**
 * Names of the records in a directory, also of those that have only their folders left, sorted.
 * `folders`: their endings.
 */
export function namesOfRecords(dir: string, folders: readonly string[]): string[] {
  const names = entriesIn(dir).flatMap(({ name, isDirectory }) => {
    const ending = (isDirectory ? folders : ['.json']).find((one) => name.endsWith(one))
    return ending === undefined ? [] : [name.slice(0, -ending.length)]
  })
  return [...new Set(names)].filter((name) => idProblem(name) === undefined).sort()
}

/**
 * Creates the missing directories of a record; the ignore file of `.workflow/` hides it from git.
 * Returns the progress directory.
 *
 * @param folders parts of each folder, below the directory of all records
 * @throws RecordUnwritableError if a link or a file is in the way
 */
export function openFolders(
  project: string,
  { dir, progress }: { dir: string; progress: string },
  folders: readonly (readonly string[])[],
): string {
  const ignore = path.join(project, '.workflow', '.gitignore')
  try {
    // A link in place of .workflow/ itself is the user's choice.
    ownDir(path.join(project, '.workflow'), [path.basename(dir)], 'refused')
    if (!existsSync(ignore)) writeOwnSync(ignore, '*\n')
    for (const folder of folders) ownDir(dir, folder, 'refused')
  } catch (error) {
    throw unwritable(progress, error)
  }
  return progress
}

function entriesIn(dir: string): { name: string; isDirectory: boolean }[] {
  try {
    return readdirSync(dir, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      isDirectory: entry.isDirectory(),
    }))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}
