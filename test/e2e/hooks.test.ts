// Hooks of real runs: a real command and a real webhook are told of every event, once; what they do wrong
// is a warning; the token of a webhook is in nothing that a run leaves.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectKey } from '../../src/adapters/state-dir.js'
import { HookEvent } from '../../src/contract/hook-event.js'
import type { HookAsked, HookEnded } from '../../src/contract/hook-event.js'
import { recordedServer } from '../../src/local/server.js'
import { everybody } from '../support/cycle-play.js'
import { hookServer } from '../support/hook-server.js'
import type { HookServer } from '../support/hook-server.js'
import { workers } from '../support/loop-play.js'
import { ANALYSE, makeProject, realUser, RIGHT_ADD, RIGHT_MUL, TWO_FIXES } from '../support/real-run.js'
import type { RealUser, Step } from '../support/real-run.js'
import { filesIn } from '../support/repos.js'
import { waitFor } from '../support/wait.js'

const TOKEN = 'hook-token-0123456789'
let user: RealUser
let server: HookServer
beforeAll(async () => {
  server = await hookServer()
  user = await realUser({ HOOK_TOKEN: TOKEN, HOOK_URL: server.url })
})
afterAll(async () => {
  await user.close()
  await server.close()
})

/** Appends the event to a file, with its variables; the file is in nobody's tree. */
const fileOf = (name: string): string => path.join(user.root, `${name}.events`)
const command = (name: string): string[] => ['sh', '-c', `printf '%s %s %s ' "$RATCHET_EVENT" "$RATCHET_RUN" "$PWD" >> '${fileOf(name)}'; cat >> '${fileOf(name)}'`]
const webhook = (of: string) => ({ url: `\${HOOK_URL}/${of}`, headers: { Authorization: 'Bearer ${HOOK_TOKEN}' }, passEnv: ['HOOK_TOKEN', 'HOOK_URL'] })

type Called = { event: string; run: string; cwd: string; document: HookEvent }
function calls(name: string): Called[] {
  if (!existsSync(fileOf(name))) return []
  // The last line may be half written.
  return readFileSync(fileOf(name), 'utf8').split('\n').slice(0, -1).map((line) => {
    const [event = '', run = '', cwd = '', ...rest] = line.split(' ')
    return { event, run, cwd, document: HookEvent.parse(JSON.parse(rest.join(' '))) }
  })
}
const posted = (of: string): HookEvent[] => server.heard.filter((one) => one.path === `/hook/${of}`).map(({ body }) => HookEvent.parse(JSON.parse(body)))

const every = (name: string): Record<string, unknown> => Object.fromEntries(['question', 'budget', 'done', 'failed', 'stuck'].map((event) => [event, command(name)]))
const FIX: Step[] = [ANALYSE, { when: { role: 'test-fix-agent' }, do: [RIGHT_ADD, RIGHT_MUL] }]

test('done: a command is told once, in the project, when the record is there', async () => {
  const project = makeProject(user, 'done', TWO_FIXES, { hooks: { ...every('done'), done: ['sh', '-c', `ls .workflow/WFS-test-done > '${user.root}/done.record'; ${command('done')[2] ?? ''}`] } })
  const run = await user.fix(project, 'WFS-test-done')
  const result = await user.finish(run)
  expect(result.outcome).toBe('success')
  const [{ document, ...called }, ...more] = calls('done') as [Called, ...Called[]]
  expect(more).toEqual([])
  expect(called).toEqual({ event: 'done', run: run.id, cwd: project })
  expect(document).toMatchObject({
    event: 'done', run: { id: run.id, kind: 'test-fix', project, recordDir: result.recordDir, branch: result.branch, iteration: 2, passRate: 100 },
    text: `${run.id}: success after 2 iterations, pass rate 100.0 %`, result: { outcome: 'success', commits: result.commits, failures: [], usage: result.usage },
  })
  expect(readFileSync(path.join(user.root, 'done.record'), 'utf8')).toContain('workflow-session.json')
  expect(filesIn(project, result.branch ?? '')).not.toHaveProperty('.workflow')
})

test('failed and stuck: why, what fails, and which hook', async () => {
  const nothing: Step[] = [ANALYSE, { when: { role: 'test-fix-agent' }, do: [{ say: 'nothing' }] }]
  const failed = await user.finish(await user.fix(makeProject(user, 'failed', nothing, { hooks: every('failed') }), 'WFS-test-failed', { maxIterations: 1 }))
  expect(failed.outcome).toBe('failed')
  expect(calls('failed')).toMatchObject([{ event: 'failed', document: { result: { outcome: 'failed', status: 'failed', reason: failed.reason, failuresTotal: 2, failures: failed.failures } } }])
  const stuck = await user.finish(await user.fix(makeProject(user, 'stuck', nothing, { hooks: every('stuck'), roles: { 'code-developer': 'playbook' } }), 'WFS-test-stuck'))
  expect(stuck.outcome).toBe('blocked')
  expect(calls('stuck')).toMatchObject([{ event: 'stuck', document: { event: 'stuck', result: { outcome: 'blocked', reason: stuck.reason } } }])
})

