// The logic of the dev cycle on a real Temporal server with a scripted host.
import { describe, expect, test } from 'vitest'
import { cycleHost, type CycleHost, type CycleScript } from '../support/cycle/cycle-host.js'
import { TASK, cycleRuns } from '../support/cycle/cycle-runs.js'
import { measured, notStarted } from '../support/test-runs.js'
import { waitFor } from '../support/wait.js'

const { run, whole } = cycleRuns()
/** Holds each of the first `count` turns until all of them are under way. */
function atOnce(count: number): NonNullable<CycleScript['turn']> {
  let release = (): void => undefined
  const all = new Promise<void>((resolve) => {
    release = resolve
  })
  return (_turn, call) => {
    if (call === count) release()
    return call <= count ? all.then(() => ({})) : {}
  }
}
const turnsOf = (host: CycleHost, iteration: number) =>
  host.turns.filter((t) => t.iteration === iteration).map((t) => `${t.phase} ${t.turn}`)

describe('one iteration', () => {
  test('four agents work at once, the commit is measured, VAS validates it, and the cycle is completed', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3), measured(5, 5)],
      turn: atOnce(4),
    })
    expect(result).toMatchObject({
      kind: 'dev-cycle',
      outcome: 'completed',
      status: 'completed',
      iterations: 1,
      passRate: 100,
      reviewNeeded: false,
      commits: ['work-1'],
      branch: 'ratchet/cycle-1',
      reason: null,
    })
    expect(turnsOf(host, 1).slice(0, 4).sort()).toEqual([
      'cd work',
      'ep work',
      'ra work',
      'vas work',
    ])
    expect(turnsOf(host, 1).slice(4)).toEqual(['vas validate'])
    expect(host.most()).toBe(4)
    expect(host.tests.map((t) => [t.commit, t.step.split('/').slice(1).join('/')])).toEqual([
      ['base', 'baseline'],
      ['work-1', 'iteration-1/measure'],
    ])
    expect(host.turns[4]).toMatchObject({
      sessionId: 's-vas',
      ask: {
        about: 'cycle-validate',
        validation: { commit: 'work-1', again: false, measured: { passed: 5 } },
      },
    })
    expect(host.records[0]?.status).toMatchObject({ status: 'created', iteration: 0 })
    expect(host.records.at(-1)).toMatchObject({
      result: { outcome: 'completed' },
      state: {
        currentPhase: 'complete',
        completedPhases: expect.arrayContaining(['ra', 'ep', 'cd', 'vas']) as unknown,
      },
    })
  })

  test('all turns of an iteration share the workspace as one group, and take their roles', async () => {
    const { host } = await whole({ runs: [measured(3, 3)] })
    expect(new Set(host.turns.map((t) => t.group)).size).toBe(1)
    expect(
      host.turns
        .slice(0, 4)
        .map((t) => [t.kind, t.phase, t.role])
        .sort(),
    ).toEqual([
      ['dev-cycle', 'cd', 'code-developer'],
      ['dev-cycle', 'ep', 'exploration-planner'],
      ['dev-cycle', 'ra', 'requirements-analyst'],
      ['dev-cycle', 'vas', 'validation-archivist'],
    ])
  })

  test('parallel: limits the agents at a time and keeps the order in which they read each other', async () => {
    const { host } = await whole(
      { runs: [measured(3, 3)], turn: atOnce(2) },
      { ...TASK, parallel: 2 },
    )
    expect(host.most()).toBe(2)
    expect(host.turns.slice(0, 4).map((t) => t.phase)).toEqual(['ra', 'ep', 'cd', 'vas'])
  })

  test('staged: RA, EP and CD one after the other, VAS on the commit', async () => {
    const { host } = await whole({ runs: [measured(3, 3)] }, { ...TASK, scheduling: 'staged' })
    expect({ most: host.most(), turns: turnsOf(host, 1) }).toEqual({
      most: 1,
      turns: ['ra work', 'ep work', 'cd work', 'vas validate'],
    })
  })
})

