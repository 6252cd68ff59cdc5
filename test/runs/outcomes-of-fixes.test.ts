// Outcomes of a session, each in a run with git, pytest and the scripted agent. The others are in
// test/runs/outcomes.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { RunResult } from '../../src/client/index.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  assess,
  broken,
  fix,
  json,
  PLAN,
  record,
  right,
  testOutcomes,
  type Case,
} from '../support/runs/outcomes.js'
import { runGit } from '../support/repositories/repos.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const CASES: Case[] = [
  {
    name: '95 % with a low failure: partial success after a fix was tried, approved with the review flag',
    wrong: [3],
    steps: [assess('low'), PLAN],
    check(result) {
      expect(result).toMatchObject({
        outcome: 'partial_success',
        status: 'completed',
        reviewNeeded: true,
        passRate: 95,
        iterations: 1,
        failures: [{ criticality: 'low' }],
      })
      expect(json(result, 'workflow-session.json')).toMatchObject({
        status: 'completed',
        review_needed: true,
      })
      expect(record(result, '.summaries/session-summary.md')).toContain('test_row[3]')
    },
  },
  {
    name: 'a regression is rolled back, and the next fix is surgical',
    wrong: [1, 2],
    steps: [PLAN, fix(1, ...right(1), ...broken(5, 6, 7, 8)), fix(2, ...right(1, 2))],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 2 })
      expect(result.history.map((h) => [h.result, h.strategy])).toEqual([
        ['baseline', undefined],
        ['rolled_back', 'conservative'],
        ['kept', 'surgical'],
      ])
      expect(json(result, '.task/IMPL-fix-1.json')).toMatchObject({ status: 'rolled_back' })
      expect(json(result, '.process/fix-history.json')).toMatchObject({
        entries: [
          { task: 'IMPL-fix-1', result: 'rolled_back' },
          { task: 'IMPL-fix-2', result: 'kept' },
        ],
      })
    },
  },
  {
    name: 'the branch tells of a kept, a rolled back and a better fix, and of the return to it',
    wrong: [1, 2, 3, 4],
    config: { limits: { maxIterations: 4 } },
    steps: [
      PLAN,
      fix(1, ...right(1)),
      fix(2, ...broken(5, 6, 7, 8)),
      fix(3, ...right(2)),
      fix(4, ...right(3), ...broken(9)),
    ],
    check(result) {
      expect(result.history.map((h) => h.result)).toEqual([
        'baseline',
        'kept',
        'rolled_back',
        'kept',
        'kept',
      ])
      const log = (format: string): string =>
        runGit(result.recordDir ?? '', 'log', `--format=${format}`, result.branch ?? '')
      expect(
        log('%s')
          .split('\n')
          .slice(0, 5)
          .map((subject) => subject.replace(/: .* \(\w+, /, ' (')),
      ).toEqual([
        'Back to iteration 3',
        'fix(IMPL-fix-4) (90.0 → 90.0 %)',
        'fix(IMPL-fix-3) (85.0 → 90.0 %)',
        'fix(IMPL-fix-1) (80.0 → 85.0 %)',
        'Snapshot of the working tree',
      ])
      expect(log('%b').match(/^rolled back: .*$/gm)).toEqual([
        'rolled back: IMPL-fix-2, 85.0 → 65.0 %',
      ])
      const [candidate] = log('%(trailers:key=Ratchet-Candidate,valueonly)').trim().split('\n')
      const ref = (n: number): string => `refs/ratchet/WFS-test-shop/candidate-${n}`
      expect(runGit(result.recordDir ?? '', 'rev-parse', ref(4))).toBe(candidate)
      expect(runGit(result.recordDir ?? '', 'rev-parse', ref(2))).toBe(result.history[2]?.commit)
      expect(result).toMatchObject({ passRate: 90, best: { commit: result.history[3]?.commit } })
    },
  },
  {
    name: 'a planned queue with dotted ids: tests written, checked, run',
    wrong: [],
    prepare: planned,
    // prettier-ignore
    steps: [
      { when: { role: 'code-developer' }, do: [{ write: { path: 'tests/test_more.py', text: 'from rows import ROWS\n\n\ndef test_all():\n    assert ROWS == list(range(20))\n' } }] },
      { when: { task: 'IMPL-001.3' }, do: [{ say: '```json\n{"critical":0,"error":0,"warning":1,"coverage":null,"anti_patterns":[],"issues":[]}\n```' }] },
      { when: { task: 'IMPL-001.5' }, do: [{ say: '```json\n{"critical":0,"error":0,"warning":0,"coverage":{"lines":100,"branches":100,"functions":100},"anti_patterns":[],"issues":[]}\n```' }] },
    ],
    check(result) {
      expect(result).toMatchObject({ outcome: 'success', iterations: 0, passRate: 100 })
      expect(
        ['IMPL-001', 'IMPL-001.3', 'IMPL-001.5', 'IMPL-002'].map(
          (id) => taskOf(result, id)['status'],
        ),
      ).toEqual(['completed', 'completed', 'completed', 'completed'])
      expect(json(result, '.process/test-results.json')).toMatchObject({ total: 21, passed: 21 })
      expect(
        runGit(
          result.recordDir ?? '',
          'ls-tree',
          '-r',
          '--name-only',
          result.branch ?? '',
          ':/tests',
        ),
      ).toContain('test_more.py')
    },
  },
]

const FILE_OF: Record<string, string> = {
  'IMPL-001.3': 'IMPL-001.3-validation.json',
  'IMPL-001.5': 'IMPL-001.5-review.json',
}
const taskOf = (result: RunResult, id: string) =>
  json(result, `.task/${FILE_OF[id] ?? `${id}.json`}`)

/** A session as another tool plans it. */
function planned(project: string): void {
  const dir = path.join(project, '.workflow/WFS-test-shop')
  mkdirSync(path.join(dir, '.task'), { recursive: true })
  mkdirSync(path.join(dir, '.process'))
  const put = (file: string, content: unknown) =>
    writeFileSync(
      path.join(dir, file),
      typeof content === 'string' ? content : JSON.stringify(content),
    )
  put('workflow-session.json', {
    session_id: 'WFS-test-shop',
    workflow_type: 'test_session',
    project: 'shop',
    status: 'planning',
    created_at: '2025-11-10T10:00:00+08:00',
  })
  put('IMPL_PLAN.md', '# Plan\n')
  put('TODO_LIST.md', '# Tasks\n')
  put('.process/TEST_ANALYSIS_RESULTS.md', '# Test analysis\n\nOne test for the whole table.\n')
  const task = (id: string, type: string, agent: string, depends: string[]) => ({
    id,
    title: `Task ${id}`,
    status: 'pending',
    meta: { type, agent },
    context: { requirements: ['do it'], depends_on: depends },
  })
  put('.task/IMPL-001.json', task('IMPL-001', 'test-gen', '@code-developer', []))
  put(
    '.task/IMPL-001.3-validation.json',
    task('IMPL-001.3', 'code-validation', '@test-fix-agent', ['IMPL-001']),
  )
  put(
    '.task/IMPL-001.5-review.json',
    task('IMPL-001.5', 'test-quality-review', '@test-fix-agent', ['IMPL-001.3']),
  )
  put('.task/IMPL-002.json', task('IMPL-002', 'test-fix', '@test-fix-agent', ['IMPL-001.5']))
}

describe('outcomes', () => testOutcomes(() => user, CASES))
