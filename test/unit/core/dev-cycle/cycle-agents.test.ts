import { expect, test } from 'vitest'
import {
  closedAgents,
  finished,
  idleAgents,
  iterationOver,
  newAgents,
  phaseAtWork,
  started,
  waiting,
} from '../../../../src/core/dev-cycle/cycle-agents.js'

const answer = (
  status: 'success' | 'partial' | 'failed' | 'unknown',
  rest: { summary?: string; files?: string[]; note?: string } = {},
) => ({ status, summary: 'done', files: ['requirements.md'], ...rest })

test('every agent is idle', () => {
  expect(newAgents().ra).toEqual({ status: 'idle', output_files: [], iterations_completed: 0 })
  expect(Object.keys(newAgents())).toEqual(['ra', 'ep', 'cd', 'vas'])
})

test('AgentState: a turn runs, then is completed', () => {
  const running = started(newAgents(), 'ra', '2026-01-22T10:05:00+08:00')
  expect(running.ra).toEqual({
    status: 'running',
    started_at: '2026-01-22T10:05:00+08:00',
    output_files: [],
    iterations_completed: 0,
  })
  expect(running.ep.status).toBe('idle')
  expect(finished(running, 'ra', answer('success'), '2026-01-22T10:15:00+08:00').ra).toEqual({
    status: 'completed',
    started_at: '2026-01-22T10:05:00+08:00',
    completed_at: '2026-01-22T10:15:00+08:00',
    output_files: ['ra/requirements.md'],
    last_message: 'done',
    iterations_completed: 0,
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'an answer',                          result: answer('success'),                                        status: 'completed', error: undefined },
  { why: 'a partial answer',                   result: answer('partial'),                                        status: 'completed', error: undefined },
  { why: 'a failure, with what was unusual',   result: answer('failed', { note: 'timed out after 33 min' }),     status: 'failed',    error: 'timed out after 33 min' },
  { why: 'a failure in its own words',         result: answer('failed', { summary: 'no plan' }),                 status: 'failed',    error: 'no plan' },
  { why: 'no result block',                    result: answer('unknown', { summary: '' }),                       status: 'failed',    error: 'no usable result' },
],
)('$why -> $status', ({ result, status, error }) => {
  const { cd } = finished(newAgents(), 'cd', result, 't')
  expect({ status: cd.status, error: cd.error }).toEqual({ status, error })
})

test('a turn that runs again forgets the error of the last one', () => {
  const failed = finished(newAgents(), 'cd', answer('failed'), 't1')
  expect(started(failed, 'cd', 't2').cd).not.toHaveProperty('error')
  expect(
    finished(started(failed, 'cd', 't2'), 'cd', answer('success'), 't3').cd,
  ).not.toHaveProperty('error')
})

test('iterations_completed: an iteration counts once for any number of turns, and not for a failed agent', () => {
  let agents = finished(newAgents(), 'cd', answer('success'), 't1')
  agents = finished(started(agents, 'cd', 't2'), 'cd', answer('success'), 't3')
  agents = iterationOver(finished(agents, 'vas', answer('failed'), 't3'))
  expect([agents.ra, agents.cd, agents.vas].map((agent) => agent.iterations_completed)).toEqual([
    0, 1, 0,
  ])
})

test('the next iteration starts with idle agents that keep their count', () => {
  const before = iterationOver(finished(newAgents(), 'ep', answer('success'), 't'))
  expect(idleAgents(before).ep).toEqual({
    status: 'idle',
    output_files: ['ep/requirements.md'],
    iterations_completed: 1,
  })
})

test('AgentState: an agent that waits for another one', () =>
  expect(waiting(newAgents(), 'vas').vas.status).toBe('waiting'))

test('what an agent leaves in the state is bounded', () => {
  const agents = finished(
    newAgents(),
    'cd',
    answer('failed', {
      summary: 'x\n'.repeat(9_000),
      note: 'y'.repeat(9_000),
      files: Array.from({ length: 90 }, (_, n) => `f${n}`),
    }),
    't',
  )
  expect(JSON.stringify(agents).length).toBeLessThan(1_200)
  expect(agents.cd.last_message).not.toContain('\n')
})

test('AgentState: at the end no agent is at work: a running one has not finished, a waiting one never began', () => {
  const agents = {
    ...started(waiting(newAgents(), 'vas'), 'cd', 'now'),
    ra: { status: 'completed' as const, output_files: [], iterations_completed: 1 },
  }
  const closed = closedAgents(agents, 'stopped by request')
  expect([
    closed.ra.status,
    closed.ep.status,
    closed.cd.status,
    closed.cd.error,
    closed.vas.status,
  ]).toEqual(['completed', 'idle', 'failed', 'stopped by request', 'idle'])
})

test('current_phase: the first agent at work', () => {
  expect(phaseAtWork(newAgents(), 'aggregation')).toBe('aggregation')
  expect(phaseAtWork(started(started(newAgents(), 'vas', 'now'), 'ep', 'now'), 'aggregation')).toBe(
    'ep',
  )
})
