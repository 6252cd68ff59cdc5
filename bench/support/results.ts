// Collects the results of the bench files and writes them at the end as JSON and as Markdown. Each
// bench file is its own process, so it leaves its section in a folder.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { machineName, type Machine } from './machine.js'

/**
 * One number. `goal`: its target in words, such as `≤ 1.15`. `reference`: the reference value of the
 * same run.
 */
export type Row = { what: string; value: number; unit: string; goal?: string; reference?: string }
/** The results of one file. `how`: how to read them, in a sentence or two. */
export type Section = { order: number; title: string; how: string; rows: Row[] }

export const RESULTS = fileURLToPath(new URL('../results', import.meta.url))
/** Variable with the folder of the sections. */
const FOLDER = 'RATCHET_BENCH_SECTIONS'
/**
 * Variable for a quick trial with small numbers, which writes nothing to `bench/results`.
 */
export const isQuick = (process.env['RATCHET_BENCH_QUICK'] ?? '') !== ''

/** `full`, or `quick` for small numbers. */
export function sized(full: number, quick: number): number {
  return isQuick ? quick : full
}

/** Stores a section for the end, and prints it now. */
export function tell(section: Section): void {
  console.log(asMarkdown(section))
  const folder = process.env[FOLDER]
  if (folder !== undefined)
    writeFileSync(path.join(folder, `${section.order}.json`), JSON.stringify(section))
}

export function openSections(folder: string): void {
  process.env[FOLDER] = folder
}

/** The sections of a run, in their order. */
export function sectionsOf(folder: string): Section[] {
  return readdirSync(folder)
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Section)
    .sort((a, b) => a.order - b.order)
}

/**
 * Writes both files of a result, over those of the same day and machine, and returns their path
 * without the ending.
 */
export function writeResult(
  into: string,
  {
    date,
    seconds,
    machine,
    sections,
  }: { date: string; seconds: number; machine: Machine; sections: Section[] },
): string {
  mkdirSync(into, { recursive: true })
  const file = path.join(into, `${date}-${machineName(machine)}`)
  const { cpu, cores, memoryGb, system, node, server } = machine
  writeFileSync(
    `${file}.json`,
    `${JSON.stringify({ schema: 1, date, seconds, machine, sections }, null, 2)}\n`,
  )
  writeFileSync(
    `${file}.md`,
    [
      `# Bench of ${date}`,
      `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, Temporal server ${server}. One run of \`npm run bench\`, ${Math.round(seconds)} s. How to read it: [ARCHITECTURE.md](../../ARCHITECTURE.md#speed).`,
      ...sections.map(asMarkdown),
    ].join('\n\n') + '\n',
  )
  return file
}

function asMarkdown({ title, how, rows }: Section): string {
  const before = valuesBefore(title)
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`
  return [
    `## ${title}`,
    how,
    [
      line(['what', 'measured', 'goal', 'before', 'reference']),
      line(['---', '---:', '---', '---:', '---']),
      ...rows.map((row) =>
        line([
          row.what,
          measured(row),
          row.goal ?? '',
          before.get(row.what) ?? '',
          row.reference ?? '',
        ]),
      ),
    ].join('\n'),
  ].join('\n\n')
}

const measured = ({ value, unit }: Row): string => `${shown(value)}${unit === '' ? '' : ` ${unit}`}`

/** The values of a section in the newest result of an earlier day, maybe of another machine. */
function valuesBefore(title: string): Map<string, string> {
  const today = new Date().toISOString().slice(0, 10)
  const newest = readdirSync(RESULTS)
    .filter((name) => name.endsWith('.json') && name < today)
    .sort()
    .at(-1)
  if (newest === undefined) return new Map()
  const { sections } = JSON.parse(readFileSync(path.join(RESULTS, newest), 'utf8')) as {
    sections: Section[]
  }
  const rows = sections.find((section) => section.title === title)?.rows ?? []
  return new Map(rows.map((row) => [row.what, measured(row)]))
}

/** Three significant digits. */
export function shown(value: number): string {
  return Math.abs(value) >= 100 || Number.isInteger(value)
    ? value.toFixed(0)
    : value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
