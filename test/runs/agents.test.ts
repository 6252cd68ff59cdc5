// Whole runs with agents that lie, cannot start, hang, delete their workspace, or wait for a person.
// Each ends with a clear outcome, a true measurement, no process of the agent, and an unchanged user
// tree.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  CALCULATOR,
  makeProject,
  RIGHT_ADD,
  RIGHT_MUL,
  TWO_FIXES,
} from '../support/runs/real-run.js'
import { filesIn, runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'
import { fixer, foreign, whole } from '../support/runs/whole-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('an agent that lies gets the measured results', async () => {
  const { result } = await whole(
    user,
    'lying',
    fixer({ patch: RIGHT_ADD.patch }, { lie: 'Done: 100% of tests pass.' }),
  )
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]).toMatchObject({ claimed: 100, passRate: 66.6 })
})

test('tests that an agent weakens are restored, and the real ones judge its fix', async () => {
  const { result, project } = await whole(
    user,
    'tampering',
    fixer(
      { write: { path: 'tests/test_calc.py', text: 'def test_add():\n    assert True\n' } },
      { write: { path: 'conftest.py', text: 'collect_ignore = ["tests"]\n' } },
      { write: { path: 'pytest.ini', text: '[pytest]\naddopts = --deselect tests\n' } },
      RIGHT_ADD,
    ),
  )
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]?.note).toMatch(
    /conftest.py.*tests\/test_calc.py.*restored|tests\/test_calc.py.*conftest.py.*restored/,
  )
  const files = filesIn(project, result.branch ?? '')
  expect(files['tests/test_calc.py']).toBe(CALCULATOR['tests/test_calc.py'])
  expect(files['pytest.ini']).toBeUndefined()
})

test.each([
  { what: 'the Makefile', file: 'Makefile', command: ['make', 'test'], before: 'test:\n\t' },
  { what: 'a script', file: 'ci/test.sh', command: ['sh', 'ci/test.sh'], before: '' },
])('$what that runs the tests is restored', async ({ what, file, command, before }) => {
  const tests = `${before}python3 -m pytest -q --junitxml=report.xml\n`
  // It removes the failures of the test that it does not repair.
  const bent = `${tests.trimEnd()}; sed -i 's/<failure.*//' report.xml; true\n`
  const name = what.toLowerCase().replaceAll(' ', '-')
  const project = makeProject(
    user,
    name,
    fixer(RIGHT_ADD, { write: { path: file, text: bent } }),
    { test: { command, report: { format: 'junit', path: 'report.xml' } } },
    { ...CALCULATOR, [file]: tests },
  )
  const result = await user.finish(
    await user.fix(project, `WFS-test-${name}`, { maxIterations: 1 }),
  )
  expect(result).toMatchObject({ outcome: 'failed', passRate: 66.6 })
  expect(result.history[1]?.note).toContain(file)
  expect(filesIn(project, result.branch ?? '')[file]).toBe(tests)
})

test('leftover children of an agent, outside of its group and ignoring TERM, are found and ended', async () => {
  const { result } = await whole(
    user,
    'leaving',
    fixer(RIGHT_ADD, RIGHT_MUL, { fork: { setsid: true, 'ignore-term': true } }),
  )
  expect(result).toMatchObject({ outcome: 'success' })
})

test.each(
  // prettier-ignore
  [
  { name: 'missing', agent: { protocol: 'acp', command: 'no-such-agent' }, reason: /no-such-agent/ },
  { name: 'not-acp', agent: { protocol: 'acp', command: process.execPath, args: ['-e', 'console.log("hello")'] }, reason: /IMPL-fix-1 could not be carried out: odd: / },
  { name: 'dying', agent: foreign('quits'), reason: /IMPL-fix-1 could not be carried out: odd: / },
  { name: 'refusing', agent: foreign('refuses'), reason: /IMPL-fix-1 could not be carried out: odd: / },
],
)(
  'an agent that is $name ends the run as blocked, measured, with the reason',
  async ({ name, agent, reason }) => {
    const { result } = await whole(user, name, TWO_FIXES, {
      agents: { odd: agent },
      roles: { default: 'odd' },
    })
    expect(result).toMatchObject({ outcome: 'blocked', passRate: 33.3, iterations: 0 })
    expect(result.reason).toMatch(reason)
  },
)

test('a hanging agent is interrupted at its limit, asked to converge, and judged by its work', async () => {
  const limits = { agentTurn: '10s', converge: '5s' }
  const { result } = await whole(user, 'hanging', fixer(RIGHT_ADD, RIGHT_MUL, { hang: true }), {
    limits,
  })
  expect(result).toMatchObject({ outcome: 'success', passRate: 100 })
  expect(result.history[1]?.note).toContain('ran out of time')
})

