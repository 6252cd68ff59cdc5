// Reads ra/requirements.md and ra/edge-cases.md: the number of requirements, and the edge cases.
// Edge cases may be in either file: later versions of the role keep them in requirements.md.
import { ITEM_CHARS } from '../../../contract/dev-cycle/phase-reading.js'
import { isNone, isSample } from '../../answers/agent-values.js'
import { firstChars } from '../../text/test-text.js'
import { markdownLines, type MarkdownLine } from './markdown-lines.js'

/** Most edge cases that are kept. */
export const EDGE_CASES_KEPT = 200

const ID =
  /^\W{0,3}((?:FR|NFR|EC)-[A-Za-z0-9]{1,20}(?:[.-][A-Za-z0-9]{1,20}){0,3})(?![\w-])[\s:–—.)\]*_-]*(.*)$/

/**
 * `total`: functional and other requirements that are defined, each id once. Edge cases as "EC-001:
 * text".
 */
export function readRequirements(
  requirements: string | undefined,
  edgeCases: string | undefined,
): { total: number; edgeCases: string[] } {
  const own = definedIn(markdownLines(requirements ?? ''))
  const edgeLines = markdownLines(edgeCases ?? '')
  const edge = definedIn(edgeLines)
  const cases = new Map([...own, ...edge].filter(([id]) => id.startsWith('EC-')))
  for (const [id, text] of own) if (cases.has(id) && text !== '') cases.set(id, text)
  // An agent that gives no ids still lists its cases.
  const listed = [...edge.keys()].some((id) => id.startsWith('EC-'))
    ? []
    : edgeLines.flatMap((line) =>
        line.kind === 'item' &&
        line.indent === 0 &&
        !isNone(line.text) &&
        !/^[\w /-]{1,24}:\s/.test(line.text)
          ? [line.text]
          : [],
      )
  return {
    total: [...new Set([...own.keys(), ...edge.keys()])].filter((id) => !id.startsWith('EC-'))
      .length,
    edgeCases: [
      ...new Set([
        ...[...cases].map(([id, text]) =>
          firstChars(text === '' ? id : `${id}: ${text}`, ITEM_CHARS),
        ),
        ...listed.map((text) => firstChars(text, ITEM_CHARS)),
      ]),
    ].slice(0, EDGE_CASES_KEPT),
  }
}

// Ids count where a heading, an item or a row begins with them; a mention in a sentence defines
// nothing.
function definedIn(lines: readonly MarkdownLine[]): Map<string, string> {
  const found = new Map<string, string>()
  let open: string | undefined
  for (const line of lines) {
    const cells = line.kind === 'row' ? line.cells : [line.text]
    const at = cells.findIndex((cell) => ID.test(cell))
    const [, id, rest = ''] = ID.exec(cells[at] ?? '') ?? []
    if (line.kind === 'heading') open = undefined
    if (id !== undefined && isDefinable(id) && line.kind !== 'text') {
      const text = clean(rest === '' ? (cells[at + 1] ?? '') : rest)
      if ((found.get(id) ?? '') === '') found.set(id, text)
      open = line.kind === 'heading' ? id : undefined
      continue
    }
    const scenario =
      line.kind === 'row'
        ? undefined
        : /^(?:Scenario|Description|Case)\s*:\s*(.+)$/i.exec(line.text)?.[1]
    if (open !== undefined && scenario !== undefined && found.get(open) === '')
      found.set(open, clean(scenario))
  }
  return found
}

// "FR-nnn" of a template is no requirement.
function isDefinable(id: string): boolean {
  return /\d/.test(id)
}

function clean(text: string): string {
  const plain = text.replace(/\s*\((?:NEW|ENHANCED)\b[^)]*\)/g, '').trim()
  return isSample(plain) ? '' : plain
}
