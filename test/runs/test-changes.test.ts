// Tests that look wrong: an agent proposes a change, the run ends with the question, and a person
// decides.
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import type { Failed } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { analysis, repository, type Step } from '../support/runs/real-run.js'
import { commitAll, runGit, writeFiles } from '../support/repositories/repos.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const SHOP = 'WFS-test-shop'
const STALE =
  'from calc import add\n\n\ndef test_old():\n    assert add(2, 2) == 5\n\n\ndef test_steady():\n    assert add(0, 0) == 0\n'
const FILES = {
  'calc.py': 'def add(a, b):\n    return a + b\n',
  'tests/test_old.py': STALE,
  'tests/test_new.py': 'from calc import add\n\n\ndef test_new():\n    assert add(1, 2) == 3\n',
  'conftest.py': '',
}
const PATCH =
  '--- a/tests/test_old.py\n+++ b/tests/test_old.py\n@@ -2,4 +2,4 @@\n \n \n def test_old():\n-    assert add(2, 2) == 5\n+    assert add(2, 2) == 4\n'
const PROPOSAL = { file: 'tests/test_old.py', why: 'two and two are four', patch: PATCH }
const fenced = (value: unknown): string =>
  `I looked at it.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`

const analyses = (points: string[], proposals: unknown[] = []): Step => ({
  when: { role: 'cli-planning-agent' },
  do: [
    {
      say: analysis(points, ['tests/test_old.py'], {
        root_causes: ['the test expects a wrong sum'],
        ...(proposals.length === 0 ? {} : { proposed_test_changes: proposals }),
      }),
    },
  ],
})
const ONLY_PROPOSES = [analyses([], [PROPOSAL])]
const made = (name: string, steps: Step[], config: Record<string, unknown> = {}): string =>
  repository(user, name, steps, config, FILES)

/** A run that did not end as done. */
async function ended(project: string, ...argv: string[]): Promise<RunResult> {
  const { exitCode, document } = await user.json<RunResult>(project, ...argv)
  expect(exitCode).toBe(1)
  return document
}

test('a run with only a proposal ends as blocked; accept applies it as a separate commit, and the run succeeds', async () => {
  const project = made('stale', ONLY_PROPOSES)
  const result = await ended(project, 'fix', '--session', SHOP)
  expect(result).toMatchObject({
    outcome: 'blocked',
    iterations: 0,
    commits: [],
    proposedTestChanges: [{ file: 'tests/test_old.py', why: 'two and two are four' }],
  })
  expect(result.reason).toBe(
    `1 test is proposed to change (tests/test_old.py); apply the proposals with: ratchet answer ${result.id} accept`,
  )
  const record = path.join(project, '.workflow', SHOP)
  expect(readFileSync(path.join(record, '.process/proposed-test-changes/1.patch'), 'utf8')).toBe(
    PATCH,
  )
  expect(
    JSON.parse(readFileSync(path.join(record, '.process/proposed-test-changes/1.json'), 'utf8')),
  ).toMatchObject({ file: 'tests/test_old.py', why: 'two and two are four', iteration: 1 })
  const failure = readFileSync(path.join(record, '.summaries/failure-report.md'), 'utf8')
  expect(failure).toContain('## Proposed test changes')
  expect(failure).not.toContain('allowed to write')
  expect((await user.run(project, 'status', SHOP)).stdout).toContain('proposed')
  const html = path.join(project, 'report.html')
  await user.run(project, 'report', SHOP, '--output', html)
  expect(existsSync(html) ? readFileSync(html, 'utf8') : '').toContain('Proposed test change')

  const asked = await user.json<{
    questions: { kind: string; options: string[]; recommended: string }[]
  }>(project, 'answer', SHOP)
  expect(asked.document.questions).toMatchObject([
    { kind: 'test_change', options: ['accept', 'refuse'], recommended: 'refuse' },
  ])
  const accepted = await user.json(project, 'answer', SHOP, 'accept')
  expect(accepted).toMatchObject({ exitCode: 0, document: { id: result.id, answer: 'accept' } })
  const done = await user.json<RunResult>(project, 'watch', SHOP)
  expect(done).toMatchObject({
    exitCode: 0,
    document: {
      outcome: 'success',
      passRate: 100,
      iterations: 0,
      broken: [],
      proposedTestChanges: [{ file: 'tests/test_old.py', answer: 'accepted' }],
    },
  })
  const branch = `ratchet/${SHOP}`
  expect(runGit(project, 'log', '--format=%s', `HEAD..${branch}`).trim().split('\n')[0]).toBe(
    'Change a test as proposed',
  )
  expect(runGit(project, 'show', '--format=', '--name-only', branch).trim()).toBe(
    'tests/test_old.py',
  )
  expect(runGit(project, 'show', `${branch}:tests/test_old.py`)).toBe(
    STALE.replace('== 5', '== 4').trimEnd(),
  )
})

