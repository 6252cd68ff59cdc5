// When a dev cycle is done, what holds it up, and what ends it early: on a real Temporal server,
// the host behind it scripted.
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/output/ending.js'
import { RestoredCycle } from '../../src/contract/dev-cycle/cycle-state.js'
import { cycleHost, type CycleHost, type CycleScript } from '../support/cycle/cycle-host.js'
import { TASK, cycleRuns } from '../support/cycle/cycle-runs.js'
import { compared, measured, notStarted } from '../support/test-runs.js'
import type { PhaseReading } from '../../src/contract/dev-cycle/phase-reading.js'

const { run, whole } = cycleRuns()
const NEVER = Array.from({ length: 30 }, (_, n) => n + 1)
const PLAN = {
  tasks: 2,
  criticalPath: [],
  named: [
    { id: 'TASK-001', text: 'the form' },
    { id: 'TASK-002', text: 'the token' },
  ],
}
const NO_VERDICT = {
  claimed: { passRate: null, coverage: null, failedTests: [], criticalIssues: null, ready: false },
}
const green = measured(3, 3)
type Says = Partial<PhaseReading>

/** Every agent gives its scripted answer. */
const script = (
  says: { ep?: Says; cd?: Says; vas?: Says; ra?: Says },
  rest: Partial<CycleScript> = {},
): CycleScript => ({ runs: [green], turn: (t) => ({ says: says[t.phase] ?? {} }), ...rest })
const turnsOf = (host: CycleHost, iteration: number) =>
  host.turns.filter((t) => t.iteration === iteration).map((t) => `${t.phase} ${t.turn}`)
const feedbackOf = (host: CycleHost, phase: string) =>
  host.turns
    .filter((t) => t.turn === 'feedback' && t.phase === phase)
    .map(({ ask }) => ('feedback' in ask ? ask.feedback : ''))
/** The first test fails, as it did at the baseline. */
const redBefore = () =>
  measured(4, 5, {
    comparison: compared({
      known: { total: 1, tests: ['a.test.ts > test 1'], differently: 0 },
    }),
  })

