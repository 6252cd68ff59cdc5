// What a dev cycle takes from a prep package and carries over an iteration boundary.
import { describe, expect, test } from 'vitest'
import { cycleHost, type CycleHost } from '../support/cycle/cycle-host.js'
import { TASK, cycleRuns } from '../support/cycle/cycle-runs.js'
import { measured } from '../support/test-runs.js'

const { client, run, whole } = cycleRuns()

const prep = {
  convergence: { test_pass_rate: 75, coverage: 80, max_critical_bugs: 0, max_open_issues: 3 },
  phase_gates: {
    zero_to_one: { iterations: [1, 2, 3], exit_criteria: {} },
    one_to_hundred: { iterations: [4, 5], exit_criteria: {} },
  },
  agent_focus: {
    zero_to_one: {
      ra: 'core_requirements_only',
      ep: 'minimal_viable_architecture',
      cd: 'happy_path_first',
      vas: 'smoke_tests_only',
    },
    one_to_hundred: { cd: 'complete_implementation_with_error_handling' },
  },
  source_refs: [
    { path: 'docs/login.md', type: 'local_file' as const, status: 'verified' as const },
  ],
}
const briefOf = (turn: CycleHost['turns'][number]) =>
  'brief' in turn.ask ? turn.ask.brief : undefined

