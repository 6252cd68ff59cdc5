// Sessions on the built command: planned by another tool, several at once, gone on with after their end,
// without the server's database, without anything but their files; and a run in a CI.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseJUnit } from '../../src/adapters/tests/junit.js'
import { Ctrf } from '../../src/cli/reports/ctrf.js'
import type { RunResult } from '../../src/contract/result.js'
import { cliProcessUser } from '../support/cli-process.js'
import type { CliProcessUser } from '../support/cli-process.js'
import { ANALYSE, RIGHT_ADD, RIGHT_MUL, TWO_FIXES } from '../support/real-run.js'
import type { Step } from '../support/real-run.js'
import { runGit } from '../support/repos.js'
import { waitFor } from '../support/wait.js'

let user: CliProcessUser
beforeAll(() => void (user = cliProcessUser()))
afterAll(() => user.remove())

type Failed = { error: { type: string; message: string; next: string; sessions?: { name: string; command: string }[] } }
const ONE_FIX: Step[] = [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }]

/** A session as another tool plans one, below `.workflow`. */
function planned(project: string, dir: string, fields: Record<string, unknown> = {}): string {
  const full = path.join(project, '.workflow', dir)
  mkdirSync(full, { recursive: true })
  writeFileSync(path.join(full, 'workflow-session.json'), JSON.stringify({ session_id: path.basename(dir), workflow_type: 'test_session', status: 'planning', created_at: '2026-11-20T10:00:00+08:00', ...fields }))
  return full
}

const sessionFile = (dir: string): Record<string, unknown> => JSON.parse(readFileSync(path.join(dir, 'workflow-session.json'), 'utf8')) as Record<string, unknown>

test('fix takes up the one session that was planned, where it lies, and says so', async () => {
  const project = user.project('planned', ONE_FIX)
  const dir = planned(project, 'active/WFS-test-login', { type: 'test', workflow_type: undefined, custom: 'kept' })
  const { exitCode, stdout } = await user.ratchet(project, 'fix')
  expect(stdout).toContain('the session WFS-test-login is unfinished (planning) and is taken up; --session <name> starts a new one\n')
  expect(stdout).toMatch(/^iteration 1 {2}33\.3 % → 100\.0 % {2}kept {2}conservative$/m)
  expect(exitCode).toBe(0)
  expect(sessionFile(dir)).toMatchObject({ status: 'completed', outcome: 'success', custom: 'kept' })
  expect(existsSync(path.join(project, '.workflow/WFS-test-login'))).toBe(false)
  expect((await user.json<Failed>(project, 'resume', 'WFS-test-login')).document.error).toMatchObject({ type: 'BadInput', message: 'the session WFS-test-login is completed' })
})

test('several unfinished sessions are listed; one that a run has is none of them, and may be given more iterations', async () => {
  const gate = path.join(user.root, 'gate')
  const project = user.project('several', [ANALYSE, { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] }])
  const { document } = await user.json<{ id: string }>(project, 'fix', '--session', 'WFS-test-open', '--detach')
  planned(project, 'WFS-test-a')
  planned(project, 'WFS-test-b', { status: 'paused' })
  await waitFor(() => existsSync(path.join(project, '.workflow/WFS-test-open/workflow-session.json')), { what: 'the record', timeoutMs: 60_000 })

  const refused = await user.json<Failed>(project, 'fix')
  expect(refused.exitCode).toBe(2)
  expect(refused.document.error.type).toBe('SeveralSessions')
  expect(refused.document.error.sessions?.map((choice) => choice.command).sort()).toEqual(['ratchet fix --resume-session WFS-test-a', 'ratchet fix --resume-session WFS-test-b'])

  expect((await user.json(project, 'fix', '--resume-session', document.id, '--detach')).document).toEqual(document)
  const extended = await waitFor(async () => { const ran = await user.json<{ maxIterations: number }>(project, 'extend', 'WFS-test-open', '2'); return ran.exitCode === 0 && ran.document }, { what: 'the extension' })
  expect(extended.maxIterations).toBe(7)
  writeFileSync(gate, '')
  expect(await user.json(project, 'watch', 'WFS-test-open')).toMatchObject({ exitCode: 0, document: { outcome: 'success' } })
})

test('a session that two shells go on with at the same moment has one run, and the second one joins it or is told', async () => {
  const project = user.project('twice', ONE_FIX)
  const dir = planned(project, 'WFS-test-twice')
  const both = await Promise.all([1, 2].map(() => user.json<RunResult | Failed>(project, 'fix', '--resume-session', 'WFS-test-twice')))
  const [joined, refused] = [both.filter(({ exitCode }) => exitCode === 0), both.filter(({ exitCode }) => exitCode !== 0)]
  expect(joined.length).toBeGreaterThan(0)
  for (const { document } of joined) expect(document).toMatchObject({ outcome: 'success', iterations: 1, usage: { turns: 2 } })
  for (const { exitCode, document } of refused) expect({ exitCode, document }).toMatchObject({ exitCode: 2, document: { error: { type: 'BadInput', message: 'the session WFS-test-twice is already running', next: 'follow it with: ratchet watch WFS-test-twice' } } })
  expect(sessionFile(dir)).toMatchObject({ status: 'completed', outcome: 'success' })
  expect(runGit(project, 'log', '--format=%s', 'HEAD..ratchet/WFS-test-twice').trim().split('\n').filter((subject) => subject.startsWith('IMPL-fix'))).toHaveLength(1)
})

