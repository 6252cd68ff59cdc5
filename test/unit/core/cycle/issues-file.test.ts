import { describe, expect, test } from 'vitest'
import { readIssuesFile } from '../../../../src/core/cycle/issues-file.js'

const open = (md: string) => readIssuesFile(md).open

test('ccw §1.5 CD issues.md: open, resolved and questions are read', () => {
  expect(readIssuesFile(`# Issues - v1.0.0

## Open Issues
### BUG-001: The token is never refreshed
- Severity: high
- Blocker: yes
- Suggestion: refresh early
### BUG-002
- Description: Logout is slow
- Blocker: no

## Resolved Issues
- BUG-000: typo

## Questions for RA
1. Which providers?
2. How long is a session?
`)).toEqual({
    open: [{ text: 'BUG-001: The token is never refreshed', blocker: true }, { text: 'BUG-002: Logout is slow', blocker: false }],
    resolved: ['BUG-000: typo'],
    questions: ['Which providers?', 'How long is a session?'],
  })
})

describe('what is open', () => {
  test.each([
    { why: 'plain items', md: '## Open\n- a\n- b', want: [['a', false], ['b', false]] },
    { why: 'marks of blockers', md: '## Open\n- a (blocker)\n- [BLOCKER] b\n- Blocker: c\n- d, not a blocker', want: [['a (blocker)', true], ['[BLOCKER] b', true], ['Blocker: c', true], ['d, not a blocker', false]] },
    { why: 'a section of blockers', md: '## Blockers\n- a', want: [['a', true]] },
    { why: 'a table', md: '## Open\n| ID | Issue | Blocker |\n|---|---|---|\n| BUG-1 | a | yes |\n| BUG-2 | b | no |', want: [['BUG-1 - a - yes', true], ['BUG-2 - b - no', false]] },
    { why: 'ticked boxes are resolved', md: '## Open\n- [ ] a\n- [x] b', want: [['a', false]] },
    { why: 'none, in words', md: '## Open Issues\n\nNone.\n\n## Resolved\n- a', want: [] },
    { why: 'none, as an item', md: '## Open Issues\n- None', want: [] },
    { why: '"unresolved" is open', md: '## Unresolved\n- a', want: [['a', false]] },
    { why: 'no sections: a list is open', md: '# Issues\n\n- Version: 1.0.0\n- a\n  - Blocker: yes', want: [['a', true]] },
    { why: 'only resolved ones', md: '## Resolved\n- a', want: [] },
    { why: 'severity blocker', md: '## Open\n- a\n  - Severity: blocker', want: [['a', true]] },
    { why: 'an empty file', md: '', want: [] },
  ])('$why', ({ md, want }) => expect(open(md)).toEqual(want.map(([text, blocker]) => ({ text, blocker }))))
})

test('a ticked box is resolved, a ticked question is answered', () => {
  expect(readIssuesFile('## Open\n- [x] b\n## Questions\n- [x] who?\n- [ ] when?')).toEqual({ open: [], resolved: ['b'], questions: ['when?'] })
})

test('a long file is bounded', () => {
  expect(open(`## Open\n${Array.from({ length: 5_000 }, (_, i) => `- ${i} ${'y'.repeat(300)}`).join('\n')}`).length).toBeLessThanOrEqual(50)
})
