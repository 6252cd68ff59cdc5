// A dev cycle under the hands of a script, while its four agents run. To its end, and through
// commands and the Web UI: test/runs.
import { afterAll, beforeAll, test } from 'vitest'
import { pausedThenStopped, SCRIPT } from '../support/cycle/cycle-control.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('paused while four agents run, each goes on in its session; stopped, nothing of it runs on, and what they had done is kept', () =>
  pausedThenStopped(user, SCRIPT))
