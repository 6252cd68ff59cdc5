// Whole runs with agents that misbehave. Each must end with a clear outcome, the truth measured, nothing
// of the agent left running, and the user's tree as it was.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fileURLToPath } from 'node:url'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import type { RunResult } from '../../src/client/index.js'
import { filesIn, fingerprint, runGit } from '../support/repos.js'
import { ANALYSE, CALCULATOR, makeProject, realUser, RIGHT_ADD, RIGHT_MUL, TWO_FIXES } from '../support/real-run.js'
import type { RealUser, Step } from '../support/real-run.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
beforeAll(async () => { user = await realUser() })
afterAll(() => user.close())

const fixer = (...actions: Step['do']): Step[] => [ANALYSE, { when: { role: 'test-fix-agent' }, do: actions }]
const foreign = (name: string, ...args: string[]) => ({ protocol: 'acp', command: process.execPath, args: [fileURLToPath(new URL(`../support/agents/${name}.mjs`, import.meta.url)), ...args] })

async function whole(name: string, steps: Step[], config: Record<string, unknown> = {}, input: Record<string, unknown> = { maxIterations: 1 }): Promise<{ project: string; result: RunResult }> {
  const project = makeProject(user, name, steps, config)
  const before = fingerprint(project)
  const run = await user.fix(project, `WFS-test-${name}`, input)
  const result = await user.finish(run)
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  expect(Object.fromEntries(Object.entries(fingerprint(project)).filter(([file]) => !file.startsWith('.workflow')))).toEqual(before)
  return { project, result }
}

test.each([
  { name: 'missing', agent: { protocol: 'acp', command: 'no-such-agent' }, reason: /no-such-agent/ },
  { name: 'not-acp', agent: { protocol: 'acp', command: process.execPath, args: ['-e', 'console.log("hello")'] }, reason: /IMPL-fix-1 could not be carried out: odd: / },
  { name: 'dying', agent: foreign('quits'), reason: /IMPL-fix-1 could not be carried out: odd: / },
  { name: 'refusing', agent: foreign('refuses'), reason: /IMPL-fix-1 could not be carried out: odd: / },
])('an agent that is $name ends the run as blocked, measured, with the reason', async ({ name, agent, reason }) => {
  const { result } = await whole(name, TWO_FIXES, { agents: { odd: agent }, roles: { default: 'odd' } })
  expect(result).toMatchObject({ outcome: 'blocked', passRate: 33.3, iterations: 0 })
  expect(result.reason).toMatch(reason)
})

test('an agent that hangs is cut at its limit, asked to converge, and judged by its work', async () => {
  const limits = { agentTurn: '3s', converge: '2s' }
  const { result } = await whole('hanging', fixer(RIGHT_ADD, RIGHT_MUL, { hang: true }), { limits })
  expect(result).toMatchObject({ outcome: 'success', passRate: 100 })
  expect(result.history[1]?.note).toContain('ran out of time')
})

test('an agent that falls silent is interrupted by the idle clock', async () => {
  const { result } = await whole('silent', fixer(RIGHT_ADD, RIGHT_MUL, { wait: 'forever' }), { limits: { idle: '2s', converge: '2s' } })
  expect(result).toMatchObject({ outcome: 'success' })
  expect(result.history[1]?.note).toContain('fell silent')
})

test('an agent that lies is shown what was measured', async () => {
  const { result } = await whole('lying', fixer({ patch: RIGHT_ADD.patch }, { lie: 'Done: 100% of tests pass.' }))
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]).toMatchObject({ claimed: 100, passRate: 66.6 })
})

test('an agent that bends the tests sees them restored, and its fix judged by the real ones', async () => {
  const { result, project } = await whole('tampering', fixer(
    { write: { path: 'tests/test_calc.py', text: 'def test_add():\n    assert True\n' } },
    { write: { path: 'conftest.py', text: 'collect_ignore = ["tests"]\n' } },
    { write: { path: 'pytest.ini', text: '[pytest]\naddopts = --deselect tests\n' } },
    RIGHT_ADD,
  ))
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]?.note).toMatch(/conftest.py.*tests\/test_calc.py.*restored|tests\/test_calc.py.*conftest.py.*restored/)
  const files = filesIn(project, result.branch ?? '')
  expect(files['tests/test_calc.py']).toBe(CALCULATOR['tests/test_calc.py'])
  expect(files['pytest.ini']).toBeUndefined()
})