describe('feedback', () => {
  test('failing tests go back to CD in its session; the new commit is measured and validated in the same iteration', async () => {
    const { host, result } = await whole({ runs: [measured(3, 3), measured(4, 5), measured(5, 5)] })
    expect(turnsOf(host, 1).slice(4)).toEqual(['vas validate', 'cd feedback', 'vas validate'])
    const feedback = host.turns[5]
    expect(feedback).toMatchObject({
      sessionId: 's-cd',
      limitMs: 900_000,
      ask: {
        about: 'cycle-feedback',
        feedback: expect.stringContaining('Test pass rate: 80%') as unknown,
      },
    })
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 1,
      commits: ['work-1', 'work-2'],
    })
    expect(host.records.at(-1)?.state.feedbackLog).toMatchObject([
      { source: 'vas', target: 'cd', type: 'bug_report' },
    ])
  })

  test('a blocker goes to RA, a point about the plan to EP, both in the same round', async () => {
    const { host } = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) =>
          t.phase === 'cd' && t.iteration === 1 && t.turn === 'work'
            ? { says: { blockers: ['which provider?'], planIssues: ['TASK-002 has no files'] } }
            : {},
      },
      { ...TASK, maxIterations: 2 },
    )
    expect(turnsOf(host, 1).slice(5, 7).sort()).toEqual(['ep feedback', 'ra feedback'])
    expect(host.records.at(-1)?.state.blockers).toMatchObject([
      { id: 'BLK-001', reported_by: 'cd', status: 'resolved' },
    ])
  })

  test('feedback without code changes runs the tests again only if one of them is open', async () => {
    const refused = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) => (t.phase === 'vas' ? { says: { issues: ['no limit on the input'] } } : {}),
        emptyCommits: [2],
      },
      { ...TASK, maxIterations: 1 },
    )
    expect(turnsOf(refused.host, 1).slice(4)).toEqual(['vas validate', 'cd feedback'])
    expect(refused.host.tests).toHaveLength(2)
    const red = await whole(
      { runs: [measured(3, 3), measured(4, 5)], emptyCommits: [2] },
      { ...TASK, maxIterations: 1 },
    )
    // What is measured is the same, so VAS is not asked again.
    expect(turnsOf(red.host, 1).slice(4)).toEqual(['vas validate', 'cd feedback'])
    expect(red.host.tests.map(({ commit }) => commit)).toEqual(['base', 'work-1', 'work-1'])
  })
})

test('an iteration with every kind of feedback takes at most 14 activities', async () => {
  const host = cycleHost({
    runs: [measured(3, 3), measured(4, 5)],
    turn: (t) =>
      t.phase === 'cd'
        ? { says: { blockers: ['which provider?'], planIssues: ['TASK-002 has no files'] } }
        : {},
  })
  await run(host, (r) => r.result(), { ...TASK, maxIterations: 2 })
  const count = (n: number): number =>
    host.turns.filter((t) => t.iteration === n).length +
    [...host.commits.map((c) => c.step), ...host.tests.map((t) => t.step)].filter((s) =>
      s.includes(`iteration-${n}/`),
    ).length +
    host.records.filter((r) => r.state.iteration === n).length
  expect([count(1), count(2)]).toEqual([14, 14])
})