describe('not done', () => {
  test('nothing is committed, VAS is partial and not ready and lists no issue: the cycle fails', async () => {
    const { result } = await whole(
      script(
        { vas: { status: 'partial', summary: 'FR-001 is not met', ...NO_VERDICT } },
        { emptyCommits: NEVER },
      ),
    )
    expect(result).toMatchObject({ outcome: 'failed', status: 'failed', commits: [] })
    expect(result.reason).toMatch(/nothing was committed/)
    expect(result.reason).toMatch(/FR-001 is not met/)
  })

  test('a lazy cycle fails after two iterations, regardless of what its agents claim', async () => {
    const { result } = await whole(
      script(
        { ep: { plan: PLAN }, cd: { tasksNamed: ['TASK-001', 'TASK-002'] } },
        { emptyCommits: NEVER },
      ),
    )
    expect(result).toMatchObject({ outcome: 'failed', iterations: 2 })
    expect(result.reason).toMatch(
      /two iterations in a row committed nothing and left the same items open/,
    )
  })

  test('a suite that does not start once is measured again on the same commit, and the cycle completes', async () => {
    const { host, result } = await whole(
      script(
        {},
        {
          runs: [green, notStarted({ reason: 'no database' }), green],
          emptyCommits: NEVER.slice(1),
        },
      ),
    )
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1, commits: ['work-1'] })
    expect(host.tests.map(({ commit }) => commit)).toEqual(['base', 'work-1', 'work-1'])
    expect(turnsOf(host, 1).slice(4)).toEqual(['vas validate', 'cd feedback', 'vas validate'])
  })

  test('the tests ran at the start and no test command is found now: not measured, and the cycle fails', async () => {
    const { result } = await whole(script({}, { runs: [green, null] }), {
      ...TASK,
      maxIterations: 2,
    })
    expect(result).toMatchObject({ outcome: 'failed', iterations: 2 })
    expect(result.reason).toMatch(/the test suite did not start: no test command is configured/)
  })

  test('one of two planned tasks is done: the other stays open and is named', async () => {
    const { host, result } = await whole(
      script({ ep: { plan: PLAN }, cd: { tasksNamed: ['TASK-001'] } }),
      { ...TASK, maxIterations: 2 },
    )
    expect(result).toMatchObject({ outcome: 'completed_with_issues', reviewNeeded: true })
    expect(result.reason).toMatch(/1 item is open: TASK-002 is not done: the token/)
    expect(host.turns.find((t) => t.iteration === 2)?.ask).toMatchObject({
      brief: { openIssues: ['TASK-002 is not done: the token'] },
    })
  })

  test('a task named in an iteration without a commit is not done, and CD is asked for no_change', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase === 'ep'
          ? { plan: PLAN }
          : t.phase === 'cd'
            ? { tasksNamed: [t.iteration === 1 ? 'TASK-001' : 'TASK-002'] }
            : {},
    })
    const { host, result } = await whole(
      { runs: [green], turn, emptyCommits: [2, 3] },
      { ...TASK, maxIterations: 2 },
    )
    expect(result).toMatchObject({ outcome: 'completed_with_issues', commits: ['work-1'] })
    expect(host.records.at(-1)?.state.openIssues).toEqual([
      expect.stringMatching(
        /^TASK-002 is named as done, but nothing was committed for it.*no_change/,
      ),
    ])
  })

  /** What a completed cycle restores from its record. */
  const restored = (host: CycleHost): RestoredCycle =>
    RestoredCycle.parse(host.records.at(-1)?.state)
  const AGAIN = { project: '/repo', cycleId: 'cycle-1', extend: 'Also add MFA' }

  test('an idle extension of a completed cycle is not completed, although the cycle has commits', async () => {
    const first = await whole(script({}))
    expect(first.result).toMatchObject({ outcome: 'completed', commits: ['work-1'] })
    const { result } = await whole(
      script(
        {},
        { emptyCommits: NEVER, prepared: { head: 'work-1', restored: restored(first.host) } },
      ),
      AGAIN,
    )
    expect(result).toMatchObject({
      outcome: 'failed',
      commits: ['work-1'],
      reason: expect.stringContaining('nothing was committed') as unknown,
    })
  })

  test('nor is a lazy extension of an open cycle', async () => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const host = cycleHost({
      runs: [green],
      turn: (_t, call) => (call === 1 ? held.then(() => ({})) : {}),
      emptyCommits: [2, 3, 4, 5, 6],
    })
    const result = await run(host, async (r) => {
      await r.until('the turns', () => host.turns.length === 4)
      await r.handle.executeUpdate('extend', { args: ['Also add MFA'] })
      release()
      return r.result()
    })
    expect(result).toMatchObject({
      outcome: 'failed',
      commits: ['work-1'],
      reason: expect.stringContaining('nothing was committed') as unknown,
    })
  })

  test('an extension that needs no change is completed with exit code 1', async () => {
    const first = await whole(script({}))
    const again = script(
      {
        ep: { plan: PLAN },
        cd: { noChange: PLAN.named.map(({ id }) => ({ id, why: 'it is there' })) },
      },
      { emptyCommits: NEVER, prepared: { head: 'work-1', restored: restored(first.host) } },
    )
    const { result } = await whole(again, AGAIN)
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      commits: ['work-1'],
      nothingCommitted: true,
    })
    expect(exitCodeOf(result)).toBe(1)
  })

  test('a cycle that is resumed without a further task counts what it has committed', async () => {
    const first = await whole(script({ ep: { plan: PLAN }, cd: { tasksNamed: ['TASK-001'] } }), {
      ...TASK,
      maxIterations: 1,
    })
    expect(first.result).toMatchObject({ outcome: 'completed_with_issues', commits: ['work-1'] })
    const again = script(
      { ep: { plan: PLAN }, cd: { noChange: [{ id: 'TASK-002', why: 'it is there' }] } },
      { emptyCommits: NEVER, prepared: { head: 'work-1', restored: restored(first.host) } },
    )
    const { result } = await whole(again, { project: '/repo', cycleId: 'cycle-1' })
    expect(result).toMatchObject({ outcome: 'completed', commits: ['work-1'], reviewNeeded: true })
    expect(exitCodeOf(result)).toBe(0)
  })

  test('VAS refuses a commit and accepts it later without a new commit: the cycle is not done', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase === 'vas' && t.iteration === 1
          ? { status: 'partial', summary: 'FR-001 is not met' }
          : {},
    })
    const { host, result } = await whole({ runs: [green], turn, emptyCommits: [2, 3, 4, 5, 6] })
    expect(result).toMatchObject({
      outcome: 'completed_with_issues',
      iterations: 3,
      commits: ['work-1'],
    })
    expect(result.reason).toMatch(
      /the validation refused this commit in iteration 1, and nothing was committed since: FR-001 is not met/,
    )
    expect(host.turns.find((t) => t.iteration === 3 && t.phase === 'cd')?.ask).toMatchObject({
      brief: { openIssues: [expect.stringContaining('FR-001 is not met')] },
    })
  })

  test('a refusal of VAS survives a resume until the next commit', async () => {
    const first = await whole(
      script({ vas: { status: 'partial', summary: 'FR-001 is not met' } }),
      { ...TASK, maxIterations: 1 },
    )
    const resumed = (rest: Partial<CycleScript>) =>
      whole(script({}, { prepared: { head: 'work-2', restored: restored(first.host) }, ...rest }), {
        project: '/repo',
        cycleId: 'cycle-1',
      })
    expect((await resumed({ emptyCommits: NEVER })).result).toMatchObject({
      outcome: 'completed_with_issues',
      reason: expect.stringContaining('refused this commit in iteration 1') as unknown,
    })
    expect((await resumed({})).result).toMatchObject({ outcome: 'completed' })
  })

  test('all tasks of the plan are done once the last one is named, in a later iteration', async () => {
    const { result } = await whole({
      runs: [green],
      turn: (t) => ({
        says:
          t.phase === 'ep'
            ? { plan: PLAN }
            : t.phase === 'cd'
              ? { tasksNamed: [t.iteration === 1 ? 'TASK-001' : 'TASK-002'] }
              : {},
      }),
    })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2, reviewNeeded: false })
  })

  test('VAS is partial: its reason goes to CD, and the cycle is not done', async () => {
    const { host, result } = await whole(
      script({ vas: { status: 'partial', summary: 'the token is never checked' } }),
      { ...TASK, maxIterations: 1 },
    )
    expect(result.outcome).toBe('completed_with_issues')
    expect(result.reason).toMatch(/VAS: the token is never checked/)
    expect(feedbackOf(host, 'cd')[0]).toContain('- the token is never checked')
  })

  test('a new lint failure is an open item, and CD gets it as feedback', async () => {
    const { host, result } = await whole(
      script(
        {},
        {
          checks: () => [
            {
              name: 'lint',
              command: 'npm run lint',
              result: 'failed',
              before: 'passed',
              tail: '',
              durationMs: 1,
            },
          ],
        },
      ),
      { ...TASK, maxIterations: 1 },
    )
    expect(result).toMatchObject({ outcome: 'completed_with_issues' })
    expect(feedbackOf(host, 'cd')[0]).toContain('- lint fails and did not before the run')
  })

  test('lower coverage is an open item, and CD gets it as feedback', async () => {
    const { host, result } = await whole(script({}, { coverage: { before: 90, now: 80 } }), {
      ...TASK,
      maxIterations: 1,
    })
    expect(result.reason).toMatch(/line coverage fell from 90 % to 80 %/)
    expect(feedbackOf(host, 'cd')[0]).toContain('- line coverage fell from 90 % to 80 %')
  })

  test('VAS accepts the first commit and does not mention the second, which is not validated', async () => {
    const turn: CycleScript['turn'] = (t) =>
      t.phase !== 'vas' || t.turn !== 'validate'
        ? {}
        : 'validation' in t.ask && t.ask.validation.again
          ? { outcome: 'failed', reason: 'it died' }
          : { says: { issues: ['no retry'] } }
    const { host, result } = await whole({ runs: [green], turn }, { ...TASK, maxIterations: 1 })
    expect(turnsOf(host, 1).slice(4)).toEqual(
      expect.arrayContaining(['vas validate', 'cd feedback']),
    )
    expect(result).toMatchObject({
      outcome: 'completed_with_issues',
      commits: ['work-1', 'work-2'],
    })
    expect(host.records.at(-1)?.state.openIssues).toContain('no validation has checked the work')
  })

  test('a test that passed before the cycle fails at its limit: the cycle has failed', async () => {
    const broken = measured(4, 5, {
      comparison: compared({
        counts: { baselinePassing: 5, broken: 1, passing: 4, failing: 1 },
      }),
    })
    const { result } = await whole(script({}, { runs: [green, broken] }), {
      ...TASK,
      maxIterations: 1,
    })
    expect(result).toMatchObject({ outcome: 'failed', commits: ['work-1', 'work-2'] })
    expect(result.reason).toMatch(/1 test that passed before fails or is missing now/)
  })
})

