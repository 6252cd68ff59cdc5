// Why a run waits: the workflow's sentence, unless the host or the server knows better.
import { expect, test } from 'vitest'
import { activityNow, inLocalTime, waitingFor } from '../../../src/client/waiting.js'
import type { PendingActivity } from '../../../src/contract/result.js'

const turn = (rest: Partial<PendingActivity> = {}): PendingActivity => ({
  name: 'agentTurn',
  attempt: 1,
  started: true,
  running: true,
  progress: undefined,
  ...rest,
})
const AGENT = 'agent: test-fix-agent (codex), iteration 1'
const NEEDS = 'agent "codex" needs KEY, which is not set in the environment of the worker'

test.each(
  // prettier-ignore
  [
  { why: 'nothing is pending', own: AGENT, pending: [], worker: 'running', says: AGENT },
  { why: 'a turn runs', own: AGENT, pending: [turn({ progress: { state: 'running', lastEvent: 'tool edit' } })], worker: 'running', says: AGENT },
  { why: 'no worker of the project runs', own: AGENT, pending: [turn()], worker: 'missing', says: 'host: no worker is running for this project; unless one starts within seconds, start it with: ratchet watch ID' },
  { why: 'no worker is known on a remote server', own: AGENT, pending: [turn()], worker: 'unknown', says: AGENT },
  { why: 'a missing worker does not matter while no step needs one', own: 'paused; continue with: ratchet resume ID', pending: [], worker: 'missing', says: 'paused; continue with: ratchet resume ID' },
  { why: 'the first activity needs no project worker', own: 'host: preparing', pending: [turn({ name: 'serverFacts' })], worker: 'missing', says: 'host: preparing' },
  { why: 'a variable is missing', own: AGENT, pending: [turn({ running: false, attempt: 3, lastFailure: NEEDS, lastFailureType: 'MissingVariable' })], worker: 'running', says: `missing variable: ${NEEDS}` },
  { why: 'the variable is there again', own: AGENT, pending: [turn({ attempt: 4, lastFailure: NEEDS, lastFailureType: 'MissingVariable' })], worker: 'running', says: AGENT },
  { why: 'a step fails and is tried again', own: AGENT, pending: [turn({ name: 'commitFix', running: false, attempt: 2, lastFailure: 'disk full\n  at x' })], worker: 'running', says: 'host: commitFix failed and is tried again (attempt 2): disk full' },
  { why: 'every slot is taken', own: AGENT, pending: [turn({ progress: { state: 'slot' } })], worker: 'running', says: 'slot: every agent slot of this host is taken' },
  { why: 'another worker ends the turn', own: AGENT, pending: [turn({ progress: { state: 'other_worker', lastEvent: 'driven by worker 7' } })], worker: 'running', says: 'host: another worker is ending this turn' },
  { why: 'another test run goes first', own: 'tests: pytest', pending: [turn({ name: 'runTests', progress: { state: 'waiting for another test run of this project' } })], worker: 'running', says: 'tests: waiting for another test run of this project' },
  { why: 'a person is asked', own: 'person: may I?', pending: [turn({ progress: { state: 'waiting for a person' } })], worker: 'running', says: 'person: may I?' },
  { why: 'the person is asked by the host only', own: AGENT, pending: [turn({ progress: { state: 'waiting for a person' } })], worker: 'running', says: 'person: waiting for a person' },
  { why: 'it is paused, and a slot is taken', own: 'paused (lunch)', pending: [turn({ progress: { state: 'slot' } })], worker: 'running', says: 'paused (lunch)' },
  { why: 'a heartbeat of an attempt that is over says nothing', own: AGENT, pending: [turn({ running: false, progress: { state: 'slot' } })], worker: 'running', says: AGENT },
] as const,
)('$why -> $says', ({ own, pending, worker, says }) =>
  expect(waitingFor('ID', own, pending, worker)).toBe(says),
)

