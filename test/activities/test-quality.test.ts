// Measures tests with real runners and a real repository: coverage, assertions and mutants.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { MeasureTestsInput } from '../../src/contract/test-fix/test-quality.js'
import { RefusalError } from '../../src/contract/failures.js'
import type { TestsFor } from '../../src/contract/test-fix/test-fix-input.js'
import { readRequest } from '../../src/adapters/test-gen/read-request.js'
import { AT, runGit, writeFiles, type Files } from '../support/repositories/repos.js'
import { sessionHost, type SessionHost } from './session-host.js'

const PARSER = `export function parse(text) {
  if (text === '') {
    return []
  }
  return text.split(',').map((part) => Number(part) + 1)
}

export function isShort(list) {
  return list.length <= 2 && list.length > 0
}
`
const GOOD = `import test from 'node:test'
import assert from 'node:assert/strict'
import { isShort, parse } from '../parser.js'

test('parses', () => {
  assert.deepEqual(parse(''), [])
  assert.deepEqual(parse('1,2'), [2, 3])
})

test('is short', () => {
  assert.equal(isShort([]), false)
  assert.equal(isShort([1]), true)
  assert.equal(isShort([1, 2]), true)
  assert.equal(isShort([1, 2, 3]), false)
})
`
const HOLLOW = `import test from 'node:test'
import assert from 'node:assert/strict'
import '../parser.js'

test('parses', () => assert.ok(true))
`
const FILES: Files = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}\n',
  'parser.js': PARSER,
  'shop.js': 'export const price = () => 7\n',
}

/** A session whose agent has written these tests, and what measures them. */
async function written(
  files: Files,
  testsFor: TestsFor = { text: 'the parser' },
  project: Files = FILES,
): Promise<{ host: SessionHost; input: MeasureTestsInput; parser: string }> {
  const host = sessionHost(project)
  const { workspace, configHash, head, recordDir } = await host.prepare({
    open: { generateTests: true, testsFor },
  })
  writeFiles(workspace.cwd, files)
  const committed = await host.commit({
    run: host.run,
    step: 'IMPL-001/work/commit',
    workspace,
    configHash,
    expectHead: head,
    at: AT,
    subject: 'IMPL-001: tests',
    body: '',
    writesTests: true,
  })
  return {
    host,
    parser: path.join(workspace.cwd, 'parser.js'),
    input: {
      run: host.run,
      step: 'measure',
      workspace,
      commit: committed.head,
      recordDir,
      task: 'IMPL-001',
      timeoutMs: 60_000,
      configHash,
    },
  }
}

test('good tests of node:test cover the file in question, and notice its mutants', async () => {
  const { host, input, parser } = await written({ 'test/parser.test.js': GOOD })
  const found = await host.measureTests(input)
  expect(found).toMatchObject({
    coverage: { lines: 100, functions: 100 },
    tests: 2,
    failing: 0,
    assertions: { tests: 2, total: 6, weakTotal: 0 },
  })
  expect(found.mutants.notChecked).toBeUndefined()
  expect(found.mutants.tried).toBeGreaterThanOrEqual(6)
  expect(2 * found.mutants.killed).toBeGreaterThanOrEqual(found.mutants.tried)
  expect(readFileSync(parser, 'utf8')).toBe(PARSER)
  expect(
    JSON.parse(readFileSync(path.join(input.recordDir, '.process/test-quality.json'), 'utf8')),
  ).toMatchObject({ ran: ['test/parser.test.js > parses', 'test/parser.test.js > is short'] })
})

test('what a killed attempt left of a mutant is undone by the next one', async () => {
  const { host, input, parser } = await written({ 'test/parser.test.js': GOOD })
  writeFileSync(parser, PARSER.replace('+ 1', '- 1'))
  expect(await host.measureTests(input)).toMatchObject({ tests: 2, failing: 0 })
  expect(readFileSync(parser, 'utf8')).toBe(PARSER)
})

test('hollow tests notice no mutant, and each survivor is named', async () => {
  const { host, input } = await written({ 'test/parser.test.js': HOLLOW })
  const { assertions, mutants } = await host.measureTests(input)
  expect(assertions).toEqual({
    tests: 1,
    total: 0,
    weak: ['test/parser.test.js > parses'],
    weakTotal: 1,
  })
  expect(mutants.killed).toBe(0)
  expect(mutants.survivors).toHaveLength(mutants.tried)
  expect(mutants.survivors[0]).toMatch(/^parser\.js:\d+: ".*" becomes ".*"$/)
})

test('the coverage of the files in question is written into the record, with the missed lines', async () => {
  const one = GOOD.replace(/\ntest\('is short'[\s\S]*/, '')
  const { host, input } = await written({ 'test/parser.test.js': one })
  const { coverage, hasTests, untested } = await host.measureCoverage(input)
  expect([hasTests, untested]).toEqual([true, []])
  expect(coverage.lines).toBeLessThan(90)
  expect(
    JSON.parse(readFileSync(path.join(input.recordDir, '.process/coverage-gap.json'), 'utf8')),
  ).toMatchObject({
    analysis_type: 'coverage-gap',
    files: [{ file: 'parser.js', missed_lines: '9' }],
  })
})

test('pytest without a coverage plugin says so', async () => {
  const { host, input } = await written(
    { 'tests/test_a.py': 'from a import one\n\n\ndef test_one():\n    assert one() == 1\n' },
    { text: 'a.py' },
    { 'a.py': 'def one():\n    return 1\n', 'conftest.py': '' },
  )
  const found = await host.measureCoverage(input)
  expect(found.hasTests).toBe(true)
  if (found.coverage.lines === null)
    expect(found.coverage.reason).toBe('pytest-cov is not installed, or does not run')
  else expect(found.coverage.lines).toBe(100)
})

test('tests for an earlier run are about the files that its branch changed', async () => {
  const host = sessionHost(FILES)
  runGit(host.project, 'checkout', '-q', '-b', 'ratchet/WFS-test-shop')
  writeFiles(host.project, { 'shop.js': 'export const price = () => 8\n' })
  runGit(host.project, 'commit', '-qam', 'dearer')
  runGit(host.project, 'checkout', '-q', '-')
  const { recordDir } = await host.prepare({
    open: { generateTests: true, testsFor: { from: 'WFS-test-shop' } },
  })
  const read = (file: string) => readFileSync(path.join(recordDir, file), 'utf8')
  expect(JSON.parse(read('.task/IMPL-001.json'))).toMatchObject({
    title: 'Generate tests for what WFS-test-shop changed',
    context: { focus_paths: ['shop.js'] },
  })
  expect(read('.process/test-request.md')).toContain('- shop.js')
})

test.each([
  ['a file that is not there', { file: 'none.md' }, 'is not there'],
  ['a file outside of the project', { file: '../secret.md' }, 'is not in the project'],
  ['a file that is too large', { file: 'large.md' }, 'more than 64 kB'],
  ['an empty file', { file: 'empty.md' }, 'is empty'],
  ['a run that is not there', { from: 'WFS-test-none' }, 'there is no run WFS-test-none'],
] as const)('%s is refused', async (_, testsFor, message) => {
  const { project } = sessionHost(FILES)
  writeFileSync(path.join(path.dirname(project), 'secret.md'), 'the parser')
  writeFiles(project, { 'empty.md': ' \n', 'large.md': 'a'.repeat(70_000) })
  const refused = await readRequest(project, testsFor).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RefusalError)
  expect((refused as Error).message).toContain(message)
})
