// Three sessions of another tool, as its own files describe them: planned, left in iteration 2, and
// finished. Each is continued by command to its end and archived, and nothing of it is lost.
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import type { Failed } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { filesOf, runGit, type Files } from '../support/repositories/repos.js'
import { analysis, markers, makeProject, type Step } from '../support/runs/real-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

type Sample = 'fresh' | 'in-iteration-2' | 'finished'
const SESSION = 'WFS-test-login'
const SAMPLES = path.join(import.meta.dirname, '../adapters/records/test-fix/samples/other-tool')
const head = "import test from 'node:test'\nimport assert from 'node:assert'\n"
const ADD_TEST = `${head}import { add } from './add.js'\n\ntest('adds', () => assert.equal(add(1, 2), 3))\n`
const LOGIN_TEST = `${head}import { login } from './login.js'\n\ntest('login refuses a wrong password', () => assert.equal(login('wrong'), 401))\n`
const LOGOUT_TEST = `${head}import { logout } from './login.js'\n\ntest('logout', () => assert.equal(logout(), 204))\n`
const FILES: Files = {
  'package.json': '{ "name": "login", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/add.js': 'export const add = (a, b) => a + b\n',
  'src/add.test.js': ADD_TEST,
  'src/login.js': 'export const login = (word) => 200\nexport const logout = () => 204\n',
}
const writes = (task: string, file: string, text: string): Step => ({
  when: { role: 'code-developer', task },
  do: [{ write: { path: file, text } }],
})
const patches = (file: string, find: string, replace: string): Step => ({
  when: { role: 'test-fix-agent' },
  do: [{ patch: { path: file, find, replace } }],
})
const COMPARES = patches('src/login.js', '200', "(word === 'right' ? 200 : 401)")
const ANALYSE: Step = {
  when: { role: 'cli-planning-agent' },
  do: [{ say: analysis(['src/login.js:login:1-1'], ['src/login.test.js']) }],
}

function left(sample: Sample, below: string, steps: Step[], files: Files): string {
  const project = makeProject(user, sample, steps, {}, { ...FILES, ...files })
  cpSync(path.join(SAMPLES, sample), path.join(project, '.workflow', below, SESSION), {
    recursive: true,
  })
  return project
}

/** Every value of a document, by its path. */
function leaves(value: unknown, at = ''): [string, unknown][] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leaves(one, at === '' ? key : `${at}.${key}`))
    : [[at, value]]
}

/** What became of the session's own files: each is there as it was, or is copied. */
function compared(sample: Sample, project: string): { copied: string[]; changed: string[] } {
  const archived = filesOf(path.join(project, '.workflow/archives', SESSION))
  const [copied, changed]: [string[], string[]] = [[], []]
  for (const [name, text] of Object.entries(filesOf(path.join(SAMPLES, sample)))) {
    const now = archived[name]
    const copy = archived[`${name}.before-ratchet`]
    if (copy !== undefined) copied.push(name)
    expect(copy ?? text, name).toBe(text)
    if (now === text || !name.endsWith('.json')) continue
    const kept = new Map(leaves(JSON.parse(now ?? '{}')))
    for (const [field, value] of leaves(JSON.parse(text)))
      if (kept.get(field) !== value) changed.push(`${name}: ${field}`)
  }
  return { copied, changed }
}

type Archived = { archived: Record<string, unknown>[] }
const archived = async (project: string) =>
  (await user.json<Archived>(project, 'archive', SESSION)).document.archived
const prompted = (text: string): boolean =>
  spawnSync('grep', ['-rqF', text, path.join(user.root, 'state')]).status === 0
const turns = (sample: Sample): string[] =>
  markers(user, sample).map(({ role, task = '-' }) => `${role} ${task}`)

test('a planned session: its tasks in their order, also one after the tests, then the fix', async () => {
  const project = left(
    'fresh',
    'active',
    [
      writes('IMPL-001', 'src/login.test.js', LOGIN_TEST),
      writes('IMPL-supplement-1', 'src/logout.test.js', LOGOUT_TEST),
      ANALYSE,
      COMPARES,
    ],
    {},
  )
  const { document } = await user.json<RunResult>(project, 'fix')
  expect(document).toMatchObject({
    outcome: 'success',
    reviewNeeded: false,
    maxIterations: 7,
    passRate: 100,
    reason: null,
    confirmed: true,
  })
  expect(document.warnings).toEqual([
    expect.stringContaining('meta.agent "@test-writer" is not known'),
    expect.stringContaining('no effect: use_codex, diagnosis_tool, fix_mode'),
    expect.stringContaining('test_commands.run_tests is "npx jest"'),
  ])
  expect(turns('fresh')).toEqual([
    'code-developer IMPL-001',
    'cli-planning-agent -',
    'test-fix-agent IMPL-fix-1',
    'code-developer IMPL-supplement-1',
  ])
  for (const text of ['Nothing covers src/login.js.', 'Unit tests for login and logout'])
    expect(prompted(text), text).toBe(true)
  const made = runGit(project, 'ls-tree', '-r', '--name-only', `ratchet/${SESSION}`, 'src')
  expect(made.split('\n')).toEqual(
    expect.arrayContaining(['src/login.test.js', 'src/logout.test.js']),
  )
  expect(runGit(project, 'show', `ratchet/${SESSION}:src/login.js`)).toContain("word === 'right'")

  expect(await archived(project)).toMatchObject([
    {
      description: 'Tests for the login',
      outcome: 'success',
      metrics: { iterations: 1, pass_rate: 100, kept: 1 },
    },
  ])
  expect(compared('fresh', project)).toEqual({
    copied: ['TODO_LIST.md', 'workflow-session.json'],
    changed: [
      '.task/IMPL-001.json: status',
      '.task/IMPL-002.json: status',
      '.task/IMPL-supplement-1.json: status',
      'workflow-session.json: project', // now in `description`
      'workflow-session.json: status',
    ],
  })
})

