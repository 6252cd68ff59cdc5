// Runs of all three systems whose agents report usage or hit limits.
import { expect } from 'vitest'
import type { Question } from '../../../src/contract/question.js'
import type { RunHandle } from '../../../src/client/index.js'
import { everybody } from '../cycle/cycle-play.js'
import { workers } from '../loop/loop-play.js'
import {
  ANALYSE,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type RealUser,
  type Step,
} from './real-run.js'
import { waitFor } from '../wait.js'

export type Kind = 'fix' | 'cycle' | 'loop'
type Starter = Pick<RealUser, 'root' | 'project' | Kind>

export const FIX: Step[] = [
  ANALYSE,
  { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] },
]
export const STEPS: Record<Kind, Step[]> = {
  fix: FIX,
  cycle: everybody([RIGHT_ADD, RIGHT_MUL]),
  loop: workers([RIGHT_ADD, RIGHT_MUL]),
}
/** Ends of the three kinds. */
export const DONE: Record<Kind, string> = { fix: 'success', cycle: 'completed', loop: 'completed' }
const IDS: Record<Kind, (name: string) => string> = {
  fix: (name) => `WFS-test-${name}`,
  cycle: (name) => `cycle-v1-${name}`,
  loop: (name) => `loop-b-${name}`,
}

export const startOf = (
  user: Starter,
  kind: Kind,
  name: string,
  steps: Step[],
  config: Record<string, unknown>,
): Promise<RunHandle> => user[kind](makeProject(user, name, steps, config), IDS[kind](name))

/** Every turn begins with these actions. */
export const each = (steps: Step[], actions: Step['do']): Step[] =>
  steps.map((step) => ({ ...step, do: [...actions, ...step.do] }))

export const budgetOf = (run: RunHandle, id: string): Promise<Question> =>
  waitFor(async () => (await run.questions()).find((one) => one.id === id), {
    what: `question ${id}`,
    timeoutMs: 60_000,
  })

/** The budget parks a run of this kind and asks; raised, the run succeeds. */
export async function raisesItsBudget(
  user: Starter & Pick<RealUser, 'finish'>,
  kind: Kind,
): Promise<void> {
  const name = `budget-${kind}`
  const run = await startOf(
    user,
    kind,
    name,
    each(STEPS[kind], [{ tokens: { input: 40_000, output: 10_000 } }]),
    { limits: { maxTokens: 50_000 } },
  ) // far more than a prompt is estimated at
  const question = await budgetOf(run, 'budget-1')
  expect(question).toMatchObject({
    kind: 'budget',
    options: ['raise', 'stop'],
    text: expect.stringMatching(/^the budget is spent \([\d,]+ of 50,000 tokens/) as string,
  })
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10000000' })
  const result = await user.finish(run)
  expect(result).toMatchObject({ outcome: DONE[kind], passRate: 100 })
  // Of four at once one may be cut before it has told its tokens: that prompt is estimated by its
  // length, and continues.
  const { inputTokens, outputTokens, turns: taken, estimated } = result.usage
  if (kind !== 'cycle' || !estimated) expect(inputTokens + outputTokens).toBe(50_000 * taken)
  const turns = markers(user, name)
    .filter((m) => m.attempt === 1)
    .map((m) => [m.role, m.iteration, m.turn, m.task].join(' '))
  expect(new Set(turns).size).toBe(turns.length)
}

/** How long to wait for an unavailable provider: short, so that the last try comes soon. */
export const AWAY = (seconds: number): { limits: { unavailable: string } } => ({
  limits: { unavailable: `${seconds}s` },
})

/** The first turn of a run of this kind gets one 503; the run waits and succeeds. */
export async function waitsForItsProvider(
  user: Starter & Pick<RealUser, 'finish'>,
  kind: Kind,
): Promise<void> {
  const name = `away-${kind}`
  const [first, ...rest] = STEPS[kind]
  const error = {
    error: { code: -32603, message: 'Internal error', data: { status: 503 }, times: 1 },
  }
  const run = await startOf(
    user,
    kind,
    name,
    [{ ...first, do: [error, ...(first?.do ?? [])] }, ...rest],
    AWAY(6),
  )
  await waitFor(
    async () =>
      (await run.status()).waitingFor.startsWith(
        'outage: playbook is unavailable, HTTP 503; tried again at',
      ),
    { what: 'the wait', timeoutMs: 60_000 },
  )
  expect(await user.finish(run)).toMatchObject({ outcome: DONE[kind], passRate: 100 })
  expect(markers(user, name).some((m) => m.attempt === 2)).toBe(true)
}
