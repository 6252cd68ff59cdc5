import { describe, expect, test } from 'vitest'
import {
  ENTRIES_KEPT,
  readExploration,
  SUMMARY_KEPT,
} from '../../../../../src/core/dev-cycle/documents/exploration-file.js'

const EXPLORATION = `# Codebase Exploration
**Version**: 1.0.0

## Overview
A small express app.

## Integration Points
- **src/app.ts**: mounts the router
  - exports: app
- src/store.ts: tokens

## Identified Risks & Mitigation
### Token expiry
- Impact: high
- Mitigation: refresh early
### High
- The store is shared
`
const ARCHITECTURE = `# Architecture Design

## Summary
Login goes through one module,
which \`src/auth.ts\` exports.

### Components
- auth

## Risks
| Risk | Mitigation |
|------|------------|
| Clock drift | leeway |
`

test('exploration: summary, integration points and risks are read from both documents', () => {
  expect(readExploration(EXPLORATION, ARCHITECTURE)).toEqual({
    architectureSummary: 'Login goes through one module, which src/auth.ts exports. auth',
    integrationPoints: ['src/app.ts: mounts the router', 'src/store.ts: tokens'],
    identifiedRisks: ['Token expiry', 'The store is shared', 'Clock drift - leeway'],
  })
})

describe('missing parts are empty', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'no documents', exploration: undefined, architecture: undefined, want: { architectureSummary: '', integrationPoints: [], identifiedRisks: [] } },
    { why: 'no architecture', exploration: EXPLORATION, architecture: undefined, want: { architectureSummary: 'A small express app.' } },
    { why: 'no overview: the first text', exploration: undefined, architecture: '# Design\n\nVersion: 1.0.0\nOne module.\n\n## Flow\nx', want: { architectureSummary: 'One module.' } },
    { why: 'no text before the second heading', exploration: undefined, architecture: '# Design\n## Components\nOne module.', want: { architectureSummary: 'One module.' } },
    { why: 'no risks, in words', exploration: '## Risks\nNone.', architecture: undefined, want: { identifiedRisks: [] } },
    { why: 'a risk as a sentence', exploration: '## Risks\nThe store is shared.', architecture: undefined, want: { identifiedRisks: ['The store is shared.'] } },
    { why: 'a heading in a code block', exploration: '```\n## Risks\n- x\n```', architecture: undefined, want: { identifiedRisks: [] } },
  ],
  )('$why', ({ exploration, architecture, want }) =>
    expect(readExploration(exploration, architecture)).toMatchObject(want),
  )
})

test('everything is bounded', () => {
  const long = `## Overview\n${'word '.repeat(10_000)}\n## Risks\n${Array.from({ length: 500 }, (_, i) => `- ${i} ${'x'.repeat(500)}\n`).join('')}`
  const { architectureSummary, identifiedRisks } = readExploration(long, undefined)
  expect(architectureSummary.length).toBeLessThanOrEqual(SUMMARY_KEPT)
  expect(identifiedRisks).toHaveLength(ENTRIES_KEPT)
})
