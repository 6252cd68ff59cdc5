import { expect, test } from 'vitest'
import type { CycleBrief } from '../../../../../src/contract/dev-cycle/cycle-step.js'
import { PHASES, type Phase } from '../../../../../src/contract/dev-cycle/discovery.js'
import { phaseForm } from '../../../../../src/core/dev-cycle/prompts/phase-form.js'
import { cycleConvergePrompt } from '../../../../../src/core/dev-cycle/prompts/prompt-converge.js'

const brief = (phase: Phase): CycleBrief => ({
  cycleId: 'c1',
  phase,
  iteration: 1,
  maxIterations: 5,
  description: `Add a login ${'x'.repeat(8_000)}`,
  version: '1.0.0',
  focus: '',
  sourceRefs: [],
  openIssues: [],
  decisions: [],
  changedFiles: 0,
})
const converge = (phase: Phase, limitMs: number): string =>
  cycleConvergePrompt({
    brief: brief(phase),
    phase,
    limitMs,
    paths: { workspace: '/w', dir: '/w/p', progress: `/w/p/${phase}`, board: '/w/p/b.ndjson' },
  })

test.each(PHASES)(
  'the request to %s: notification, three points, documents to write, form',
  (phase) => {
    const prompt = converge(phase, 180_000)
    expect(prompt.startsWith('## TIMEOUT NOTIFICATION\n')).toBe(true)
    expect(prompt.match(/^[123]\. .*$/gm)).toHaveLength(3)
    expect(prompt).toContain(`Write files to /w/p/${phase}:`)
    expect(prompt.endsWith(phaseForm(phase).trim())).toBe(true)
    // The same words as in the form.
    expect(prompt.includes('`partial`')).toBe(phaseForm(phase).includes('| partial'))
    expect(prompt.includes('bring the sources into a consistent state')).toBe(phase === 'cd')
  },
)

test.each([
  { limitMs: 180_000, says: 'about 3 minutes left' },
  { limitMs: 60_000, says: 'about 1 minute left' },
  { limitMs: 2_000, says: 'about 1 minute left' },
])('$limitMs ms are $says', ({ limitMs, says }) => {
  expect(converge('ra', limitMs)).toContain(says)
})

test('the task is restated, in short', () => {
  expect(converge('ep', 60_000)).toContain('```\nAdd a login xxx')
  expect(converge('ep', 60_000)).toContain('more characters of the description are left out')
})
