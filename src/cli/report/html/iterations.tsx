// Pass rate over iterations, and each iteration by itself: what was tried, claimed, measured, and
// its diff.
import type { Child } from 'hono/jsx'
import { markOf, verdictOf } from '../../../core/report/iterations.js'
import type { Patch, Report, ReportIteration } from '../../../core/report/model.js'
import type { DiffView } from './diff.js'
import { duration, many, money, rate, tokensIn, waitNote, whole } from './format.js'
import { markdownHtml } from './markdown.js'
import { First, Links, Made, Section, Table } from './parts.js'

const LIST = 20

type Props = { report: Report; from: string; diffs: ReadonlyMap<number, DiffView> }

export function Iterations({ report, from, diffs }: Props) {
  const { iterations, kind } = report
  if (iterations.length === 0)
    return (
      <Section id="iterations" title="Iterations">
        <p class="muted">None is over yet.</p>
      </Section>
    )
  const columns = columnsOf(report)
  const noun = kind === 'dev-loop' ? 'action' : 'iteration'
  const measured = iterations.filter((one) => one.passRate !== null)
  return (
    <>
      <Section id="rates" title={`Pass rate by ${noun}`}>
        {measured.length > 0 && (
          <div class="chart">
            <canvas
              id="rate-chart"
              role="img"
              aria-label={`Pass rate: ${measured.map((one) => `${one.iteration === 0 ? 'start' : `${noun} ${one.iteration}`} ${rate(one.passRate)}`).join(', ')}. The table below says the same.`}
            />
          </div>
        )}
        <Table label={`Pass rate by ${noun}`} head={['', ...columns.map(({ name }) => name)]}>
          {iterations.map((one) => (
            <Row one={one} columns={columns} />
          ))}
        </Table>
      </Section>
      <Section
        id="iterations"
        title={
          kind === 'test-fix'
            ? 'The fixes'
            : kind === 'dev-cycle'
              ? 'What each iteration changed'
              : 'What each action did'
        }
      >
        {iterations
          .filter((one) => one.iteration > 0)
          .map((one) => (
            <Iteration one={one} report={report} from={from} diff={diffs.get(one.iteration)} />
          ))}
        {iterations.every((one) => one.iteration === 0) && (
          <p class="muted">Nothing was changed.</p>
        )}
      </Section>
    </>
  )
}

type Column = { name: string; of: (one: ReportIteration) => Child }

// A column in which nothing stands is left out: a cycle has no strategies, and not every agent
// tells a price.
function columnsOf({ iterations, kind }: Report): Column[] {
  const all: (Column & { has: (one: ReportIteration) => boolean })[] = [
    {
      name: 'Tests that pass',
      has: () => true,
      of: ({ passRate, passed, total }) => (
        <>
          {rate(passRate)}
          {total !== undefined && (
            <small class="muted">
              {' '}
              {passed} of {total}
            </small>
          )}
        </>
      ),
    },
    {
      name: 'Claimed',
      has: ({ claimed }) => claimed !== undefined,
      of: ({ claimed, passRate }) =>
        claimed === undefined ? (
          ''
        ) : (
          <span class={claimed === passRate ? undefined : 'doubt'}>{rate(claimed)}</span>
        ),
    },
    {
      name: 'Result',
      has: () => true,
      of: (one) => <span class={`verdict ${markOf(one)}`}>{verdictOf(one, kind)}</span>,
    },
    {
      name: 'Strategy',
      has: ({ strategy }) => strategy !== undefined,
      of: ({ strategy }) => strategy ?? '',
    },
    {
      name: 'Time',
      has: ({ completedAt }) => completedAt !== undefined,
      of: ({ startedAt, completedAt }) =>
        startedAt === undefined || completedAt === undefined
          ? ''
          : duration(completedAt - startedAt),
    },
    {
      name: 'Tokens',
      has: ({ usage }) => usage !== undefined,
      of: ({ usage }) => (usage === undefined ? '' : whole(usage.inputTokens + usage.outputTokens)),
    },
    {
      name: 'Cost',
      has: ({ usage }) => usage?.costUsd !== undefined,
      of: ({ usage }) => (usage?.costUsd === undefined ? '' : money(usage.costUsd)),
    },
  ]
  return all.filter(({ has }) => iterations.some(has))
}

function Row({ one, columns }: { one: ReportIteration; columns: Column[] }) {
  const { iteration } = one
  return (
    <tr>
      <th scope="row">
        {iteration === 0 ? 'start' : <a href={`#iteration-${iteration}`}>{iteration}</a>}
      </th>
      {columns.map(({ of }) => (
        <td>{of(one)}</td>
      ))}
    </tr>
  )
}

