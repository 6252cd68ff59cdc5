// Commands on real repositories: what a user types, the output and the exit code. commands.test.ts
// runs them as real processes.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import type { Question } from '../../src/contract/question.js'
import {
  Detached,
  Finished,
  StatusDocument,
  type Failed,
  type RunLine,
} from '../support/documents.js'
import { inProcessUser, type InProcessUser, type Ran } from '../support/in-process/user.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL, type Step } from '../support/runs/real-run.js'
import { commitAll, filesOf, runGit, writeFiles } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const ONE_FIX: Step[] = [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }]
const OWN = ['.workflow', '.git', '__pycache__', '.pytest_cache']

/** A project whose tests one run has made green, for all tests that inspect the result. */
let shop: Promise<{ project: string; before: Record<string, string>; fixed: Ran }> | undefined
const fixedShop = (): NonNullable<typeof shop> =>
  (shop ??= (async () => {
    const project = repository(user, 'shop', ONE_FIX)
    const before = filesOf(project, OWN)
    return { project, before, fixed: await user.run(project, 'fix') }
  })())

async function statusOf(project: string, id: string): Promise<z.infer<typeof RunLine>> {
  const { document } = await user.json(project, 'status', id)
  return StatusDocument.parse(document).runs[0] as z.infer<typeof RunLine>
}

test('fix makes failing tests green without touching the tree, and apply copies the work over', async () => {
  const { project, before, fixed } = await fixedShop()
  expect(fixed.stderr).toBe('')
  expect(fixed.exitCode).toBe(0)
  expect(fixed.stdout).toMatch(/^WFS-test-shop\.[0-9a-f]{6} {2}fixes .*pytest$/m)
  expect(fixed.stdout).toMatch(
    new RegExp(
      `^ +http://127\\.0\\.0\\.1:\\d+/namespaces/${user.namespace}/workflows/WFS-test-shop\\.`,
      'm',
    ),
  )
  expect(fixed.stdout).toContain('baseline     33.3 %  (1 of 3)\n')
  expect(fixed.stdout).toContain('iteration 1  33.3 % → 100.0 %  kept  conservative\n')
  expect(fixed.stdout).toMatch(/^success after 1 iteration, pass rate 100\.0 %$/m)
  expect(fixed.stdout).toMatch(/^ {2}apply +ratchet apply WFS-test-shop\.[0-9a-f]{6}$/m)
  expect(filesOf(project, OWN)).toEqual(before)

  const again = await user.json<{ applied: string[] }>(project, 'apply', 'WFS-test-shop')
  expect(again).toMatchObject({
    exitCode: 0,
    document: { applied: ['calc.py'], conflicts: [], branch: 'ratchet/WFS-test-shop' },
  })
  expect(readFileSync(path.join(project, 'calc.py'), 'utf8')).toContain('return a * b')
  expect(filesOf(project, OWN)).toEqual({
    ...before,
    'calc.py': readFileSync(path.join(project, 'calc.py'), 'utf8'),
  })
  expect(runGit(project, 'diff', '--cached', '--name-only')).toBe('')

  expect((await user.run(project, 'apply', 'WFS-test-shop')).stdout).toContain(
    'every change of the branch is there already',
  )
  expect(await statusOf(project, 'WFS-test-shop')).toMatchObject({
    status: 'completed',
    phase: 'success',
    iteration: 1,
    passRate: 100,
    waitingFor: 'nothing',
  })
  expect(await user.run(project, 'watch', 'WFS-test-shop')).toMatchObject({
    exitCode: 0,
    stderr: '',
  })
})