test('an agent that deletes failing tests has gained nothing', async () => {
  const { result } = await whole('deleting', fixer({ delete: 'tests/test_calc.py' }))
  expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3 })
})

test('an agent that floods 50 MB and one that answers rubbish do not take the worker with them', async () => {
  const flood = await whole('flooding', fixer(RIGHT_ADD, RIGHT_MUL, { flood: 50 }))
  expect(flood.result).toMatchObject({ outcome: 'success' })
  const rubbish = await whole('rubbish', TWO_FIXES, { agents: { odd: foreign('chatter') }, roles: { default: 'odd' } })
  expect(rubbish.result).toMatchObject({ outcome: 'failed', passRate: 33.3, history: [{ result: 'baseline' }, { result: 'no_change' }] })
})

test('children that an agent leaves behind, out of its group and deaf to TERM, are found and ended', async () => {
  const { result } = await whole('leaving', fixer(RIGHT_ADD, RIGHT_MUL, { fork: { setsid: true, 'ignore-term': true } }))
  expect(result).toMatchObject({ outcome: 'success' })
})

test('an agent that commits and switches the branch has its work folded into the step', async () => {
  const git = (...args: string[]) => ({ run: ['git', '-c', 'user.name=agent', '-c', 'user.email=agent@example.com', ...args] })
  const { result, project } = await whole('meddling', fixer(RIGHT_ADD, git('commit', '-qam', 'mine'), git('checkout', '-qb', 'elsewhere'), RIGHT_MUL, git('commit', '-qam', 'mine too')))
  expect(result).toMatchObject({ outcome: 'success', commits: [expect.any(String)] })
  expect(runGit(project, 'log', '--format=%s', `${result.branch}~1..${result.branch}`).trim()).toBe('IMPL-fix-1: test fix, iteration 1')
})

test.each([
  { name: 'the-clone', args: ['rm', '-rf', '.git'] },
  { name: 'everything', args: ['rm', '-rf', '.git', 'calc.py', 'tests', 'conftest.py', '.'] },
])('an agent that deletes $name of its workspace ends the run as blocked, and what was kept stays', async ({ name, args }) => {
  const { result, project } = await whole(`deleting-${name}`, fixer({ run: args }))
  expect(result).toMatchObject({ outcome: 'blocked', passRate: 33.3 })
  expect(result.reason).toMatch(/is gone/)
  expect(filesIn(project, result.branch ?? '')['calc.py']).toBe(CALCULATOR['calc.py'])
})

test('a suite that the fix keeps from starting is rolled back', async () => {
  const { result, project } = await whole('breaking', fixer({ write: { path: 'calc.py', text: 'def add(a, b:\n' } }))
  expect(result.history[1]).toMatchObject({ result: 'rolled_back', passRate: null })
  expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3 })
  expect(filesIn(project, result.branch ?? '')['calc.py']).toBe(CALCULATOR['calc.py'])
})

test('permission "ask" becomes a question that a person answers; "deny" is the default', async () => {
  const steps = fixer({ ask: 'may I mend mul?' }, RIGHT_ADD, RIGHT_MUL)
  const project = makeProject(user, 'asking', steps, { permissions: 'ask' })
  const run = await user.fix(project, 'WFS-test-asking', { maxIterations: 1 })
  const status = await waitFor(async () => { const s = await run.status(); return s.questions === 1 ? s : undefined }, { what: 'the question', timeoutMs: 60_000 })
  expect(status.waitingFor).toContain('may I mend mul?')
  await run.answer('allow')
  expect(await user.finish(run)).toMatchObject({ outcome: 'success' })

  const { result } = await whole('denied', steps)
  expect(result.history[1]).toMatchObject({ result: 'no_change', note: expect.stringContaining('permission was denied for "may I mend mul?"') as string })
})

test('a variable that an agent needs and the shell lacks is waited for, and named', async () => {
  const project = makeProject(user, 'variable', TWO_FIXES, { agents: { odd: { ...foreign('echo'), passEnv: ['RATCHET_TEST_ABSENT'] } }, roles: { default: 'odd' } })
  const run = await user.fix(project, 'WFS-test-variable', { maxIterations: 1 })
  const pending = await waitFor(async () => (await run.pending()).find((a) => a.lastFailure?.includes('RATCHET_TEST_ABSENT')), { what: 'the missing variable', timeoutMs: 60_000 })
  expect(pending.name).toBe('agentTurn')
  await run.stop('test')
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped' })
})
