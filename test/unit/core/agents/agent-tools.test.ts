// Which sessions get the tools of Ratchet, which turns may use them, what a call answers, and the
// files that carry the calls.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  TOOL_LIMITS,
  TOOL_NAMES,
  ToolRequest,
  type AgentTestRun,
} from '../../../../src/contract/agent-tools.js'
import { Config } from '../../../../src/contract/config/config.js'
import { ROLES } from '../../../../src/contract/config/agent-config.js'
import type { TurnAsk } from '../../../../src/contract/turn-input.js'
import {
  agentTestLimit,
  diffAnswer,
  failuresAnswer,
  mayUseTools,
  offersTools,
  refusal,
  runAnswer,
} from '../../../../src/core/agents/agent-tools.js'

const ID = '0123456789abcdef'.repeat(2)
const call = (tool: string, args: object = {}): unknown => ({ id: ID, tool, arguments: args })
const run = (files?: string[]): ToolRequest =>
  ToolRequest.parse(call('run_tests', files === undefined ? {} : { files }))
const bytes = (text: string): number => new TextEncoder().encode(text).length

test('roles that write code get the tools; an analysis only before a fix of the same agent', () => {
  const config = Config.parse({ roles: { 'test-fix-agent': ['b', 'c'] } })
  const gets = (agent: string) =>
    ROLES.filter((role) => offersTools(config, { role, agent, protocol: 'acp' }))
  const writing = ['code-developer', 'test-fix-agent', 'loop-develop', 'loop-debug']
  expect(gets('a')).toEqual(writing)
  expect(gets('c')).toEqual([...writing.slice(0, 2), 'cli-planning-agent', ...writing.slice(2)])
  expect(offersTools(config, { role: 'code-developer', agent: 'a', protocol: 'exec' })).toBe(false)
  const off = Config.parse({ limits: { agentTestRuns: 0 } })
  expect(offersTools(off, { role: 'code-developer', agent: 'a', protocol: 'acp' })).toBe(false)
})

// prettier-ignore
const USES: [Parameters<typeof mayUseTools>[0], TurnAsk['about'], boolean][] = [
  ['test-fix-agent', 'fix-task', true],
  ['test-fix-agent', 'task', true],
  ['test-fix-agent', 'assess', false],
  ['test-fix-agent', 'gate', false],
  ['test-fix-agent', 'retry', false],
  ['test-fix-agent', 'converge', false],
  ['cli-planning-agent', 'diagnose', false],
  ['cli-planning-agent', 'task', false],
  ['code-developer', 'cycle-work', true],
  ['code-developer', 'cycle-feedback', true],
  ['code-developer', 'cycle-converge', false],
  ['validation-archivist', 'cycle-work', false],
  ['loop-develop', 'loop-work', true],
  ['loop-debug', 'loop-clarify', true],
  ['loop-validate', 'loop-work', false],
]
test.each(USES)('%s in a turn about %s may use them: %s', (role, about, may) => {
  expect(mayUseTools(role, about)).toBe(may)
})

