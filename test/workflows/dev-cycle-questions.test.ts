// Questions of a dev cycle to a person: who asks them, what an answer does, and a stop while one is
// open.
import { expect, test } from 'vitest'
import { cycleHost, type CycleHost, type CycleScript } from '../support/cycle/cycle-host.js'
import { TASK, cycleRuns } from '../support/cycle/cycle-runs.js'
import { measured } from '../support/test-runs.js'

const { run } = cycleRuns()

/** Turns that last until the test lets them end, by agent. */
function held(...phases: string[]) {
  const doors = new Map(
    phases.map((phase) => {
      let open = (): void => undefined
      const opened = new Promise<void>((resolve) => {
        open = resolve
      })
      return [phase, { open, opened }] as const
    }),
  )
  const turn: CycleScript['turn'] = async (t) => {
    if (t.turn === 'work') await doors.get(t.phase)?.opened
    return {}
  }
  return { turn, open: (phase: string) => doors.get(phase)?.open() }
}

const permission = (host: CycleHost, phase: string) => ({
  id: `permission-${phase}`,
  kind: 'permission' as const,
  text: `${phase} asks: run rm?`,
  options: ['allow', 'deny'],
  askedAt: 0,
  turn: host.turns.find((t) => t.phase === phase)?.key ?? '',
})

test('an agent that ends withdraws its own permission question, not that of another agent', async () => {
  const gates = held('ra', 'cd')
  const host = cycleHost({ runs: [measured(3, 3)], turn: gates.turn })
  await run(host, async (r) => {
    await r.until('the turns', () => host.turns.length === 4)
    const [ra, cd] = await Promise.all(
      ['ra', 'cd'].map((phase) =>
        r.handle.startUpdate<string, [unknown]>('ratchetAsk', {
          args: [permission(host, phase)],
          waitForStage: 'ACCEPTED',
        }),
      ),
    )
    expect((await r.status()).questions).toBe(2)
    gates.open('ra')
    expect(await ra?.result()).toBe('')
    expect(await r.handle.query('questions')).toMatchObject([{ id: 'permission-cd' }])
    await r.handle.executeUpdate('answer', { args: ['allow'] })
    expect(await cd?.result()).toBe('allow')
    gates.open('cd')
    return r.result()
  })
})

test('an answer given while its asker was dead reaches the next attempt, and only once', async () => {
  const gates = held('ra')
  const host = cycleHost({ runs: [measured(3, 3)], turn: gates.turn })
  await run(host, async (r) => {
    await r.until('the turns', () => host.turns.length === 4)
    const ask = (heard: number) =>
      r.handle.startUpdate<string, [unknown]>('ratchetAsk', {
        args: [{ ...permission(host, 'ra'), heard }],
        waitForStage: 'ACCEPTED',
      })
    await ask(0)
    await r.handle.executeUpdate('answer', { args: ['allow'] })
    expect(await (await ask(0)).result()).toBe('allow')
    expect((await r.status()).questions).toBe(0)
    const again = await ask(1)
    expect((await r.status()).questions).toBe(1)
    await r.handle.executeUpdate('answer', { args: ['deny'] })
    expect(await again.result()).toBe('deny')
    gates.open('ra')
    return r.result()
  })
})

const failing: CycleScript = { runs: [measured(3, 3), measured(4, 5)] }

test('an extension that cannot be accepted is returned to its author before the cycle continues', async () => {
  const host = cycleHost(failing)
  await run(
    host,
    async (r) => {
      await r.until('the menu', (s) => s.questions === 1)
      await r.handle.executeUpdate('answer', {
        args: [{ choice: 'extend', text: 'x'.repeat(9_000) }],
      })
      await r.until('the text', (s) =>
        s.waitingFor.includes(
          'The extension cannot be accepted: the extension has 9000 characters',
        ),
      )
      await r.handle.executeUpdate('answer', { args: [{ text: 'Also add MFA' }] })
      await r.until('the next question', (s) => s.questions === 1 && s.iteration === 2)
      await r.handle.executeUpdate('answer', { args: ['stop'] })
      return r.result()
    },
    { ...TASK, interactive: true },
  )
  expect(host.records.at(-1)?.state).toMatchObject({
    tasks: [{ iteration: 1 }, { text: 'Also add MFA', iteration: 2 }],
    warnings: [],
  })
})

