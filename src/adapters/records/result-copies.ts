// Copies test results to the record, so that a session can continue without the state directory.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import type { FileRef } from '../../contract/files.js'
import type { TestFixState } from '../../contract/test-fix/test-fix-state.js'
import { StoredClaims, StoredRun } from '../../contract/test-run.js'
import { refTo } from '../files/file-ref.js'
import { digest } from '../state-dir.js'
import { readJson } from './test-fix/sessions.js'
import { PRIVATE, writing } from './write-file.js'
import { defined } from '../../core/text/defined.js'

/** Copies by what they are of, relative to the record. */
export const COPIES = {
  baseline: '.process/results/baseline.json',
  lastRun: '.process/results/last-run.json',
  lastFull: '.process/results/last-full.json',
  best: '.process/results/best.json',
  start: '.process/results/start.json',
  claims: '.process/results/claims.json',
  output: '.process/test-output.log',
} as const
export type Copied = keyof typeof COPIES

/** The files of a state that the record keeps copies of. */
export function refsOf(
  state: Pick<TestFixState, 'baseline' | 'lastRun' | 'lastFull' | 'best' | 'start' | 'claims'>,
): Partial<Record<Copied, FileRef>> {
  const { baseline, lastRun, lastFull, best, start, claims } = state
  return defined({
    baseline,
    lastRun: lastRun?.kind === 'measured' ? lastRun.results : undefined,
    lastFull,
    best: best?.run.results,
    start: start?.run.results,
    claims,
    output: lastRun?.output,
  })
}

/** Copies what has changed. A file that is gone leaves its copy as it was. */
export async function keepResults(dir: string, state: TestFixState): Promise<void> {
  for (const [name, ref] of Object.entries(refsOf(state)) as [Copied, FileRef][]) {
    const copy = path.join(dir, COPIES[name])
    if (!existsSync(ref.path) || holds(copy, ref)) continue
    await writing(copy, () => {
      mkdirSync(path.dirname(copy), { recursive: true, mode: PRIVATE.dir })
      copyFileSync(ref.path, `${copy}.part`)
      chmodSync(`${copy}.part`, PRIVATE.file)
      renameSync(`${copy}.part`, copy)
    })
  }
}

/** Whether a file is the one that a reference was made to. */
export function holds(file: string, ref: FileRef): boolean {
  return existsSync(file) && digest(readFileSync(file)) === ref.sha256
}

/** References to the copies that can be read, where nothing says which they should be. */
export function foundCopies(dir: string): Partial<Record<Copied, FileRef>> {
  const schemas = {
    baseline: StoredRun,
    lastRun: StoredRun,
    lastFull: StoredRun,
    best: StoredRun,
    start: StoredRun,
    claims: StoredClaims,
    output: undefined,
  }
  return Object.fromEntries(
    (Object.keys(COPIES) as Copied[]).flatMap((name) => {
      const file = path.join(dir, COPIES[name])
      if (!existsSync(file)) return []
      const schema = schemas[name]
      const read = schema === undefined ? undefined : readJson(file)
      const isRead =
        schema === undefined ||
        (read !== undefined && 'value' in read && schema.safeParse(read.value).success)
      return isRead ? [[name, refTo(file, readFileSync(file))]] : []
    }),
  )
}