/** A test is gone from a file that the cycle changed. */
const gone = measured(3, 4, {
  failures: [{ file: 'a.test.ts', test: 'adds', error: '', missing: true }],
  comparison: compared({
    removed: [{ file: 'a.test.ts', passed: true, total: 1, tests: ['adds'] }],
  }),
})

describe('done', () => {
  test('a renamed test is accepted when VAS names the removal as intended, and a person should look', async () => {
    const { result } = await whole(
      script(
        {
          vas: {
            claimed: {
              ...NO_VERDICT.claimed,
              ready: null,
              passRate: 75,
              removedTests: ['a.test.ts > adds'],
            },
          },
        },
        { runs: [green, gone] },
      ),
    )
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      reviewNeeded: true,
      reason: '1 test removed on purpose according to the validation: a.test.ts > adds',
    })
  })

  test('VAS claims that all tests pass and names the removed one: no false claim is reported', async () => {
    const claims = {
      claimed: {
        ...NO_VERDICT.claimed,
        ready: true,
        passRate: 100,
        removedTests: ['a.test.ts > adds'],
      },
    }
    const { result } = await whole(script({ vas: claims }, { runs: [green, gone] }))
    expect(result).toMatchObject({
      outcome: 'completed',
      reason: '1 test removed on purpose according to the validation: a.test.ts > adds',
    })
  })

  test('a removed test that VAS does not name is an open item', async () => {
    const { host, result } = await whole(script({}, { runs: [green, gone] }), {
      ...TASK,
      maxIterations: 1,
    })
    expect(result.reason).toMatch(/adds: it existed before the run and is missing now/)
    expect(feedbackOf(host, 'cd')[0]).toContain('adds: it existed before the run')
  })

  test('every task needs no change and VAS agrees: completed, a person should look, exit code 1 by its empty commits', async () => {
    const noChange = PLAN.named.map(({ id }) => ({ id, why: 'it is there' }))
    const { host, result } = await whole(
      script({ ep: { plan: PLAN }, cd: { noChange } }, { emptyCommits: NEVER }),
    )
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      commits: [],
      reviewNeeded: true,
    })
    expect(result.reason).toMatch(/TASK-001 needed no change: it is there.*nothing was committed/)
    expect(host.turns.find((t) => t.turn === 'validate')?.ask).toMatchObject({
      validation: { noChange },
    })
  })

  test('CD names no task: a validation of its commit closes all, and a person should look', async () => {
    const { result } = await whole(script({ ep: { plan: PLAN } }))
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      reviewNeeded: true,
      reason: 'the developer named no task of the plan, so the validation closed all of them',
    })
  })

  test('a test that failed before the cycle is reported and does not hold it up', async () => {
    const { host, result } = await whole(script({}, { runs: [redBefore()] }))
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(result.reason).toMatch(
      /1 test failed before the run and still does: a\.test\.ts > test 1/,
    )
    expect(turnsOf(host, 1)).toHaveLength(5)
  })

  test('with cycle.requireGreen it holds up the cycle', async () => {
    const { result } = await whole(
      script({}, { runs: [redBefore()], prepared: { requireGreen: true } }),
      { ...TASK, maxIterations: 1 },
    )
    expect(result.outcome).toBe('completed_with_issues')
  })

  test('a remark of low severity is recorded and does not hold up the cycle', async () => {
    const { host, result } = await whole(
      script({ vas: { issues: ['[low] a better name for the token'] } }),
    )
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(turnsOf(host, 1)).toHaveLength(5)
    expect(host.records.at(-1)?.state.iterations).toMatchObject([
      { issuesFound: ['VAS: [low] a better name for the token'] },
    ])
  })

  test('a project without tests is completed by its validation, and a person should look', async () => {
    const { host, result } = await whole(script({}, { runs: [null] }))
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      reviewNeeded: true,
      reason: expect.stringContaining('no test ran: no test command') as unknown,
    })
    expect(host.turns).toHaveLength(5)
  })

  test('interactive asks before it is completed: a person can extend it, and one who finishes confirms it', async () => {
    const host = cycleHost(script({}))
    const result = await run(
      host,
      async (r) => {
        await r.until('the question', (s) => s.questions === 1 && s.iteration === 1)
        await r.handle.executeUpdate('answer', {
          args: [{ questionId: 'iteration-1', choice: 'extend', text: 'Also add MFA' }],
        })
        await r.until('the next question', (s) => s.questions === 1 && s.iteration === 2)
        await r.handle.executeUpdate('answer', { args: ['finish'] })
        return r.result()
      },
      { ...TASK, interactive: true },
    )
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2, confirmedByPerson: true })
  })

  test('a further task that comes at the same moment as "finish" is worked on, or refused', async () => {
    const host = cycleHost(script({}))
    const accepted: boolean[] = []
    const result = await run(
      host,
      async (r) => {
        await r.until('the question', (s) => s.questions === 1 && s.iteration === 1)
        const finish = r.handle.executeUpdate('answer', { args: ['finish'] })
        const extend = r.handle.executeUpdate('extend', { args: ['Also add MFA'] })
        await finish.catch(() => undefined) // the further task may have answered already
        accepted.push(
          await extend.then(
            () => true,
            () => false,
          ),
        )
        if (accepted[0] === true) {
          await r.until('the next question', (s) => s.questions === 1 && s.iteration === 2)
          await r.handle.executeUpdate('answer', { args: ['finish'] })
        }
        return r.result()
      },
      { ...TASK, interactive: true },
    )
    expect(result).toMatchObject({ outcome: 'completed', iterations: accepted[0] === true ? 2 : 1 })
  })
})

