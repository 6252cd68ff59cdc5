// People control a run by scripts, and by hand-typed JSON in the `temporal` command, as the forms
// of the Web UI send it. Also projects in unusual places.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMarked } from '../../src/adapters/process/find.js'
import { projectKey } from '../../src/adapters/state-dir.js'
import { MARKERS } from '../../src/contract/names.js'
import { sharedServer } from '../support/in-process/namespace.js'
import { inProcessUser, type InProcessUser } from '../support/in-process/user.js'
import { CALCULATOR, makeProject, markers, TWO_FIXES } from '../support/runs/real-run.js'
import { runGit } from '../support/repositories/repos.js'
import { temporalPath } from '../support/servers/temporal.js'
import { waitFor } from '../support/wait.js'
import { inTheTurn, waiting } from '../support/runs/waiting-run.js'

let user: InProcessUser
beforeAll(async () => {
  user = await inProcessUser()
})
afterAll(() => user.close())

test('stop ends the agent, keeps its uncommitted work and says so in the record', async () => {
  const { project, run } = await inTheTurn(user, 'stopped')
  await run.stop('enough')
  const result = await user.finish(run)
  expect(result).toMatchObject({
    outcome: 'stopped',
    status: 'failed',
    reason: 'stopped by request: enough',
  })
  expect(findMarked(MARKERS.run, run.id)).toEqual([])
  const session = JSON.parse(
    readFileSync(path.join(project, '.workflow/WFS-test-stopped/workflow-session.json'), 'utf8'),
  ) as Record<string, unknown>
  expect(session).toMatchObject({
    status: 'failed',
    outcome: 'stopped',
    failure_reason: 'stopped by request: enough',
  })
  const workspace = path.join(
    user.dirs.state,
    'workspaces',
    projectKey(project),
    'WFS-test-stopped',
    'git',
  )
  const snapshots = runGit(workspace, 'for-each-ref', '--format=%(refname)', 'refs/ratchet')
    .trim()
    .split('\n')
  expect(
    snapshots.some((ref) => runGit(workspace, 'show', `${ref}:calc.py`).includes('a + b')),
  ).toBe(true)
})

test('JSON typed by hand starts, pauses, asks, resumes and ends a run, under any id', async () => {
  // Not awaited by a stopped process: the workers that answer it are in this one.
  const temporal = async (...args: string[]) =>
    (
      await promisify(execFile)(
        temporalPath(),
        [...args, '--address', sharedServer(), '--namespace', user.namespace, '-o', 'json'],
        { encoding: 'utf8', env: { ...process.env, HOME: user.root } },
      )
    ).stdout
  const id = 'nightly-2026-11-20T12:02:00Z'
  const go = path.join(user.root, 'typed.go')
  const project = makeProject(user, 'typed', waiting(go))
  await user.hostProject(project)
  await temporal(
    'workflow',
    'start',
    '--type',
    'testFixCycle',
    '--task-queue',
    'ratchet',
    '--workflow-id',
    id,
    '--input',
    JSON.stringify({ project }),
  )
  const run = user.ratchet.attach(id)
  await waitFor(() => markers(user, 'typed').some((m) => m.role === 'test-fix-agent'), {
    what: 'the fix turn',
    timeoutMs: 60_000,
  })
  await temporal('workflow', 'signal', '--workflow-id', id, '--name', 'pause', '--input', '"now"')
  await waitFor(async () => (await run.status()).status === 'paused', {
    what: 'the pause',
    timeoutMs: 30_000,
  })
  expect(await temporal('workflow', 'query', '--workflow-id', id, '--type', 'status')).toContain(
    'paused',
  )
  writeFileSync(go, '')
  await temporal('workflow', 'signal', '--workflow-id', id, '--name', 'resume')
  const result = await user.finish(run)
  expect(result).toMatchObject({
    id,
    outcome: 'success',
    branch: 'ratchet/nightly-2026-11-20T12-02-00Z',
  })
  expect(
    existsSync(path.join(project, '.workflow/nightly-2026-11-20T12-02-00Z/workflow-session.json')),
  ).toBe(true)
})

test('a second run of an open session under another id is refused, as the session has an owner', async () => {
  const { project, run, goOn } = await inTheTurn(user, 'owned')
  const other = await user.ratchet.client.workflow.start('testFixCycle', {
    workflowId: 'other-id',
    taskQueue: 'ratchet',
    args: [{ project, session: 'WFS-test-owned' }],
  })
  await expect(other.result()).rejects.toMatchObject({ cause: { type: 'RecordOwned' } })
  goOn()
  expect(await user.finish(run)).toMatchObject({ outcome: 'success' })
})

test('a subfolder of a repository is a separate project', async () => {
  const files = Object.fromEntries(
    Object.entries(CALCULATOR).map(([name, text]) => [`packages/calc/${name}`, text]),
  )
  const top = makeProject(user, 'mono', TWO_FIXES, {}, { ...files, 'README.md': 'top\n' })
  const project = path.join(top, 'packages/calc')
  for (const file of ['ratchet.config.json', 'ratchet.playbook.yaml'])
    writeFileSync(path.join(project, file), readFileSync(path.join(top, file)))
  const run = await user.fix(project, 'WFS-test-mono')
  const result = await user.finish(run)
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 2,
    recordDir: path.join(project, '.workflow/WFS-test-mono'),
  })
  expect(runGit(top, 'show', `${result.branch}:packages/calc/calc.py`)).toContain('a * b')
})

test('a project with blanks, quotes and other alphabets in its path, named through a link, goes green', async () => {
  const project = makeProject(user, 'sp a ce "ünï" \'q\'', TWO_FIXES)
  const link = path.join(user.root, 'linked')
  symlinkSync(project, link)
  const result = await user.finish(await user.fix(link, 'WFS-test-odd'))
  expect(result).toMatchObject({
    outcome: 'success',
    iterations: 2,
    recordDir: path.join(project, '.workflow/WFS-test-odd'),
  })
})

test('two projects at once share one slot, and both go green', async () => {
  const config = { limits: { agentsPerHost: 1 } }
  const projects = ['one', 'two'].map((name) =>
    makeProject(user, `slot-${name}`, TWO_FIXES, config),
  )
  const runs = await Promise.all(
    projects.map((project, n) => user.fix(project, `WFS-test-slot-${n}`)),
  )
  for (const run of runs)
    expect(await user.finish(run)).toMatchObject({ outcome: 'success', iterations: 2 })
})
