// Tests that an agent writes for code without any: measured, checked with mutants, kept or held.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import type { Failed } from '../support/documents.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { FILES, GOOD, PARSER, PLANS, REVIEWS, writes } from '../support/runs/tests-first.js'
import { runGit } from '../support/repositories/repos.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const SESSION = 'WFS-test-parser'
const EMPTY = `import parser


def test_parser():
    assert True


def test_more():
    assert parser is parser
`
const fix = async (
  project: string,
  ...options: string[]
): Promise<{ exitCode: number; document: RunResult }> =>
  user.json<RunResult>(project, 'fix', '--session', SESSION, ...options)

function contextOf(
  project: string,
  session: string,
): { focus_paths: string[]; requirements: string[] } {
  const file = path.join(project, '.workflow', session, '.task/IMPL-001.json')
  const task = JSON.parse(readFileSync(file, 'utf8')) as { context: ReturnType<typeof contextOf> }
  return task.context
}

type Quality = { mutants: { tried: number; killed: number }; assertions: { total: number } }
const qualityOf = (project: string): Quality =>
  JSON.parse(
    readFileSync(path.join(project, '.workflow', SESSION, '.process/test-quality.json'), 'utf8'),
  ) as Quality

test('a repository without tests ends with tests that notice at least half of ten mutants', async () => {
  const project = repository(user, 'untested', [PLANS, writes(GOOD), REVIEWS], {}, FILES)
  const { exitCode, document } = await fix(project, '--generate-tests', 'the parser')
  expect(document).toMatchObject({ outcome: 'success', reviewNeeded: false, passRate: 100 })
  expect(exitCode).toBe(0)
  const { mutants, assertions } = qualityOf(project)
  expect(mutants.tried).toBe(10)
  expect(mutants.killed).toBeGreaterThanOrEqual(5)
  expect(assertions.total).toBe(8)
  const branch = (file: string) => runGit(project, 'show', `ratchet/${SESSION}:${file}`)
  expect(branch('tests/test_parser.py')).toContain('def test_too_small')
  expect(`${branch('parser.py')}\n`).toBe(PARSER)
  expect(contextOf(project, SESSION).focus_paths).toEqual(['parser.py'])
  expect(existsSync(path.join(project, 'tests'))).toBe(false)
  const { stdout } = await user.run(project, 'apply', SESSION)
  expect(stdout).toContain('5 of 5 tests pass\napplied 1 file')
  expect(readFileSync(path.join(project, 'tests/test_parser.py'), 'utf8')).toBe(GOOD)
})

test('what to test comes from a text file', async () => {
  const files = { ...FILES, 'docs/wanted.md': 'Test the parser: what it refuses, above all.\n' }
  const project = repository(user, 'asked', [PLANS, writes(GOOD), REVIEWS], {}, files)
  const { document } = await fix(project, '--generate-tests', '@docs/wanted.md')
  expect(document).toMatchObject({ outcome: 'success', reviewNeeded: false })
  const context = contextOf(project, SESSION)
  expect(context.focus_paths).toEqual(['parser.py'])
  expect(context.requirements[0]).toBe('Write tests for what docs/wanted.md asks for')
})

test('what to test comes from an earlier session: the code that it changed', async () => {
  const first = 'WFS-test-first'
  const ADDS_TWICE = {
    patch: {
      path: 'calc.py',
      find: 'def mul',
      replace: 'def twice(a):\n    if a > 9:\n        return 9\n    return a + a\n\n\ndef mul',
    },
  }
  const TWICE =
    'from calc import twice\n\n\ndef test_twice():\n    assert twice(2) == 4\n    assert twice(10) == 9\n    assert twice(9) == 18\n'
  const writesTwice = { write: { path: 'tests/test_twice.py', text: TWICE } }
  const project = repository(user, 'changed', [
    PLANS,
    ANALYSE,
    { when: { role: 'code-developer' }, do: [writesTwice] },
    {
      when: { role: 'test-fix-agent', task: 'IMPL-fix-1' },
      do: [ADDS_TWICE, RIGHT_ADD, RIGHT_MUL],
    },
    REVIEWS,
  ])
  await user.json(project, 'fix', '--session', first)
  const base = ['--base', `ratchet/${first}`]
  const { document } = await fix(project, '--generate-tests', '--from', first, ...base)
  expect(document).toMatchObject({ outcome: 'success' })
  const context = contextOf(project, SESSION)
  expect(context.focus_paths).toEqual(['calc.py'])
  expect(context.requirements[0]).toBe(`Write tests for what ${first} changed`)
  expect(runGit(project, 'show', `ratchet/${SESSION}:tests/test_twice.py`)).toContain('test_twice')
  expect(qualityOf(project).mutants.killed).toBeGreaterThan(0)

  const unknown = await user.json<Failed>(project, 'fix', '--generate-tests', '--from', 'WFS-none')
  expect(unknown.document.error.message).toBe('there is no run WFS-none')
})

test('tests that assert nothing are held at the gate, with the mutants that they do not notice', async () => {
  const project = repository(user, 'hollow', [PLANS, writes(EMPTY), REVIEWS], {}, FILES)
  const { document } = await fix(project, '--generate-tests', 'the parser')
  expect(document.reviewNeeded).toBe(true)
  expect(document.reason).toContain('IMPL-001.5 (test-quality-review): 2 of the tests cannot fail')
  expect(document.reason).toContain('the tests notice 0 of 10 changes to the code under test')
  expect(document.reason).toContain('after 3 checks')
})

test('an agent that writes no test: the run ends with that reason, and resumed it continues with tests', async () => {
  const silent = { when: { role: 'code-developer' }, do: [{ say: 'All is well.' }] }
  const project = repository(user, 'silent', [PLANS, silent, REVIEWS], {}, FILES)
  const { exitCode, document } = await fix(project, '--generate-tests', 'the parser')
  expect({ exitCode, document }).toMatchObject({
    exitCode: 1,
    document: {
      outcome: 'blocked',
      reason: 'IMPL-001.5 (test-quality-review): IMPL-001 wrote no test, after 3 checks',
      warnings: [],
      usage: { turns: 4 },
    },
  })
  const steps = [PLANS, writes(GOOD), REVIEWS]
  writeFileSync(path.join(project, 'ratchet.playbook.yaml'), JSON.stringify({ steps }))
  const resumed = await user.json<RunResult>(project, 'resume', SESSION)
  expect(resumed.document).toMatchObject({ outcome: 'success', reviewNeeded: false })
  expect(qualityOf(project).mutants.killed).toBeGreaterThanOrEqual(5)
})

test('killed with a mutant in the tree, a run ends with the code as it was', async () => {
  const project = repository(user, 'struck', [PLANS, writes(GOOD), REVIEWS], {}, FILES)
  user.dieAt('mutants:changed', project)
  const run = await user.fix(project, SESSION, { testsFor: { text: 'the parser' } })
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', reviewNeeded: false })
  expect(user.hasDiedAt('mutants:changed', project)).toBe(true)
  expect(`${runGit(project, 'show', `ratchet/${SESSION}:parser.py`)}\n`).toBe(PARSER)
  expect(qualityOf(project).mutants.tried).toBe(10)
})
