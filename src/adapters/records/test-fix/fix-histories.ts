// What earlier fixes did, from the fix-history of this session and of the project's others. Files
// of other tools and versions are read as far as they go.
import { statSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import type { IterationSummary } from '../../../contract/result.js'
import { TASK_ID } from '../../../contract/test-fix/task.js'
import { fixDetails } from '../../../core/records/record-view.js'
import { recordedHistory } from '../../../core/records/recover-state.js'
import { withOutcomes } from '../../../core/records/told-fixes.js'
import { FixHistoryEntry, type KnownFix } from '../../../core/test-fix/fix-history-match.js'
import type { BroughtPath } from '../../trust/brought-texts.js'
import { ITERATION_STATE } from './iteration-state.js'
import { ARCHIVE, SESSION_PLACES } from './session-paths.js'
import { jsonContent } from './sessions.js'

const FILE = '.process/fix-history.json'
/** Most files that are looked into, the newest, and the largest of them in bytes. */
const FILES = 100
const LARGEST = 4 << 20

/**
 * Every fix that is known in a project; those of this session last, the others by age.
 *
 * @param brought which files are the repository's
 */
export function knownFixes(project: string, recordDir: string, brought: BroughtPath): KnownFix[] {
  const own = path.join(recordDir, FILE)
  const found = globSync(
    [...SESSION_PLACES, ARCHIVE].map((place) => `${place}/*/${FILE}`),
    { cwd: project, absolute: true, dot: true, followSymbolicLinks: false },
  )
  const others = found
    .filter((file) => file !== own)
    .flatMap((file) => {
      const stat = statSync(file, { throwIfNoEntry: false })
      return stat === undefined || stat.size > LARGEST ? [] : [{ file, at: stat.mtimeMs }]
    })
  const files = others
    .sort((a, b) => a.at - b.at || (a.file < b.file ? -1 : 1))
    .slice(-FILES)
    .map(({ file }) => file)
  return [...files, own].flatMap((file) =>
    fixesIn(path.dirname(path.dirname(file))).map((fix) => ({ ...fix, brought: brought(file) })),
  )
}

/** The fixes of one session, oldest first. */
export function fixesIn(recordDir: string): KnownFix[] {
  const at = (name: string): string => path.join(recordDir, name)
  return withOutcomes(fixEntries(recordDir), {
    iterationState: () => jsonContent(at(ITERATION_STATE)),
    detailsOf: (task) =>
      TASK_ID.test(task) ? fixDetails(jsonContent(at(`.task/${task}.json`))) : undefined,
  }).map((fix) => ({ ...fix, session: path.basename(recordDir) }))
}

/** The files of a session that say what it tried. */
export function attemptFiles(recordDir: string): string[] {
  return [FILE, ITERATION_STATE].map((name) => path.join(recordDir, name))
}

/** The iterations of a session, as its own files have them. */
export function historyIn(recordDir: string): IterationSummary[] {
  return recordedHistory({
    iterationState: jsonContent(path.join(recordDir, ITERATION_STATE)),
    session: {},
    fixHistory: rawFixEntries(recordDir),
    testTask: '',
  })
}

/** The entries of the fix-history of a session that can be read. */
export function fixEntries(recordDir: string): FixHistoryEntry[] {
  return rawFixEntries(recordDir).flatMap((raw) => FixHistoryEntry.safeParse(raw).data ?? [])
}

/** The entries of the fix-history of a session, in the form of any tool. */
export function rawFixEntries(recordDir: string): unknown[] {
  const value = jsonContent(path.join(recordDir, FILE))
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  const { entries, fix_history: history } = value as { entries?: unknown; fix_history?: unknown }
  return [entries, history].find((list) => Array.isArray(list)) ?? []
}
