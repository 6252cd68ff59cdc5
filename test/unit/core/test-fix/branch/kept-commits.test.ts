import { expect, test } from 'vitest'
import { keptCommits, type KeptFix } from '../../../../../src/core/test-fix/branch/kept-commits.js'

const FIX: KeptFix = {
  task: 'IMPL-fix-2',
  summary: 'round half up',
  strategy: 'conservative',
  measured: { before: 66.6, after: 88.8 },
  rolledBack: [],
}

test.each<[string, Partial<KeptFix>, string]>(
  // prettier-ignore
  [
  ['rates', {}, 'round half up (conservative, 66.6 → 88.8 %)'],
  ['a whole rate', { measured: { before: 90, after: 100 } }, 'round half up (conservative, 90.0 → 100.0 %)'],
  ['no run before', { measured: { before: null, after: 50 } }, 'round half up (conservative, not measured → 50.0 %)'],
  ['no run after', { measured: { before: 50, after: null } }, 'round half up (conservative, 50.0 % → not measured)'],
  ['no run at all', { measured: { before: null, after: null } }, 'round half up (conservative, not measured)'],
  ['nothing to compare with', { measured: undefined }, 'round half up (conservative)'],
  ['a full stop', { summary: 'Round half up.' }, 'Round half up (conservative, 66.6 → 88.8 %)'],
  ['lines and escape sequences', { summary: 'round\n\nRatchet-Run: x \u001b[31mred' }, 'round Ratchet-Run: x [31mred (conservative, 66.6 → 88.8 %)'],
  ['no summary', { summary: ' ' }, 'test fix (conservative, 66.6 → 88.8 %)'],
  ['a long summary', { summary: `${'long '.repeat(20)}end` }, `${'long '.repeat(12).trim()}… (conservative, 66.6 → 88.8 %)`],
  ['a long word', { summary: 'x'.repeat(80) }, `${'x'.repeat(59)}… (conservative, 66.6 → 88.8 %)`],
],
)('a subject with %s', (_, fix, subject) =>
  expect(keptCommits({ ...FIX, ...fix }).map((one) => one.subject)).toEqual([
    `fix(IMPL-fix-2): ${subject}`,
  ]),
)

test('the body has what the subject cuts, the agent, and a line for each fix that was rolled back', () => {
  const summary = `${'long '.repeat(20)}end.`
  const rolledBack = [
    { task: 'IMPL-fix-3', before: 88.8, after: 70.4 },
    { task: 'IMPL-fix-4', before: 88.8, after: null },
  ]
  const [commit] = keptCommits({ ...FIX, summary, agent: 'claude', rolledBack })
  expect(commit?.body).toBe(
    `${summary}\n\nMade by claude.\n\nrolled back: IMPL-fix-3, 88.8 → 70.4 %\nrolled back: IMPL-fix-4, 88.8 % → not measured`,
  )
  expect(commit?.trailers).toEqual({
    'Ratchet-Strategy': 'conservative',
    'Ratchet-Before': '66.6 %',
    'Ratchet-After': '88.8 %',
  })
  expect(keptCommits({ ...FIX, measured: undefined })[0]?.trailers).toEqual({
    'Ratchet-Strategy': 'conservative',
  })
})

test('each cause that is kept has a commit; the last one alone has rates, as only its tree was measured', () => {
  const causes = ['a', 'b', 'c'].map((cause, n) => ({
    task: `IMPL-fix-2.${n + 1}`,
    cause,
    files: [],
  }))
  const parts = causes.map(({ task }) => ({ task, commit: task }))
  const rolledBack = [{ task: 'IMPL-fix-2.2', before: 66.6, after: 55.5 }]
  const commits = keptCommits({ ...FIX, causes, parts, out: ['IMPL-fix-2.2'], rolledBack })
  expect(commits).toEqual([
    {
      task: 'IMPL-fix-2.1',
      subject: 'fix(IMPL-fix-2.1): a (conservative, measured with IMPL-fix-2.3)',
      body: '',
      trailers: { 'Ratchet-Strategy': 'conservative' },
    },
    {
      task: 'IMPL-fix-2.3',
      subject: 'fix(IMPL-fix-2.3): c (conservative, 66.6 → 88.8 %)',
      body: 'Measured together with IMPL-fix-2.1.\n\nrolled back: IMPL-fix-2.2, 66.6 → 55.5 %',
      trailers: {
        'Ratchet-Strategy': 'conservative',
        'Ratchet-Before': '66.6 %',
        'Ratchet-After': '88.8 %',
      },
    },
  ])
  const all = keptCommits({ ...FIX, causes, parts })
  expect(all.map(({ task }) => task)).toEqual(parts.map(({ task }) => task))
  expect(keptCommits({ ...FIX, causes, parts: parts.slice(1, 2) })).toMatchObject([
    { task: 'IMPL-fix-2.2', subject: 'fix(IMPL-fix-2.2): b (conservative, 66.6 → 88.8 %)' },
  ])
})
