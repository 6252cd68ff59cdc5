// What still fails, the most critical first.
import { LEVELS } from '../../../core/report/build.js'
import type { Report, ReportFailure } from '../../../core/report/model.js'
import { many } from './format.js'
import { Section } from './parts.js'

/** Of each level. */
const SHOWN = 60
const ERROR_CHARS = 1_500

export function Failures({
  report: { failures, failuresTotal, flaky, passRate },
}: {
  report: Report
}) {
  if (failuresTotal === 0 && flaky.length === 0)
    return passRate === null ? null : (
      <Section id="failures" title="What still fails">
        <p class="muted">Nothing.</p>
      </Section>
    )
  return (
    <Section
      id="failures"
      title={
        failuresTotal === 0
          ? 'Tests that passed only on re-run'
          : `What still fails: ${many(failuresTotal, 'test')}`
      }
    >
      {LEVELS.map((level) => (
        <Level level={level} failures={failures.filter((one) => one.criticality === level)} />
      ))}
      {failuresTotal > failures.length && (
        <p class="muted">
          {failures.length === 0
            ? 'They are named in the record.'
            : `and ${failuresTotal - failures.length} more, named in the record`}
        </p>
      )}
      {flaky.length > 0 && (
        <>
          {failuresTotal > 0 && <h3>Passed only on re-run</h3>}
          <ul class="tests">
            {flaky.slice(0, SHOWN).map(({ file, test }) => (
              <li>
                <code>{file}</code> {test}
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function Level({ level, failures }: { level: string; failures: ReportFailure[] }) {
  if (failures.length === 0) return null
  return (
    <>
      <h3>
        <span class={`level ${level}`}>{level}</span> {many(failures.length, 'test')}
      </h3>
      {failures.slice(0, SHOWN).map(({ file, test, error }) => (
        <details class="failure">
          <summary>
            <span class="test">{test}</span> <code>{file}</code>
          </summary>
          <pre>
            {error === '' ? 'The test report has no details.' : error.slice(0, ERROR_CHARS)}
            {error.length > ERROR_CHARS && '…'}
          </pre>
        </details>
      ))}
      {failures.length > SHOWN && <p class="muted">and {failures.length - SHOWN} more</p>}
    </>
  )
}
