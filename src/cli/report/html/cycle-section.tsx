// What only a dev cycle has: requirements and plan with their versions, issues, feedback,
// decisions.
import { cycleVersion } from '../../../core/dev-cycle/documents/versions.js'
import type { Report } from '../../../core/report/model.js'
import { phaseWords } from '../../../core/report/roles.js'
import { markdownHtml } from './markdown.js'
import { First, Links, Made, Section, Table } from './parts.js'

const LIST = 50

export function Cycle({ cycle, from }: { cycle: NonNullable<Report['cycle']>; from: string }) {
  const {
    requirements,
    plan,
    iterations,
    coordination,
    tasks,
    openIssues,
    documents,
    exploration,
  } = cycle
  return (
    <>
      {tasks.length > 1 && (
        <Section id="tasks" title="What was asked">
          <ol>
            {tasks.map((text) => (
              <li class="said">{text}</li>
            ))}
          </ol>
        </Section>
      )}
      {requirements !== undefined && (
        <Section id="requirements" title={`Requirements ${requirements.version}`}>
          <details>
            <summary>Read them</summary>
            <Made class="markdown" html={markdownHtml(requirements.specification)} />
          </details>
          <p class="links">
            <Links
              links={documents.map(({ label, path, version }) => ({
                path,
                label: version === undefined ? label : `${label} (${version})`,
              }))}
              from={from}
            />
          </p>
        </Section>
      )}
      {plan !== undefined && (
        <Section id="plan" title={`Plan ${plan.version}`} note={exploration?.architecture_summary}>
          <Table label="Tasks of the plan" head={['Task', 'What', 'Effort', 'State', 'Files']}>
            {plan.tasks.map((task) => (
              <tr>
                <th scope="row">{task.id}</th>
                <td>
                  {task.title !== undefined && <strong>{task.title} </strong>}
                  {task.description}
                </td>
                <td>{task.effort}</td>
                <td>
                  <span class={`verdict task-${task.status}`}>
                    {task.status.replaceAll('_', ' ')}
                  </span>
                </td>
                <td>
                  {task.files.map((file) => (
                    <>
                      <code>{file}</code>{' '}
                    </>
                  ))}
                </td>
              </tr>
            ))}
          </Table>
          {exploration !== undefined && exploration.identified_risks.length > 0 && (
            <>
              <h3>Risks that were seen</h3>
              <ul>
                {exploration.identified_risks.map((text) => (
                  <li>{text}</li>
                ))}
              </ul>
            </>
          )}
        </Section>
      )}
      <Section id="issues" title="Issues and feedback">
        <Table
          label="Issues by iteration"
          head={['Iteration', 'Version', 'Agents', 'Remaining issues']}
        >
          {iterations.map((one) => (
            <tr>
              <th scope="row">{one.number}</th>
              <td>{cycleVersion(one.number)}</td>
              <td>
                {Object.entries(one.agent_results).map(([phase, result]) => (
                  <span class="line">
                    {phaseWords(phase)}: {result.status.replaceAll('_', ' ')}
                  </span>
                ))}
              </td>
              <td>
                {one.issues_found.length === 0 ? (
                  <span class="muted">{one.completed_at === undefined ? 'not over' : 'none'}</span>
                ) : (
                  <ul>
                    <First items={one.issues_found} most={LIST}>
                      {(text) => <li>{text}</li>}
                    </First>
                  </ul>
                )}
              </td>
            </tr>
          ))}
        </Table>
        {openIssues.length > 0 && (
          <>
            <h3>Open at the end</h3>
            <ul>
              <First items={openIssues} most={LIST}>
                {(text) => <li>{text}</li>}
              </First>
            </ul>
          </>
        )}
        {coordination.feedback_log.length > 0 && (
          <>
            <h3>Feedback between the agents</h3>
            <ul class="said-list">
              <First items={coordination.feedback_log} most={LIST}>
                {(one) => (
                  <li>
                    <span class="pair">
                      {phaseWords(one.source)} → {phaseWords(one.target)}
                    </span>{' '}
                    <small class="muted">{one.type.replaceAll('_', ' ')}</small>
                    <p class="said">{one.content}</p>
                  </li>
                )}
              </First>
            </ul>
          </>
        )}
        {coordination.pending_decisions.length > 0 && (
          <>
            <h3>Decisions</h3>
            <ul>
              {coordination.pending_decisions.map((one) => (
                <li>
                  {one.description}
                  {one.chosen_option !== undefined && (
                    <>
                      : <strong>{one.chosen_option}</strong>
                    </>
                  )}{' '}
                  <small class="muted">{one.status}</small>
                </li>
              ))}
            </ul>
          </>
        )}
        {coordination.blockers.length > 0 && (
          <>
            <h3>Blockers</h3>
            <ul>
              {coordination.blockers.map((one) => (
                <li>
                  {one.description}{' '}
                  <small class="muted">
                    {one.status}
                    {one.resolution !== undefined && `: ${one.resolution}`}
                  </small>
                </li>
              ))}
            </ul>
          </>
        )}
      </Section>
    </>
  )
}
