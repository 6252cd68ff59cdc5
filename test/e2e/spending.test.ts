// Budgets and rate limits of all three systems, end to end: the scripted agent reports tokens and runs into
// limits, the run parks or waits, and goes on in the same session.
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Question } from '../../src/contract/question.js'
import type { RunHandle } from '../../src/client/index.js'
import { everybody } from '../support/cycle-play.js'
import { workers } from '../support/loop-play.js'
import { ANALYSE, makeProject, markers, realUser, RIGHT_ADD, RIGHT_MUL } from '../support/real-run.js'
import type { RealUser, Step } from '../support/real-run.js'
import { waitFor } from '../support/wait.js'

let user: RealUser
beforeAll(async () => { user = await realUser() })
afterAll(() => user.close())

type Kind = 'fix' | 'cycle' | 'loop'
const FIX: Step[] = [ANALYSE, { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] }]
const STEPS: Record<Kind, Step[]> = { fix: FIX, cycle: everybody([RIGHT_ADD, RIGHT_MUL]), loop: workers([RIGHT_ADD, RIGHT_MUL]) }
/** Ends of the three kinds. */
const DONE: Record<Kind, string> = { fix: 'success', cycle: 'completed', loop: 'completed' }
const IDS: Record<Kind, (name: string) => string> = { fix: (name) => `WFS-test-${name}`, cycle: (name) => `cycle-v1-${name}`, loop: (name) => `loop-b-${name}` }

const start = (kind: Kind, name: string, steps: Step[], config: Record<string, unknown>): Promise<RunHandle> => user[kind](makeProject(user, name, steps, config), IDS[kind](name))
/** Every turn begins with these actions. */
const each = (steps: Step[], actions: Step['do']): Step[] => steps.map((step) => ({ ...step, do: [...actions, ...step.do] }))
const budgetOf = async (run: RunHandle, id: string): Promise<Question> =>
  waitFor(async () => (await run.questions()).find((one) => one.id === id), { what: `question ${id}`, timeoutMs: 60_000 })

describe.each(['fix', 'cycle', 'loop'] as const)('%s', (kind) => {
  test('a budget of tokens parks the run and asks; raised, it goes on and buys nothing twice', async () => {
    const name = `budget-${kind}`
    const run = await start(kind, name, each(STEPS[kind], [{ tokens: { input: 40_000, output: 10_000 } }]), { limits: { maxTokens: 50_000 } }) // far more than a prompt is estimated at
    const question = await budgetOf(run, 'budget-1')
    expect(question).toMatchObject({ kind: 'budget', options: ['raise', 'stop'], text: expect.stringMatching(/^the budget is spent \([\d,]+ of 50,000 tokens/) as string })
    await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10000000' })
    const result = await user.finish(run)
    expect(result).toMatchObject({ outcome: DONE[kind], passRate: 100 })
    // Of four at once one may be cut before it has told its tokens: that prompt is estimated by its length, and goes on.
    const { inputTokens, outputTokens, turns: taken, estimated } = result.usage
    if (kind !== 'cycle' || !estimated) expect(inputTokens + outputTokens).toBe(50_000 * taken)
    const turns = markers(user, name).filter((m) => m.attempt === 1).map((m) => [m.role, m.iteration, m.turn, m.task].join(' '))
    expect(new Set(turns).size).toBe(turns.length)
  })

  test('a rate limit is waited for: the session goes on, no iteration is spent', async () => {
    const name = `limit-${kind}`
    const steps = STEPS[kind]
    const run = await start(kind, name, [{ ...steps[0], do: [{ limit: { 'resets-in': 4, times: 1 } }, ...(steps[0]?.do ?? [])] }, ...steps.slice(1)], {})
    await waitFor(async () => (await run.status()).waitingFor.startsWith('rate limit: playbook'), { what: 'the wait', timeoutMs: 60_000 })
    const result = await user.finish(run)
    expect(result).toMatchObject({ outcome: DONE[kind], passRate: 100 })
    expect(markers(user, name).some((m) => m.attempt === 2)).toBe(true)
  })
})

test('killed while it waits for a reset time, a run waits on and asks nobody twice', async () => {
  const name = 'limit-killed'
  const run = await start('fix', name, [{ ...ANALYSE, do: [{ limit: { 'resets-in': 3, times: 1 } }, ...ANALYSE.do] }, ...FIX.slice(1)], {})
  await waitFor(async () => (await run.status()).waitingFor.startsWith('rate limit:'), { what: 'the wait', timeoutMs: 60_000 })
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  process.kill(await user.pidOf('project'), 'SIGKILL')
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(markers(user, name).map((m) => `${m.role} ${m.attempt}`)).toEqual(['cli-planning-agent 1', 'cli-planning-agent 2', 'test-fix-agent 1'])
})

test('killed while it asks for a budget, a run asks on', async () => {
  const run = await start('fix', 'budget-killed', FIX, { limits: { maxTurns: 1 } })
  await budgetOf(run, 'budget-1')
  process.kill(await user.pidOf('workflows'), 'SIGKILL')
  await waitFor(async () => (await run.questions()).length === 1, { what: 'the question', timeoutMs: 60_000 })
  await run.answer({ choice: 'stop' })
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped', reason: 'stopped by request: the budget is spent (1 of 1 turns)', usage: { turns: 1 } })
})

test('every agent of one definition waits: what begins meanwhile in another project starts nobody', async () => {
  // One agent, by its file, which both projects name; its markers are those of the first.
  const config = { agents: { limited: { protocol: 'playbook', file: path.join(user.root, 'projects', 'shared-1', 'ratchet.playbook.yaml') } }, roles: { default: 'limited' } }
  const steps = [{ ...ANALYSE, do: [{ limit: { 'resets-in': 3_600 } }, ...ANALYSE.do] }, ...FIX.slice(1)]
  const first = await start('fix', 'shared-1', steps, config)
  await waitFor(async () => (await first.status()).waitingFor.startsWith('rate limit: limited'), { what: 'the wait', timeoutMs: 60_000 })
  const second = await start('fix', 'shared-2', steps, config)
  await waitFor(async () => (await second.status()).waitingFor.startsWith('rate limit: limited'), { what: 'the wait of the other', timeoutMs: 60_000 })
  expect(markers(user, 'shared-1')).toHaveLength(1)
  await Promise.all([first.stop('enough'), second.stop('enough')])
  expect([await user.finish(first), await user.finish(second)]).toMatchObject([{ outcome: 'stopped' }, { outcome: 'stopped' }])
})
