// People control a dev cycle while its four agents run: by commands, and by hand-typed JSON in the
// `temporal` command, as the forms of the Web UI send it.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  cancelledOnce,
  pausedTwice,
  SCRIPT,
  stoppedOnce,
  undisturbedCycle,
  type HandOf,
  type Undisturbed,
} from '../../support/cycle/cycle-control.js'
import { sharedServer } from '../../support/in-process/namespace.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { temporalPath } from '../../support/servers/temporal.js'

let user: InProcessUser
let undisturbed: Undisturbed
beforeAll(async () => {
  user = await inProcessUser()
  undisturbed = await undisturbedCycle(user)
})
afterAll(() => user.close())

const ratchet = async (project: string, ...argv: string[]): Promise<void> => {
  const { exitCode, stderr } = await user.run(project, ...argv)
  expect(exitCode, stderr).toBe(0)
}
const temporal = (...argv: string[]) =>
  promisify(execFile)(
    temporalPath(),
    ['workflow', ...argv, '--address', sharedServer(), '--namespace', user.namespace, '-o', 'json'],
    { env: { ...process.env, HOME: user.root } },
  )
const typed = (id: string, name: string, ...input: string[]) =>
  temporal(
    'signal',
    '--workflow-id',
    id,
    '--name',
    name,
    ...input.flatMap((one) => ['--input', one]),
  )

const HANDS: (HandOf & { through: string })[] = [
  { through: 'a script', ...SCRIPT },
  {
    through: 'the CLI',
    name: 'cli',
    hand: ({ project, id }) => ({
      pause: (mode) =>
        ratchet(project, 'pause', id, ...(mode === 'now' ? ['--now'] : []), '--reason', 'night'),
      resume: () => ratchet(project, 'resume', id, '--detach'),
      stop: () => ratchet(project, 'stop', id, '--reason', 'enough'),
    }),
  },
  {
    through: 'a form of the Web UI',
    name: 'form',
    hand: (_, { id }) => ({
      pause: (mode) => typed(id, 'pause', JSON.stringify({ mode, reason: 'night' })),
      resume: () => typed(id, 'resume'),
      stop: () => typed(id, 'stop', '"enough"'),
    }),
  },
]

describe.concurrent('while four agents run', () => {
  test.each(HANDS)(
    'paused now and after the turn through $through, the cycle ends as usual',
    (hand) => pausedTwice(user, hand, undisturbed),
  )

  test.each(HANDS)(
    'stopped through $through: no process is left, and the work of the agents is kept',
    (hand) => stoppedOnce(user, hand),
  )

  test('cancelled in the Web UI it ends like a stopped one', () =>
    cancelledOnce(user, (id) => temporal('cancel', '--workflow-id', id)))
})
