// Writes a prep package where its command reads it. A package that is there is copied first.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { PrepFor } from '../../../contract/prep/prep-input.js'
import { failpoint } from '../../failpoint.js'
import { digest } from '../../state-dir.js'
import { ownDir, readOwn, writeOwn } from '../safe-files.js'
import { jsonText, RecordUnwritableError, writeWhole } from '../write-file.js'
import { openPrepRecord, packageFile, prepFiles } from './prep-paths.js'

const EARLIER = 'earlier-'

/**
 * Writes a package into the record of its preparation, then into the place of its command. A
 * repeated call changes nothing and answers the same.
 *
 * @returns the file, and the copy of the one that was there before
 * @throws RecordUnwritableError if a link or a directory is in the place of the file
 */
export async function writePackage(
  project: string,
  name: string,
  command: PrepFor,
  value: object,
): Promise<{ file: string; earlier?: string }> {
  const file = packageFile(project, command)
  const text = jsonText(value)
  const record = openPrepRecord(project, name)
  await writeOwn(prepFiles(project, name).package, text)
  ownDir(path.join(project, '.workflow'), [path.basename(path.dirname(file))], 'refused')
  const before = readOwn(file)
  if (before !== undefined && 'problem' in before)
    throw new RecordUnwritableError(
      `cannot write ${file}: it ${before.problem}; move it away, and the run continues by itself`,
    )
  if (before !== undefined && before.text !== text)
    await writeOwn(
      path.join(record, `${EARLIER}${digest(before.text).slice(0, 8)}.json`),
      before.text,
    )
  failpoint('package:kept')
  await writeWhole(file, text)
  const copy = readdirSync(record).find((one) => one.startsWith(EARLIER))
  return { file, ...(copy === undefined ? {} : { earlier: path.join(record, copy) }) }
}