test('without an agent fix measures, ends blocked with exit 1, and names the setting', async () => {
  const project = repository(user, 'bare')
  const { exitCode, document, stderr } = await user.json(project, 'fix')
  expect(exitCode).toBe(1)
  const result = Finished.parse(document)
  expect(result).toMatchObject({
    outcome: 'blocked',
    status: 'failed',
    iterations: 0,
    passRate: 33.3,
    failuresTotal: 2,
    commits: [],
  })
  expect(result.failures.map((failure) => failure.file)).toEqual([
    'tests/test_calc.py',
    'tests/test_calc.py',
  ])
  expect(result.reason).toContain('"roles"')
  expect(stderr).toContain('baseline     33.3 %  (1 of 3)\n')
})

test('one session runs once; pause, resume and stop act on it; a stopped one resumes under its id', async () => {
  const gate = path.join(user.root, 'gate-held')
  const project = repository(user, 'held', [
    ANALYSE,
    { do: [{ wait: { 'until-file': gate } }, RIGHT_ADD, RIGHT_MUL] },
  ])
  const { exitCode, document } = await user.json(
    project,
    'fix',
    '--session',
    'WFS-test-one',
    '--detach',
  )
  expect(exitCode).toBe(0)
  const { id } = Detached.parse(document)
  await user.until(project, id, /^agent: test-fix-agent/)

  const listed = StatusDocument.parse((await user.json(project, 'status')).document)
  expect(listed.runs.map((run) => run.id)).toEqual([id])
  expect(listed.workers.map((worker) => worker.kind)).toContain('project')

  expect(await user.json<Failed>(project, 'fix', '--session', 'WFS-test-one')).toMatchObject({
    exitCode: 2,
    document: { error: { type: 'BadInput' } },
  })
  expect(
    (await user.json(project, 'fix', '--resume-session', 'WFS-test-one', '--detach')).document,
  ).toEqual(document)
  expect(await user.json<Failed>(project, 'watch', 'WFS-test-onr')).toMatchObject({
    exitCode: 2,
    document: { error: { next: `open runs: ${id}; list all with: ratchet status --all` } },
  })
  expect(await user.run(project, 'clean', 'WFS-test-one')).toMatchObject({ exitCode: 2 })

  expect(
    await user.run(project, 'pause', 'WFS-test-one', '--now', '--reason', 'lunch'),
  ).toMatchObject({ exitCode: 0 })
  await user.until(project, id, /^paused \(lunch\); continue with: ratchet resume /)
  expect((await statusOf(project, id)).status).toBe('paused')
  expect((await user.json(project, 'resume', 'WFS-test-one', '--detach')).document).toEqual(
    document,
  )
  await user.until(project, id, /^agent: test-fix-agent/)

  // From another directory, by the full id.
  const stopped = await user.json(user.root, 'stop', id, '--reason', 'wrong branch')
  expect(stopped.exitCode).toBe(0)
  expect(Finished.parse(stopped.document)).toMatchObject({
    outcome: 'stopped',
    status: 'failed',
    reason: 'stopped by request: wrong branch',
  })
  for (const command of ['pause', 'stop', 'answer'])
    expect((await user.run(project, command, id)).stderr, command).toContain(
      'error: the run has ended (stopped)',
    )
  expect((await user.run(project, 'watch', id)).exitCode).toBe(1)
  writeFileSync(gate, '')
  expect(await user.json(project, 'resume', 'WFS-test-one')).toMatchObject({
    exitCode: 0,
    document: { id, outcome: 'success', iterations: 1 },
  })
  expect(await user.json<Failed>(project, 'fix', '--resume-session', 'WFS-test-one')).toMatchObject(
    { exitCode: 2, document: { error: { message: 'the session WFS-test-one is completed' } } },
  )
})

