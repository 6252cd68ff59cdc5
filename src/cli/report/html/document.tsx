// The HTML report: one file, no network, nothing that a text of an agent could run. hono/jsx
// escapes every text and attribute; Markdown and diffs are made safe by their libraries; the policy
// in the head allows the page's own scripts by their digests and nothing else.
import type { Report } from '../../../core/report/model.js'
import { assets, contentPolicy, embedded } from './assets.js'
import { chartData } from './chart-data.js'
import { Cycle } from './cycle-section.js'
import { diffViews } from './diff.js'
import { Failures } from './failures.js'
import { dateTime, zone } from './format.js'
import { Iterations } from './iterations.js'
import { Loop } from './loop-section.js'
import { Overview } from './overview.js'
import { Links, Section } from './parts.js'
import { Turns } from './turns.js'

/**
 * The page.
 *
 * @param from directory that its links are relative to: where it is written
 */
export async function htmlReport(report: Report, from: string): Promise<string> {
  const made = assets()
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={contentPolicy(made)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${report.headline} ${report.name}`}</title>
        <link rel="icon" href="data:," />
        {made.styles.map((text) => (
          <style dangerouslySetInnerHTML={{ __html: text }} />
        ))}
      </head>
      <body>
        <a class="skip" href="#rates">
          Skip to the pass rate
        </a>
        <main>
          <Overview report={report} />
          <Contents report={report} />
          <Iterations report={report} from={from} diffs={diffViews(report.iterations)} />
          <Failures report={report} />
          {report.cycle !== undefined && <Cycle cycle={report.cycle} from={from} />}
          {report.loop !== undefined && <Loop loop={report.loop} from={from} />}
          <Turns report={report} from={from} />
          <Files report={report} from={from} />
        </main>
        <script
          type="application/json"
          id="data"
          dangerouslySetInnerHTML={{ __html: embedded(chartData(report)) }}
        />
        {made.scripts.map((text) => (
          <script dangerouslySetInnerHTML={{ __html: text }} />
        ))}
      </body>
    </html>
  )
  return `<!doctype html>\n${await page}\n`
}

function Contents({ report: { turns, cycle, loop } }: { report: Report }) {
  const entries: [string, string][] = [
    ['rates', 'Pass rate'],
    ['iterations', 'Changes'],
    ['failures', 'Failures'],
    ...(cycle === undefined ? [] : ([['issues', 'Issues']] as [string, string][])),
    ...(loop === undefined ? [] : ([['tasks', 'Tasks']] as [string, string][])),
    ...(turns.length === 0
      ? []
      : ([
          ['timeline', 'Timeline'],
          ['usage', 'Usage'],
        ] as [string, string][])),
    ['files', 'Files'],
  ]
  return (
    <nav aria-label="Contents">
      <ul>
        {entries.map(([id, name]) => (
          <li>
            <a href={`#${id}`}>{name}</a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Files({ report, from }: { report: Report; from: string }) {
  const { records, warnings, notes, project, recordDir, writtenAt } = report
  return (
    <Section id="files" title="Files and notes">
      {[...warnings, ...notes].length > 0 && (
        <ul>
          {[...warnings, ...notes].map((text) => (
            <li>{text}</li>
          ))}
        </ul>
      )}
      {records.length > 0 && (
        <details>
          <summary>Files of the record</summary>
          <ul class="files">
            {records.map((link) => (
              <li>
                <Links links={[link]} from={from} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <dl class="places">
        {project !== null && (
          <div>
            <dt>Project</dt>
            <dd>
              <code>{project}</code>
            </dd>
          </div>
        )}
        {recordDir !== null && (
          <div>
            <dt>Record</dt>
            <dd>
              <code>{recordDir}</code>
            </dd>
          </div>
        )}
      </dl>
      <p class="muted">
        Written by Ratchet on {dateTime(writtenAt)}. Times are those of {zone()}. What agents say is
        shown as they said it; what was measured is marked so.
      </p>
    </Section>
  )
}
