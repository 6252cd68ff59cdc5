// What agents said about the criticality of failures, in files next to the test runs: a test run
// reads them, the reading of an answer adds to them. A file is named by its content, so writing the
// same claims again changes nothing and an earlier reference stays good.
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { CriticalityRule } from '../../contract/config/config.js'
import type { FileRef } from '../../contract/files.js'
import { StoredClaims, type Levels, type Measured } from '../../contract/test-run.js'
import { levelsWith } from '../../core/test-results/compare-runs.js'
import { newestClaims, type CriticalityClaim } from '../../core/test-results/criticality-claims.js'
import { refTo } from '../files/file-ref.js'
import { replaceFileSync } from '../files/replace-file.js'
import { digest } from '../state-dir.js'
import { readStoredRun } from './stored-run.js'

/**
 * The claims so far, oldest first; none where there is no file yet. Throws where it is not the one
 * that was written.
 */
export function readClaims(ref: FileRef | undefined): CriticalityClaim[] {
  if (ref === undefined) return []
  const text = readFileSync(ref.path)
  if (digest(text) !== ref.sha256)
    throw new Error(`the claims on failures were changed: ${ref.path}`)
  return StoredClaims.parse(JSON.parse(text.toString('utf8'))).claims
}

/**
 * Writes claims, oldest first, without those that a later one replaced.
 *
 * @param dir `testRunsDir` of the workspace
 */
export function writeClaims(dir: string, claims: readonly CriticalityClaim[]): FileRef {
  const content: StoredClaims = { schema: 1, claims: newestClaims(claims) }
  const text = `${JSON.stringify(content)}\n`
  const file = path.join(dir, `claims-${digest(text).slice(0, 16)}.json`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  replaceFileSync(file, text, { mode: 0o600 })
  return refTo(file, text)
}

/**
 * The failures of a compared run by level, with all claims there are by now. The stored run stays
 * as it is.
 */
export function recount(
  run: Measured,
  claims: readonly CriticalityClaim[],
  rules: readonly CriticalityRule[],
): { levels: Levels } {
  return { levels: levelsWith(readStoredRun(run.results), claims, rules, run.fingerprint) }
}
