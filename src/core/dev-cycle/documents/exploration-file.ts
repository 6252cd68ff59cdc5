// Reads ep/exploration.md and ep/architecture.md by their headings.
import { oneLine } from '../../text/one-line.js'
import { firstChars } from '../../text/test-text.js'
import { keptItems } from '../kept-items.js'
import { entriesOf, markdownLines, sectionsOf, type MarkdownLine } from './markdown-lines.js'

/** Longest summary in characters, most entries of a list. */
export const SUMMARY_KEPT = 2_000
export const ENTRIES_KEPT = 50

/** Empty where the documents do not say. */
export type ReadExploration = {
  architectureSummary: string
  integrationPoints: string[]
  identifiedRisks: string[]
}

export function readExploration(
  exploration: string | undefined,
  architecture: string | undefined,
): ReadExploration {
  const explored = markdownLines(exploration ?? '')
  const designed = markdownLines(architecture ?? '')
  const list = (heading: RegExp): string[] =>
    keptItems(
      [explored, designed].flatMap((lines) =>
        entriesOf(sectionsOf(lines, (title) => heading.test(title)) ?? []).map(({ text }) => text),
      ),
      ENTRIES_KEPT,
    )
  return {
    architectureSummary: summaryOf(designed) || summaryOf(explored),
    integrationPoints: list(/\bintegration/i),
    identifiedRisks: list(/\brisks?\b/i),
  }
}

// The overview, else what stands before the second heading, else the first text at all.
function summaryOf(lines: readonly MarkdownLine[]): string {
  const overview = sectionsOf(lines, (title) => /\b(?:overview|summary)\b/i.test(title))
  const second = lines.findIndex((line, i) => line.kind === 'heading' && i > 0)
  const places = [overview ?? [], second < 0 ? lines : lines.slice(0, second), lines]
  return places.map(textOf).find((text) => text !== '') ?? ''
}

function textOf(lines: readonly MarkdownLine[]): string {
  const texts = lines
    .filter((line) => line.kind === 'text' || line.kind === 'item')
    .map(({ text }) => text)
    .filter((text) => !/^(?:version|date|iteration|updated|status|cycle)\b[\w ]{0,20}:/i.test(text))
  return firstChars(oneLine(texts.join(' ')), SUMMARY_KEPT)
}
