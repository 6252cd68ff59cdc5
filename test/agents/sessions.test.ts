// Sessions from the command line with real programs as agents: tests that are written first, a plan
// that a person approves, a question without an answer, a session of another tool, and its archive.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { MARKERS } from '../../src/contract/names.js'
import type { RunResult } from '../../src/contract/result.js'
import { Detached, type Failed } from '../support/documents.js'
import type { Step } from '../support/model-stub/stub.js'
import { sessionOfAnotherTool } from '../support/runs/planned-session.js'
import { analysis, type Step as Played } from '../support/runs/real-run.js'
import { FILES, GOOD, PLANS, REVIEWS, writes } from '../support/runs/tests-first.js'
import { filesIn, runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'
import { byPrompt, commandLine, REPAIR, REPAIRED, type CommandLine } from './command-line.js'

let line: CommandLine
beforeAll(async () => {
  line = await commandLine()
})
afterAll(() => line.close())

/** What the scripted agent would do, for a model that has done `done` steps of it. */
function played({ do: actions }: Played, done: number): Step[] {
  return actions
    .map((action): Step => {
      const { say, write } = action as { say?: string; write?: { path: string; text: string } }
      return write === undefined ? { say: say ?? '' } : { write: write.path, content: write.text }
    })
    .slice(done)
}

test(
  'claude writes the tests that a text file asks for; they notice mutants and pass both gates',
  { timeout: 240_000 },
  async () => {
    line.stub.script(
      'cli-planning-agent',
      byPrompt((_, done) => played(PLANS, done)),
    )
    line.stub.script(
      'code-developer',
      byPrompt((_, done) => played(writes(GOOD), done)),
    )
    line.stub.script(
      'test-fix-agent',
      byPrompt(() => played(REVIEWS, 0)),
    )
    const files = { ...FILES, 'wanted.md': 'Test the parser.\n' }
    const project = line.user.project(
      'untested',
      undefined,
      { roles: { default: 'claude' } },
      files,
    )
    const { exitCode, document } = await line.user.json<RunResult>(
      project,
      'fix',
      '--generate-tests',
      '@wanted.md',
    )
    expect(document).toMatchObject({ outcome: 'success', reviewNeeded: false, passRate: 100 })
    expect(exitCode).toBe(0)
    expect(filesIn(project, document.branch ?? '')['tests/test_parser.py']).toBe(GOOD)
    const quality = JSON.parse(
      readFileSync(path.join(document.recordDir ?? '', '.process/test-quality.json'), 'utf8'),
    ) as { mutants: { tried: number; killed: number } }
    expect(quality.mutants.killed).toBeGreaterThanOrEqual(quality.mutants.tried / 2)
    expect(findMarked(MARKERS.run, document.id)).toEqual([])
  },
)

test('codex fixes after its plan was approved from elsewhere', { timeout: 240_000 }, async () => {
  const points = ['calc.py:add:1-2', 'calc.py:mul:5-6']
  line.stub.script('cli-planning-agent', [{ say: analysis(points, ['tests/test_calc.py']) }])
  line.stub.script(
    'test-fix-agent',
    byPrompt((_, done) => REPAIR.slice(done)),
  )
  const project = line.user.project('approved', undefined, { roles: { default: 'codex' } })
  const { document } = await line.user.json(project, 'fix', '--interactive', '--detach')
  const { id } = Detached.parse(document)
  await waitFor(
    async () => (await line.user.ratchet(project, 'answer', id, 'approve')).exitCode === 0,
    {
      what: 'the question',
      timeoutMs: 120_000,
    },
  )
  const { document: ended } = await line.user.json<RunResult>(project, 'watch', id)
  expect(ended).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(filesIn(project, ended.branch ?? '')['calc.py']).toBe(REPAIRED)
  expect(runGit(project, 'log', '-1', '--format=%s', ended.branch ?? '')).toMatch(
    /^fix\(IMPL-fix-1\): .* \(conservative, 33\.3 → 100\.0 %\)$/,
  )
})

test(
  'a question that codex leads to stops the run at its deadline',
  { timeout: 240_000 },
  async () => {
    const project = line.user.project('silent', undefined, {
      roles: { default: 'codex' },
      limits: { maxTurns: 1, question: { default: { after: '2s', then: 'stop' } } },
    })
    const { document } = await line.user.json(project, 'fix')
    expect(document).toMatchObject({
      outcome: 'stopped',
      reason: 'stopped by request: the budget is spent (1 of 1 turns)',
    })
  },
)

test(
  "opencode carries out another tool's planned fix; its session is archived, with what is left to do",
  { timeout: 240_000 },
  async () => {
    line.stub.script(
      'test-fix-agent',
      byPrompt((_, done) => REPAIR.slice(done)),
    )
    const project = line.user.project('left', undefined, { roles: { default: 'opencode' } })
    sessionOfAnotherTool(project, 'WFS-test-left')
    const { document } = await line.user.json<RunResult>(project, 'fix')
    expect(document).toMatchObject({ outcome: 'success', iterations: 2, usage: { turns: 1 } })
    expect(filesIn(project, document.branch ?? '')['calc.py']).toBe(REPAIRED)

    const archived = await line.user.json<{ archived: unknown[] }>(
      project,
      'archive',
      'WFS-test-left',
    )
    expect(archived.document.archived).toMatchObject([{ session_id: 'WFS-test-left' }])
    expect(existsSync(path.join(project, '.workflow/archives/WFS-test-left'))).toBe(true)
    expect(existsSync(path.join(project, '.workflow/active/WFS-test-left'))).toBe(false)
    const followed = await line.user.json<Failed>(project, 'fix', '--follow-up', '1')
    expect(followed.document.error.next).toMatch(/^ratchet loop "Check the documents/)
  },
)