describe('decisions and blockers', () => {
  const decision = {
    description: 'Which store?',
    options: ['redis', 'memory'],
    recommended: 'memory',
  }

  test('CD gets a decision within the iteration, before the end', async () => {
    const { host, result } = await whole({
      runs: [green],
      turn: (t) => ({ says: t.phase === 'ra' ? { decisions: [decision] } : {} }),
    })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(feedbackOf(host, 'cd')).toEqual([
      expect.stringContaining('- DEC-001: Which store? → memory'),
    ])
    expect(host.records.at(-1)?.state.decisions).toMatchObject([
      { status: 'implemented', chosen_option: 'memory' },
    ])
  })

  test('CD gets a decision it asked for in its last turn in the next iteration, before the cycle is done', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase === 'cd' && t.turn === 'feedback'
          ? { decisions: [decision] }
          : t.phase === 'vas' && t.iteration === 1 && t.turn === 'validate'
            ? { issues: ['no retry'] }
            : {},
    })
    const { host, result } = await whole({ runs: [green], turn })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
    const told = host.turns
      .filter((t) => t.iteration === 2 && t.phase === 'cd')
      .map(({ ask }) => ('brief' in ask ? ask.brief.decisions : []))
    expect(told[0]).toEqual(['DEC-001: Which store? → memory'])
  })

  test('an answer to a request counts even if it names no planned task', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase !== 'cd'
          ? {}
          : t.turn === 'work'
            ? { status: 'unknown', problem: 'there is no block', form: 'the form' }
            : t.turn === 'retry'
              ? { decisions: [decision], problem: 'it names no task', form: 'the form' }
              : {},
    })
    const { host, result } = await whole({ runs: [green], turn })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(host.records.at(-1)?.state.decisions).toMatchObject([
      { description: 'Which store?', status: 'implemented' },
    ])
  })

  test('CD is blocked, RA answers, and CD continues in its session within the iteration', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase === 'cd' && t.turn === 'work'
          ? { blockers: ['which provider?'] }
          : t.phase === 'ra' && t.turn === 'feedback'
            ? { summary: 'Google is the provider' }
            : {},
    })
    const { host, result } = await whole({ runs: [green], turn })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(turnsOf(host, 1).slice(5)).toEqual(['ra feedback', 'cd feedback', 'vas validate'])
    expect(feedbackOf(host, 'cd')).toEqual([
      expect.stringContaining('- RA: Google is the provider; see ra/requirements.md'),
    ])
    expect(host.turns.find((t) => t.phase === 'cd' && t.turn === 'feedback')?.sessionId).toBe(
      's-cd',
    )
    expect(host.records.at(-1)?.state.blockers).toMatchObject([
      { status: 'resolved', resolution: 'RA: Google is the provider' },
    ])
  })

  test('CD is blocked in an iteration without a turn of RA: RA still answers, and CD continues within the iteration', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase === 'cd' && t.turn === 'work' && t.iteration === 2
          ? { blockers: ['which provider?'] }
          : t.phase === 'ra' && t.turn === 'feedback'
            ? { summary: 'Google is the provider' }
            : {},
    })
    const { host, result } = await whole({
      runs: [green, measured(4, 5), measured(4, 5), measured(5, 5)],
      turn,
    })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
    expect(turnsOf(host, 2).sort()).toEqual([
      'cd feedback',
      'cd work',
      'ra feedback',
      'vas validate',
      'vas validate',
      'vas work',
    ])
    expect(feedbackOf(host, 'ra')).toEqual([expect.stringContaining('- which provider?')])
    expect(feedbackOf(host, 'cd').at(-1)).toContain(
      '- RA: Google is the provider; see ra/requirements.md',
    )
    expect(host.records.at(-1)?.state.blockers).toMatchObject([
      { status: 'resolved', resolution: 'RA: Google is the provider' },
    ])
  })
})

