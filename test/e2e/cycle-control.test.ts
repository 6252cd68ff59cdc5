// A script controls a dev cycle while its four agents run. test/runs has whole cycles, and control
// by commands and the Web UI.
import { afterAll, beforeAll, test } from 'vitest'
import { pausedThenStopped, SCRIPT } from '../support/cycle/cycle-control.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('paused while four agents run, each continues in its session; stopped, all processes end and the work is kept', () =>
  pausedThenStopped(user, SCRIPT))
