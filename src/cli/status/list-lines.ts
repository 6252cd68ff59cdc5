// Renders the list of `ratchet status`: a table in a terminal, plain lines elsewhere.
import { inLocalTime } from '../../client/waiting.js'
import { percentText } from '../../core/test-results/pass-rate.js'
import { iterationNow, questionLines } from '../output/run-lines.js'
import { NOTHING, type ShownRun } from './shown-run.js'
import { projectNames, whenOf } from './when.js'

/** Returns the table; a question is shortened, as `ratchet status ID` shows it in full. */
export async function tableLines(
  shown: readonly ShownRun[],
  { columns, env }: { columns: number; env: NodeJS.ProcessEnv },
): Promise<string[]> {
  if (shown.length === 0) return []
  const [{ statusTable }, { default: pc }, { hasColors }] = await Promise.all([
    import('./status-table.js'),
    import('picocolors'),
    import('../live/can-draw.js'),
  ])
  const names = projectNames(shown.map(({ about }) => about?.project))
  const rows = shown.map(({ line, about = {} }) => {
    const when = whenOf(about, Date.now())
    return {
      ...line,
      iteration: iterationNow(line),
      waitingFor: line.waitingFor === NOTHING ? '' : inLocalTime(line.waitingFor, Date.now()),
      when,
      project: names.size < 2 ? '' : (names.get(about.project ?? '') ?? ''),
    }
  })
  return ['', ...statusTable(rows, columns, pc.createColors(hasColors(env)))]
}

/** Returns a line for each run, and its questions with the commands that answer them. */
export function plainLines(shown: readonly ShownRun[]): string[] {
  const isSeveral = new Set(shown.flatMap(({ about }) => about?.project ?? [])).size > 1
  return shown.flatMap((one) => [runLine(one, isSeveral), ...askedLines(one)])
}

function runLine({ line, about = {} }: ShownRun, isSeveral: boolean): string {
  const when = whenOf(about, Date.now())
  const facts = [
    ...(when === undefined ? [] : [`${when.word} ${when.at}`]),
    ...(isSeveral && about.project !== undefined ? [`in ${about.project}`] : []),
  ]
  const waits = line.waitingFor === NOTHING ? [] : [inLocalTime(line.waitingFor, Date.now())]
  // A preparation has no iterations and runs no test.
  const measured =
    line.kind === 'prep' ? [] : [`iteration ${iterationNow(line)}`, percentText(line.passRate)]
  return `run      ${[line.id, line.status, line.phase, ...measured, ...facts, ...waits].join('  ')}`
}

function askedLines({ line, questions = [] }: ShownRun): string[] {
  return questions
    .flatMap((question) => questionLines(line.id, question, questions.length))
    .map((text) => `${''.padEnd(9)}${text}`)
}
