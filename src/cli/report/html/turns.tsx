// Who worked when: the timeline, every turn with its transcript, and what each agent used.
import type { Report, ReportTurn } from '../../../core/report/model.js'
import { roleWords } from '../../../core/report/roles.js'
import {
  clock,
  duration,
  many,
  money,
  testsNote,
  tokensIn,
  turnWaitNote,
  waitNote,
  whole,
} from './format.js'
import { Links, Section, Table } from './parts.js'

const TURNS = 400

export function Turns({ report, from }: { report: Report; from: string }) {
  const { turns, timeline, usageByAgent } = report
  if (turns.length === 0) return null
  return (
    <>
      <Section
        id="timeline"
        title="Who worked when"
        note={timeline.breaks.length === 0 ? undefined : 'Long silences are drawn short.'}
      >
        <div class="chart timeline">
          <canvas
            id="timeline-chart"
            role="img"
            aria-label={`Timeline of ${many(turns.length, 'agent turn')} of ${timeline.lanes.join(', ')}. The table below has every turn.`}
          />
        </div>
        <details>
          <summary>All {many(turns.length, 'turn')}</summary>
          <Table
            label="Agent turns"
            head={[
              'Began',
              'Took',
              'Role',
              'Agent',
              'Iteration',
              'Ended',
              'Tokens',
              'Cost',
              'Files',
            ]}
          >
            {turns.slice(0, TURNS).map((turn, n) => (
              <Row turn={turn} n={n} from={from} />
            ))}
          </Table>
          {turns.length > TURNS && <p class="muted">and {turns.length - TURNS} more</p>}
        </details>
      </Section>
      <Section id="usage" title="What the agents used">
        <Table
          label="Usage by agent"
          head={['Agent and role', 'Turns', 'Worked', 'Tokens in', 'Tokens out', 'Cost']}
        >
          {usageByAgent.map((row) => (
            <tr>
              <th scope="row">{row.name}</th>
              <td>{row.turns}</td>
              <td>
                {duration(row.workedMs)}
                <Small>{waitNote(row)}</Small>
                <Small>{testsNote(row)}</Small>
              </td>
              <td>{tokensIn(row)}</td>
              <td>
                {whole(row.outputTokens)}
                {row.estimated && <small class="muted"> estimated</small>}
              </td>
              <td>{money(row.costUsd)}</td>
            </tr>
          ))}
        </Table>
      </Section>
    </>
  )
}

function Small({ children }: { children: string }) {
  return children === '' ? null : <small class="muted"> {children}</small>
}

function Row({ turn, n, from }: { turn: ReportTurn; n: number; from: string }) {
  const {
    startedAt,
    endedAt,
    role,
    agent,
    model,
    iteration,
    outcome,
    reason,
    attempts,
    inputTokens,
    outputTokens,
    estimated,
    costUsd,
    files,
    task,
    turn: kind,
  } = turn
  return (
    <tr id={`turn-${n}`}>
      <td>{clock(startedAt)}</td>
      <td>
        {endedAt === undefined ? '–' : duration(endedAt - startedAt)}
        <Small>{turnWaitNote(turn)}</Small>
        <Small>{testsNote(turn)}</Small>
      </td>
      <td>
        {roleWords(role)}
        {kind !== 'work' && kind !== '' && <small class="muted"> {kind}</small>}
      </td>
      <td>
        {agent}
        <Small>{model ?? ''}</Small>
      </td>
      <td>
        {iteration}
        {task !== undefined && <small class="muted"> {task}</small>}
      </td>
      <td>
        <span class={`verdict turn-${outcome}`}>
          {outcome === 'open' ? 'no end' : outcome.replaceAll('_', ' ')}
        </span>
        {attempts > 1 && <small class="muted"> after {attempts} prompts</small>}
        {reason !== undefined && <small class="muted"> {reason}</small>}
      </td>
      <td>
        {whole(inputTokens + outputTokens)}
        {estimated && <small class="muted"> est.</small>}
      </td>
      <td>{money(costUsd)}</td>
      <td>
        <Links links={files} from={from} />
      </td>
    </tr>
  )
}
