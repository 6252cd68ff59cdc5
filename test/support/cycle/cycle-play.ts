// What the four agents of a dev cycle write and answer, as steps of a playbook.
import type { Step } from '../runs/real-run.js'

type Fields = Record<string, unknown>
type Actions = Step['do']

const REQUIREMENTS =
  '# Requirements\n\n| Version | 9.9.9 |\n|---|---|\n\n## Functional Requirements\n\n- FR-001: add adds\n- FR-002: mul multiplies\n\n## Edge Cases\n\n- EC-001: zero\n'
const PLAN = {
  version: '9.9.9',
  total_tasks: 2,
  tasks: [
    {
      id: 'TASK-001',
      title: 'Fix add',
      description: 'add adds',
      effort: 'small',
      depends_on: [],
      files: ['calc.py'],
    },
    {
      id: 'TASK-002',
      title: 'Fix mul',
      description: 'mul multiplies',
      effort: 'small',
      depends_on: ['TASK-001'],
      files: ['calc.py'],
    },
  ],
  critical_path: ['TASK-001', 'TASK-002'],
}

const write = (path: string, text: string): Actions[number] => ({
  write: { path: `{progress}/${path}`, text },
})
const answer = (phase: string, fields: Fields, json?: unknown): Actions[number] => ({
  result: {
    block: 'PHASE_RESULT',
    fields: { phase, status: 'success', ...fields },
    ...(json === undefined ? {} : { json }),
  },
})

/** The requirements and their answer. */
export const ra = (fields: Fields = {}): Actions => [
  {
    board: {
      type: 'tech_stack',
      data: { language: 'python', framework: 'none', test: 'pytest', build: 'none' },
    },
  },
  write('requirements.md', REQUIREMENTS),
  write('edge-cases.md', '# Edge Cases\n\n- EC-001: zero\n'),
  answer('ra', {
    files_written: ['requirements.md', 'edge-cases.md'],
    summary: 'Two requirements',
    issues: [],
    ...fields,
  }),
]
/** A plan of two tasks. */
export const ep = (fields: Fields = {}, plan: unknown = PLAN): Actions => [
  {
    board: {
      type: 'architecture',
      data: { pattern: 'module', layers: ['calc'], entry: 'calc.py' },
    },
  },
  write(
    'exploration.md',
    '# Exploration\n\n## Integration Points\n\n- calc.py: add, mul\n\n## Risks\n\n- none\n',
  ),
  write('architecture.md', '# Architecture\n\n## Components\n\n- calc\n'),
  write('plan.json', typeof plan === 'string' ? plan : JSON.stringify(plan)),
  answer('ep', {
    files_written: ['exploration.md', 'architecture.md', 'plan.json'],
    summary: 'Two tasks',
    plan_version: '9.9.9',
    ...fields,
  }),
]
/** What is done in the code, and the report on it. */
export const cd = (work: Actions, fields: Fields = {}, json?: unknown): Actions => [
  ...work,
  write('implementation.md', '# Implementation\n\nDone.\n'),
  write('issues.md', '# Issues\n\n## Open\n\n## Resolved\n'),
  {
    append: {
      path: '{progress}/changes.log',
      text: '{"file":"calc.py","action":"modify","description":"fixed"}\n',
    },
  },
  answer(
    'cd',
    {
      files_changed: 1,
      summary: 'Fixed',
      tasks_completed: ['TASK-001', 'TASK-002'],
      blockers: [],
      ...fields,
    },
    json,
  ),
]
/** A report with the pass rate that it claims. */
export const vas = (passRate: number, fields: Fields = {}): Actions => [
  write('validation.md', '# Validation\n\nChecked.\n'),
  write('coverage.md', '# Coverage\n'),
  write('summary.md', '# Summary\n'),
  write(
    'test-results.json',
    JSON.stringify({
      version: '9.9.9',
      summary: {
        total: 3,
        passed: Math.round((3 * passRate) / 100),
        failed: 3 - Math.round((3 * passRate) / 100),
        skipped: 0,
      },
      coverage: { lines: 91 },
    }),
  ),
  answer('vas', {
    test_pass_rate: `${passRate}%`,
    coverage: '91%',
    critical_issues: 0,
    issues: [],
    ...fields,
  }),
]

export const step = (role: string, when: Fields, actions: Actions): Step => ({
  when: { role, ...when },
  do: actions,
})

/** Every agent always does its work; put steps that differ before these. */
export const everybody = (work: Actions): Step[] => [
  step('requirements-analyst', {}, ra()),
  step('exploration-planner', {}, ep()),
  step('code-developer', {}, cd(work)),
  step('validation-archivist', {}, vas(100)),
]
