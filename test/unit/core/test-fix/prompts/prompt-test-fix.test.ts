import { expect, test } from 'vitest'
import { convergePrompt } from '../../../../../src/core/test-fix/prompts/prompt-test-fix.js'
import {
  lostSessionPrompt,
  resumePrompt,
  retryPrompt,
} from '../../../../../src/core/prompts/prompt-resume.js'

test('the convergence request restates the task of the role', () => {
  expect(convergePrompt({ role: 'cli-planning-agent', limitMs: 180_000 })).toMatch(
    /## CONVERGE NOW[^]*about 3 minutes[^]*analyse the failing tests[^]*## Modification Points/,
  )
  expect(convergePrompt({ role: 'test-fix-agent', task: 'IMPL-fix-1', limitMs: 60_000 })).toMatch(
    /about 1 minute left[^]*IMPL-fix-1/,
  )
})

test.each([
  { text: resumePrompt({ prompt: 'THE TASK', sameSession: true }), says: '## RESUMED' },
  { text: resumePrompt({ prompt: 'THE TASK', sameSession: false }), says: '## STARTED AGAIN' },
  { text: lostSessionPrompt('THE TASK'), says: '## NEW SESSION' },
])('$says repeats the whole task', ({ text, says }) => {
  expect(text.startsWith(says)).toBe(true)
  expect(text.endsWith('THE TASK')).toBe(true)
})

test('the retry asks for the answer only, in its form', () => {
  expect(retryPrompt({ problem: 'no block', form: 'PHASE_RESULT:' })).toMatch(
    /could not be used: no block[^]*Do not redo[^]*PHASE_RESULT:$/,
  )
})
