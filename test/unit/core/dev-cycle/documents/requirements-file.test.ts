import { describe, expect, test } from 'vitest'
import {
  EDGE_CASES_KEPT,
  readRequirements,
} from '../../../../../src/core/dev-cycle/documents/requirements-file.js'

const DOCUMENT = `# Requirements Specification - v1.1.0

## Document Status
| Field | Value |
|-------|-------|
| Version | 1.1.0 |

## Functional Requirements

### FR-001: OAuth login
- Description: Users log in with Google. See FR-009.
- **FR-002**: Users log out (NEW v1.1 by RA)

## Non-Functional Requirements
| ID | Requirement |
|----|-------------|
| NFR-001 | Answers within 200 ms |
| \`NFR-002\` | Tokens are stored encrypted |

## Edge Cases
### EC-001: OAuth timeout handling
- Scenario: the provider is slow
### EC-002
- **Scenario**: PKCE validation (ENHANCED v1.1 by RA)
- **Expected**: refused
1. **EC-003** – a cancelled login

\`\`\`
- FR-050: an example
\`\`\`

## History Summary
| Version | Change |
|---|---|
| 1.1.0 | added FR-002 |
| 1.0.0 | FR-001 |
`

test('RA: ids of headings, items and tables count once, mentions do not', () => {
  expect(readRequirements(DOCUMENT, undefined)).toEqual({
    total: 4,
    edgeCases: [
      'EC-001: OAuth timeout handling',
      'EC-002: PKCE validation',
      'EC-003: a cancelled login',
    ],
  })
})

describe('edge cases from either file', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the same case in both counts once', own: '- EC-001: a', edge: '### EC-001: a\n### EC-002: b', want: ['EC-001: a', 'EC-002: b'] },
    { why: 'only edge-cases.md', own: undefined, edge: '| EC-1 | a |', want: ['EC-1: a'] },
    { why: 'a case without a text', own: '### EC-001', edge: undefined, want: ['EC-001'] },
    { why: 'cases without ids', own: '- FR-001: x', edge: '# Edge Cases\n- Version: 1.0.0\n- The provider is slow\n  - Expected: retry\n- None', want: ['The provider is slow'] },
    { why: 'the template of the role', own: '- FR-nnn: x\n- EC-nnn: <scenario>', edge: undefined, want: [] },
    { why: 'nothing', own: undefined, edge: undefined, want: [] },
  ],
  )('$why', ({ own, edge, want }) => expect(readRequirements(own, edge).edgeCases).toEqual(want))

  test('they are bounded', () => {
    const { edgeCases } = readRequirements(
      Array.from({ length: 1_000 }, (_, i) => `- EC-${i}: ${'x'.repeat(1_000)}`).join('\n'),
      undefined,
    )
    expect(edgeCases).toHaveLength(EDGE_CASES_KEPT)
    expect(edgeCases.every((one) => one.length <= 200)).toBe(true)
  })
})

test.each([
  { why: 'CRLF and a byte order mark', text: '\ufeff### FR-001: a\r\n- NFR-001: b\r\n', total: 2 },
  { why: 'longer ids', text: '- FR-1.2: a\n- NFR-PERF-01: b\n- FR-AUTH-3 - c', total: 3 },
  { why: 'a check box', text: '- [ ] FR-001: a', total: 1 },
  { why: 'words that only look like ids', text: '- EC-based: a\n- FR: b\n- NFRs: c', total: 0 },
  { why: 'plain bullets', text: '- Users log in', total: 0 },
])('requirements: $why', ({ text, total }) =>
  expect(readRequirements(text, undefined).total).toBe(total),
)
