// Reads cd/issues.md: what is open, what has been resolved, and what RA is asked. Source: ccw §1.5 "CD
// issues.md: Open (severity, blocker?, suggestion), Resolved, Questions for RA".
import { ENTRIES_KEPT } from './exploration-file.js'
import { keptItems } from './kept-items.js'
import { entriesOf, markdownLines, sectionsOf } from './markdown-lines.js'
import type { Entry, MarkdownLine } from './markdown-lines.js'

export type ReadIssues = { open: { text: string; blocker: boolean }[]; resolved: string[]; questions: string[] }

const OPEN = /\b(?:open|outstanding|remaining|current|unresolved|active)\b/i
const BLOCKERS = /\bblockers?\b/i
const RESOLVED = /\b(?:resolved|fixed|closed|done)\b/i
const QUESTIONS = /\b(?:questions?|clarifications?)\b/i

/** Items, rows and headings of each section; a list without such headings is open. */
export function readIssuesFile(md: string): ReadIssues {
  const lines = markdownLines(md)
  const isResolved = (title: string): boolean => RESOLVED.test(title) && !/\bunresolved\b/i.test(title)
  const isQuestions = (title: string): boolean => QUESTIONS.test(title)
  const isBlockers = (title: string): boolean => BLOCKERS.test(title) && !isResolved(title) && !OPEN.test(title)
  const isOpen = (title: string): boolean => OPEN.test(title) && !isResolved(title) && !isQuestions(title)
  const section = (fits: (title: string) => boolean): Entry[] => entriesOf(sectionsOf(lines, fits) ?? [])
  const isKnown = (title: string): boolean => [isResolved, isQuestions, isBlockers, isOpen].some((fits) => fits(title))
  const hasSections = lines.some((line) => line.kind === 'heading' && isKnown(line.text))
  const open = hasSections ? section(isOpen) : entriesOf(lines.filter(isListed)).filter(({ text }) => !/^(?:version|iteration|date|updated|status)\b[\w ]{0,20}:/i.test(text))
  const found = [...open.map((entry) => ({ entry, blocker: isBlocker(entry) })), ...section(isBlockers).map((entry) => ({ entry, blocker: true }))]
  const texts = new Map<string, boolean>()
  for (const { entry, blocker } of found) {
    const [text] = entry.done ? [] : keptItems([textOf(entry)])
    if (text !== undefined) texts.set(text, blocker || (texts.get(text) ?? false))
  }
  return {
    open: [...texts].slice(0, ENTRIES_KEPT).map(([text, blocker]) => ({ text, blocker })),
    resolved: keptItems([...section(isResolved), ...found.map(({ entry }) => entry).filter(({ done }) => done)].map(textOf), ENTRIES_KEPT),
    questions: keptItems(section(isQuestions).filter(({ done }) => !done).map(textOf), ENTRIES_KEPT),
  }
}

function isListed(line: MarkdownLine): boolean {
  return line.kind === 'item' || line.kind === 'row' || (line.kind === 'heading' && line.level > 1)
}

// An id alone says little.
function textOf({ text, details }: Entry): string {
  const said = details.map((detail) => /^(?:description|issue|problem|summary|details?)\s*:\s*(.+)$/i.exec(detail)?.[1]).find((one) => one !== undefined)
  return /^[A-Z]{2,10}-\d+$/.test(text) && said !== undefined ? `${text}: ${said}` : text
}

function isBlocker({ text, details }: Entry): boolean {
  const flag = [text, ...details].map((line) => /(?:^|[([,;-]\s*)blocker\s*\??\s*[:=]\s*(\w+)/i.exec(line)?.[1]?.toLowerCase()).find((word) => word !== undefined && /^(?:yes|no|true|false|y|n)$/.test(word))
  if (flag !== undefined) return /^(?:yes|true|y)$/.test(flag)
  if (/\b(?:not a|non-?|no)\s*blocker\b/i.test(text)) return false
  return /[[(]blocker[\])]|^blocker\b|\bBLOCKER\b/i.test(text) || details.some((line) => /^severity\s*:\s*\W*blocker\b/i.test(line))
}
