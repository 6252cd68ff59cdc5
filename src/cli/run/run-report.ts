// ratchet report: writes what a run did into one file or to stdout. Reads only, and starts nothing.
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { writeWhole } from '../../adapters/records/write-file.js'
import { buildReport } from '../../core/report/build.js'
import { Report } from '../../core/report/model.js'
import type { ReportSource } from '../../core/report/source.js'
import type { Context, ProjectChoice } from '../context.js'
import { exitCodeOf } from '../output/ending.js'
import { EXIT, badInput } from '../output/errors.js'
import { openInBrowser } from '../output/open-in-browser.js'
import { checkedId } from '../find/find-run.js'
import { reportSource } from '../report/report-source.js'

const FORMATS = ['html', 'md', 'json', 'ctrf', 'junit'] as const
type Format = (typeof FORMATS)[number]
type Options = { format?: string; output?: string; open?: boolean }

export async function run(context: Context, [typed]: string[], options: Options): Promise<number> {
  const { out } = context
  const wanted = checkedId(typed)
  const format = formatOf(options)
  const source = await reportSource(context, wanted, Date.now())
  const report = buildReport(source)
  const file = fileOf(context.project, report, format, options)
  if (
    (format === 'ctrf' || format === 'junit') &&
    source.lastRun === undefined &&
    report.passRate !== null
  )
    out.warn(`warning: ${(await import('../report/final-run.js')).NOT_ALL_TESTS}`)
  const text = await RENDER[format](
    report,
    source,
    file === undefined ? context.project.cwd : path.dirname(file),
  )
  if (file === undefined) {
    // With --json, a JSON format stays JSON instead of a string.
    const content: unknown = format === 'json' || format === 'ctrf' ? JSON.parse(text) : text
    out.answer({ id: report.id, format, file: null, content }, [text.trimEnd()])
    return EXIT.done
  }
  await write(file, text)
  out.answer(
    { id: report.id, format, file, bytes: Buffer.byteLength(text), headline: report.headline },
    [report.headline, `  report   ${file}`],
  )
  if (options.open === true) await openInBrowser(out, file)
  return EXIT.done
}

const RENDER: Record<
  Format,
  (report: Report, source: ReportSource, from: string) => Promise<string>
> = {
  html: async (report, _source, from) =>
    (await import('../report/html/document.js')).htmlReport(report, from),
  json: (report) => Promise.resolve(`${JSON.stringify(Report.parse(report), null, 2)}\n`),
  async md(report, source) {
    const { reportMarkdown } = await import('../report/report-markdown.js')
    return reportMarkdown(report, await finalRunOf(report, source))
  },
  async junit(report, source) {
    const { junitXml } = await import('../report/junit-xml.js')
    return junitXml(await finalRunOf(report, source), report.id)
  },
  async ctrf(report, source) {
    const { ctrf } = await import('../report/ctrf.js')
    const { id, outcome, reviewNeeded, branch, endedAt, writtenAt } = report
    return `${JSON.stringify(ctrf(await finalRunOf(report, source), { run: id, outcome, reviewNeeded, branch, healthy: exitCodeOf(report) === EXIT.done, at: Math.round(endedAt ?? writtenAt) }), null, 2)}\n`
  },
}

async function finalRunOf(report: Report, { lastRun }: ReportSource) {
  const { finalRun } = await import('../report/final-run.js')
  const { resultOf } = await import('../report/report-result.js')
  return finalRun(resultOf(report), lastRun)
}

function formatOf({ format = 'html', open, output }: Options): Format {
  const known = FORMATS.find((one) => one === format)
  if (known === undefined)
    throw badInput(`unknown format ${format}`, '--format', `use one of: ${FORMATS.join(', ')}`)
  if (open === true && (known !== 'html' || output === '-'))
    throw badInput(
      'only an HTML report in a file can be opened',
      '--open',
      'use --open without --format and --output -',
    )
  return known
}

// HTML goes into a file for a browser; the other formats go to stdout for a pipe.
function fileOf(
  project: ProjectChoice,
  { recordDir, kind, name }: Report,
  format: Format,
  { output }: Options,
): string | undefined {
  if (output === '-') return undefined
  if (output === '')
    throw badInput('--output names no file', '--output', 'use for example: --output report.html')
  if (output !== undefined) return path.resolve(project.cwd, output)
  if (format !== 'html') return undefined
  if (recordDir === null) return path.resolve(project.cwd, `ratchet-report-${name}.html`)
  return kind === 'test-fix'
    ? path.join(recordDir, 'report.html')
    : path.join(path.dirname(recordDir), `${name}.report.html`)
}

async function write(file: string, text: string): Promise<void> {
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    await writeWhole(file, text)
  } catch (error) {
    throw badInput(
      `the report cannot be written: ${(error as Error).message}`,
      file,
      'name another file with --output',
    )
  }
}