const role = (name: string, progress: Record<string, unknown>): PendingActivity =>
  turn({ progress: { agent: 'codex', role: name, ...progress } })
const WORKS = { state: 'running', lastEvent: 'text' }

test.each(
  // prettier-ignore
  [
  { why: 'one agent waits for a slot while another works', pending: [role('requirements-analyst', { state: 'slot' }), role('code-developer', WORKS)], says: AGENT },
  { why: 'every agent waits for a slot', pending: [role('requirements-analyst', { state: 'slot' }), role('code-developer', { state: 'slot' })], says: 'slot: every agent slot of this host is taken' },
  { why: 'a person is asked by one of them', pending: [role('requirements-analyst', WORKS), role('code-developer', { state: 'waiting for a person' })], says: 'person: waiting for a person' },
  { why: 'one has not begun and the other waits', pending: [turn({ running: false, started: false }), role('code-developer', { state: 'slot' })], says: 'slot: every agent slot of this host is taken' },
],
)('several agents of a cycle: $why -> $says', ({ pending, says }) =>
  expect(waitingFor('ID', AGENT, pending, 'running')).toBe(says),
)

test.each(
  // prettier-ignore
  [
  { why: 'the tool of the agent', pending: [turn({ progress: { agent: 'codex', role: 'test-fix-agent', state: 'running', lastEvent: 'tool edit a.ts' } })], says: ['codex: edit a.ts'] },
  { why: 'its state before the first event', pending: [turn({ progress: { agent: 'codex', state: 'starting' } })], says: ['codex: starting'] },
  { why: 'nothing while it writes', pending: [turn({ progress: { agent: 'codex', state: 'running', lastEvent: 'text' } })], says: [] },
  { why: 'its end', pending: [turn({ progress: { agent: 'codex', state: 'ending', lastEvent: 'tool edit a.ts' } })], says: ['codex: ending'] },
  { why: 'a step without an agent', pending: [turn({ progress: { state: 'npm ci' } })], says: ['npm ci'] },
  { why: 'nothing of an attempt that is over', pending: [turn({ running: false, progress: { state: 'running' } })], says: [] },
  { why: 'nothing where there is no heartbeat yet', pending: [turn()], says: [] },
  { why: 'each agent of a cycle by its role', pending: [role('requirements-analyst', { state: 'running', lastEvent: 'tool read a' }), role('code-developer', { state: 'starting' }), role('validation-archivist', { state: 'slot' })], says: ['requirements-analyst: read a', 'code-developer: starting'] },
],
)('current activity: $why', ({ pending, says }) => expect(activityNow(pending)).toEqual(says))

const NOON = Date.parse('2026-11-22T12:00:00Z')
test.each(
  // prettier-ignore
  [
  { why: 'of today', at: '2026-11-22T12:40:10+00:00', zone: 'UTC', says: '12:40:10' },
  { why: 'written in another zone', at: '2026-11-22T20:40:10+08:00', zone: 'UTC', says: '12:40:10' },
  { why: 'in the zone of the reader', at: '2026-11-22T12:40:10Z', zone: 'Europe/Berlin', says: '13:40:10' },
  { why: 'of tomorrow', at: '2026-11-23T00:10:00Z', zone: 'UTC', says: '23 Nov 00:10' },
  { why: 'of tomorrow for the reader alone', at: '2026-11-22T23:30:00Z', zone: 'Asia/Shanghai', says: '23 Nov 07:30' },
  { why: 'of today at midnight', at: '2026-11-22T00:00:00Z', zone: 'UTC', says: '00:00:00' },
  { why: 'of another year', at: '2028-01-05T08:00:00Z', zone: 'UTC', says: '5 Jan 2028 08:00' },
],
)('a time $why reads as $says', ({ at, zone, says }) =>
  expect(
    inLocalTime(
      `rate limit: codex may be used again at ${at}, and the run then continues by itself`,
      NOON,
      zone,
    ),
  ).toBe(`rate limit: codex may be used again at ${says}, and the run then continues by itself`),
)