test('a fix with a proposal is kept, and refuse continues the run without the proposal', async () => {
  const project = made(
    'refused',
    [
      analyses(['calc.py:add:1-2']),
      {
        when: { role: 'test-fix-agent' },
        do: [{ say: fenced({ proposed_test_changes: [PROPOSAL] }) }],
      },
    ],
    { limits: { maxIterations: 2 } },
  )
  const result = await ended(project, 'fix', '--session', SHOP)
  expect(result).toMatchObject({
    outcome: 'blocked',
    iterations: 1,
    proposedTestChanges: [{ file: 'tests/test_old.py' }],
  })
  expect(result.history[1]?.note).toContain('a change is proposed to tests/test_old.py')
  expect((await user.run(project, 'answer', SHOP, 'maybe')).exitCode).toBe(2)
  expect((await user.run(project, 'answer', SHOP, 'refuse')).stdout).toContain(
    `continue with: ratchet resume ${result.id}`,
  )
  const after = await ended(project, 'resume', SHOP)
  expect(after).toMatchObject({
    outcome: 'failed',
    iterations: 2,
    proposedTestChanges: [{ file: 'tests/test_old.py', answer: 'refused' }],
  })
  expect(runGit(project, 'show', `ratchet/${SHOP}:tests/test_old.py`)).toBe(STALE.trimEnd())
})

test('a patch that no longer applies is refused with the reason, and the run stays closed', async () => {
  const project = made('late', ONLY_PROPOSES)
  await ended(project, 'fix', '--session', SHOP)
  const elsewhere = path.join(user.root, 'late-elsewhere')
  runGit(project, 'worktree', 'add', '-q', elsewhere, `ratchet/${SHOP}`)
  writeFiles(elsewhere, { 'tests/test_old.py': STALE.replace('add(2, 2) == 5', 'add(2, 3) == 6') })
  commitAll(elsewhere, 'mine')
  const { exitCode, document } = await user.json<Failed>(project, 'answer', SHOP, 'accept')
  expect(exitCode).toBe(2)
  expect(document.error).toMatchObject({
    type: 'BadInput',
    message: expect.stringMatching(
      /^the proposed change of tests\/test_old\.py cannot be applied: the patch does not apply: patch failed: tests\/test_old\.py/,
    ) as string,
  })
  writeFileSync(
    path.join(project, '.workflow', SHOP, '.process/proposed-test-changes/1.patch'),
    PATCH.replace('== 4', '== 6'),
  )
  expect(
    (await user.json<Failed>(project, 'answer', SHOP, 'accept')).document.error.message,
  ).toContain('was changed since it was checked')
})

test('invalid proposals are named with their reason, and the analysis still counts', async () => {
  const project = made(
    'lies',
    [
      analyses(
        ['calc.py:add:1-2'],
        [
          {
            ...PROPOSAL,
            file: 'calc.py',
            patch:
              '--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a + b\n+    return 5\n',
          },
          { ...PROPOSAL, file: '../x' },
          { ...PROPOSAL, file: '/etc/passwd' },
          { ...PROPOSAL, file: 'tests/link.py' },
          { ...PROPOSAL, file: 'tests/test_new.py' },
        ],
      ),
      { when: { role: 'test-fix-agent' }, do: [{ write: { path: 'seen.txt', text: 'tried\n' } }] },
    ],
    { limits: { maxIterations: 1 } },
  )
  symlinkSync('test_old.py', path.join(project, 'tests/link.py'))
  const result = await ended(project, 'fix', '--session', SHOP)
  expect(result).toMatchObject({ outcome: 'failed', iterations: 1 })
  expect(result).not.toHaveProperty('proposedTestChanges')
  expect(result.history[1]?.note).toContain(
    'proposed test changes that cannot be used: ../x (the path leads out of the project), /etc/passwd (the path is absolute), calc.py (it is no test file) and 2 more',
  )
})