describe('a call', () => {
  // prettier-ignore
  test.each([
    ['no tool', { id: ID }], ['an unknown tool', call('shell', { command: 'ls' })],
    ['no id', { tool: 'diff', arguments: {} }], ['an id that is a path', { ...(call('diff') as object), id: '../x' }],
    ['more fields', { ...(call('diff') as object), cwd: '/' }], ['more arguments', call('diff', { since: 'HEAD' })],
    ['files that are no list', call('run_tests', { files: 'a' })], ['an empty file', call('run_tests', { files: [''] })],
    ['a long name', call('run_tests', { files: ['x'.repeat(TOOL_LIMITS.pathChars + 1)] })],
    ['many files', call('run_tests', { files: Array.from({ length: TOOL_LIMITS.files + 1 }, (_, n) => `${n}`) })],
    ['a number below 1', call('failures', { from: 0 })], ['no whole number', call('failures', { from: 1.5 })],
    ['null', null], ['a list', []],
  ])('with %s is none', (_, value) => {
    expect(ToolRequest.safeParse(value).success).toBe(false)
  })

  test.each(['-x', '--a=b', '/etc/x', '~/x', '../x', 'a/../../x', 'a\nb', '\\x'])(
    'names no test file: %j',
    (file) => {
      expect(
        refusal(run(['a.test.js', file]), { runs: 0, ms: 0 }, { most: 5, mayUse: true }),
      ).toContain(JSON.stringify(file))
    },
  )

  test('is refused after the last run, and in a turn that may not', () => {
    const asked = { most: 2, mayUse: true }
    expect(refusal(run(['tests/a..b.py']), { runs: 1, ms: 0 }, asked)).toBeUndefined()
    expect(refusal(run(), { runs: 2, ms: 0 }, asked)).toContain('2 test runs')
    expect(refusal(ToolRequest.parse(call('diff')), { runs: 2, ms: 0 }, asked)).toBeUndefined()
    expect(refusal(run(), { runs: 0, ms: 0 }, { most: 2, mayUse: false })).toContain('no code')
  })

  test('gets half of the time of a test run', () => {
    expect(agentTestLimit(600_000)).toBe(300_000)
    expect(agentTestLimit(1)).toBe(1)
  })
})

describe('an answer', () => {
  const failures = Array.from({ length: 300 }, (_, n) => ({
    file: 'tests/ü.py',
    test: `t${n + 1}`,
    error: `${'é'.repeat(900)} end`,
  }))
  const red: AgentTestRun = {
    kind: 'measured',
    passed: 3,
    failed: 300,
    skipped: 1,
    failures,
    restored: ['left.txt'],
  }

  test('says counts, what was restored, and the failures that fit into 16 kB', () => {
    const text = runAnswer(red, 1)
    expect(text).toMatch(/^3 passed, 300 failed, 1 skipped\./)
    expect(text).toContain('left.txt')
    expect(text).toContain('1 test run left')
    expect(text).toContain('1. tests/ü.py > t1\n')
    expect(text).toMatch(/\[\d+ more parts left out/)
    expect(bytes(text)).toBeLessThanOrEqual(TOOL_LIMITS.answerBytes)
  })

  test('continues a long list', () => {
    const text = failuresAnswer(failures, 290, 'your last test run')
    expect(text).toContain('290. tests/ü.py > t290')
    expect(text).not.toContain('> t289\n')
    expect(failuresAnswer(failures, 301, 'it')).toContain('no number 301')
    expect(failuresAnswer([], 1, 'it')).toContain('No test failed')
    expect(failuresAnswer(undefined, 1, 'it')).toContain('no measured run')
  })

  test('of one huge part is cut between characters', () => {
    const tail = '🦊'.repeat(20_000)
    const text = runAnswer({ kind: 'problem', reason: 'x', tail, restored: [] }, 0)
    expect(bytes(text)).toBeLessThanOrEqual(TOOL_LIMITS.answerBytes)
    expect(text).not.toContain('\ufffd')
    expect(bytes(diffAnswer(['a'], `diff --git a\n${tail}`))).toBeLessThanOrEqual(
      TOOL_LIMITS.answerBytes,
    )
  })
})

test('the relay, which is one file without imports of ours, has the same names and numbers', () => {
  const relay = readFileSync(
    new URL('../../../../sandbox/agent-tools.cjs', import.meta.url),
    'utf8',
  )
  expect([...relay.matchAll(/^ {4}name: '(\w+)',$/gm)].map(([, name]) => name)).toEqual([
    ...TOOL_NAMES,
  ])
  expect(relay).toContain(`const REQUESTS = ${TOOL_LIMITS.requests}\n`)
  expect(relay).toContain(`maxItems: ${TOOL_LIMITS.files},`)
  expect(relay).not.toMatch(/require\('(?!node:)/)
})
