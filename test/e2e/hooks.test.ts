// Hooks of a run: a real command is told of every event, once. Other events, and hooks that fail, are in
// test/runs/hooks.test.ts; a webhook and its token are in test/processes/webhook.test.ts.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { HookAsked } from '../../src/contract/hook-event.js'
import { inProcessUser } from '../support/in-process/user.js'
import type { InProcessUser } from '../support/in-process/user.js'
import { makeProject } from '../support/real-run.js'
import { filesIn } from '../support/repos.js'
import { FIX, toldHooks } from '../support/told-hooks.js'
import type { Called } from '../support/told-hooks.js'
import { waitFor } from '../support/wait.js'

let user: InProcessUser
let hooks: ReturnType<typeof toldHooks>
beforeAll(async () => {
  user = await inProcessUser()
  hooks = toldHooks(user.root)
})
afterAll(() => user.close())

test('budget, then done: a command is told once of each, in the project, of the end when the record is there', async () => {
  const project = makeProject(user, 'done', FIX, { limits: { maxTurns: 1 }, hooks: { ...hooks.every('done'), done: ['sh', '-c', `ls .workflow/WFS-test-done > '${user.root}/done.record'; ${hooks.command('done')[2] ?? ''}`] } })
  const run = await user.fix(project, 'WFS-test-done')
  const [{ document: asked }] = await waitFor(() => { const told = hooks.calls('done'); return told.length > 0 && told }, { what: 'the question', timeoutMs: 60_000 }) as [Called]
  expect(asked).toMatchObject({ event: 'budget', question: { id: 'budget-1', options: ['raise', 'stop'] }, answer: { command: `ratchet answer ${run.id} --question budget-1 stop`, update: { questionId: 'budget-1', choice: 'stop' } } })
  await run.answer({ ...(asked as HookAsked).answer.update, choice: 'raise', text: '10' })
  const result = await user.finish(run)
  expect(result.outcome).toBe('success')
  const [, { document, ...called }, ...more] = hooks.calls('done') as [Called, Called, ...Called[]]
  expect(more).toEqual([])
  expect(called).toEqual({ event: 'done', run: run.id, cwd: project })
  expect(document).toMatchObject({
    event: 'done', run: { id: run.id, kind: 'test-fix', project, recordDir: result.recordDir, branch: result.branch, iteration: 1, passRate: 100 },
    text: `${run.id}: success after 1 iteration, pass rate 100.0 %`, result: { outcome: 'success', commits: result.commits, failures: [], usage: result.usage },
  })
  expect(readFileSync(path.join(user.root, 'done.record'), 'utf8')).toContain('workflow-session.json')
  expect(filesIn(project, result.branch ?? '')).not.toHaveProperty('.workflow')
})
