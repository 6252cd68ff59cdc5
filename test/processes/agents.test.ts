// Agents with far too much or unreadable output: the worker, a separate process, survives.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  RIGHT_ADD,
  RIGHT_MUL,
  realUser,
  TWO_FIXES,
  type RealUser,
} from '../support/runs/real-run.js'
import { fixer, foreign, whole } from '../support/runs/whole-run.js'

let user: RealUser
beforeAll(async () => {
  user = await realUser()
})
afterAll(() => user.close())

test('the worker survives an agent that floods 50 MB and one that answers rubbish', async () => {
  const flood = await whole(user, 'flooding', fixer(RIGHT_ADD, RIGHT_MUL, { flood: 50 }))
  expect(flood.result).toMatchObject({ outcome: 'success' })
  const rubbish = await whole(user, 'rubbish', TWO_FIXES, {
    agents: { odd: foreign('chatter') },
    roles: { default: 'odd' },
  })
  expect(rubbish.result).toMatchObject({
    outcome: 'failed',
    passRate: 33.3,
    history: [{ result: 'baseline' }, { result: 'no_change' }],
  })
})