describe('iterations', () => {
  test('open items become the next iteration, with new sessions; the limit ends the cycle with issues', async () => {
    const { host, result } = await whole(
      { runs: [measured(3, 3), measured(4, 5)] },
      { ...TASK, maxIterations: 2 },
    )
    expect(result).toMatchObject({
      outcome: 'completed_with_issues',
      status: 'completed',
      iterations: 2,
      passRate: 80,
      failuresTotal: 1,
      reviewNeeded: true,
    })
    expect(
      host.turns.filter((t) => t.turn === 'work' && t.iteration === 2).map((t) => t.sessionId),
    ).toEqual([undefined, undefined])
    expect(host.turns.find((t) => t.iteration === 2)?.ask).toMatchObject({
      brief: {
        openIssues: expect.arrayContaining([
          expect.stringContaining('a.test.ts > test 1'),
        ]) as unknown,
        version: '1.1.0',
      },
    })
    expect(host.records.at(-1)?.state.iterations).toMatchObject([
      { number: 1, resolved: false },
      { number: 2, resolved: false },
    ])
  })

  test('a claim of VAS that contradicts the measured run is an issue and decides nothing', async () => {
    const { result } = await whole(
      {
        runs: [measured(3, 3), measured(4, 5)],
        turn: (t) =>
          t.phase === 'vas'
            ? {
                says: {
                  claimed: {
                    passRate: 100,
                    coverage: 99,
                    failedTests: [],
                    criticalIssues: 0,
                    ready: true,
                  },
                },
              }
            : {},
      },
      { ...TASK, maxIterations: 1 },
    )
    expect(result).toMatchObject({ outcome: 'completed_with_issues', passRate: 80 })
    expect(result.history[1]).toMatchObject({
      claimed: 100,
      passRate: 80,
      note: expect.stringContaining('claimed a pass rate of 100 %') as unknown,
    })
  })

  test('a suite that does not start never converges', async () => {
    const first = await whole({ runs: [notStarted()] }, { ...TASK, maxIterations: 1 })
    expect(first.result).toMatchObject({ outcome: 'completed_with_issues', passRate: null })
  })

  test('a cycle without any development has failed', async () => {
    const { result } = await whole(
      {
        runs: [measured(3, 3)],
        emptyCommits: [1, 2, 3, 4],
        turn: (t) => (t.phase === 'cd' ? { outcome: 'failed', reason: 'no credentials' } : {}),
      },
      { ...TASK, maxIterations: 2 },
    )
    expect(result).toMatchObject({
      outcome: 'failed',
      status: 'failed',
      iterations: 2,
      commits: [],
    })
  })
})

describe('agents that do not finish', () => {
  test('one that ran out of time is asked to converge in its session', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      turn: (t) =>
        t.phase === 'ra' && t.turn === 'work' ? { outcome: 'timed_out', says: {} } : {},
    })
    expect(host.turns.find((t) => t.turn === 'converge')).toMatchObject({
      phase: 'ra',
      sessionId: 's-ra',
      limitMs: 180_000,
      ask: { about: 'cycle-converge' },
    })
    expect(result.outcome).toBe('completed')
    const { phaseErrors, feedbackLog, completedPhases } = host.records.at(-1)?.state ?? {}
    expect(phaseErrors).toMatchObject([
      { phase: 'ra', error: 'one ran out of time and was asked to converge' },
    ])
    expect(feedbackLog).toMatchObject([
      {
        source: 'ratchet',
        target: 'ra',
        type: 'clarification',
        content: 'asked to converge: one ran out of time',
      },
    ])
    expect(completedPhases).toContain('ra')
  })

  test('the cycle continues without one that never answers, and says so', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) => (t.phase === 'ep' ? { outcome: 'failed', reason: 'no credentials' } : {}),
      },
      { ...TASK, maxIterations: 1 },
    )
    const { state } = host.records.at(-1) ?? {}
    expect(state).toMatchObject({
      phaseErrors: [{ phase: 'ep', error: expect.stringContaining('no credentials') as unknown }],
      agents: { ep: { status: 'failed' }, cd: { status: 'completed' } },
    })
    expect(state?.completedPhases).not.toContain('ep')
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: expect.stringContaining('EP: gave no answer') as unknown,
    })
  })

  test('an answer without a result block gets one retry prompt, then counts as unknown; its documents count', async () => {
    const { host, result } = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) =>
          t.phase === 'ra'
            ? {
                says: {
                  status: 'unknown',
                  problem: 'there is no PHASE_RESULT block',
                  form: 'FORM',
                },
              }
            : {},
      },
      { ...TASK, maxIterations: 1 },
    )
    expect(
      host.turns
        .filter((t) => t.phase === 'ra')
        .map((t) => t.turn)
        .slice(0, 2),
    ).toEqual(['work', 'retry'])
    expect(host.records.at(-1)?.state.feedbackLog[0]).toMatchObject({
      source: 'ratchet',
      target: 'ra',
      content: 'asked for its answer once more: there is no PHASE_RESULT block',
    })
    expect(result).toMatchObject({
      outcome: 'completed',
      reviewNeeded: true,
      reason: expect.stringContaining('RA: gave no usable result') as unknown,
    })
    expect(host.records.at(-1)?.state.results.ra).toMatchObject({
      status: 'unknown',
      files: ['ra.md'],
    })
  })

  test('a role without an agent keeps the cycle from starting', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      prepared: {
        agents: {
          'requirements-analyst': ['one'],
          'exploration-planner': ['one'],
          'code-developer': [],
          'validation-archivist': ['one'],
        },
      },
    })
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('no agent is configured for code-developer') as unknown,
    })
    expect(host.turns).toEqual([])
  })
})