function Iteration({
  one,
  report,
  from,
  diff,
}: {
  one: ReportIteration
  report: Report
  from: string
  diff: DiffView | undefined
}) {
  const {
    iteration,
    title,
    note,
    plan,
    usage,
    result,
    links,
    claimed,
    passRate,
    rateBefore,
    newFailures,
  } = one
  const isNote = title === note
  return (
    <details
      id={`iteration-${iteration}`}
      class={`iteration ${markOf(one)}`}
      open={result === 'kept' && report.iterations.length <= 12}
    >
      <summary>
        <span class="number">{iteration}</span> <span class="what">{title}</span>
        <span class="end">
          <span class={`verdict ${markOf(one)}`}>{verdictOf(one, report.kind)}</span>{' '}
          {passRate !== null && (
            <span class="rate">
              {rateBefore !== null && rateBefore !== passRate && <>{rate(rateBefore)} → </>}
              {rate(passRate)}
            </span>
          )}
        </span>
      </summary>
      <div class="body">
        {note !== undefined && !isNote && (
          <p class={claimed !== undefined && claimed !== passRate ? 'doubt' : undefined}>{note}</p>
        )}
        {claimed !== undefined && claimed !== passRate && note?.includes('claimed') !== true && (
          <p class="doubt">
            The agent claimed {rate(claimed)}. Measured: {rate(passRate)}.
          </p>
        )}
        {newFailures !== undefined && newFailures > 0 && (
          <p>
            {many(newFailures, 'test')} that passed before {newFailures === 1 ? 'fails' : 'fail'}{' '}
            after it.
          </p>
        )}
        {plan !== undefined && <Plan plan={plan} one={one} />}
        {usage !== undefined && (
          <p class="muted">
            {many(usage.turns, 'agent turn')}, {duration(usage.workedMs)}
            {waitNote(usage) !== '' && ` (${waitNote(usage)})`}, {tokensIn(usage)} tokens in,{' '}
            {whole(usage.outputTokens)} out{usage.estimated && ' (partly estimated)'}
            {usage.costUsd !== undefined && `, ${money(usage.costUsd)}`}
          </p>
        )}
        <Diff patch={one.patch} diff={diff} one={one} />
        {links.length > 0 && (
          <p class="links">
            <Links links={links} from={from} />
          </p>
        )}
      </div>
    </details>
  )
}

function Plan({ plan, one }: { plan: NonNullable<ReportIteration['plan']>; one: ReportIteration }) {
  const { rootCauses, points, expected, confidence, aimedAt, approach } = plan
  return (
    <dl class="plan">
      {rootCauses.length > 0 && (
        <div>
          <dt>Cause</dt>
          <dd>
            <ul>
              <First items={rootCauses} most={LIST}>
                {(text) => <li>{text}</li>}
              </First>
            </ul>
          </dd>
        </div>
      )}
      {approach !== '' && approach !== one.title && (
        <div>
          <dt>Fix</dt>
          <dd>
            <Made class="markdown" html={markdownHtml(approach)} />
          </dd>
        </div>
      )}
      {points.length > 0 && (
        <div>
          <dt>Places</dt>
          <dd>
            <ul>
              <First items={points} most={LIST}>
                {(text) => (
                  <li>
                    <code>{text}</code>
                  </li>
                )}
              </First>
            </ul>
          </dd>
        </div>
      )}
      {expected !== '' && (
        <div>
          <dt>Expected</dt>
          <dd>{expected}</dd>
        </div>
      )}
      <div>
        <dt>Strategy</dt>
        <dd>
          {one.strategy ?? 'not recorded'}
          {one.analysis !== undefined && one.analysis !== 'normal' && `, analysis ${one.analysis}`}
          {confidence !== null && `, confidence ${Math.round(confidence * 100)} %`}
          {aimedAt > 0 && `, for ${many(aimedAt, 'failing test')}`}
        </dd>
      </div>
    </dl>
  )
}

function Diff({
  patch,
  diff,
  one,
}: {
  patch: Patch | undefined
  diff: DiffView | undefined
  one: ReportIteration
}) {
  if (patch === undefined)
    return one.result === 'no_change' || one.commit === null ? (
      <p class="muted">No file was changed.</p>
    ) : null
  if (patch.state === 'gone')
    return (
      <p class="muted">
        The diff cannot be shown: {patch.why} (<code>{patch.to.slice(0, 10)}</code>).
      </p>
    )
  if (patch.files.length === 0) return <p class="muted">The commit changed no file.</p>
  const left = diff?.left ?? []
  return (
    <>
      {diff !== undefined && diff.html !== '' && <Made class="diff" html={diff.html} />}
      {left.length > 0 && (
        <div class="left">
          <p>
            {left.length === patch.files.length ? 'The diff is' : many(left.length, 'file')} too
            large to be shown here. See it with{' '}
            <code>
              git diff {patch.from.slice(0, 10)} {patch.to.slice(0, 10)}
            </code>
          </p>
          <ul>
            <First items={left} most={LIST}>
              {(file) => (
                <li>
                  <code>{file.path}</code>{' '}
                  {file.added === null ? (
                    <span class="muted">binary</span>
                  ) : (
                    <span class="muted">
                      +{whole(file.added)} −{whole(file.removed ?? 0)}
                    </span>
                  )}
                </li>
              )}
            </First>
          </ul>
        </div>
      )}
    </>
  )
}
