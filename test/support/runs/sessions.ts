// A session as another tool plans it, for tests: dotted ids, gates, a task of a type of its own.
import type { Files } from '../repositories/repos.js'

/** Text of a task file. */
export const plannedTask = (
  id: string,
  type: string,
  agent: string,
  rest: Record<string, unknown> = {},
) =>
  JSON.stringify({
    id,
    title: `Do ${id}`,
    status: 'pending',
    meta: { type, agent },
    context: { requirements: [] },
    ...rest,
  })

/** Files of `WFS-test-login`, relative to its record. */
export const PLANNED: Files = {
  'workflow-session.json':
    '{ "session_id": "WFS-test-login", "type": "test", "status": "planning", "project": "login", "custom": 7 }\n',
  'IMPL_PLAN.md': '# My plan\n',
  'TODO_LIST.md': '- [ ] mine\n',
  '.process/TEST_ANALYSIS_RESULTS.md': '# Analysis\n',
  '.task/IMPL-001.json': plannedTask('IMPL-001', 'test-gen', '@code-developer'),
  '.task/IMPL-001.3-validation.json': plannedTask(
    'IMPL-001.3',
    'code-validation',
    '@test-fix-agent',
    { depends_on: ['IMPL-001'] },
  ),
  '.task/IMPL-001.5-review.json': plannedTask(
    'IMPL-001.5',
    'test-quality-review',
    'test-fix-agent',
    { status: 'todo', context: { depends_on: ['IMPL-001.3'] } },
  ),
  '.task/IMPL-002.json': plannedTask('IMPL-002', 'test-fix', '@test-fix-agent', {
    context: { depends_on: ['IMPL-001.5'] },
  }),
  '.task/IMPL-010.json': plannedTask('IMPL-010', 'docs', '@code-developer', {
    context: { depends_on: ['IMPL-002'] },
  }),
}