test('an extension by another command also answers the question for its text', async () => {
  const host = cycleHost(failing)
  await run(
    host,
    async (r) => {
      await r.until('the menu', (s) => s.questions === 1)
      await r.handle.executeUpdate('answer', { args: [{ choice: 'extend' }] })
      await r.until('the text', (s) => s.waitingFor.includes('What is the further task?'))
      await r.handle.executeUpdate('extend', { args: [{ task: 'Also add SSO' }] })
      await r.until('the next question', (s) => s.questions === 1 && s.iteration === 2)
      await r.handle.executeUpdate('answer', { args: ['stop'] })
      return r.result()
    },
    { ...TASK, interactive: true },
  )
  expect(host.records.at(-1)?.state.tasks.map(({ text }) => text)).toEqual([
    'Add OAuth2 login',
    'Also add SSO',
  ])
})

test('Decision: one without options asks an attending person for text, otherwise the developer decides', async () => {
  const turn: CycleScript['turn'] = (t) =>
    t.phase === 'ra' && t.turn === 'work'
      ? { says: { decisions: [{ description: 'Which provider?', options: [] }] } }
      : {}
  const host = cycleHost({ runs: [measured(3, 3)], turn })
  await run(
    host,
    async (r) => {
      await r.until('the question', (s) => s.questions === 1)
      await r.handle.executeUpdate('answer', { args: ['Google'] })
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
    { status: 'implemented', made_by: 'user', chosen_option: 'Google' },
  ])
  const auto = cycleHost({ runs: [measured(3, 3)], turn })
  await run(auto, (r) => r.result())
  expect(auto.records.at(-1)?.state.decisions).toMatchObject([
    { status: 'implemented', made_by: 'ratchet', chosen_option: 'as the developer sees fit' },
  ])
})