test('a session left in iteration 2: its planned fix without an analysis, its numbers and history', async () => {
  const project = left('in-iteration-2', '', [patches('src/add.js', 'a - b', 'a + b')], {
    'src/add.js': 'export const add = (a, b) => a - b\n',
    'src/logout.test.js': LOGOUT_TEST,
  })
  const { document } = await user.json<RunResult>(project, 'fix', '--resume-session', SESSION)
  expect(document).toMatchObject({
    outcome: 'success',
    iterations: 2,
    maxIterations: 7,
    confirmed: true,
    warnings: [expect.stringContaining('no effect: diagnosis_tool, fix_mode')],
    history: [
      {
        iteration: 1,
        passRate: 70,
        passed: 7,
        total: 10,
        result: 'kept',
        strategy: 'conservative',
        startedAt: Date.UTC(2025, 9, 17, 10, 5),
        completedAt: Date.UTC(2025, 9, 17, 10, 15),
      },
      { iteration: 2, task: 'IMPL-fix-2', result: 'kept', note: 'planned by another tool' },
    ],
  })
  expect(turns('in-iteration-2')).toEqual(['test-fix-agent IMPL-fix-2'])
  for (const text of ['End the session on logout', 'expected 401, got 200'])
    expect(prompted(text), text).toBe(true)

  expect(await archived(project)).toMatchObject([
    { outcome: 'success', metrics: { iterations: 2, pass_rate: 100, kept: 2 } },
  ])
  expect(compared('in-iteration-2', project)).toEqual({
    copied: [
      '.process/fix-history.json',
      '.process/iteration-1-failures.json',
      '.process/iteration-state.json',
      '.process/test-results.json',
      'TODO_LIST.md',
      'workflow-session.json',
    ],
    changed: expect.arrayContaining([
      '.process/iteration-state.json: next_action',
      '.process/iteration-state.json: max_iterations',
      '.task/IMPL-002.json: status',
      '.task/IMPL-fix-2.json: status',
    ]) as string[],
  })
  // The fix of the other tool stays in the history, with all that its entry says.
  const history = filesOf(path.join(project, '.workflow/archives', SESSION))[
    '.process/fix-history.json'
  ]
  expect(JSON.parse(history ?? '')).toMatchObject({
    entries: [
      {
        iteration: 1,
        strategy: 'conservative',
        modification_points: ['src/login.js:login:3-9'],
        affected_tests: ['src/login.test.js'],
        confidence: 0.8,
        pass_rate_after: 70,
      },
      { iteration: 2, modification_points: ['src/add.js:add:1-1'], pass_rate_before: 70 },
    ],
  })
})

test('a finished session is archived as it is, and later analyses learn from its fix', async () => {
  const project = left('finished', 'active', [ANALYSE, COMPARES], {
    'src/login.test.js': LOGIN_TEST,
  })
  const refused = await user.json<Failed>(project, 'fix', '--resume-session', SESSION)
  expect(refused).toMatchObject({
    exitCode: 2,
    document: {
      error: {
        message: `the session ${SESSION} is completed`,
        next: `archive it with: ratchet archive ${SESSION}, or start a new one with: ratchet fix`,
      },
    },
  })
  expect(await archived(project)).toMatchObject([
    {
      description: 'Tests for the login',
      outcome: 'completed',
      metrics: { duration_hours: 1, iterations: 1, pass_rate: 100, kept: 1 },
      lessons: {
        successes: [expect.stringContaining('kept: not measured → 100 %')],
        challenges: [],
      },
    },
  ])
  expect(compared('finished', project)).toEqual({ copied: [], changed: [] })

  const { document } = await user.json<RunResult>(project, 'fix')
  expect(document).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(prompted(`${SESSION}: `)).toBe(true)
})
