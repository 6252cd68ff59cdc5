// Heartbeats as the Web UI's pending activities show them.
import { expect, test } from 'vitest'
import { progressWords } from '../../../../src/core/run/progress-words.js'

const turn = {
  role: 'code-developer',
  agent: 'claude',
  state: 'running',
  elapsedMs: 107_515,
  sessionId: 's',
}

test.each(
  // prettier-ignore
  [
  { why: 'an agent at work', details: { ...turn, lastEvent: 'text', tokens: 190 }, words: 'claude as code-developer: at work for 1 min 47 s, writing, about 190 tokens written' },
  { why: 'an agent with a tool', details: { ...turn, elapsedMs: 7_500_000, lastEvent: 'tool npm test\n**now**' }, words: 'claude as code-developer: at work for 2 h 5 min, last tool: npm test **now**' },
  { why: 'an agent that waits for a slot', details: { ...turn, state: 'slot', elapsedMs: 0 }, words: 'claude as code-developer: waiting for a free agent slot of this host' },
  { why: 'an agent whose permission is asked for', details: { role: 'loop-debug', agent: 'codex', state: 'waiting for a person', question: 'permission-1' }, words: 'codex as loop-debug: waiting for a person' },
  { why: 'tests', details: { phase: 'tests', lines: 83, elapsedMs: 47_000 }, words: 'tests: under way for 47 s, 83 lines of output' },
  { why: 'tests that were affected by a fix ran first', details: { phase: 'tests', affected: '2 of 3 pass', elapsedMs: 0 }, words: 'tests: under way, affected tests: 2 of 3 pass' },
  { why: 'issue 8: tests that tell how far they are', details: { phase: 'tests', lines: 90, elapsedMs: 47_000, counted: { runner: 'pytest', unit: 'tests', done: 83, total: 247, failed: 2 } }, words: 'pytest: 83 of 247, 2 failed, under way for 47 s' },
  { why: 'issue 8: failed tests that run again', details: { phase: 'flaky re-run', elapsedMs: 4_000, affected: '2 of 3 pass', counted: { runner: 'jest', unit: 'files', done: 1, total: 2, about: true, failed: 0 } }, words: 'flaky re-run, jest: 1 of about 2 files, under way for 4 s, affected tests: 2 of 3 pass' },
  { why: 'a count of another version', details: { phase: 'tests', lines: 1, counted: 7 }, words: 'tests: under way, 1 line of output' },
  { why: 'a step that says it itself', details: { state: 'taking a snapshot of the working tree' }, words: undefined },
  { why: 'nothing yet', details: {}, words: undefined },
],
)('heartbeat: $why', ({ details, words }) => expect(progressWords(details)).toBe(words))

test('the tool title of an agent is bounded', () => {
  expect(progressWords({ ...turn, lastEvent: `tool ${'x'.repeat(5_000)}` })?.length).toBeLessThan(
    250,
  )
})