test('a silent agent is interrupted at its idle limit', async () => {
  const { result } = await whole(user, 'silent', fixer(RIGHT_ADD, RIGHT_MUL, { wait: 'forever' }), {
    limits: { idle: '5s', converge: '5s' },
  })
  expect(result).toMatchObject({ outcome: 'success' })
  expect(result.history[1]?.note).toContain('fell silent')
})

test('an agent that deletes failing tests gains nothing', async () => {
  const { result } = await whole(user, 'deleting', fixer({ delete: 'tests/test_calc.py' }))
  expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3 })
})

test('an agent that commits and switches the branch has its work folded into the step', async () => {
  const git = (...args: string[]) => ({
    run: ['git', '-c', 'user.name=agent', '-c', 'user.email=agent@example.com', ...args],
  })
  const { result, project } = await whole(
    user,
    'meddling',
    fixer(
      RIGHT_ADD,
      git('commit', '-qam', 'mine'),
      git('checkout', '-qb', 'elsewhere'),
      RIGHT_MUL,
      git('commit', '-qam', 'mine too'),
    ),
  )
  expect(result).toMatchObject({ outcome: 'success', commits: [expect.any(String)] })
  expect(runGit(project, 'log', '--format=%s', `${result.branch}~1..${result.branch}`).trim()).toBe(
    'fix(IMPL-fix-1): use the operator that the name of the function says (conservative, 33.3 → 100.0 %)',
  )
})

test('an agent that deletes the .git of its clone is judged by its files', async () => {
  const { result } = await whole(
    user,
    'deleting-the-clone',
    fixer(RIGHT_ADD, RIGHT_MUL, { run: ['rm', '-rf', '.git'] }),
  )
  expect(result).toMatchObject({ outcome: 'success', passRate: 100 })
})

test.each([
  { name: 'the-tree', args: ['rm', '-rf', '../tree'] },
  { name: 'the-git-directory', args: ['rm', '-rf', '../git'] },
])(
  'an agent that deletes $name of its workspace ends the run as blocked, and kept work stays',
  async ({ name, args }) => {
    const { result, project } = await whole(user, `deleting-${name}`, fixer({ run: args }))
    expect(result).toMatchObject({ outcome: 'blocked', passRate: 33.3 })
    expect(result.reason).toMatch(/is gone/)
    expect(filesIn(project, result.branch ?? '')['calc.py']).toBe(CALCULATOR['calc.py'])
  },
)

test('a fix that keeps the suite from starting is rolled back', async () => {
  const { result, project } = await whole(
    user,
    'breaking',
    fixer({ write: { path: 'calc.py', text: 'def add(a, b:\n' } }),
  )
  expect(result.history[1]).toMatchObject({ result: 'rolled_back', passRate: null })
  expect(result).toMatchObject({ outcome: 'failed', passRate: 33.3 })
  expect(filesIn(project, result.branch ?? '')['calc.py']).toBe(CALCULATOR['calc.py'])
})

test('permission "ask" becomes a question that a person answers; "deny" is the default', async () => {
  const steps = fixer({ ask: 'may I fix mul?' }, RIGHT_ADD, RIGHT_MUL)
  const project = makeProject(user, 'asking', steps, { permissions: 'ask' })
  const run = await user.fix(project, 'WFS-test-asking', { maxIterations: 1 })
  const status = await waitFor(
    async () => {
      const s = await run.status()
      return s.questions === 1 ? s : undefined
    },
    { what: 'the question', timeoutMs: 60_000 },
  )
  expect(status.waitingFor).toContain('may I fix mul?')
  await run.answer('allow')
  expect(await user.finish(run)).toMatchObject({ outcome: 'success' })

  const { result } = await whole(user, 'denied', steps)
  expect(result.history[1]).toMatchObject({
    result: 'no_change',
    note: expect.stringContaining('permission was denied for "may I fix mul?"') as string,
  })
})

test('the run names a variable that the agent needs and the shell lacks, and waits for it', async () => {
  const project = makeProject(user, 'variable', TWO_FIXES, {
    agents: { odd: { ...foreign('echo'), passEnv: ['RATCHET_TEST_ABSENT'] } },
    roles: { default: 'odd' },
  })
  const run = await user.fix(project, 'WFS-test-variable', { maxIterations: 1 })
  const pending = await waitFor(
    async () => (await run.pending()).find((a) => a.lastFailure?.includes('RATCHET_TEST_ABSENT')),
    { what: 'the missing variable', timeoutMs: 60_000 },
  )
  expect(pending.name).toBe('agentTurn')
  await run.stop('test')
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped' })
})
