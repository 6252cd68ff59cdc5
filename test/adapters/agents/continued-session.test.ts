// A new task in the session of an earlier turn: what its prompt may leave out depends on whether
// the session is still what the run thinks it is.
import { rmSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { earlierSession, hasBegun } from '../../../src/adapters/agents/turn/continued-session.js'
import type { Claim } from '../../../src/adapters/agents/turn/turn-store.js'
import { sessionUse } from '../../../src/core/agents/session-use.js'
import { Bench, SHORT } from '../../support/agents/bench.js'
import { commandThat } from '../../support/agents/exec-commands.js'
import { driverProgram } from '../../support/agents/driver-program.js'

const program = driverProgram()
let bench: Bench
beforeEach(() => {
  bench = new Bench(program())
})
afterEach(() => bench.end())

const STEPS = [
  { when: { role: 'cli-planning-agent' }, do: [{ say: 'analysed' }] },
  { when: { role: 'loop-debug' }, do: [{ say: 'begun' }, { wait: 'forever' }] },
  { do: [{ say: 'fixed' }] },
]

const analysis = () => {
  const spec = bench.spec({ key: `${bench.run}/1/analysis`, followUp: true })
  return { ...spec, header: { ...spec.header, role: 'cli-planning-agent' as const } }
}
const fix = (sessionId: string | undefined, key = 'fix') =>
  bench.spec({
    key: `${bench.run}/1/${key}`,
    prompt: 'The whole task.',
    continued: { prompt: 'Only what is new.', turns: 1 },
    ...(sessionId !== undefined && { sessionId }),
  })
const promptOf = (key: string): string[] =>
  bench
    .transcript(`${bench.run}/1/${key}`)
    .flatMap(({ prompt }) => (prompt === undefined ? [] : [(prompt as { prompt: string }).prompt]))

async function analysed(driver = bench.driver()) {
  const agent = bench.playbook(STEPS)
  const config = bench.config(agent)
  const first = await bench.call(driver, config, analysis()).result
  expect(first).toMatchObject({ outcome: 'completed', session: { turns: 1 } })
  return { driver, agent, config, first }
}

test('goes to the kept process, with the short prompt and in its session', async () => {
  const { driver, config, first } = await analysed()
  const second = await bench.call(driver, config, fix(first.sessionId)).result
  expect(second).toMatchObject({
    outcome: 'completed',
    sessionId: first.sessionId,
    session: { turns: 2 },
    crashes: 0,
  })
  expect(promptOf('fix')).toEqual([expect.stringContaining('Only what is new.')])
  expect(promptOf('fix')[0]).not.toContain('The whole task.')
  const [a, b] = bench.starts()
  expect(a?.pid).toBe(b?.pid)
})

test('a process that was kept with another configuration is not used', async () => {
  const { driver, agent, first } = await analysed()
  const changed = bench.config({ ...agent, env: { ...agent.env, MODEL: 'other' } })
  const second = await bench.call(driver, changed, fix(first.sessionId)).result
  expect(second).toMatchObject({ outcome: 'completed', sessionId: first.sessionId })
  const [a, b] = bench.starts()
  expect(a?.pid).not.toBe(b?.pid)
})

test('is resumed by another worker, which ends the process that was kept', async () => {
  const { config, first, driver } = await analysed()
  await driver.shutdown()
  const second = await bench.call(bench.driver(), config, fix(first.sessionId)).result
  expect(second).toMatchObject({ outcome: 'completed', sessionId: first.sessionId })
  expect(promptOf('fix')[0]).toContain('Only what is new.')
})

test('the claim names the session before the agent is asked', async () => {
  const { driver, config, first } = await analysed()
  let claimed: string | undefined
  await bench.call(driver, config, fix(first.sessionId), {
    beforeStart: () => {
      claimed = bench.claim(`${bench.run}/1/fix`)?.sessionId
      return Promise.resolve()
    },
  }).result
  expect(claimed).toBe(first.sessionId)
})

test('a session that is lost is replaced by one with the whole prompt', async () => {
  const { driver, config, first } = await analysed()
  await driver.shutdown()
  const sessions = path.join(bench.root, 'sessions')
  for (const name of readdirSync(sessions)) rmSync(path.join(sessions, name))
  const second = await bench.call(bench.driver(), config, fix(first.sessionId)).result
  expect(second).toMatchObject({ outcome: 'completed', session: { turns: 1 } })
  expect(second.sessionId).not.toBe(first.sessionId)
  expect(promptOf('fix')[0]).toMatch(/\}\n\nThe whole task\.$/)
})

test('a session that other turns have used since, as after a reset, is not continued', async () => {
  const { driver, config, first } = await analysed()
  await bench.call(driver, config, fix(first.sessionId)).result
  const again = await bench.call(driver, config, fix(first.sessionId, 'fix-of-the-reset')).result
  expect(again).toMatchObject({ outcome: 'completed', session: { turns: 1, movedOn: true } })
  expect(again.sessionId).not.toBe(first.sessionId)
  expect(promptOf('fix-of-the-reset')[0]).toContain('The whole task.')
})

test('a killed worker: the next one resumes the turn in the session with the short prompt', async () => {
  const { driver, agent, config, first } = await analysed()
  await driver.shutdown()
  const spec = fix(first.sessionId)
  const hanging = { ...spec, header: { ...spec.header, role: 'loop-debug' as const } }
  const other = bench.process({ agents: { a: agent } }, hanging)
  await bench.busy(spec.key)
  other.child.kill('SIGKILL')
  await other.result
  const second = await bench.call(bench.driver(), config, spec).result
  expect(second).toMatchObject({
    outcome: 'completed',
    sessionId: first.sessionId,
    attempts: 2,
    crashes: 1,
    session: { turns: 2 },
  })
  expect(promptOf('fix')[1]).toContain('## RESUMED')
  expect(promptOf('fix')[1]).toContain('Only what is new.')
})

