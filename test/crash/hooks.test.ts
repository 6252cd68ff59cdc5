// The agent worker is dropped, as by kill -9, while a hook runs. The hook runs again only if its
// delivery is uncertain, with the same event id; the run ends as usual.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FaultPoint } from '../../src/adapters/failpoint.js'
import type { HookEvent } from '../../src/contract/hook-event.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import {
  ANALYSE,
  makeProject,
  markers,
  RIGHT_ADD,
  RIGHT_MUL,
  type Step,
} from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

// Only one worker runs when one is dropped.
let user: InProcessUser
beforeEach(async () => {
  user = await inProcessUser()
})
afterEach(() => user.close())

const FIX: Step[] = [ANALYSE, { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] }]

function hooked(name: string, config: Record<string, unknown> = {}) {
  const file = path.join(user.root, `${name}.events`)
  const hook = ['sh', '-c', `cat >> '${file}'`]
  const project = makeProject(user, name, FIX, { hooks: { question: hook, done: hook }, ...config })
  // The last line may be half written.
  const told = (): HookEvent[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as HookEvent)
      : []
  return { project, told }
}

test.each<{ point: FaultPoint; when: string; times: number }>([
  { point: 'hook:begun', when: 'before it is called', times: 1 },
  { point: 'hook:called', when: 'between the call and its note', times: 2 },
  { point: 'hook:told', when: 'between the note and the end of the step', times: 1 },
])(
  'killed $when, the hook for the end of a run runs $times time(s), under one id',
  async ({ point, times }) => {
    const name = point.replace(':', '-')
    const { project, told } = hooked(name)
    user.dieAt(point, project)
    const result = await user.finish(await user.fix(project, `WFS-test-${name}`))
    expect(user.hasDiedAt(point, project)).toBe(true)
    expect(result).toMatchObject({ outcome: 'success', iterations: 1, passRate: 100 })
    expect(told()).toHaveLength(times)
    expect(new Set(told().map(({ eventId }) => eventId)).size).toBe(1)
  },
)

test('killed during the hook of a question, the next worker runs it, and the run continues', async () => {
  const { project, told } = hooked('asked', { limits: { maxTurns: 1 } })
  user.dieAt('hook:begun', project)
  const run = await user.fix(project, 'WFS-test-asked')
  await waitFor(() => user.hasDiedAt('hook:begun', project) && told().length === 1, {
    what: 'the hook, by the next worker',
    timeoutMs: 90_000,
  })
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10' })
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(told().map(({ event }) => event)).toEqual(['budget', 'done'])
  expect(markers(user, 'asked')).toHaveLength(2)
})

test('a question answered while the worker is dead no longer runs its hook', async () => {
  const { project, told } = hooked('answered', { limits: { maxTurns: 1 } })
  user.dieAt('hook:begun', project)
  const run = await user.fix(project, 'WFS-test-answered')
  await waitFor(() => user.hasDiedAt('hook:begun', project), {
    what: 'the death of the worker',
    timeoutMs: 60_000,
  })
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10' })
  expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 1 })
  expect(told().at(-1)?.event).toBe('done')
  expect(told().length).toBeLessThanOrEqual(2) // the next worker may have been faster
})