describe('a prep package', () => {
  test('its task is in every brief; focus and sources go to all four; 0→1 moves the focus, 1→100 completes below 100 %', async () => {
    const { host, result } = await whole({
      runs: [measured(3, 3), measured(4, 5)],
      prepared: { prep, task: 'OBJECTIVE: login', maxIterations: 4 },
    })
    const first = host.turns
      .filter((t) => t.iteration === 1 && t.turn === 'work')
      .map((t) => briefOf(t))
    expect(first.map((b) => [b?.description, b?.sourceRefs.length, b?.maxIterations])).toEqual(
      Array.from({ length: 4 }, () => ['OBJECTIVE: login', 1, 4]),
    )
    for (const brief of first) expect(brief?.focus).toMatch(/^## FOCUS DIRECTIVE \(0→1\)/)
    const second = host.turns.filter((t) => t.iteration === 2 && t.turn === 'work')
    expect(second.map((t) => [t.phase, briefOf(t)?.focus.split('\n')[0]]).sort()).toEqual([
      ['cd', '## FOCUS DIRECTIVE (1→100)'],
      ['ep', ''],
      ['ra', ''],
      ['vas', ''],
    ])
    expect(result).toMatchObject({ outcome: 'completed_with_issues', iterations: 2, passRate: 80 })
    expect(result.history.map((h) => h.note)).toEqual([
      undefined,
      expect.stringContaining('0→1 has converged'),
      expect.stringContaining('1→100 has converged'),
    ])
  })

  test('a number of iterations on the command line overrides that of the package', async () => {
    const { host } = await whole(
      { runs: [measured(3, 3), measured(0, 5)], prepared: { prep, maxIterations: 4 } },
      { ...TASK, maxIterations: 1 },
    )
    expect(host.records.at(-1)?.state).toMatchObject({ maxIterations: 1, oneToHundred: false })
  })
})

test('Decision: made and passed to CD in one iteration, and not asked again', async () => {
  const says = { decisions: [{ description: 'Which store?', options: ['redis', 'memory'] }] }
  const { host } = await whole({
    runs: [measured(3, 3), measured(4, 5), measured(4, 5), measured(5, 5)],
    turn: (t) => (t.phase === 'ra' ? { says } : {}),
  })
  expect(
    host.records
      .map((r) => r.state.decisions.map((d) => d.status))
      .filter(([status]) => status !== undefined),
  ).toEqual([['implemented'], ['implemented']])
})

/** A gate that the test opens. */
function door() {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('a pause, an extension and request ids survive the boundary', async () => {
  const [feedback, next] = [door(), door()]
  const host = cycleHost({
    runs: [measured(3, 3), measured(4, 5), measured(4, 5), measured(5, 5)],
    turn: async (t) => {
      if (t.turn === 'feedback' && t.iteration === 1) await feedback.opened
      if (t.iteration === 2) await next.opened
      return {}
    },
  })
  const result = await run(host, async (r) => {
    await r.until('the feedback', () => host.turns.some((t) => t.turn === 'feedback'))
    await r.handle.signal('pause', { reason: 'night' })
    feedback.open()
    await r.until('the pause', (s) => s.status === 'paused')
    await r.until('the record of it', () => host.records.at(-1)?.status.status === 'paused')
    const request = { task: 'Also add MFA', requestId: 'r-1' }
    expect(
      await r.handle.executeUpdate('extend', { args: [request], updateId: 'one' }),
    ).toMatchObject({ enters: 2 })
    await r.handle.signal('resume')
    await r.until('iteration 2', () => host.turns.some((t) => t.iteration === 2))
    await client()
      .workflow.getHandle(r.handle.workflowId)
      .executeUpdate('extend', { args: [request], updateId: 'two' })
    next.open()
    return r.result()
  })
  expect(result).toMatchObject({ outcome: 'completed', iterations: 2 })
  expect(host.records.at(-1)?.state.tasks).toEqual([
    { text: 'Add OAuth2 login', iteration: 1 },
    { text: 'Also add MFA', iteration: 2 },
  ])
})

test('a stop waits for the slowest of the four before anything is recorded or closed', async () => {
  const slow = door()
  const host = cycleHost({
    runs: [measured(3, 3)],
    turn: (t) => ({
      waitForCancel: true,
      ...(t.phase === 'cd' ? { afterCancel: slow.opened } : {}),
    }),
  })
  const begun = 1
  const result = await run(host, async (r) => {
    await r.until('the turns', () => host.turns.length === 4)
    await r.handle.signal('stop')
    await r.until('the others', (s) => s.waitingFor.startsWith('stopping') && host.stopped() === 3)
    expect(host.records).toHaveLength(begun)
    slow.open()
    return r.result()
  })
  expect(result.outcome).toBe('stopped')
  expect(host.records.at(-1)?.state.usage.turns).toBe(4)
})

test("test configuration is the user's where there is a suite, the developer's where there is none yet", async () => {
  const { host } = await whole(
    {
      runs: [null, null, measured(3, 3)],
      turn: (t) =>
        t.phase === 'vas' && t.iteration === 1 ? { says: { issues: ['no tests'] } } : {},
    },
    { ...TASK, maxIterations: 2 },
  )
  expect(host.commits.map((c) => c.suite)).toEqual([false, false, true])
  // What could not be measured before can be now
  expect(host.records.at(-1)?.state).not.toHaveProperty('unmeasured')
  const withSuite = await whole({ runs: [measured(3, 3)] })
  expect(withSuite.host.commits.map((c) => c.suite)).toEqual([true])
})

describe('agents that do not finish', () => {
  test('one that fell silent is asked to converge; one that fails hands over to the next of its chain, without its session', async () => {
    const agents = {
      'requirements-analyst': ['one'],
      'exploration-planner': ['one', 'two'],
      'code-developer': ['one'],
      'validation-archivist': ['one'],
    }
    const { host, result } = await whole({
      runs: [measured(3, 3)],
      prepared: { agents },
      turn: (t) => {
        if (t.phase === 'ra' && t.turn === 'work') return { outcome: 'stalled' }
        return t.phase === 'ep' && t.agent === 'one'
          ? { outcome: 'rate_limited', reason: 'try again at noon' }
          : {}
      },
    })
    expect(host.turns.filter((t) => t.phase === 'ra').map((t) => [t.turn, t.sessionId])).toEqual([
      ['work', undefined],
      ['converge', 's-ra'],
    ])
    expect(host.turns.filter((t) => t.phase === 'ep').map((t) => [t.agent, t.sessionId])).toEqual([
      ['one', undefined],
      ['two', undefined],
    ])
    expect(result.outcome).toBe('completed')
  })

  test('unanswered feedback keeps the earlier work of the agent', async () => {
    const { host } = await whole(
      {
        runs: [measured(3, 3), measured(4, 5)],
        emptyCommits: [2],
        turn: (t) => (t.turn === 'feedback' ? { outcome: 'failed', reason: 'crashed' } : {}),
      },
      { ...TASK, maxIterations: 1 },
    )
    expect(host.turns.some((t) => t.phase === 'cd' && t.turn === 'feedback')).toBe(true)
    expect(host.records.at(-1)?.state.results.cd).toMatchObject({
      status: 'success',
      summary: 'cd is done',
      files: ['cd.md'],
    })
  })

  test('staged: a failed agent does not hold up the others', async () => {
    const { host } = await whole(
      {
        runs: [measured(3, 3)],
        turn: (t) => (t.phase === 'ra' ? { outcome: 'failed', reason: 'no credentials' } : {}),
      },
      { ...TASK, scheduling: 'staged', maxIterations: 1 },
    )
    expect([...new Set(host.turns.map((t) => t.phase))]).toEqual(['ra', 'ep', 'cd', 'vas'])
  })
})