test('in a CI questions get what is recommended, and the reports hold the last full run', async () => {
  // Denied, so the second fix does not come: one test goes on failing.
  const project = user.project('ci', [ANALYSE, { do: [RIGHT_ADD, { ask: 'edit calc.py' }, RIGHT_MUL] }], { permissions: 'ask' })
  const page = path.join(user.root, 'page.md')
  user.env['GITHUB_STEP_SUMMARY'] = page
  const { exitCode, stdout, stderr } = await user.ratchet(project, 'fix', '--ci', '--ci-dir', '../reports', '--max-iterations', '1')
  delete user.env['GITHUB_STEP_SUMMARY']
  expect(exitCode).toBe(1)
  expect(stderr).toContain('answered with what is recommended: deny\n')
  expect(stderr).toContain('iteration 1  33.3 % → 66.6 %  kept')
  expect(stdout + stderr).not.toContain('\u001b')
  expect(stdout.split('\n')[0]).toBe('failed after 1 iteration, pass rate 66.6 %')
  expect(stdout).toMatch(/^ {2}junit .*\/reports\/junit\.xml\n {2}ctrf .*\/reports\/ctrf\.json\n {2}summary .*\/reports\/summary\.md$/m)

  const file = (name: string): string => readFileSync(path.join(project, '../reports', name), 'utf8')
  const tests = parseJUnit(file('junit.xml'), 'junit.xml', project).tests.map((one) => `${one.file} ${one.test} ${one.status}`)
  expect(tests).toEqual(['tests/test_calc.py test_add passed', 'tests/test_calc.py test_mul failed', 'tests/test_calc.py test_zero passed'])
  expect(Ctrf.parse(JSON.parse(file('ctrf.json'))).results.summary).toMatchObject({ tests: 3, passed: 2, failed: 1 })
  expect(file('summary.md')).toMatch(/^- `tests\/test_calc\.py` `test_mul` \(high\): /m)
  expect(readFileSync(page, 'utf8')).toBe(file('summary.md'))
})

test('a session goes on from its record: without the database of the server, then with nothing but the project left', async () => {
  const state = user.env['XDG_STATE_HOME'] ?? ''
  const stopAndRemove = async (dir: string): Promise<void> => {
    expect((await user.ratchet(user.root, 'dev', '--stop', '--force')).exitCode).toBe(0)
    rmSync(dir, { recursive: true })
  }
  const [, add, mul] = TWO_FIXES as [Step, Step, Step]
  const project = user.project('alone', [ANALYSE, add, { when: { role: 'test-fix-agent', iteration: 2 }, do: [{ write: { path: 'README.md', text: 'no fix\n' } }] }, { ...mul, when: { ...mul.when, iteration: 3 } }])
  const rates = (result: RunResult): (number | null)[] => result.history.map((entry) => entry.passRate)

  const first = await user.json<RunResult>(project, 'fix', '--max-iterations', '1')
  expect({ code: first.exitCode, rates: rates(first.document) }).toEqual({ code: 1, rates: [33.3, 66.6] })
  expect(await user.json<Failed>(project, 'resume', 'WFS-test-alone')).toMatchObject({ exitCode: 2, document: { error: { type: 'BadInput', message: '1 iteration is spent on IMPL-002, none is left', next: expect.stringContaining('--max-iterations 2') as string } } })

  await stopAndRemove(path.join(state, 'ratchet/server'))
  expect((await user.ratchet(project, 'status', 'WFS-test-alone')).stdout).toContain('failed  iteration 1  66.6 %')
  const second = await user.json<RunResult>(project, 'extend', 'WFS-test-alone', '1')
  expect({ code: second.exitCode, id: second.document.id, rates: rates(second.document) }).toEqual({ code: 1, id: first.document.id, rates: [33.3, 66.6, 66.6] })

  await stopAndRemove(state)
  const { exitCode, document } = await user.json<RunResult>(project, 'fix', '--resume-session', first.document.id, '--max-iterations', '3')
  expect({ exitCode, id: document.id, outcome: document.outcome, rates: rates(document) }).toEqual({ exitCode: 0, id: first.document.id, outcome: 'success', rates: [33.3, 66.6, 66.6, 100] })
  expect(runGit(project, 'log', '--format=%s', `HEAD..${document.branch}`).match(/^IMPL-fix-\d/gm)?.sort()).toEqual(['IMPL-fix-1', 'IMPL-fix-2', 'IMPL-fix-3'])
  expect(runGit(project, 'show', `${document.branch}:calc.py`)).toContain('return a * b')
})
