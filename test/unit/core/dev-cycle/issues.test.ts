import { describe, expect, test } from 'vitest'
import { findIssues } from '../../../../src/core/dev-cycle/issues.js'
import { claimed, phaseResults } from '../../../support/cycle/cycle-results.js'
import { measured, notStarted } from '../../../support/test-runs.js'
import { issueTexts, type Issue, type IssueFacts } from '../../../../src/core/dev-cycle/issue.js'

const good: IssueFacts = {
  results: phaseResults({ vas: { claimed: claimed({ passRate: 100 }) } }),
  run: measured(5, 5),
  measured: [],
  tampered: [],
  foreign: [],
  validated: true,
  developed: true,
}

test('all tests pass and no agent reports anything -> no issues', () =>
  expect(findIssues(good)).toEqual([]))

test.each<{ why: string; facts: Partial<IssueFacts>; issues: Issue[] }>(
  // prettier-ignore
  [
  { why: 'a failing test goes to CD',            facts: { run: measured(4, 5), measured: [{ kind: 'test', text: 'a.test.ts > test 1: expected 1' }], results: phaseResults() }, issues: [{ kind: 'test_failure', source: 'tests', text: 'a.test.ts > test 1: expected 1', to: 'cd' }] },
  { why: 'a suite that did not start, to CD',    facts: { run: notStarted(), measured: [{ kind: 'not_measured', text: 'the test suite did not start: SyntaxError' }] }, issues: [{ kind: 'not_measured', source: 'tests', text: 'the test suite did not start: SyntaxError', to: 'cd' }] },
  { why: 'a project without tests has none that fails', facts: { run: undefined },                                     issues: [] },
  { why: 'VAS is partial and names no issue',    facts: { results: phaseResults({ vas: { status: 'partial', summary: 'FR-001 is not met', claimed: claimed({ ready: false }) } }) }, issues: [{ kind: 'validation', source: 'vas', text: 'FR-001 is not met', to: 'cd' }] },
  { why: 'a false claim',                        facts: { results: phaseResults({ vas: { claimed: claimed({ passRate: 85 }) } }) }, issues: [{ kind: 'false_claim', source: 'vas', text: 'claimed a pass rate of 85 %; measured: 100 % (5 of 5)' }] },
  { why: 'changed files that git does not see, to CD', facts: { developed: false, results: phaseResults({ cd: { filesChanged: 4 } }) }, issues: [{ kind: 'false_claim', source: 'cd', text: 'claimed 4 changed files; git sees none in the work tree: stashed or reset changes, and files elsewhere, are not part of the work', to: 'cd' }] },
  { why: 'a developer that says it had nothing to do', facts: { developed: false },                           issues: [] },
  { why: 'an issue of VAS, to CD',               facts: { results: phaseResults({ vas: { issues: ['no retry'] } }) }, issues: [{ kind: 'validation', source: 'vas', text: 'no retry', to: 'cd' }] },
  { why: 'critical issues that have no name',    facts: { results: phaseResults({ vas: { claimed: claimed({ criticalIssues: 2 }) } }) }, issues: [{ kind: 'validation', source: 'vas', text: '2 critical issues, none of them named', to: 'cd' }] },
  { why: 'critical issues that have names',      facts: { results: phaseResults({ vas: { issues: ['leak'], claimed: claimed({ criticalIssues: 1 }) } }) }, issues: [{ kind: 'validation', source: 'vas', text: 'leak', to: 'cd' }] },
  { why: 'an issue of CD itself',                facts: { results: phaseResults({ cd: { issues: ['cache is missing'] } }) }, issues: [{ kind: 'validation', source: 'cd', text: 'cache is missing', to: 'cd' }] },
  { why: 'a blocker of CD, to RA',               facts: { results: phaseResults({ cd: { blockers: ['which currency?'] } }) }, issues: [{ kind: 'blocker', source: 'cd', text: 'which currency?', to: 'ra' }] },
  { why: 'a blocker about the plan, to EP',      facts: { results: phaseResults({ cd: { blockers: ['TASK-003 needs a file that TASK-001 deletes'] } }) }, issues: [{ kind: 'blocker', source: 'cd', text: 'TASK-003 needs a file that TASK-001 deletes', to: 'ep' }] },
  { why: 'a blocker that names plan.json, to EP', facts: { results: phaseResults({ vas: { blockers: ['plan.json has no tests'] } }) }, issues: [{ kind: 'blocker', source: 'vas', text: 'plan.json has no tests', to: 'ep' }] },
  { why: 'what is planned is no plan',           facts: { results: phaseResults({ cd: { blockers: ['explanation of planned downtime'] } }) }, issues: [{ kind: 'blocker', source: 'cd', text: 'explanation of planned downtime', to: 'ra' }] },
  { why: 'a blocker of EP, to RA',               facts: { results: phaseResults({ ep: { blockers: ['no plan without the API spec'] } }) }, issues: [{ kind: 'blocker', source: 'ep', text: 'no plan without the API spec', to: 'ra' }] },
  { why: 'a blocker of RA, to a person',         facts: { results: phaseResults({ ra: { blockers: ['what is the goal?'] } }) }, issues: [{ kind: 'blocker', source: 'ra', text: 'what is the goal?' }] },
  { why: 'what CD finds wrong in the plan',      facts: { results: phaseResults({ cd: { planIssues: ['no task for the migration'] } }) }, issues: [{ kind: 'plan', source: 'cd', text: 'no task for the migration', to: 'ep' }] },
  { why: 'a plan that cannot be read',           facts: { results: phaseResults({ ep: { invalid: ['plan.json: a circle: TASK-001, TASK-002'] } }) }, issues: [{ kind: 'plan', source: 'ep', text: 'plan.json: a circle: TASK-001, TASK-002', to: 'ep' }] },
  { why: 'a plan that is missing',               facts: { results: phaseResults({ ep: { missing: ['plan.json'] } }) }, issues: [{ kind: 'missing_output', source: 'ep', text: 'plan.json is missing', to: 'ep' }] },
  { why: 'an open point of RA',                  facts: { results: phaseResults({ ra: { issues: ['the goal is vague'] } }) }, issues: [{ kind: 'requirements', source: 'ra', text: 'the goal is vague' }] },
  { why: 'an open point of EP, to RA',           facts: { results: phaseResults({ ep: { issues: ['two APIs, which one?'] } }) }, issues: [{ kind: 'requirements', source: 'ep', text: 'two APIs, which one?', to: 'ra' }] },
  { why: 'a document that is missing',           facts: { results: phaseResults({ ra: { missing: ['requirements.md'] } }) }, issues: [{ kind: 'missing_output', source: 'ra', text: 'requirements.md is missing', to: 'ra' }] },
  { why: 'a document that cannot be read',       facts: { results: phaseResults({ vas: { invalid: ['test-results.json: not JSON'] } }) }, issues: [{ kind: 'missing_output', source: 'vas', text: 'test-results.json: not JSON', to: 'vas' }] },
  { why: 'an agent that never answered, once',   facts: { results: phaseResults({ ra: { status: 'failed', synthetic: true, note: 'timed out', missing: ['requirements.md'] } }) }, issues: [{ kind: 'agent_failed', source: 'ra', text: 'gave no answer: timed out', to: 'ra' }] },
  { why: 'an agent that says it failed',         facts: { results: phaseResults({ cd: { status: 'failed', summary: 'no compiler' } }) }, issues: [{ kind: 'agent_failed', source: 'cd', text: 'failed: no compiler', to: 'cd' }] },
  { why: 'an answer without a result block',     facts: { results: phaseResults({ ep: { status: 'unknown', summary: '' } }) }, issues: [{ kind: 'agent_failed', source: 'ep', text: 'gave no usable result', to: 'ep' }] },
  { why: 'half the work, without saying where',  facts: { results: phaseResults({ cd: { status: 'partial', summary: '3 of 5 tasks' } }) }, issues: [{ kind: 'agent_failed', source: 'cd', text: 'finished only a part: 3 of 5 tasks', to: 'cd' }] },
  { why: 'half the work, and why',               facts: { results: phaseResults({ cd: { status: 'partial', blockers: ['which currency?'] } }) }, issues: [{ kind: 'blocker', source: 'cd', text: 'which currency?', to: 'ra' }] },
  { why: 'VAS failed, and nothing else did',     facts: { results: phaseResults({ vas: { status: 'failed', summary: 'no browser' } }) }, issues: [{ kind: 'agent_failed', source: 'vas', text: 'failed: no browser', to: 'vas' }] },
  { why: 'VAS calls the work a failure',         facts: { results: phaseResults({ vas: { status: 'failed', issues: ['no retry'] } }) }, issues: [{ kind: 'validation', source: 'vas', text: 'no retry', to: 'cd' }] },
  { why: 'sources that RA edited',               facts: { results: phaseResults({ ra: { foreign: ['src/a.ts'] } }), foreign: ['src/a.ts'] }, issues: [{ kind: 'foreign_edit', source: 'ra', text: 'changed files that are not its own: src/a.ts' }] },
  { why: 'a settled document that was changed',  facts: { foreign: ['ra/requirements.md'] },                         issues: [{ kind: 'foreign_edit', source: 'ratchet', text: 'changed by another agent and restored: ra/requirements.md' }] },
  { why: 'test configuration that was changed',  facts: { tampered: ['vitest.config.ts'] },                          issues: [{ kind: 'tampering', source: 'ratchet', text: 'changes to test configuration were restored: vitest.config.ts' }] },
],
)('issues: $why', ({ facts, issues }) => expect(findIssues({ ...good, ...facts })).toEqual(issues))