describe('a blocker of EP', () => {
  const blocked = { blockers: ['which database?'] }

  test('RA answers, and EP continues in its session with the answer, within the iteration', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says:
        t.phase === 'ep' && t.turn === 'work'
          ? blocked
          : t.phase === 'ra' && t.turn === 'feedback'
            ? { summary: 'SQLite' }
            : {},
    })
    const { host, result } = await whole({ runs: [green], turn })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
    expect(turnsOf(host, 1).slice(5)).toEqual(['ra feedback', 'ep feedback', 'vas validate'])
    expect(feedbackOf(host, 'ep')).toEqual([
      expect.stringContaining('- RA: SQLite; see ra/requirements.md'),
    ])
    expect(host.turns.find((t) => t.phase === 'ep' && t.turn === 'feedback')?.sessionId).toBe(
      's-ep',
    )
    expect(host.records.at(-1)?.state.blockers).toMatchObject([
      { status: 'resolved', resolution: 'RA: SQLite' },
    ])
  })

  test('EP is still blocked: it gets a turn in the next iteration and closes the blocker', async () => {
    const turn: CycleScript['turn'] = (t) => ({
      says: t.phase === 'ep' && t.iteration === 1 ? blocked : {},
    })
    const { host, result } = await whole({ runs: [green], turn })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
    expect(
      turnsOf(host, 2)
        .filter((one) => one.endsWith('work'))
        .sort(),
    ).toEqual(['cd work', 'ep work', 'ra work', 'vas work'])
  })
})