test('a session that gets another id with each turn is one session, in any worker', async () => {
  const forks = { resumeArgs: ['--resume', '{session}', '--fork'] }
  const config = bench.config(commandThat('answers', bench, 'stream-json', forks))
  const first = await bench.call(bench.driver(), config, analysis()).result
  const second = await bench.call(bench.driver(), config, fix(first.sessionId)).result
  expect(second).toMatchObject({
    tail: expect.stringContaining('second prompt of this session') as string,
    session: { turns: 2, continues: first.sessionId },
  })
  expect(second.sessionId).not.toBe(first.sessionId)
  const third = fix(second.sessionId, 'next')
  const spec = { ...third, continued: { prompt: 'Only what is new.', turns: 2 } }
  const { session } = await bench.call(bench.driver(), config, spec).result
  expect(session).toMatchObject({ turns: 3, continues: second.sessionId })
  expect(session?.bytes).toBeGreaterThan(second.session?.bytes ?? Infinity)
  expect(sessionUse({ ...NEXT, agent: 'a' }, { ...LAST, facts: second.session })).toBe('turns')
})

const NEXT = { role: 'test-fix-agent', configHash: 'c', strategy: 'conservative' } as const
const LAST = {
  id: 's',
  agent: 'a',
  configHash: 'c',
  knows: { head: 'h', changed: [], roles: [] },
}

const served = async (manner: string, { isKept = true, mode = {}, startMs = 5_000 } = {}) => {
  const timing = { ...SHORT, startMs }
  const config = bench.config({ ...bench.foreign('one-prompt.mjs', manner), ...mode })
  const driver = bench.driver({ timing })
  const first = await bench.call(driver, config, analysis()).result
  expect(first).toMatchObject({ outcome: 'completed' })
  if (isKept) return { driver, config, first }
  await driver.shutdown()
  return { driver: bench.driver({ timing }), config, first }
}
const inVain = (key = 'fix') =>
  bench.transcript(`${bench.run}/1/${key}`).filter((line) => 'lost' in line)

test.each([
  { why: 'answers a second prompt with an error', manner: 'refuses', prompts: 2 },
  { why: 'dies of a second prompt', manner: 'dies', prompts: 2 },
  { why: 'is silent after a second prompt', manner: 'hangs', prompts: 2, idleMs: 300 },
  { why: 'dies as it loads a session', manner: 'load-dies', prompts: 1, isKept: false },
  { why: 'hangs as it loads a session', manner: 'load-hangs', prompts: 1, isKept: false },
  {
    why: 'answers a prompt in a loaded session with an error',
    manner: 'refuses',
    prompts: 2,
    isKept: false,
  },
  {
    why: 'refuses the mode of a loaded session',
    manner: 'load-refuses-mode',
    prompts: 1,
    isKept: false,
    mode: { mode: 'plan' },
  },
])(
  'an agent that $why gets the whole prompt in a new session',
  async ({ manner, prompts, idleMs = 60_000, isKept = true, mode = {} }) => {
    const startMs = manner === 'load-hangs' ? 1_500 : 5_000
    const { driver, config, first } = await served(manner, { isKept, mode, startMs })
    const spec = { ...fix(first.sessionId), idleMs }
    const second = await bench.call(driver, config, spec).result
    expect(second).toMatchObject({
      outcome: 'completed',
      attempts: prompts,
      crashes: 0,
      session: { turns: 1, needsNew: true },
    })
    expect(second.sessionId).not.toBe(first.sessionId)
    const sent = promptOf('fix')
    expect(sent).toHaveLength(prompts)
    expect(sent.at(-1)).toMatch(/\}\n\nThe whole task\.$/)
    expect(sent.filter((one) => one.includes('The whole task.'))).toHaveLength(1)
    expect(inVain()).toHaveLength(1)
  },
)

test.each([
  { why: 'before its first prompt', claim: {}, earlier: 's1', begun: false },
  { why: 'after a prompt', claim: { attempts: 1, sessionId: 's1' }, earlier: 's1', begun: true },
  { why: 'after a prompt in vain', claim: { attempts: 1, inVain: 1 }, begun: false },
  { why: 'after a load in vain', claim: { inVain: 0 }, begun: false },
  {
    why: 'after a prompt in the new session',
    claim: { attempts: 2, inVain: 1, sessionId: 's2' },
    earlier: 's2',
    begun: true,
  },
])('another worker, $why, opens the session $earlier', ({ claim, earlier, begun }) => {
  const { attempts = 0, ...rest } = claim as { attempts?: number }
  const taken = { ...rest, attempts: Array.from({ length: attempts }) } as unknown as Claim
  expect(earlierSession(fix('s1'), taken)).toBe(earlier)
  expect(hasBegun(taken)).toBe(begun)
})

test.each([
  { why: 'has spoken', manner: 'speaks-and-refuses' },
  { why: 'has used a tool', manner: 'works-and-refuses' },
  { why: 'needs a login', manner: 'wants-login' },
])('an agent that $why gets no second session for its turn', async ({ manner }) => {
  const { driver, config, first } = await served(manner)
  const second = await bench.call(driver, config, fix(first.sessionId)).result
  expect(second).toMatchObject({ outcome: 'failed', attempts: 1 })
  expect(second.session?.needsNew).toBeUndefined()
  expect(promptOf('fix')).toHaveLength(1)
  expect(inVain()).toHaveLength(0)
})