test('budget, then the end, at a webhook: its token comes from the environment and is in nothing that the run leaves', async () => {
  const project = makeProject(user, 'budget', FIX, { limits: { maxTurns: 1 }, hooks: { budget: webhook('budget'), done: webhook('done') } })
  const run = await user.fix(project, 'WFS-test-budget')
  const [asked] = await waitFor(() => { const events = posted('budget') as HookAsked[]; return events.length > 0 && events }, { what: 'the webhook', timeoutMs: 60_000 })
  expect(asked).toMatchObject({ event: 'budget', question: { id: 'budget-1', options: ['raise', 'stop'] }, answer: { command: `ratchet answer ${run.id} --question budget-1 stop`, update: { questionId: 'budget-1', choice: 'stop' } } })
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10' })
  expect(await user.finish(run)).toMatchObject({ outcome: 'success' })
  expect([posted('budget').length, (posted('done') as HookEnded[]).map(({ result }) => result.outcome)]).toEqual([1, ['success']])
  expect(server.heard.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`])

  const client = new Client({ connection: await Connection.connect({ address: recordedServer(user.dirs)?.address ?? '' }), namespace: 'ratchet' })
  const history = historyToJSON(await client.workflow.getHandle(run.id).fetchHistory())
  expect(history).not.toContain(Buffer.from(TOKEN).toString('base64').slice(2, -4))
  expect(history).not.toContain(TOKEN)
  expect([...filesBelow(user.root)].filter(({ bytes }) => bytes.includes(TOKEN)).map(({ file }) => path.relative(user.root, file))).toEqual([])
})

test('question of a loop: the update of the event answers it, as a script would', async () => {
  const run = await user.loop(makeProject(user, 'menu', workers([RIGHT_ADD, RIGHT_MUL]), { hooks: every('menu') }), 'loop-b-menu', { task: 'Make the calculator right' })
  const choices = ['develop', 'validate', 'exit']
  for (const [n, choice] of choices.entries()) {
    const event = await waitFor(() => calls('menu').at(n), { what: 'the hook', timeoutMs: 60_000 })
    const { update } = (event.document as HookAsked).answer
    await run.answer({ ...update, choice })
  }
  expect(await user.finish(run)).toMatchObject({ outcome: 'user_exit' })
  expect(calls('menu').map(({ event }) => event)).toEqual(['question', 'question', 'question', 'done'])
  expect(new Set(calls('menu').map(({ document }) => document.eventId)).size).toBe(4)
})

test('a dev cycle is told of its end', async () => {
  const run = await user.cycle(makeProject(user, 'cycle', everybody([RIGHT_ADD, RIGHT_MUL]), { hooks: every('cycle') }), 'cycle-v1-hooked')
  expect(await user.finish(run)).toMatchObject({ outcome: 'completed' })
  expect(calls('cycle')).toMatchObject([{ event: 'done', run: run.id, document: { run: { kind: 'dev-cycle' }, result: { outcome: 'completed', passRate: 100 } } }])
})

test('hooks that fail or hang cost the run nothing but a warning, in its state, its record and the log of its worker', async () => {
  const project = makeProject(user, 'broken', FIX, { limits: { maxTurns: 1 }, hooks: { budget: ['sh', '-c', 'echo no display >&2; exit 3'], done: { command: ['sleep', '1000'], timeout: '1s' } } })
  const run = await user.fix(project, 'WFS-test-broken')
  const first = 'the hook "budget" was not told of "budget": ended with code 3: no display'
  await waitFor(async () => JSON.stringify(await run.state()).includes('ended with code 3: no display'), { what: 'the warning', timeoutMs: 60_000 })
  await run.answer({ questionId: 'budget-1', choice: 'raise', text: '10' })
  const result = await user.finish(run)
  expect(result).toMatchObject({ outcome: 'success' })
  const second = 'the hook "done" was not told of "done": was ended after 1 s'
  const record = [...filesBelow(result.recordDir ?? '')].map(({ bytes }) => bytes.toString('utf8')).join('\n')
  expect(record).toContain('ended with code 3: no display')
  expect(record).toContain('was ended after 1 s')
  expect(user.log(`project-${projectKey(project)}`)).toContain(`${run.id}: ${first}`)
  expect(user.log(`project-${projectKey(project)}`)).toContain(`${run.id}: ${second}`)
})

test('a run that is stopped is told as failed', async () => {
  const run = await user.loop(makeProject(user, 'stopped', workers([RIGHT_ADD]), { hooks: { failed: command('stopped') } }), 'loop-b-stopped', { task: 'Make the calculator right' })
  await waitFor(async () => (await run.questions()).length === 1, { what: 'the menu', timeoutMs: 60_000 })
  await run.stop('enough')
  expect(await user.finish(run)).toMatchObject({ outcome: 'stopped' })
  expect(calls('stopped')).toMatchObject([{ event: 'failed', document: { result: { outcome: 'stopped', reason: 'stopped by request: enough' } } }])
})

function* filesBelow(dir: string): Generator<{ file: string; bytes: Buffer }> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const file = path.join(dir, entry.name)
    if (entry.isDirectory()) yield* filesBelow(file)
    else if (entry.isFile()) yield { file, bytes: readFileSync(file) }
  }
}