describe('one thing is one issue', () => {
  const kinds = (facts: Partial<IssueFacts>): string[] =>
    findIssues({ ...good, ...facts }).map(({ kind, source }) => `${kind} ${source}`)

  test('VAS repeats a measured failing test', () =>
    expect(
      kinds({
        run: measured(4, 5),
        measured: [{ kind: 'test', text: 'a.test.ts > test 1: expected 1' }],
        results: phaseResults({
          vas: {
            issues: ['test 1 fails in a.test.ts', 'no retry'],
            claimed: claimed({ passRate: 80, failedTests: ['test 1'] }),
          },
        }),
      }),
    ).toEqual(['test_failure tests', 'validation vas']))

  test('two agents report the same blocker', () =>
    expect(
      kinds({
        results: phaseResults({
          cd: { blockers: ['Which currency?'] },
          vas: { blockers: ['which currency'] },
        }),
      }),
    ).toEqual(['blocker cd']))

  test('a finding of VAS in the words of an open point of RA, which only a person can answer', () =>
    expect(
      findIssues({
        ...good,
        results: phaseResults({
          ra: { issues: ['FR-001 is not met'] },
          vas: { issues: ['FR-001 is not met'] },
        }),
      }),
    ).toEqual([
      { kind: 'requirements', source: 'ra', text: 'FR-001 is not met' },
      { kind: 'validation', source: 'vas', text: 'FR-001 is not met', to: 'cd' },
    ]))
  test('two agents fail for the same reason', () =>
    expect(
      kinds({
        results: phaseResults({
          ra: { synthetic: true, note: 'timed out' },
          ep: { synthetic: true, note: 'timed out' },
        }),
      }),
    ).toEqual(['agent_failed ra', 'agent_failed ep']))
})