test('a stop while a question of the last iteration is open reports the whole iteration', async () => {
  const host = cycleHost({
    ...failing,
    turn: (t) =>
      t.phase === 'cd' && t.turn === 'work'
        ? { says: { decisions: [{ description: 'Which store?', options: ['redis', 'memory'] }] } }
        : {},
  })
  const result = await run(
    host,
    async (r) => {
      await r.until('the question', (s) => s.questions === 1)
      await r.handle.signal('stop', { reason: 'enough' })
      return r.result()
    },
    { ...TASK, interactive: true, maxIterations: 1 },
  )
  expect(result).toMatchObject({
    outcome: 'stopped',
    status: 'failed',
    reason: 'stopped by request: enough',
  })
  expect(host.records.at(-1)?.state).toMatchObject({
    iterations: [{ number: 1, completedAt: expect.any(Number) as unknown }],
    decisions: [{ status: 'pending' }],
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'an agent\'s own question that has such an option does not', says: { decisions: [{ description: 'Which store?', options: ['continue', 'stop'], recommended: 'stop' }] }, iterations: 1, outcome: 'completed' },
  { why: 'the question about a blocker that two iterations did not solve does', says: { blockers: ['no API key'] }, iterations: 2, outcome: 'stopped' },
],
)('"stop" ends the cycle where Ratchet asks: $why', async ({ says, iterations, outcome }) => {
  const host = cycleHost({
    runs: [measured(3, 3)],
    turn: (t) => (t.phase === 'cd' ? { says } : {}),
  })
  const result = await run(
    host,
    async (r) => {
      for (let n = 1; n <= iterations; n++) {
        const { waitingFor } = await r.until(
          `question ${n}`,
          (s) => s.questions === 1 && s.iteration === n,
        )
        await r.handle.executeUpdate('answer', { args: [n === iterations ? 'stop' : 'continue'] })
        if (outcome === 'completed') {
          await r.until(
            'the end to confirm',
            (s) => s.questions === 1 && s.waitingFor.includes('Finish'),
          )
          await r.handle.executeUpdate('answer', { args: ['finish'] })
        }
        if (n === iterations && iterations > 1)
          expect(waitingFor).toContain('BLK-001, which the agents could not solve: no API key')
      }
      return r.result()
    },
    { ...TASK, interactive: true },
  )
  expect(result).toMatchObject({ outcome, iterations })
})

test('a person answers a decision with options in free text, and CD gets it', async () => {
  const host = cycleHost({
    runs: [measured(3, 3)],
    turn: (t) =>
      t.phase === 'ra' && t.turn === 'work'
        ? { says: { decisions: [{ description: 'Which store?', options: ['redis', 'memory'] }] } }
        : {},
  })
  await run(
    host,
    async (r) => {
      await r.until('the question', (s) => s.questions === 1)
      await expect(
        r.handle.executeUpdate('answer', { args: [{ choice: 'sqlite' }] }),
      ).rejects.toMatchObject({
        cause: { message: expect.stringContaining('free text goes into {"text":"…"}') as unknown },
      })
      await expect(
        r.handle.executeUpdate('answer', { args: [{ text: 'x'.repeat(2_001) }] }),
      ).rejects.toMatchObject({
        cause: { message: expect.stringContaining('more than 2000') as unknown },
      })
      await r.handle.executeUpdate('answer', {
        args: [{ text: 'SQLite, in the file that DATA_FILE names' }],
      })
      await r.until(
        'the end to confirm',
        (s) => s.questions === 1 && s.waitingFor.includes('Finish'),
      )
      await r.handle.executeUpdate('answer', {
        args: [{ choice: 'finish', text: 'good enough for now' }],
      })
      const result = await r.result()
      expect(result.reason).toContain('a person said: good enough for now')
    },
    { ...TASK, interactive: true },
  )
  expect(host.turns.flatMap(({ ask }) => ('feedback' in ask ? [ask.feedback] : []))).toEqual([
    expect.stringContaining('- DEC-001: Which store? → SQLite, in the file that DATA_FILE names'),
  ])
  expect(host.records.at(-1)?.state.decisions).toMatchObject([
    {
      status: 'implemented',
      made_by: 'user',
      chosen_option: 'SQLite, in the file that DATA_FILE names',
    },
  ])
})

test('the text given with a choice reaches the developer, for a decision and for the menu', async () => {
  const host = cycleHost({
    ...failing,
    turn: (t) =>
      t.phase === 'ra' && t.turn === 'work'
        ? { says: { decisions: [{ description: 'Which store?', options: ['redis', 'memory'] }] } }
        : {},
  })
  await run(
    host,
    async (r) => {
      await r.until('the question', (s) => s.questions === 1)
      await r.handle.executeUpdate('answer', { args: [{ choice: 'redis', text: 'on port 6380' }] })
      await r.until(
        'the menu',
        (s) => s.questions === 1 && s.iteration === 1 && s.waitingFor.includes('Continue'),
      )
      await r.handle.executeUpdate('answer', {
        args: [{ choice: 'continue', text: 'leave the docs as they are' }],
      })
      await r.until('the next menu', (s) => s.questions === 1 && s.iteration === 2)
      await r.handle.executeUpdate('answer', { args: [{ choice: 'stop', text: 'I do the rest' }] })
      const result = await r.result()
      expect(result.reason).toContain('stopped by choice after iteration 2; I do the rest')
    },
    { ...TASK, interactive: true },
  )
  const briefs = host.turns
    .filter((t) => t.phase === 'cd' && t.turn === 'work')
    .map(({ ask }) => ('brief' in ask ? ask.brief.decisions : []))
  expect(briefs).toEqual([
    [],
    ['DEC-002: A person said after iteration 1 → leave the docs as they are'],
  ])
  expect(host.records.at(-1)?.state.decisions).toMatchObject([
    { chosen_option: 'redis; on port 6380', status: 'implemented' },
    { chosen_option: 'leave the docs as they are', status: 'implemented' },
  ])
})

test('a stuck blocker is answered in free text: its agent works again before the decision is implemented', async () => {
  const host = cycleHost({
    runs: [measured(3, 3)],
    turn: (t) =>
      t.phase === 'ep' && t.iteration < 3 ? { says: { blockers: ['no API key'] } } : {},
  })
  await run(
    host,
    async (r) => {
      await r.until('the first menu', (s) => s.questions === 1 && s.iteration === 1)
      await r.handle.executeUpdate('answer', { args: ['continue'] })
      await r.until(
        'the blocker',
        (s) => s.questions === 1 && s.iteration === 2 && s.waitingFor.includes('BLK-001'),
      )
      await r.handle.executeUpdate('answer', { args: [{ text: 'the key is in .env.example' }] })
      await r.until(
        'the second menu',
        (s) => s.questions === 1 && s.iteration === 2 && s.waitingFor.includes('Continue'),
      )
      expect(host.records.at(-1)?.state).toMatchObject({
        decisions: [{ status: 'made', chosen_option: 'the key is in .env.example' }],
        blockers: [{ status: 'open', resolution: 'a person: the key is in .env.example' }],
      })
      await r.handle.executeUpdate('answer', { args: ['continue'] })
      await r.until(
        'the end to confirm',
        (s) => s.questions === 1 && s.waitingFor.includes('Finish'),
      )
      await r.handle.executeUpdate('answer', { args: ['finish'] })
      return r.result()
    },
    { ...TASK, interactive: true },
  )
  const third = host.turns
    .filter((t) => t.iteration === 3 && t.turn === 'work')
    .map(({ phase, ask }) => [phase, 'brief' in ask ? ask.brief.decisions : []])
  for (const phase of ['ep', 'cd'])
    expect(third).toContainEqual([
      phase,
      [
        'DEC-001: BLK-001, which the agents could not solve: no API key → the key is in .env.example',
      ],
    ])
  expect(host.records.at(-1)?.state).toMatchObject({
    decisions: [{ status: 'implemented' }],
    blockers: [{ status: 'resolved', resolution: 'a person: the key is in .env.example' }],
  })
})
