import { expect, test } from 'vitest'
import type { Phase } from '../../../../../src/contract/dev-cycle/discovery.js'
import { foreignEdits } from '../../../../../src/core/dev-cycle/documents/foreign-edits.js'

const progress = '.ratchet/cycle-1.progress'

test.each<{ why: string; phase: Phase; file: string; foreign: boolean }>(
  // prettier-ignore
  [
  { why: 'its own document', phase: 'ra', file: `${progress}/ra/requirements.md`, foreign: false },
  { why: 'the board', phase: 'vas', file: `${progress}/coordination/discoveries.ndjson`, foreign: false },
  { why: 'another coordination file', phase: 'vas', file: `${progress}/coordination/feedback.md`, foreign: true },
  { why: "another's document", phase: 'cd', file: `${progress}/ep/plan.json`, foreign: true },
  { why: 'a folder whose name begins as its own', phase: 'ra', file: `${progress}/raw/a.md`, foreign: true },
  { why: 'a source, by the developer', phase: 'cd', file: 'src/a.ts', foreign: false },
  { why: 'a source, by the validator', phase: 'vas', file: 'src/a.ts', foreign: true },
  { why: 'a file outside of the workspace', phase: 'cd', file: '/home/user/.bashrc', foreign: true },
],
)('deliverables: $why', ({ phase, file, foreign }) =>
  expect(foreignEdits([file, file], { phase, progress })).toEqual(foreign ? [file] : []),
)

test('the list is bounded', () => {
  expect(
    foreignEdits(
      Array.from({ length: 50 }, (_, n) => `src/${n}.ts`),
      { phase: 'ep', progress },
    ),
  ).toHaveLength(10)
})
