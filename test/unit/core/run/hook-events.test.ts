// Which hook gets which event, and its document.
import { expect, test } from 'vitest'
import { HookEvent } from '../../../../src/contract/hook-event.js'
import type { HookName, Hooks } from '../../../../src/contract/hooks.js'
import { askedHooks, endedEvent, hookFor } from '../../../../src/core/run/hook-events.js'
import { askedOf, endedOf } from '../../../support/hooks/hook-events.js'

const hooks = (...names: HookName[]): Hooks =>
  Object.fromEntries(names.map((name) => [name, { command: name, timeout: 1 }]))

test.each<{ why: string; has: HookName[]; event: HookName; told: HookName | undefined }>([
  { why: 'its own', has: ['question', 'budget'], event: 'budget', told: 'budget' },
  { why: 'a budget is a question', has: ['question'], event: 'budget', told: 'question' },
  { why: 'a question is no budget', has: ['budget'], event: 'question', told: undefined },
  { why: 'its own', has: ['failed', 'stuck'], event: 'stuck', told: 'stuck' },
  { why: 'a run that is stuck has failed', has: ['failed'], event: 'stuck', told: 'failed' },
  { why: 'a run that failed is not stuck', has: ['stuck'], event: 'failed', told: undefined },
  { why: 'no hook for it', has: ['done'], event: 'failed', told: undefined },
])('of "$event" the hook of $has: $why', ({ has, event, told }) => {
  expect(hookFor(hooks(...has), event)?.name).toBe(told)
})

test('a configuration of a version without hooks has none', () => {
  expect(hookFor(undefined, 'done')).toBeUndefined()
})

test.each<{ has: HookName[]; asks: HookName[] }>([
  { has: [], asks: [] },
  { has: ['done', 'failed', 'stuck'], asks: [] },
  { has: ['question'], asks: ['question', 'budget'] },
  { has: ['budget'], asks: ['budget'] },
  { has: ['budget', 'question'], asks: ['question', 'budget'] },
])('with the hooks $has a workflow reports $asks', ({ has, asks }) => {
  expect(askedHooks(hooks(...has))).toEqual(asks)
})

test.each([
  ['success', 'done'],
  ['partial_success', 'done'],
  ['completed', 'done'],
  ['user_exit', 'done'],
  ['failed', 'failed'],
  ['stopped', 'failed'],
  ['completed_with_issues', 'failed'],
  ['max_iterations', 'failed'],
  ['blocked', 'stuck'],
])('the outcome %s is the event "%s"', (outcome, event) => {
  expect(endedEvent(outcome)).toBe(event)
})

test('a question has its answer as a command and as the argument of the update', () => {
  expect(askedOf()).toEqual({
    schema: 1,
    event: 'question',
    eventId: 'e'.repeat(24),
    at: '2026-11-20T20:00:00+08:00',
    text: 'WFS-test-shop.abc123 asks: fixer (test-fix-agent) asks: run npm install?',
    run: {
      id: 'WFS-test-shop.abc123',
      kind: 'test-fix',
      project: '/repo',
      recordDir: '/repo/.workflow/WFS-test-shop',
      branch: 'ratchet/WFS-test-shop',
      iteration: 2,
      maxIterations: 5,
      passRate: 60,
    },
    question: {
      id: 'q-1',
      kind: 'permission',
      text: 'fixer (test-fix-agent) asks: run npm install?',
      options: ['allow', 'deny'],
      recommended: 'deny',
      askedAt: Date.UTC(2026, 10, 20, 12),
    },
    answer: {
      command: 'ratchet answer WFS-test-shop.abc123 --question q-1 deny',
      update: { questionId: 'q-1', choice: 'deny' },
    },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'the first option where none is recommended', question: { recommended: undefined, options: ['keep mine', 'base'] }, command: "'keep mine'", update: { choice: 'keep mine' } },
  { why: 'quotes for a shell', question: { recommended: "don't", options: [] }, command: String.raw`'don'\''t'`, update: { choice: "don't" } },
  { why: 'own words where there is no option', question: { recommended: undefined, options: [] }, command: '"<your answer>"', update: { text: 'your answer' } },
],
)('the answer of a question: $why', ({ question, command, update }) => {
  expect(askedOf(question as never).answer).toEqual({
    command: `ratchet answer WFS-test-shop.abc123 --question q-1 ${command}`,
    update: { questionId: 'q-1', ...update },
  })
})

test('text of agents stays in one line of a notification', () => {
  const { text } = askedOf({ text: `Which\u001b[31m one?\n\n${'x'.repeat(5_000)}` })
  expect(text).not.toMatch(/[\n\u001b]/)
  expect(text.length).toBeLessThan(400)
})

test.each(
  // prettier-ignore
  [
  { why: 'a success', result: {}, text: 'WFS-test-shop.abc123: success after 2 iterations, pass rate 100.0 %' },
  { why: 'a review', result: { outcome: 'partial_success', iterations: 1, passRate: 96, reviewNeeded: true, reason: 'flaky: a' }, text: 'WFS-test-shop.abc123: partial success after 1 iteration, pass rate 96.0 %, needs review: flaky: a' },
  { why: 'nothing measured', result: { outcome: 'stopped', status: 'failed' as const, iterations: 0, passRate: null, reason: 'stopped by request' }, text: 'WFS-test-shop.abc123: stopped after 0 iterations, nothing was measured: stopped by request' },
],
)('the end in one sentence: $why', ({ result, text }) => {
  expect(endedOf(result).text).toBe(text)
})

test('an end names ten failures and their total', () => {
  const failures = Array.from({ length: 30 }, (_, n) => ({
    test: `t${n}`,
    file: 'a.test.ts',
    criticality: 'high' as const,
    error: 'boom',
  }))
  const { result } = endedOf({ outcome: 'failed', failures, failuresTotal: 30 })
  expect(result.failures).toHaveLength(10)
  expect(result.failuresTotal).toBe(30)
})

test('an event matches the schema that the package exports', () => {
  for (const event of [
    askedOf(),
    askedOf({ kind: 'budget' }),
    endedOf(),
    endedOf({ outcome: 'blocked' }),
  ])
    expect(HookEvent.parse(JSON.parse(JSON.stringify(event)))).toEqual(event)
})
