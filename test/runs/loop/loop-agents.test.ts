// Dev loops, on real parts, with an agent that uses the protocol and the answer form in unusual
// ways.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LoopRecord, WorkerOutput } from '../../../src/contract/dev-loop/loop-record.js'
import type { LoopAction } from '../../../src/contract/dev-loop/loop-input.js'
import { inProcessUser, type InProcessUser } from '../../support/in-process/user.js'
import { makeProject } from '../../support/runs/real-run.js'
import { runGit } from '../../support/repositories/repos.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('tasks in a list, questions and results in JSON, other words for a status, and its own commits are all understood', async () => {
  const agent = path.resolve(import.meta.dirname, '../../support/agents/loop-stranger.mjs')
  const project = makeProject(user, 'strange', [], {
    agents: { strange: { protocol: 'acp', command: process.execPath, args: [agent] } },
    roles: { default: 'strange' },
  })
  const id = 'strange-1'
  const result = await user.finish(await user.loop(project, id))
  expect(result).toMatchObject({
    outcome: 'completed',
    iterations: 5,
    passRate: 100,
    reviewNeeded: false,
    loop_id: id,
  })
  expect(result.suggestion).toMatchObject({ message: 'Calculate right', readyForPr: true })
  expect(runGit(project, 'show', `ratchet/${id}:calc.py`)).toMatch(/a \+ b[^]*a \* b/)

  const place = (file: string) => readFileSync(path.join(project, '.workflow/.loop', file), 'utf8')
  const record = LoopRecord.parse(JSON.parse(place(`${id}.json`)))
  expect(
    record.skill_state.completed_tasks.map((task) => [task.id, task.description, task.priority]),
  ).toEqual([
    ['T1', 'Fix add', 'high'],
    ['T2', 'Fix mul', 'medium'],
  ])
  const output = (action: LoopAction) =>
    WorkerOutput.parse(JSON.parse(place(`${id}.workers/${action}.output.json`)))
  expect(output('develop')).toMatchObject({
    status: 'success',
    reported: 'done',
    files_changed: ['calc.py'],
    iteration: 3,
  })
  expect(output('validate')).toMatchObject({
    status: 'success',
    tests: { total: 3, passed: 3, failed: 0 },
  })
  for (const action of ['init', 'develop', 'validate', 'complete'])
    expect(place(`${id}.progress/${action}.md`)).toContain(`notes of ${action}`)
})