test('a question is listed with its options, and its answer continues the run', async () => {
  const project = repository(
    user,
    'asking',
    [ANALYSE, { do: [{ ask: 'edit calc.py' }, RIGHT_ADD, RIGHT_MUL] }],
    { permissions: 'ask' },
  )
  const fix = user.start(project, ['fix', '--json'])
  await waitFor(
    () => /answer with: ratchet answer WFS-test-asking\.\w+ deny\n/.test(fix.stderr()),
    { what: 'the question', timeoutMs: 60_000 },
  )
  const { document } = await user.json<{ questions: Question[] }>(
    project,
    'answer',
    'WFS-test-asking',
  )
  expect(document.questions).toMatchObject([{ kind: 'permission', options: ['allow', 'deny'] }])
  expect((await statusOf(project, 'WFS-test-asking')).waitingFor).toMatch(/^person: /)
  expect(await user.json<Failed>(project, 'answer', 'WFS-test-asking', 'perhaps')).toMatchObject({
    exitCode: 2,
    document: { error: { next: 'use one of: allow, deny' } },
  })
  expect(await user.json(project, 'answer', 'WFS-test-asking', 'allow')).toMatchObject({
    exitCode: 0,
    document: { answer: 'allow' },
  })
  const { exitCode, stdout } = await fix.ended
  expect(exitCode).toBe(0)
  expect(Finished.parse(JSON.parse(stdout)).outcome).toBe('success')
})

test('apply writes nothing if both sides changed a file, and names it', async () => {
  const { project } = await fixedShop()
  writeFiles(project, {
    'calc.py': 'def add(a, b):\n    return sum((a, b))\n\n\ndef mul(a, b):\n    return a + b\n',
  })
  const mine = filesOf(project, OWN)
  expect(await user.json(project, 'apply', 'WFS-test-shop')).toMatchObject({
    exitCode: 1,
    document: { applied: [], conflicts: ['calc.py'] },
  })
  expect(filesOf(project, OWN)).toEqual(mine)

  expect(await user.json(project, 'clean', 'WFS-test-shop')).toMatchObject({
    exitCode: 1,
    document: { removed: [], kept: [{ name: 'WFS-test-shop' }] },
  })
  expect(runGit(project, 'branch', '--list', 'ratchet/*')).not.toBe('')
  const planned = await user.json<{ removed: { turns: number }[]; bytes: number }>(
    project,
    'clean',
    'WFS-test-shop',
    '--force',
    '--dry-run',
  )
  expect(planned).toMatchObject({
    exitCode: 0,
    document: {
      dryRun: true,
      removed: [{ workspace: true, branch: 'ratchet/WFS-test-shop', turns: 2 }],
    },
  })
  expect(planned.document.bytes).toBeGreaterThan(0)
  expect(runGit(project, 'branch', '--list', 'ratchet/*')).not.toBe('')
  const logs = await user.json<{ turns: { title: string; outcome: string }[] }>(
    project,
    'logs',
    'WFS-test-shop',
  )
  expect(logs.document.turns.map(({ title, outcome }) => `${title}: ${outcome}`)).toEqual([
    expect.stringMatching(/^cli-planning-agent, .*: /),
    expect.stringMatching(/^test-fix-agent, .*: /),
  ])
  const cleaned = await user.json<{ removed: { workspace: boolean; turns: number }[] }>(
    project,
    'clean',
    'WFS-test-shop',
    '--force',
  )
  expect(cleaned).toMatchObject({
    exitCode: 0,
    document: {
      removed: [{ workspace: true, branch: 'ratchet/WFS-test-shop', turns: 2 }],
      kept: [],
    },
  })
  expect(runGit(project, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main')
  expect(existsSync(path.join(project, '.workflow/WFS-test-shop'))).toBe(true)
})

test("a refusal by the host exits with 2 and the host's message", async () => {
  const project = repository(
    user,
    'nested',
    ONE_FIX,
    {},
    { 'tests/test_a.py': 'def test_a():\n    assert False\n' },
  )
  runGit(project, 'init', '-q', 'inner')
  commitAll(path.join(project, 'inner'), 'Inner')
  const { exitCode, document } = await user.json<Failed>(project, 'fix')
  expect(document.error).toMatchObject({ type: 'UnsupportedRepository' })
  expect(document.error.next).not.toBe('')
  expect(exitCode).toBe(2)
})