test('a missing document is requested once, then reported, and the cycle is completed', async () => {
  const { host, result } = await whole({
    runs: [measured(3, 3)],
    turn: (t) => (t.phase === 'ra' ? { says: { files: [], missing: ['requirements.md'] } } : {}),
  })
  expect(turnsOf(host, 1)).toContain('ra feedback')
  expect(result).toMatchObject({ outcome: 'completed', iterations: 1 })
  expect(host.records.at(-1)?.state.warnings).toEqual(['RA: requirements.md is missing'])
})

describe('extension', () => {
  test('one sent during an iteration enters the next one', async () => {
    const host = cycleHost({
      runs: [measured(3, 3)],
      turn: (_t, call) => (call === 1 ? held.then(() => ({})) : {}),
    })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const result = await run(host, async (r) => {
      await r.until('the turns', () => host.turns.length === 4)
      const answers = await Promise.all(
        ['Also add MFA', 'Also add SSO'].map((task, k) =>
          r.handle.executeUpdate('extend', { args: [{ task, requestId: `r-${k}` }] }),
        ),
      )
      expect(answers).toEqual([
        { maxIterations: 5, enters: 2 },
        { maxIterations: 5, enters: 2 },
      ])
      expect(
        await r.handle.executeUpdate('extend', {
          args: [{ task: 'Also add MFA', requestId: 'r-0' }],
        }),
      ).toEqual({ maxIterations: 5, enters: 2 })
      release()
      return r.result()
    })
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
    const state = host.records.at(-1)?.state
    const [, one, two] = state?.tasks ?? []
    // Two at once arrive in any order, and both are accepted.
    expect([one?.text, two?.text].sort()).toEqual(['Also add MFA', 'Also add SSO'])
    expect([one?.iteration, two?.iteration]).toEqual([2, 2])
    expect(host.turns.find((t) => t.iteration === 2)?.ask).toMatchObject({
      brief: {
        description: `Add OAuth2 login\n\n--- ITERATION 2 ---\n${one?.text}\n\n--- ITERATION 2 ---\n${two?.text}`,
        extension: `${one?.text}\n\n${two?.text}`,
      },
    })
    expect(state?.feedbackLog).toMatchObject([
      {
        source: 'user',
        target: 'ra',
        type: 'requirement_update',
        content: `${one?.text}\n\n${two?.text}`,
      },
    ])
  })

  test('in the last iteration it adds an iteration', async () => {
    const host = cycleHost({
      runs: [measured(3, 3)],
      turn: (_t, call) => (call === 1 ? held.then(() => ({})) : {}),
    })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const result = await run(
      host,
      async (r) => {
        await r.until('the turns', () => host.turns.length === 4)
        expect(await r.handle.executeUpdate('extend', { args: ['Also add MFA'] })).toEqual({
          maxIterations: 2,
          enters: 2,
        })
        await expect(r.handle.executeUpdate('extend', { args: [{ task: '  ' }] })).rejects.toThrow()
        await expect(r.handle.executeUpdate('extend', { args: [{}] })).rejects.toThrow()
        release()
        return r.result()
      },
      { ...TASK, maxIterations: 1 },
    )
    expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
  })

  const five = {
    startedAt: 1,
    tasks: [{ text: 'Add OAuth2 login', iteration: 1 }],
    scheduling: 'parallel' as const,
    parallel: 4,
    interactive: false,
    iteration: 5,
    maxIterations: 5,
    completedPhases: [],
    phaseErrors: [],
    agents: Object.fromEntries(
      ['ra', 'ep', 'cd', 'vas'].map((p) => [
        p,
        { status: 'completed', output_files: [], iterations_completed: 5 },
      ]),
    ) as never,
    iterations: [5, 6].map((number) => ({
      number,
      startedAt: 1,
      ...(number === 5 ? { completedAt: 2 } : {}),
      agentResults: {},
      issuesFound: [],
      resolved: true,
    })),
    feedbackLog: [],
    decisions: [],
    blockers: [],
    oneToHundred: false,
    openIssues: [],
    pendingExtensions: [],
    history: [],
    commits: ['old'],
    changedFiles: 3,
  }

  test('a resumed closed cycle keeps its number, tasks and blockers, and gets its full limit again', async () => {
    const { host, result } = await whole(
      { runs: [measured(3, 3)], prepared: { restored: five } },
      { project: '/repo', cycleId: 'cycle-1', extend: 'Also add MFA' },
    )
    expect(host.turns[0]).toMatchObject({
      iteration: 6,
      maxIterations: 10,
      ask: { brief: { version: '1.5.0', extension: 'Also add MFA' } },
    })
    expect(result).toMatchObject({
      outcome: 'completed',
      iterations: 6,
      commits: ['old', 'work-1'],
    })
    expect(host.records.at(-1)?.state.agents.ra.iterations_completed).toBe(6)
  })

  test('extension: an interrupted one, a waiting one and a new one enter together', async () => {
    const restored = {
      ...five,
      tasks: [...five.tasks, { text: 'Also add MFA', iteration: 6 }],
      pendingExtensions: ['Also log out'],
    }
    const { host } = await whole(
      { runs: [measured(3, 3)], prepared: { restored } },
      { project: '/repo', cycleId: 'cycle-1', extend: 'Also remember me' },
    )
    expect(host.turns[0]).toMatchObject({
      iteration: 6,
      ask: { brief: { extension: 'Also add MFA\n\nAlso log out\n\nAlso remember me' } },
    })
    const last = host.records.at(-1)?.state
    expect(last?.iterations.at(-1)).toMatchObject({
      number: 6,
      extension: 'Also add MFA\n\nAlso log out\n\nAlso remember me',
    })
    expect(last).toMatchObject({
      pendingExtensions: [],
      feedbackLog: [
        {
          source: 'user',
          target: 'ra',
          content: 'Also log out\n\nAlso remember me',
          type: 'requirement_update',
        },
      ],
    })
  })
})

