import { expect, test } from 'vitest'
import { LOOP_ACTIONS, PARALLEL_ACTIONS } from '../../../../../src/contract/dev-loop/loop-input.js'
import { workerConvergePrompt } from '../../../../../src/core/dev-loop/prompts/prompt-action-converge.js'
import { WORKER_TEXTS } from '../../../../../src/core/dev-loop/prompts/prompt-action-parts.js'
import { workerForm } from '../../../../../src/core/dev-loop/prompts/action-form.js'
import { brief, task } from '../loop-brief.js'

test.each(LOOP_ACTIONS)('%s is asked for WORKER_RESULT with its current progress', (action) => {
  const prompt = workerConvergePrompt({ loop: brief(action), limitMs: 300_000 })
  expect(
    prompt.startsWith(
      '## TIMEOUT\n\nThe time for this turn is over, so Ratchet interrupted it. You have about 5 minutes left.',
    ),
  ).toBe(true)
  expect(prompt).toContain('output WORKER_RESULT with your current progress')
  expect(prompt).toContain(WORKER_TEXTS[action].goal)
  expect(prompt.endsWith(workerForm(action).trim())).toBe(true)
  expect(prompt.match(/^## .*$/gm)).toEqual([
    '## TIMEOUT',
    '## TASK ASSIGNMENT',
    '## TASK DESCRIPTION',
    '## EXPECTED OUTPUT',
  ])
})

test.each([
  { limitMs: 60_000, says: 'about 1 minute left' },
  { limitMs: 2_000, says: 'about 1 minute left' },
  { limitMs: 179_000, says: 'about 2 minutes left' },
])('$limitMs ms are $says', ({ limitMs, says }) => {
  expect(workerConvergePrompt({ loop: brief('init'), limitMs })).toContain(says)
})

test('description and tasks are restated, in short', () => {
  const prompt = workerConvergePrompt({
    loop: brief('develop', {
      description: `Add discounts ${'x'.repeat(8_000)}`,
      tasks: [task('T2')],
    }),
    limitMs: 60_000,
  })
  expect(prompt).toContain('```\nAdd discounts xxx')
  expect(prompt).toContain('more characters of the description are left out')
  expect(prompt).toContain(
    '### TASKS OF THIS TURN\n\n- **T2** [high]: build T2\n\n## EXPECTED OUTPUT',
  )
})

test.each(PARALLEL_ACTIONS)('the duty of %s is the one it had', (action) => {
  const { allowed, parallel } = WORKER_TEXTS[action]
  expect(workerConvergePrompt({ loop: brief(action), limitMs: 60_000 })).toContain(
    `- Allowed: ${allowed}\n`,
  )
  expect(
    workerConvergePrompt({ loop: brief(action, { parallel: true }), limitMs: 60_000 }),
  ).toContain(`- Allowed: ${parallel?.allowed}\n`)
})

test.each([
  { action: 'develop' as const, says: 'consistent state' },
  { action: 'debug' as const, says: 'undo the experiments' },
  { action: 'validate' as const, says: 'half a test' },
])('a tree that $action leaves in the middle of things is tidied first', ({ action, says }) => {
  expect(workerConvergePrompt({ loop: brief(action), limitMs: 60_000 })).toContain(says)
})