describe('brakes', () => {
  test('tests still cannot run after feedback to CD: the cycle ends and names the setting', async () => {
    const { host, result } = await whole(
      script({}, { runs: [notStarted({ kind: 'cannot_execute', reason: 'npm: not found' })] }),
    )
    expect(result).toMatchObject({ iterations: 1 })
    expect(result.reason).toMatch(/the tests still cannot be run.*npm: not found.*test\.command/)
    expect(feedbackOf(host, 'cd')).toHaveLength(1)
  })

  test('every agent fails for the same reason: the cycle ends at once with that reason', async () => {
    const { host, result } = await whole({
      runs: [green],
      emptyCommits: NEVER,
      turn: () => ({ outcome: 'failed', reason: 'HTTP 402: the quota is used up' }),
    })
    expect(result).toMatchObject({ outcome: 'failed', iterations: 1 })
    expect(result.reason).toMatch(/every agent failed for the same reason: .*the quota is used up/)
    expect(new Set(host.turns.map((t) => t.iteration))).toEqual(new Set([1]))
  })

  test('the same failure and no commit, twice: the cycle ends', async () => {
    const { result } = await whole(script({}, { runs: [measured(2, 3)], emptyCommits: NEVER }), {
      ...TASK,
      maxIterations: 5,
    })
    expect(result).toMatchObject({ outcome: 'failed', iterations: 2 })
  })

  test('an iteration buys only the roles it needs', async () => {
    const { host } = await whole(script({}, { runs: [green, measured(4, 5)] }), {
      ...TASK,
      maxIterations: 2,
    })
    expect(
      turnsOf(host, 2)
        .filter((turn) => turn.endsWith('work'))
        .sort(),
    ).toEqual(['cd work', 'vas work'])
  })

  test('a point about the plan brings EP back, an extension all of them', async () => {
    const { host } = await whole(script({ cd: { planIssues: ['no task for the migration'] } }), {
      ...TASK,
      maxIterations: 2,
    })
    expect(
      turnsOf(host, 2)
        .filter((turn) => turn.endsWith('work'))
        .sort(),
    ).toEqual(['cd work', 'ep work', 'vas work'])
  })
})
