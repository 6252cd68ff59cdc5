// A question that no one answers, from the command line, with a scripted agent.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { Detached, Finished } from '../support/documents.js'
import { ANALYSE, repository, RIGHT_ADD, RIGHT_MUL } from '../support/runs/real-run.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

const FIX = [ANALYSE, { do: [RIGHT_ADD, RIGHT_MUL] }]
const spent = (name: string, after: string) =>
  repository(user, name, FIX, {
    limits: { maxTurns: 1, question: { default: { after, then: 'recommended' } } },
  })

test('status, answer and watch show the time that is left', async () => {
  const project = spent('shown', '24h')
  const { document } = await user.json(project, 'fix', '--detach')
  const { id } = Detached.parse(document)
  const status = await waitFor(
    async () => {
      const { stdout } = await user.run(project, 'status', id)
      return stdout.includes('question') ? stdout : undefined
    },
    { what: 'the question', timeoutMs: 60_000 },
  )
  expect(status).toMatch(/^ +without an answer in 23h 59m: stop$/m)
  expect(status).toMatch(/person: the budget is spent .* Without an answer by .*: stop/s)
  const asked = await user.json<{ questions: { deadline: number; onDeadline: string }[] }>(
    project,
    'answer',
    id,
  )
  expect(asked.document.questions).toMatchObject([
    { onDeadline: 'stop', deadline: expect.any(Number) as number },
  ])
  await user.run(project, 'stop', id)
})

test('after the deadline the run continues by itself, here to its end', async () => {
  const project = spent('silent', '3s')
  const { document, exitCode } = await user.json(project, 'fix')
  expect(exitCode).toBe(1)
  expect(Finished.parse(document)).toMatchObject({
    outcome: 'stopped',
    reason: 'stopped by request: the budget is spent (1 of 1 turns)',
  })
})
