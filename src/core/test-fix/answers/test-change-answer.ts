// Reads the test changes that an agent proposes in its answer, and says what is wrong with the form
// of one.
//
// A proposal never decides whether an answer can be used. Whether a patch applies, and which files
// it changes, is git's to say: adapters/git/test-change.ts.
import { jsonObjects } from '../../answers/fenced-json.js'
import { oneLine } from '../../text/one-line.js'
import { firstChars } from '../../text/test-text.js'

/** Most proposals of one answer, bytes of one patch, and characters of a reason. */
export const MOST_PROPOSALS = 10
export const PATCH_BYTES = 64_000
export const WHY_CHARS = 500
/** Most characters of a path. */
const PATH_CHARS = 500

/** Key of the list in an answer. */
export const PROPOSALS_KEY = 'proposed_test_changes'

export type Proposal = { file: string; why: string; patch: string }
export type RefusedProposal = { file: string; reason: string }
export type Proposals = { proposals: Proposal[]; refused: RefusedProposal[] }

/** Proposals of an answer whose form is right, and those whose form is not, with the reason. */
export function readProposals(answer: string): Proposals {
  const found: Proposals = { proposals: [], refused: [] }
  if (!answer.includes(PROPOSALS_KEY)) return found
  const list =
    jsonObjects(answer)
      .objects.map((object) =>
        Object.hasOwn(object, PROPOSALS_KEY) ? object[PROPOSALS_KEY] : undefined,
      )
      .find((value) => Array.isArray(value)) ?? []
  for (const [n, entry] of list.entries()) {
    const read = readEntry(entry)
    if (read === undefined) continue
    if (n >= MOST_PROPOSALS)
      found.refused.push({
        file: read.file,
        reason: `an answer may propose ${MOST_PROPOSALS} changes`,
      })
    else if ('reason' in read) found.refused.push(read)
    else found.proposals.push(read)
    if (found.refused.length > MOST_PROPOSALS) break
  }
  return found
}

function readEntry(entry: unknown): Proposal | RefusedProposal | undefined {
  const fields =
    typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {}
  const named = fields['file']
  const file =
    typeof named === 'string'
      ? firstChars(oneLine(named.trim()).replace(/^(\.\/)+/, ''), PATH_CHARS)
      : ''
  if (/^<.*>$/.test(file)) return undefined // the sample of the form
  if (file === '') return { file: 'an entry', reason: 'it names no file' }
  const path = pathProblem(file)
  if (path !== undefined) return { file, reason: path }
  const text = fields['patch']
  const patch =
    Array.isArray(text) && text.every((line) => typeof line === 'string') ? text.join('\n') : text
  if (typeof patch !== 'string' || patch.trim() === '') return { file, reason: 'it has no patch' }
  if (Buffer.byteLength(patch) > PATCH_BYTES)
    return { file, reason: `the patch is larger than ${PATCH_BYTES / 1_000} kB` }
  const form = patchProblem(patch)
  if (form !== undefined) return { file, reason: form }
  const why = fields['why']
  return {
    file,
    why:
      typeof why === 'string' && why.trim() !== ''
        ? firstChars(oneLine(why.trim()), WHY_CHARS)
        : 'no reason was given',
    patch: plainPatch(patch),
  }
}

/** Why a path cannot be that of a file of the project, or `undefined`. */
export function pathProblem(file: string): string | undefined {
  if (/[\u0000-\u001f\\]/.test(file)) return 'the path holds a character that is not allowed'
  if (file.startsWith('/') || /^[A-Za-z]:/.test(file)) return 'the path is absolute'
  const parts = file.split('/')
  if (parts.includes('..')) return 'the path leads out of the project'
  if (parts.some((part) => part === '' || part === '.')) return 'the path is not in its plain form'
  return parts.some((part) => part.toLowerCase() === '.git')
    ? 'the path leads into .git'
    : undefined
}

/** What a unified diff of one text file may not hold, or `undefined`. */
function patchProblem(patch: string): string | undefined {
  const lines = patch.split('\n')
  if (!lines.some((line) => line.startsWith('@@ '))) return 'the patch is no unified diff'
  const header = lines.slice(
    0,
    lines.findIndex((line) => line.startsWith('@@ ')),
  )
  if (header.some((line) => /^(new file |new |old )mode (?!100644)/.test(line)))
    return 'the patch changes the mode of a file'
  if (header.some((line) => /^(rename|copy) (from|to) /.test(line))) return 'the patch moves a file'
  return patch.includes('\nGIT binary patch') ? 'the patch is binary' : undefined
}

// Git needs the last line to end, and takes blank lines behind it for context.
function plainPatch(patch: string): string {
  return `${patch.replace(/^\n+/, '').replace(/\n+$/, '')}\n`
}

/**
 * Leading parts of the paths in a patch that are no part of the path: 0 where it names the file as
 * it is, else 1.
 */
export function partsToStrip({ file, patch }: Pick<Proposal, 'file' | 'patch'>): 0 | 1 {
  const names = [...patch.matchAll(/^(?:---|\+\+\+) ([^\t\n]+)/gm)].map(([, name = '']) =>
    name.trim(),
  )
  return names.includes(file) ? 0 : 1
}
