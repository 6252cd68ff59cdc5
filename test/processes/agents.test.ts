// What agents write is more than it should be, or nothing that can be read: the worker, a process
// of its own, lives on.
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

test('an agent that floods 50 MB and one that answers rubbish do not take the worker with them', async () => {
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