describe('interactive', () => {
  const failing: CycleScript = { runs: [measured(3, 3), measured(4, 5)] }
  test('a person is asked between iterations; extend passes its text, stop ends the cycle', async () => {
    const host = cycleHost(failing)
    const result = await run(
      host,
      async (r) => {
        await r.until('the question', (s) => s.questions === 1)
        expect(await r.handle.query('questions')).toMatchObject([
          {
            id: 'iteration-1',
            kind: 'menu',
            options: ['continue', 'extend', 'stop'],
            recommended: 'continue',
          },
        ])
        await r.handle.executeUpdate('answer', {
          args: [{ choice: 'extend', text: 'Also add MFA' }],
        })
        await r.until('the next question', (s) => s.questions === 1 && s.iteration === 2)
        await r.handle.executeUpdate('answer', { args: ['stop'] })
        return r.result()
      },
      { ...TASK, interactive: true },
    )
    expect(result).toMatchObject({
      outcome: 'stopped',
      status: 'failed',
      iterations: 2,
      reason: expect.stringContaining('stopped by choice') as unknown,
    })
    expect(host.records.at(-1)?.state.tasks).toMatchObject([
      { iteration: 1 },
      { text: 'Also add MFA', iteration: 2 },
    ])
  })

  test('extend without a text asks for it; an extension sent meanwhile answers the question', async () => {
    const host = cycleHost(failing)
    const result = await run(
      host,
      async (r) => {
        await r.until('the question', (s) => s.questions === 1)
        await r.handle.executeUpdate('answer', { args: [{ choice: 'extend' }] })
        await r.until('what to add', (s) => s.waitingFor.includes('What is the further task?'))
        await r.handle.executeUpdate('answer', { args: ['Also add MFA'] })
        await r.until('the next question', (s) => s.questions === 1 && s.iteration === 2)
        await r.handle.executeUpdate('extend', { args: [{ task: 'Also add SSO' }] })
        await r.until('iteration 3', (s) => s.questions === 1 && s.iteration === 3)
        await r.handle.executeUpdate('answer', {
          args: [{ questionId: 'iteration-3', choice: 'stop' }],
        })
        return r.result()
      },
      { ...TASK, interactive: true },
    )
    expect(result.outcome).toBe('stopped')
    expect(host.records.at(-1)?.state.tasks.map((t) => t.text)).toEqual([
      'Add OAuth2 login',
      'Also add MFA',
      'Also add SSO',
    ])
  })

  test('auto takes the recommended option of a decision, and records who made it; interactive asks', async () => {
    const turn: CycleScript['turn'] = (t) =>
      t.phase === 'cd' && t.turn === 'work'
        ? {
            says: {
              decisions: [
                {
                  description: 'Which store?',
                  options: ['redis', 'memory'],
                  recommended: 'memory',
                },
              ],
            },
          }
        : {}
    const auto = await whole({ runs: [measured(3, 3)], turn })
    expect(auto.host.records.at(-1)?.state.decisions).toMatchObject([
      { id: 'DEC-001', status: 'implemented', made_by: 'ratchet', chosen_option: 'memory' },
    ])
    const host = cycleHost({ runs: [measured(3, 3)], turn })
    await run(
      host,
      async (r) => {
        await r.until('the question', (s) => s.questions === 1)
        await r.handle.executeUpdate('answer', {
          args: [{ questionId: 'DEC-001', choice: 'redis' }],
        })
        await r.until(
          'the end to confirm',
          (s) => s.questions === 1 && s.waitingFor.includes('Finish'),
        )
        await r.handle.executeUpdate('answer', { args: ['finish'] })
        return r.result()
      },
      { ...TASK, interactive: true },
    )
    expect(host.records.at(-1)?.state.decisions).toMatchObject([
      { made_by: 'user', chosen_option: 'redis' },
    ])
  })
})

