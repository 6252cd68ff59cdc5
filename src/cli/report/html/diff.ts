// Renders diffs as HTML within a size limit, and names what is left out.
import { html, parse } from 'diff2html'
import { ColorSchemeType, type DiffFile } from 'diff2html/lib/types.js'
import type { Patch, ReportIteration } from '../../../core/report/model.js'

/** Limit of all diffs of a report, in characters of HTML. */
const MOST_CHARS = 3_000_000
/** Minimum overhead of a line and of an escaped character. */
const LINE_CHARS = 200
const ESCAPED_CHARS = 3

export type DiffView = {
  html: string
  /** Files whose lines are not shown. */
  left: { path: string; added: number | null; removed: number | null }[]
}

/** Returns the diff of each iteration that has one. Unused space goes to later iterations. */
export function diffViews(
  iterations: readonly ReportIteration[],
  most = MOST_CHARS,
): Map<number, DiffView> {
  const known = iterations.flatMap(({ iteration, patch }) =>
    patch?.state === 'known' ? [{ iteration, patch }] : [],
  )
  let room = most
  return new Map(
    known.map(({ iteration, patch }, n) => {
      const view = diffView(patch, room / (known.length - n))
      room -= view.html.length
      return [iteration, view]
    }),
  )
}

function diffView(patch: Extract<Patch, { state: 'known' }>, room: number): DiffView {
  const shown: string[] = []
  let left = room
  const hidden = new Set(patch.files.filter((file) => !file.shown).map((file) => file.path))
  for (const file of parse(patch.text)) {
    const text =
      lengthOf(file) > left
        ? undefined
        : plain(
            html([file], {
              drawFileList: false,
              outputFormat: 'line-by-line',
              matching: 'lines',
              colorScheme: ColorSchemeType.AUTO,
            }),
          )
    if (text === undefined || text.length > left) {
      hidden.add(file.newName === '/dev/null' ? file.oldName : file.newName)
      continue
    }
    left -= text.length
    shown.push(text)
  }
  return { html: shown.join(''), left: patch.files.filter((file) => hidden.has(file.path)) }
}

// Estimates the HTML length of a file without rendering it.
function lengthOf({ blocks }: DiffFile): number {
  const lines = blocks.flatMap((block) => block.lines)
  return lines.reduce(
    (sum, { content }) =>
      sum + LINE_CHARS + content.length + ESCAPED_CHARS * (content.match(/[<>&"'/]/g)?.length ?? 0),
    0,
  )
}

// Removes white space between tags, half of the size, and what is the same for a file in every
// diff.
function plain(text: string): string {
  return text
    .replace(/>\n\s*</g, '><')
    .replace(/ id="d2h-\d+"/g, '')
    .replace(/<label class="d2h-file-collapse">.*?<\/label>/gs, '')
}
