// Keeps the results of the first full run with the record, as a continued run gets a new workspace.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { FileRef } from '../../contract/files.js'
import { writeOwn } from './safe-files.js'

/** Copies them into the directory of a record, once; `undefined` if they are gone. */
export async function keptBaseline(
  dir: string,
  baseline: FileRef | undefined,
): Promise<FileRef | undefined> {
  if (baseline === undefined) return undefined
  const file = path.join(dir, 'baseline.json')
  if (statSync(file, { throwIfNoEntry: false })?.size === baseline.bytes)
    return { ...baseline, path: file }
  if (!existsSync(baseline.path)) return undefined
  await writeOwn(file, readFileSync(baseline.path, 'utf8'))
  return { ...baseline, path: file }
}

/** Returns the results in a record, if their file still exists. */
export function restoredBaseline({
  baseline,
  baseline_of_base: ofBase,
}: {
  baseline?: FileRef | undefined
  baseline_of_base?: boolean | undefined
}): { baseline?: FileRef; baselineOfBase?: boolean } {
  return baseline === undefined || !existsSync(baseline.path)
    ? {}
    : { baseline, baselineOfBase: ofBase === true }
}