describe('pause and stop while four agents run', () => {
  test('pause now interrupts all four, resume continues each of them', async () => {
    const host = cycleHost({
      runs: [measured(3, 3)],
      turn: (_t, call) => (call <= 4 ? { waitForCancel: true } : {}),
    })
    const result = await run(host, async (r) => {
      await r.until('the turns', () => host.turns.length === 4)
      await r.handle.signal('pause', { mode: 'now', reason: 'night' })
      await r.until('the pause', (s) => s.status === 'paused')
      await waitFor(() => (host.records.at(-1)?.status.status === 'paused' ? true : undefined), {
        what: 'the pause in the record',
        timeoutMs: 20_000,
      })
      await r.handle.signal('resume')
      return r.result()
    })
    expect(result.outcome).toBe('completed')
    const keys = host.turns.slice(0, 8).map((t) => t.key)
    expect([...keys.slice(4)].sort()).toEqual([...keys.slice(0, 4)].sort())
  })

  test('pause after the turn lets all four end first', async () => {
    const host = cycleHost({
      runs: [measured(3, 3)],
      turn: (_t, call) => (call <= 4 ? held.then(() => ({})) : {}),
    })
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const result = await run(host, async (r) => {
      await r.until('the turns', () => host.turns.length === 4)
      await r.handle.signal('pause')
      await r.until('the pause request', (s) => s.waitingFor.includes('then it pauses'))
      release()
      await r.until('the pause', (s) => s.status === 'paused')
      expect(host.commits).toEqual([])
      await r.handle.signal('resume')
      return r.result()
    })
    expect(result.outcome).toBe('completed')
    expect(host.turns).toHaveLength(5)
  })

  test('stop waits for all four, and ends as stopped with its reason', async () => {
    const host = cycleHost({ runs: [measured(3, 3)], turn: () => ({ waitForCancel: true }) })
    const result = await run(host, async (r) => {
      await r.until('the turns', () => host.turns.length === 4)
      expect((await r.status()).waitingFor).toMatch(
        /^agents: .*requirements-analyst.*validation-archivist/,
      )
      await r.handle.signal('stop', { reason: 'enough' })
      return r.result()
    })
    expect(result).toMatchObject({
      outcome: 'stopped',
      status: 'failed',
      reason: 'stopped by request: enough',
    })
    expect(host.records.at(-1)).toMatchObject({
      result: { outcome: 'stopped' },
      state: { agents: { cd: { status: 'failed', error: 'stopped by request: enough' } } },
    })
  })

  test('cancelling does the same work and ends as cancelled', async () => {
    const host = cycleHost({ runs: [measured(3, 3)], turn: () => ({ waitForCancel: true }) })
    await run(host, async (r) => {
      await r.until('the turns', () => host.turns.length === 4)
      await r.handle.cancel()
      await expect(r.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } })
    })
    expect(host.records.at(-1)?.result?.outcome).toBe('stopped')
  })

  test('the worker of four turns dies: each turn is settled and continues on its own', async () => {
    const host = cycleHost({
      runs: [measured(3, 3)],
      turn: (_t, call) => (call <= 4 ? { fail: 'heartbeat timeout' } : {}),
    })
    const { outcome } = await run(host, (r) => r.result())
    expect(host.settled).toHaveLength(4)
    expect(outcome).toBe('completed')
  })
})

describe('bad input', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'neither task nor id', input: { project: '/repo' }, problem: 'Missing cycleId or task' },
    { why: 'both', input: { project: '/repo', task: 'a', cycleId: 'cycle-1' }, problem: 'either a task or a cycleId' },
    { why: 'an extension without an id', input: { project: '/repo', task: 'a', extend: 'b' }, problem: 'needs the cycleId' },
    { why: 'five agents', input: { project: '/repo', task: 'a', parallel: 5 }, problem: 'parallel' },
    { why: 'an empty task', input: { project: '/repo', task: ' ' }, problem: 'must not be empty' },
    { why: 'an id that is a path', input: { project: '/repo', cycleId: '../x' }, problem: 'cycleId' },
    { why: 'an unknown field', input: { project: '/repo', task: 'a', taks: 'b' }, problem: 'taks' },
  ],
  )('$why fails at once and names the field', async ({ input, problem }) => {
    const host = cycleHost({ runs: [measured(3, 3)] })
    await run(
      host,
      async (r) => {
        await expect(r.result()).rejects.toMatchObject({
          cause: { type: 'BadInput', message: expect.stringContaining(problem) as unknown },
        })
      },
      input,
    )
    expect(host.prepares).toEqual([])
  })
})
