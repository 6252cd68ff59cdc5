// Tests that an agent writes for code without any: measured, checked with mutants, kept or held.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { repository, type Step } from '../support/runs/real-run.js'
import { runGit } from '../support/repositories/repos.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const SESSION = 'WFS-test-parser'
const PARSER = `def parse(text):
    if text == '':
        return []
    numbers = []
    for part in text.split(','):
        number = int(part)
        if number < 0 and abs(number) > 100:
            raise ValueError('too small')
        numbers.append(number + 1)
    return numbers


def total(numbers):
    sum_of_all = 0
    for number in numbers:
        sum_of_all += number
    return sum_of_all


def is_short(numbers):
    return len(numbers) <= 2
`
const FILES = { 'parser.py': PARSER, 'shop.py': 'def price():\n    return 7\n' }
const GOOD = `import pytest

from parser import is_short, parse, total


def test_nothing():
    assert parse('') == []


def test_numbers():
    assert parse('1,2,-5') == [2, 3, -4]
    assert parse('101') == [102]
    assert parse('-100') == [-99]


def test_too_small():
    with pytest.raises(ValueError):
        parse('-101')


def test_total():
    assert total([1, 2, 4]) == 7


def test_short():
    assert is_short([1, 2])
    assert not is_short([1, 2, 3])
`
const EMPTY = `import parser


def test_parser():
    assert True


def test_more():
    assert parser is parser
`
const GATE = { critical: 0, error: 0, warning: 0, coverage: null, anti_patterns: [], issues: [] }
const CASES = [
  { layer: 'L1.1', what: 'numbers', test: 'test_numbers' },
  { layer: 'L1.2', what: 'a number that is too small', test: 'test_too_small' },
  { layer: 'L1.3', what: 'no number', test: 'tests/test_parser.py > test_nothing' },
]
const says = (value: unknown): string =>
  `I looked at it.\n\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`\n`

const plan: Step = {
  when: { role: 'cli-planning-agent', task: 'IMPL-001' },
  do: [{ say: `# Test plan\n\n${'Test what parse does with an empty text. '.repeat(10)}` }],
}
const writes = (text: string): Step => ({
  when: { role: 'code-developer' },
  do: [{ write: { path: 'tests/test_parser.py', text } }],
})
const reviews: Step = {
  when: { role: 'test-fix-agent' },
  do: [{ say: says({ ...GATE, cases: CASES }) }],
}

const fix = async (
  project: string,
  ...options: string[]
): Promise<{ exitCode: number; document: RunResult }> =>
  user.json<RunResult>(project, 'fix', '--session', SESSION, ...options)

type Quality = { mutants: { tried: number; killed: number }; assertions: { total: number } }
const qualityOf = (project: string): Quality =>
  JSON.parse(
    readFileSync(path.join(project, '.workflow', SESSION, '.process/test-quality.json'), 'utf8'),
  ) as Quality

test('a repository without tests ends with tests that notice at least half of ten mutants', async () => {
  const project = repository(user, 'untested', [plan, writes(GOOD), reviews], {}, FILES)
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
  const task = JSON.parse(
    readFileSync(path.join(project, '.workflow', SESSION, '.task/IMPL-001.json'), 'utf8'),
  ) as { context: { focus_paths: string[] } }
  expect(task.context.focus_paths).toEqual(['parser.py'])
  expect(existsSync(path.join(project, 'tests'))).toBe(false)
})

test('tests that assert nothing are held at the gate, with the mutants that they do not notice', async () => {
  const project = repository(user, 'hollow', [plan, writes(EMPTY), reviews], {}, FILES)
  const { document } = await fix(project, '--generate-tests', 'the parser')
  expect(document.reviewNeeded).toBe(true)
  expect(document.reason).toContain('IMPL-001.5 (test-quality-review): 2 of the tests cannot fail')
  expect(document.reason).toContain('the tests notice 0 of 10 changes to the code under test')
  expect(document.reason).toContain('after 3 checks')
})

test('killed with a mutant in the tree, a run ends with the code as it was', async () => {
  const project = repository(user, 'struck', [plan, writes(GOOD), reviews], {}, FILES)
  user.dieAt('mutants:changed', project)
  const run = await user.fix(project, SESSION, { testsFor: { text: 'the parser' } })
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', reviewNeeded: false })
  expect(user.hasDiedAt('mutants:changed', project)).toBe(true)
  expect(`${runGit(project, 'show', `ratchet/${SESSION}:parser.py`)}\n`).toBe(PARSER)
  expect(qualityOf(project).mutants.tried).toBe(10)
})