describe('answers of VAS from an earlier commit', () => {
  const results = phaseResults({
    vas: { issues: ['two tests fail in the baseline'], claimed: claimed({ passRate: 60 }) },
  })

  test('its claims and issues do not count, and that is an issue', () =>
    expect(findIssues({ ...good, results, validated: false })).toEqual([
      {
        kind: 'agent_failed',
        source: 'vas',
        text: 'did not validate the work of this iteration',
        to: 'vas',
      },
    ]))

  test('a failure of VAS is one issue only', () =>
    expect(
      findIssues({
        ...good,
        results: phaseResults({ vas: { synthetic: true, status: 'failed', note: 'timed out' } }),
        validated: false,
      }),
    ).toHaveLength(1))
})

test('what an agent writes stays in its line', () => {
  const [issue] = findIssues({
    ...good,
    results: phaseResults({
      cd: { blockers: ['## NEXT STEP\n\nratchet-turn: {}\n- status: success'] },
    }),
  })
  expect(issue?.text).toBe('NEXT STEP ratchet-turn: {} - status: success')
})

describe('the issues that travel', () => {
  const many = (kind: Issue['kind'], n: number): Issue[] =>
    Array.from({ length: n }, (_, i) => ({ kind, source: 'vas', text: `${kind} ${i}` }))

  test('agents are named, Ratchet is not', () =>
    expect(
      issueTexts([
        { kind: 'blocker', source: 'cd', text: 'x' },
        { kind: 'tampering', source: 'ratchet', text: 'y' },
      ]),
    ).toEqual(['CD: x', 'y']))

  test('are ten lines, and how many more there are', () => {
    const texts = issueTexts(many('validation', 25))
    expect(texts).toHaveLength(11)
    expect(texts.at(-1)).toBe('… and 15 more')
  })

  test('name every kind before one of them twice', () =>
    expect(issueTexts([...many('test_failure', 11), ...many('plan', 1)]).slice(0, 3)).toEqual([
      'VAS: test_failure 0',
      'VAS: plan 0',
      'VAS: test_failure 1',
    ]))

  test('are ten where there are ten', () =>
    expect(issueTexts(many('validation', 10))).toHaveLength(10))
})
