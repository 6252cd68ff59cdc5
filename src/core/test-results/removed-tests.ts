// Tests that are gone, and whether that was meant. One that is gone is open until it is back, or
// until a commit of the run has changed its file and the validation of the head names the removal
// as meant.
import { REMOVED_SHOWN, type Comparison, type TestRun } from '../../contract/test-run.js'
import { textKey } from '../dev-cycle/documents/same-text.js'
import { code, LINE_SHOWN } from '../text/one-line.js'
import { isStandIn } from './stand-ins.js'
import { firstWithin } from '../text/test-text.js'

type Named = { file: string; test: string }
type Removed = NonNullable<Comparison['removed']>

/** Bytes that the names of removed tests may take in a result. */
const NAMES_BYTES = 1_400

/**
 * Missing tests whose files differ from the base, by file. `passed`: whether a test passed at the
 * baseline.
 */
export function removedTests(
  missing: readonly Named[],
  changed: readonly string[],
  passed: (one: Named) => boolean,
): Removed {
  const groups = new Map<string, Removed[number]>()
  let room = NAMES_BYTES
  for (const one of missing) {
    if (isStandIn(one) || !isChanged(one.file, changed)) continue
    const key = `${one.file}\0${passed(one)}`
    const group = groups.get(key) ?? { file: one.file, passed: passed(one), total: 0, tests: [] }
    groups.set(key, group)
    group.total++
    const [kept] = firstWithin([one.test], 1, room)
    if (kept === undefined || group.tests.length >= REMOVED_SHOWN) continue
    group.tests.push(kept)
    room -= kept.length + 3
  }
  return [...groups.values()].slice(0, REMOVED_SHOWN)
}

// A package of Go stands for its files where a report names none.
function isChanged(file: string, changed: readonly string[]): boolean {
  return changed.some((one) => one === file || (file !== '' && one.startsWith(`${file}/`)))
}

/**
 * Removals that the validation names as meant: how many tests, how many of them passed at the
 * baseline, and which.
 */
export type Meant = { total: number; passed: number; is: (one: Named) => boolean; texts: string[] }

/** @param named entries of `removed_tests`: a test, or a file for all of its tests that are gone */
export function meantRemovals(run: TestRun | undefined, named: readonly string[]): Meant {
  const removed = (run?.kind === 'measured' ? run.comparison?.removed : undefined) ?? []
  const entries = named.map((text) => entryOf(text, removed))
  const is = ({ file, test }: Named): boolean =>
    removed.some((group) => group.file === file) &&
    entries.some(
      (one) =>
        (one.file ?? file) === file &&
        (one.titles.length === 0 || titlesOf(test).some((title) => one.titles.includes(title))),
    )
  const counted = removed.map((group) => {
    const tests = group.tests.filter((test) => is({ file: group.file, test }))
    const whole = entries.some(({ file, titles }) => file === group.file && titles.length === 0)
    return { ...group, tests, total: whole ? group.total : tests.length }
  })
  const sum = (groups: readonly Removed[number][]): number =>
    groups.reduce((all, { total }) => all + total, 0)
  return {
    total: sum(counted),
    passed: sum(counted.filter(({ passed }) => passed)),
    is,
    texts: counted.flatMap(({ file, tests }) => tests.map((test) => `${file} > ${test}`)),
  }
}

/** Words that begin a reason and no title: "a.test.ts: replaced by b.test.ts". */
const REASON =
  /^(?:(?:it |they )?(?:is|are|was|were|has been|have been) )?(?:now )?(?:all|everything|whole|entire|replaced|obsolete|outdated|out of date|removed|deleted|dropped|gone|renamed|moved|merged|superseded|covered|redundant|duplicated?|dead|unused|no longer|not needed|on purpose|intentional(?:ly)?|intended|meant|because|since|as)\b/i

/**
 * An entry: its file, where it begins with one, and what the title may be, with and without a
 * reason behind it. No title, or only a reason: all of the file.
 */
function entryOf(said: string, removed: Removed): { file?: string; titles: string[] } {
  const text = said.trim().replace(/^[`"'*]+|[`"'*]+$/g, '')
  const own = removed.filter(({ file }) => file !== '' && text.startsWith(file))
  const file = own[0]?.file
  const behind = text.slice(file?.length ?? 0).replace(/^[`"'*]+/, '')
  const rest = behind.replace(/^[\s:>]+/, '')
  if (file !== undefined && !/[\p{L}\p{N}]/u.test(rest)) return { file, titles: [] }
  const parts = [rest, rest.split(' > ').at(-1) ?? '']
  const titles = parts
    .flatMap((part) => [part, part.split(/\s\(|:\s|\s[-–—]\s/)[0] ?? ''])
    .map(textKey)
    .filter((title) => title !== '')
  const isNamed = own
    .flatMap(({ tests }) => tests.flatMap(titlesOf))
    .some((title) => titles.includes(title))
  const reason = behind.replace(/^[\s:,–—-]+/, '')
  if (file !== undefined && !isNamed && (/^\(/.test(reason) || REASON.test(reason)))
    return { file, titles: [] }
  return { file, titles: [...new Set(titles)] }
}

function titlesOf(test: string): string[] {
  return [test, test.split(' > ').at(-1) ?? ''].map(textKey)
}

/** What a validation is asked about tests that are gone; empty where there are none. */
export function removedLines(run: TestRun | undefined): string[] {
  const removed = (run?.kind === 'measured' ? run.comparison?.removed : undefined) ?? []
  if (removed.length === 0) return []
  const lines = removed.flatMap(({ file, tests, total }) => [
    ...tests.map((test) => `- ${code(file, LINE_SHOWN)} ${code(test, LINE_SHOWN)}`),
    ...(total > tests.length ? [`- ${code(file, LINE_SHOWN)}: ${total - tests.length} more`] : []),
  ])
  return [
    '',
    'These tests ran before and are gone, in files that the work has changed. Name each intended removal in `removed_tests`, as `FILE > TEST`, or the file alone for all of its tests here: renamed, replaced, or about what the task takes out. Each that you do not name counts as failing:',
    '',
    ...lines,
  ]
}
