// State files of cycles and loops that another tool wrote are brought into Ratchet's form.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readCycle } from '../../../src/adapters/records/dev-cycle/load-cycle-record.js'
import { rebuildCycle } from '../../../src/adapters/records/dev-cycle/recover-cycle.js'
import { readLoop } from '../../../src/adapters/records/dev-loop/load-loop-record.js'
import { rebuildLoop } from '../../../src/adapters/records/dev-loop/recover-loop.js'
import { AT, tempDir, writeFiles } from '../../support/repositories/repos.js'

const WHEN = { at: AT, offset: '+08:00' }
const CYCLE = 'cycle-v1-20260122T100000-abc123'
const LOOP = 'loop-b-20260122T100000-abc123'

test('a cycle of another tool keeps its tasks, plan and numbers; its own file is kept', async () => {
  const project = tempDir()
  const agent = { status: 'idle', output_files: [], iterations_completed: 1 }
  const plan = {
    id: 'TASK-001',
    description: 'Set up the credentials',
    effort: 'small',
    depends_on: [],
    files: ['src/oauth.js'],
  }
  const state = JSON.stringify({
    cycle_id: CYCLE,
    title: 'Implement OAuth',
    description: 'Implement OAuth\n\n--- ITERATION 2 ---\nAlso add a second factor',
    task_history: ['Implement OAuth', 'Also add a second factor'],
    status: 'running',
    created_at: '2026-01-22T10:00:00+08:00',
    updated_at: '2026-01-22T10:45:00+08:00',
    max_iterations: 5,
    current_iteration: 2,
    agents: { ra: agent, ep: agent, cd: agent, vas: agent },
    current_phase: 'ra',
    completed_phases: ['ra', 'ep', 'cd', 'vas'],
    phase_errors: [],
    plan: {
      version: '1.0.0',
      tasks: [{ ...plan, status: 'completed' }],
      total_estimated_effort: '',
      critical_path: [],
      last_updated: '2026-01-22T10:15:00+08:00',
    },
    iterations: [{ number: 1, completed_at: '2026-01-22T10:30:00+08:00' }, { number: 2 }],
    coordination: { feedback_log: [], pending_decisions: [], blockers: [] },
  })
  writeFiles(project, {
    [`.workflow/.cycle/${CYCLE}.json`]: state,
    [`.workflow/.cycle/${CYCLE}.progress/ra/requirements.md`]: '# Requirements\n',
    [`.workflow/.cycle/${CYCLE}.progress/ep/plan.json`]: JSON.stringify({
      version: '1.0.0',
      tasks: [{ ...plan, title: 'Credentials' }],
    }),
  })
  const { kept = '', notes } = await rebuildCycle(project, CYCLE, WHEN)
  expect(readCycle(project, CYCLE)).toMatchObject({
    state: 'ok',
    record: {
      schema: 1,
      task_history: ['Implement OAuth', 'Also add a second factor'],
      created_at: '2026-01-22T10:00:00+08:00',
      current_iteration: 2,
      max_iterations: 5,
      completed_phases: ['ra', 'ep', 'cd', 'vas'],
      agents: { cd: agent },
      plan: { tasks: [{ id: 'TASK-001', title: 'Credentials', status: 'completed' }] },
    },
  })
  expect(readFileSync(path.join(project, '.workflow/.cycle', kept), 'utf8')).toBe(state)
  expect(notes).toEqual([
    'of iteration 1, 2 only the number is known',
    'the branch of the cycle and how it was started are not known',
    'it is unknown whether a prep package was used: Ratchet assumes none',
  ])
})

test('a loop of another tool keeps its mode, tasks and numbers; its own file is kept', async () => {
  const project = tempDir()
  const task = { description: 'Discounts', priority: 'high', files: [] }
  const skill = {
    phase: 'develop',
    action_index: 1,
    workers_completed: ['init'],
    parallel_results: null,
    pending_tasks: [{ ...task, id: 'T2', status: 'pending' }],
    completed_tasks: [{ ...task, id: 'T1', status: 'completed' }],
    findings: [],
  }
  const state = JSON.stringify({
    loop_id: LOOP,
    title: 'Add discounts',
    description: 'Add discounts',
    mode: 'auto',
    status: 'user_exit',
    current_iteration: 3,
    max_iterations: 10,
    created_at: '2026-01-22T10:00:00+08:00',
    updated_at: '2026-01-22T10:45:00+08:00',
    skill_state: skill,
  })
  writeFiles(project, { [`.workflow/.loop/${LOOP}.json`]: state })
  const { kept = '', notes } = await rebuildLoop(project, LOOP, WHEN)
  expect(readLoop(project, LOOP)).toMatchObject({
    state: 'ok',
    record: {
      mode: 'auto',
      status: 'user_exit',
      current_iteration: 3,
      max_iterations: 10,
      skill_state: skill,
    },
  })
  expect(readFileSync(path.join(project, '.workflow/.loop', kept), 'utf8')).toBe(state)
  expect(notes).toEqual([
    'the branch of the loop is not known',
    'the measurements and the history of the workers are lost',
  ])
})
