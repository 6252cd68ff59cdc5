// The top of a report: how it ended, in numbers, and what to do now.
import type { Child } from 'hono/jsx'
import type { Report } from '../../../core/report/model.js'
import { dateTime, duration, many, money, rate, tokensIn, whole } from './format.js'

const OUTCOMES: Record<string, string> = {
  open: 'running',
  unfinished: 'not finished',
  completed_with_issues: 'completed, with issues',
  partial_success: 'partial success',
  user_exit: 'left',
  max_iterations: 'limit reached',
}
export const KINDS: Record<Report['kind'], string> = {
  'test-fix': 'Test fix',
  'dev-cycle': 'Development cycle',
  'dev-loop': 'Development loop',
}

export function Overview({ report }: { report: Report }) {
  const { headline, reason, outcome, tone, reviewNeeded, waitingFor, questions, id, kind, title } =
    report
  return (
    <header class={`overview ${tone}`}>
      <p class="kind">
        {KINDS[kind]} <span class="id">{id}</span>
      </p>
      <h1>{headline}</h1>
      <p class="chips">
        <span class={`chip ${tone}`}>{OUTCOMES[outcome] ?? outcome.replaceAll('_', ' ')}</span>
        {reviewNeeded && <span class="chip warn">needs review</span>}
      </p>
      {reason !== null && <p class="reason">{reason}</p>}
      {waitingFor !== undefined && <p class="reason">Now: {waitingFor}</p>}
      {questions.map((text) => (
        <p class="reason">Open question: {text}</p>
      ))}
      {(report.proposedTestChanges ?? []).map(({ file, why, answer }) => (
        <p class="reason">
          Proposed test change{answer !== undefined && `, ${answer}`}: <code>{file}</code> {why}
        </p>
      ))}
      <p class="task">
        <span class="muted">Task:</span> {title}
      </p>
      <Facts report={report} />
      <Next report={report} />
    </header>
  )
}

function Facts({ report }: { report: Report }) {
  const {
    passRate,
    rateAtStart,
    iterationsDone,
    maxIterations,
    startedAt,
    endedAt,
    usage,
    perGainedTest,
    branch,
    commits,
    kind,
    testCommand,
    sandbox,
    writtenAt,
  } = report
  const end = endedAt ?? writtenAt
  return (
    <dl class="facts">
      <Fact name="Pass rate">
        {rateAtStart === null || rateAtStart === passRate ? (
          rate(passRate)
        ) : (
          <>
            {rate(rateAtStart)} <span class="muted">→</span> {rate(passRate)}
          </>
        )}
      </Fact>
      <Fact name={kind === 'dev-loop' ? 'Actions' : 'Iterations'}>
        {iterationsDone}
        {maxIterations !== undefined && <span class="muted"> of {maxIterations}</span>}
      </Fact>
      {startedAt !== null && (
        <Fact name="Time">
          {duration(end - startedAt)} <small class="muted">from {dateTime(startedAt)}</small>
        </Fact>
      )}
      <Fact name="Agents">{many(usage.turns, 'turn')}</Fact>
      <Fact name="Tokens">
        {tokensIn(usage)} in, {whole(usage.outputTokens)} out
        {usage.estimated && <small class="muted"> partly estimated</small>}
      </Fact>
      <Fact name="Cost">
        {usage.costUsd === undefined ? (
          <span class="muted">not reported</span>
        ) : (
          money(usage.costUsd)
        )}
      </Fact>
      {perGainedTest !== undefined && (
        <Fact name="Per gained test">
          {whole(perGainedTest.tokens)} tokens
          {perGainedTest.costUsd !== undefined && `, ${money(perGainedTest.costUsd)}`}{' '}
          <small class="muted">{many(perGainedTest.tests, 'test')} more pass</small>
        </Fact>
      )}
      {branch !== null && (
        <Fact name="Branch">
          <code>{branch}</code> <small class="muted">{many(commits.length, 'commit')}</small>
        </Fact>
      )}
      {testCommand !== undefined && (
        <Fact name="Tests">
          <code>{testCommand}</code>
        </Fact>
      )}
      {sandbox !== undefined && <Fact name="Sandbox">{sandbox}</Fact>}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: Child }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Next({ report: { next } }: { report: Report }) {
  if (next.length === 0) return null
  return (
    <ul class="next">
      {next.map(({ what, command }) => (
        <li>
          {what}: <code>{command}</code>
        </li>
      ))}
    </ul>
  )
}
