// Events of hooks for tests.
import type { HookAsked, HookEnded } from '../../../src/contract/hook-event.js'
import type { Question } from '../../../src/contract/question.js'
import type { RunResult } from '../../../src/contract/result.js'
import { asked, ended, type Told } from '../../../src/core/run/hook-events.js'

export const TOLD: Told = {
  status: {
    id: 'WFS-test-shop.abc123',
    kind: 'test-fix',
    iteration: 2,
    maxIterations: 5,
    passRate: 60,
    branch: 'ratchet/WFS-test-shop',
  },
  project: '/repo',
  recordDir: '/repo/.workflow/WFS-test-shop',
  eventId: 'e'.repeat(24),
  at: Date.UTC(2026, 10, 20, 12, 0, 0),
  timezone: '+08:00',
}

export const QUESTION: Question = {
  id: 'q-1',
  kind: 'permission',
  text: 'fixer (test-fix-agent) asks: run npm install?',
  options: ['allow', 'deny'],
  recommended: 'deny',
  askedAt: TOLD.at,
}

export const RESULT: RunResult = {
  warnings: [],
  id: TOLD.status.id,
  kind: 'test-fix',
  outcome: 'success',
  status: 'completed',
  iterations: 2,
  passRate: 100,
  reviewNeeded: false,
  branch: 'ratchet/WFS-test-shop',
  commits: ['a1', 'b2'],
  failures: [],
  failuresTotal: 0,
  reason: null,
  recordDir: TOLD.recordDir,
  usage: { turns: 4, inputTokens: 10, outputTokens: 5, estimated: false },
  history: [],
}

/** The event of a question. */
export function askedOf(question: Partial<Question> = {}, told: Partial<Told> = {}): HookAsked {
  return asked({ ...TOLD, ...told }, { ...QUESTION, ...question })
}

/** The event of an end. */
export function endedOf(result: Partial<RunResult> = {}, told: Partial<Told> = {}): HookEnded {
  return ended({ ...TOLD, ...told }, { ...RESULT, ...result }, result.failures ?? [])
}
