// The code that an analysis needs at once: the failing tests, the files that their errors name, and
// what these import. Decides what is read and what of it is shown.
import { joinPath, nameOf } from '../../text/posix-path.js'
import { placesIn } from '../fix-history-match.js'
import { importedFiles } from './imported-files.js'

/** Characters of code in a prompt: bounds, and without a known context. */
export const CODE_SHOWN = { least: 4_000, unknown: 24_000, most: 40_000 }
/** Part of the agent's context that the code may take. */
const CONTEXT_PART = 0.05
const CHARS_PER_TOKEN = 4
/** Most files, and steps from a test over imports. */
export const CODE_FILES = 20
export const IMPORT_STEPS = 2
/** Lines around a place, in a file that is not shown whole. */
const AROUND = 30
/** Characters up to which a file is shown whole. */
const WHOLE = 8_000

/** Names of files that hold secrets, however they got into a repository. */
const SECRET =
  /^(\.env(rc|\..*)?|\.npmrc|\.netrc|\.pypirc|\.pgpass|\.git-credentials|id_[a-z0-9]+|.*\.(pem|key|p12|pfx|jks)|(credentials|secrets?|service-account.*)(\.(json|ya?ml|toml|ini|env|csv|txt))?)$/i

/** Whether a file is known by its name to hold secrets. */
export function holdsSecrets(file: string): boolean {
  return SECRET.test(nameOf(file))
}

type Failing = { file: string; error: string; line?: number | undefined }

/** A file to show; without lines all of it is wanted. */
export type WantedFile = { file: string; lines: number[] }
export type ShownFile = { file: string; text: string; from: number; of: number; whole: boolean }
/** First and last line of a part that was shown. */
export type ShownPart = { file: string; from: number; to: number; whole: boolean }

/** Files of the project that hold failing tests, or that their errors name. */
export function namedFiles(
  failures: readonly Failing[],
  isKnown: (file: string) => boolean,
): WantedFile[] {
  const wanted = new Map<string, number[]>()
  const want = (file: string, line: number | undefined): void => {
    const lines = wanted.get(file) ?? []
    wanted.set(file, line === undefined || lines.includes(line) ? lines : [...lines, line])
  }
  for (const { file, line } of failures) if (isShowable(file, isKnown)) want(file, line)
  const tests = new Set(wanted.keys())
  const places = placesIn(
    failures.map(({ error }) => error),
    (named) => projectFile(named, isKnown),
    (file) => tests.has(file),
  )
  for (const place of places) {
    const [, file = '', line = ''] = /^(.*):(\d*)$/.exec(place) ?? []
    want(file, line === '' ? undefined : Number(line))
  }
  return [...wanted].slice(0, CODE_FILES).map(([file, lines]) => ({ file, lines }))
}

/** Files of the project that a file imports. */
export function importsToShow(
  { file, text }: { file: string; text: string },
  isKnown: (file: string) => boolean,
): WantedFile[] {
  return importedFiles(file, text, (one) => isShowable(one, isKnown)).map((one) => ({
    file: one,
    lines: [],
  }))
}

/** Characters of code that an agent is shown, by the tokens of its context if known. */
export function codeBudget(contextSize: number | undefined): number {
  if (contextSize === undefined) return CODE_SHOWN.unknown
  const share = Math.floor(contextSize * CHARS_PER_TOKEN * CONTEXT_PART)
  return Math.min(CODE_SHOWN.most, Math.max(CODE_SHOWN.least, share))
}

/** What fits of some files: small ones whole, others around their lines. */
export function codeWithin(
  files: readonly (WantedFile & { text: string })[],
  budget: number,
): { shown: ShownFile[]; leftOut: string[] } {
  const shown: ShownFile[] = []
  const leftOut: string[] = []
  let left = budget
  for (const wanted of files) {
    const parts = partsOf(wanted)
    const length = parts.reduce((sum, { text }) => sum + text.length, 0)
    if (length > left) {
      leftOut.push(wanted.file)
      continue
    }
    left -= length
    shown.push(...parts)
  }
  return { shown, leftOut }
}

/** The lines of what is shown. */
export function shownPart({ file, text, from, whole }: ShownFile): ShownPart {
  return { file, from, to: from + text.split('\n').length - 1, whole }
}

/** Whether all that is wanted of a file was shown. */
export function isShown(
  wanted: WantedFile & { text: string },
  shown: readonly ShownPart[],
): boolean {
  const seen = shown.filter(({ file }) => file === wanted.file)
  return partsOf(wanted)
    .map(shownPart)
    .every(({ from, to }) =>
      seen.some((part) => part.whole || (part.from <= from && part.to >= to)),
    )
}

function partsOf({ file, text, lines }: WantedFile & { text: string }): ShownFile[] {
  const all = text.replace(/\n$/, '').split('\n')
  if (text.length <= WHOLE)
    return [{ file, text: all.join('\n'), from: 1, of: all.length, whole: true }]
  const ranges: { from: number; to: number }[] = []
  for (const line of [...(lines.length === 0 ? [1] : lines)].sort((a, b) => a - b)) {
    const from = Math.max(1, line - AROUND)
    const to = Math.min(all.length, line + AROUND)
    const last = ranges.at(-1)
    if (from > all.length) continue
    if (last !== undefined && from <= last.to + 1) last.to = to
    else ranges.push({ from, to })
  }
  return ranges.map(({ from, to }) => ({
    file,
    text: all
      .slice(from - 1, to)
      .join('\n')
      .slice(0, WHOLE),
    from,
    of: all.length,
    whole: false,
  }))
}

function projectFile(named: string, isKnown: (file: string) => boolean): string | undefined {
  const file = joinPath(named.replaceAll('\\', '/'))
  if (isShowable(file, isKnown)) return file
  // An absolute path: its end is a file of the project, the longest end first.
  const parts = file.split('/')
  for (let n = 1; n < parts.length - 1; n++) {
    const end = parts.slice(n).join('/')
    if (isShowable(end, isKnown)) return end
  }
  return undefined
}

function isShowable(file: string, isKnown: (file: string) => boolean): boolean {
  return isKnown(file) && !holdsSecrets(file)
}
