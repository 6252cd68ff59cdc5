// What only a dev loop has: its tasks, what each worker said, findings, files that workers
// disagreed on.
import type { Report } from '../../../core/report/model.js'
import { Links, Section, Table } from './parts.js'

export function Loop({ loop, from }: { loop: NonNullable<Report['loop']>; from: string }) {
  const { tasks, workers, findings, conflicts, validation, suggestion, mode } = loop
  return (
    <>
      <Section
        id="tasks"
        title="Tasks"
        note={`Mode: ${mode}${validation === undefined ? '' : `. Last validation: ${validation.passed ? 'passed' : 'failed'}, ${validation.why}`}`}
      >
        {tasks.length === 0 ? (
          <p class="muted">None were written down.</p>
        ) : (
          <Table label="Tasks" head={['Task', 'What', 'Priority', 'State']}>
            {tasks.map((task) => (
              <tr>
                <th scope="row">{task.id}</th>
                <td>{task.description}</td>
                <td>{task.priority}</td>
                <td>
                  <span class={`verdict task-${task.status}`}>
                    {task.status.replaceAll('_', ' ')}
                  </span>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
      <Section id="workers" title="Workers" note="The last of each action.">
        <Table label="Workers" head={['Action', 'Ended', 'What it said', 'Files', '']}>
          {workers.map((one) => (
            <tr>
              <th scope="row">{one.action}</th>
              <td>
                <span class={`verdict worker-${one.status}`}>
                  {one.status.replaceAll('_', ' ')}
                </span>
                {one.timedOut && <small class="muted"> out of time</small>}
              </td>
              <td class="said">
                {one.summary}
                {one.clarifications.map((asked) => (
                  <p class="said">
                    <span class="muted">asked:</span> {asked.question}{' '}
                    <span class="muted">answered{asked.by === 'ratchet' ? ' by itself' : ''}:</span>{' '}
                    {asked.answer}
                  </p>
                ))}
              </td>
              <td>
                {one.files_changed.map((file) => (
                  <>
                    <code>{file}</code>{' '}
                  </>
                ))}
              </td>
              <td>
                <Links links={one.links} from={from} />
              </td>
            </tr>
          ))}
        </Table>
      </Section>
      {conflicts.length > 0 && (
        <Section id="conflicts" title="Conflicts between workers">
          <ul>
            {conflicts.map((one) => (
              <li>
                <code>{one.file}</code>: {one.workers.join(', ')}
                {one.chosen === undefined
                  ? ', not settled'
                  : one.chosen === 'base'
                    ? ', left as it was'
                    : `, taken from ${one.chosen}`}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {findings.length > 0 && (
        <Section id="findings" title="Findings">
          <ul>
            {findings.map((one) => (
              <li>
                <span class={`verdict finding-${one.status}`}>{one.status}</span> {one.description}{' '}
                <small class="muted">
                  {one.source}, action {one.iteration}
                </small>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {suggestion !== undefined && (
        <Section
          id="suggestion"
          title="How to commit it"
          note={
            suggestion.readyForPr ? 'Ready for a pull request, as the last worker says.' : undefined
          }
        >
          <p>{suggestion.message}</p>
          <pre class="command" tabIndex={0}>
            {suggestion.command}
          </pre>
        </Section>
      )}
    </>
  )
}
