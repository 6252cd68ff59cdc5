// A made package passes the checks of its command, and names what it rests on.
import { expect, test } from 'vitest'
import type { PrepAnswer } from '../../../../src/contract/prep/prep-draft.js'
import { checkPrepPackage } from '../../../../src/core/dev-cycle/documents/prep-package.js'
import { checkLoopPackage } from '../../../../src/core/dev-loop/loop-package.js'
import { makePackage, type PackageFacts } from '../../../../src/core/prep/make-package.js'
import { DRAFT, TASK } from '../../../support/prep/prep-play.js'

const NOW = Date.parse('2026-02-10T12:00:00Z')
const FACTS: PackageFacts = {
  for: 'cycle',
  task: 'add a cart',
  project: '/repo',
  generatedAt: '2026-02-10T19:00:00+08:00',
  ready: true,
  draft: DRAFT,
  answers: [],
  testFramework: 'pytest',
  warnings: [],
  hasProjectTech: true,
  hasGuidelines: false,
  sourceRefs: [{ path: 'calc.py', type: 'auto_detected', status: 'verified' }],
}
const CASE = { project: '/repo', now: NOW, typed: 'add a cart' }
const asRead = (facts: PackageFacts): unknown => JSON.parse(JSON.stringify(makePackage(facts)))

test('a cycle uses it, with its gates and its sources', () => {
  expect(checkPrepPackage(asRead(FACTS), CASE)).toMatchObject({
    ok: true,
    maxIterations: 5,
    task: expect.stringMatching(/^add a cart\n[^]*OBJECTIVE: add adds/) as string,
    prep: {
      convergence: { test_pass_rate: 90, coverage: 80 },
      agent_focus: { zero_to_one: { cd: 'happy_path_first' } },
      source_refs: [{ path: 'calc.py', status: 'verified' }],
    },
  })
})

test('a loop uses it, with its tasks', () => {
  const draft = { ...FACTS.draft, tasks: [TASK as never] }
  expect(checkLoopPackage(asRead({ ...FACTS, for: 'loop', draft }), CASE)).toMatchObject({
    ok: true,
    tasks: [
      {
        id: 'T1',
        status: 'pending',
        priority: 'high',
        files: ['calc.py'],
        description:
          'add adds\nCriteria: add(1, 2) is 3\nVerification: pytest tests/test_calc.py\nDone: test_add passes',
      },
    ],
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'not ready',       change: { prep_status: 'needs_refinement' },    says: 'prep_status must be "ready", it is "needs_refinement"' },
  { why: 'for another task', change: { task: { original: 'other', refined: 'x', quality_score: 8 } }, says: 'it is for another task, "other"; --prep <file> uses it anyway' },
  { why: 'with a bad task', change: { tasks: [{ ...TASK, priority: 'urgent' }] }, says: /^tasks\.0\.priority: / },
  { why: 'without tasks, which init makes', change: { tasks: undefined },   says: undefined },
],
)('a package of a loop $why: $says', ({ change, says }) => {
  const draft = { ...FACTS.draft, tasks: [TASK as never] }
  const raw = { ...(asRead({ ...FACTS, for: 'loop', draft }) as object), ...change }
  const checked = checkLoopPackage(raw, CASE)
  if (says === undefined) expect(checked).toMatchObject({ ok: true, tasks: [] })
  else expect(checked.ok ? '' : checked.problems[0]).toMatch(says)
})

test('answers of a person are kept as they are; what no one answered is an assumption and lowers the score', () => {
  const answers: PrepAnswer[] = [
    { question: 'Which files?', answer: 'only calc.py', by: 'user', about: 'scope' },
    { question: 'Which Python?', answer: '3.12', by: 'ratchet', about: 'context' },
  ]
  expect(makePackage({ ...FACTS, ready: false, answers, warnings: ['no tests'] })).toMatchObject({
    prep_status: 'needs_refinement',
    environment: {
      test_framework: 'pytest',
      has_project_tech: true,
      prerequisites: { recommended_passed: false, warnings: ['no tests'] },
    },
    task: { quality_score: 8, dimensions: { scope: { score: 2 }, context: { score: 1 } } },
    assumptions: [{ about: 'context', text: 'Which Python? 3.12' }],
    answers: [{ question: 'Which files?', answer: 'only calc.py' }],
  })
})
