// A client of the server's port can put a task into the queue of a host without one of our
// workflows. What an input names is compared with what the host knows of the run.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { hostInputs, inputProblem } from '../../src/activities/host/validate-input.js'
import { createClaim } from '../../src/adapters/agents/turn/turn-store.js'
import { layout, projectKey, type Dirs } from '../../src/adapters/state-dir.js'
import type { Workspace } from '../../src/contract/workspace.js'
import { activityOf, ownRecord, ownWorkspace } from '../support/hosts/activity-run.js'
import { AT, makeRepo, tempDir, tempDirs, writeFiles } from '../support/repositories/repos.js'
import { sessionHost } from './session-host.js'

const SHA = 'a'.repeat(40)
const HASH = 'c'.repeat(64)
const RUN = 'WFS-test-a.0a1b2c'
const KEY = `${RUN}/r/iteration-1/analysis`
let dirs: Dirs
let project: string
let own: string
let record: string
let clone: Workspace
let inPlace: Workspace

beforeEach(async () => {
  dirs = tempDirs()
  project = makeRepo()
  const workspaces = layout.workspace(dirs, projectKey(project), '.')
  own = path.join(workspaces, 'WFS-test-a')
  record = path.join(project, '.workflow/WFS-test-a')
  const branch = 'ratchet/WFS-test-a'
  const root = path.join(own, 'tree')
  clone = { project, root, cwd: root, branch, base: SHA, isolation: 'clone' }
  inPlace = {
    ...clone,
    root: project,
    cwd: project,
    keep: path.join(workspaces, 'WFS-test-b'),
    isolation: 'in-place',
  }
  mkdirSync(root, { recursive: true })
  await ownWorkspace({ dirs, workspace: clone }, RUN)
  await ownWorkspace({ dirs, workspace: inPlace }, RUN)
  ownRecord({ dirs, project }, RUN, 'cycle-1')
  ownRecord({ dirs, project }, 'another-run', 'WFS-test-other')
  createClaim(dirs, { key: KEY, run: RUN, cwd: root, agent: 'a' })
  createClaim(dirs, { key: 'another/r/x', run: 'another', cwd: root, agent: 'a' })
})

const problem = (activity: string, input: unknown): string | undefined => {
  const schema = hostInputs({ dirs, project, projectKey: projectKey(project), run: () => RUN })
  return inputProblem(schema[activity] as never, input)
}
const ref = (file: string) => ({ path: file, sha256: 'x', bytes: 1 })
const tests = (more: object = {}) => ({
  run: RUN,
  step: 'r/final-1',
  workspace: clone,
  commit: SHA,
  timeoutMs: 1,
  configHash: HASH,
  ...more,
})
const inWorkspace = (more: object) => tests({ workspace: { ...clone, ...more } })
const prepared = (more: object = {}) => ({
  run: RUN,
  chain: 'first',
  project,
  session: 'WFS-test-a',
  at: AT,
  open: { generateTests: false },
  ...more,
})
const propose = (more: object = {}) => ({
  run: RUN,
  workspace: clone,
  recordDir: record,
  configHash: HASH,
  head: SHA,
  iteration: 1,
  agent: 'a',
  answer: ref(path.join(layout.turn(dirs, KEY), 'answer.md')),
  known: [],
  ...more,
})
const settle = (more: object = {}) => ({
  key: KEY,
  workspace: clone,
  agent: 'a',
  configHash: HASH,
  reason: 'lost',
  ...more,
})
const reload = (more: object = {}) => ({
  workspace: clone,
  name: 'cycle-1',
  iteration: 1,
  phases: [],
  seen: 0,
  timezone: '+08:00',
  ...more,
})
const linked = (): string => {
  const link = path.join(tempDir(), 'link')
  symlinkSync(project, link)
  return link
}

test.each<{ why: string; activity: string; input: () => unknown }>(
  // prettier-ignore
  [
  { why: 'its own project', activity: 'prepareRun', input: () => prepared() },
  { why: 'its own project by a link', activity: 'prepareRun', input: () => prepared({ project: linked() }) },
  { why: 'its clone', activity: 'runTests', input: () => tests() },
  { why: 'its clone that is gone, of which a later step says so', activity: 'runTests', input: () => tests({ workspace: { ...clone, root: path.join(own, 'gone/tree'), cwd: path.join(own, 'gone/tree') } }) },
  { why: 'its own tree, in place', activity: 'runTests', input: () => tests({ workspace: inPlace }) },
  { why: 'results in its workspace', activity: 'runTests', input: () => tests({ baseline: ref(path.join(own, 'tests/1/results.json')) }) },
  { why: 'the answer of its turn, and its record', activity: 'proposeTestChanges', input: () => propose() },
  { why: 'a record in the other place, by a link to the project', activity: 'proposeTestChanges', input: () => propose({ recordDir: path.join(linked(), '.workflow/active/WFS-test-a') }) },
  { why: 'its turn', activity: 'settleTurn', input: () => settle() },
  { why: 'its cycle', activity: 'reloadCycle', input: () => reload() },
],
)('$why is accepted', ({ activity, input }) => {
  expect(problem(activity, input())).toBeUndefined()
})

test.each<{ why: string; activity?: string; input: () => unknown; says: RegExp }>(
  // prettier-ignore
  [
  { why: 'another run', input: () => tests({ run: 'another-run' }), says: /^run: another-run is another run$/ },
  { why: 'a project that is another', activity: 'prepareRun', input: () => prepared({ project: makeRepo() }), says: /^project: .* is not the project of this worker$/ },
  { why: 'a project that is no path', activity: 'prepareRun', input: () => prepared({ project: 7 }), says: /^project: / },
  { why: 'a session that climbs out', activity: 'prepareRun', input: () => prepared({ session: '../../x' }), says: /^session: must look like/ },
  { why: 'a workspace of another project', input: () => inWorkspace({ project: makeRepo() }), says: /^workspace\.project: / },
  { why: 'a clone that lies elsewhere', input: () => inWorkspace({ root: '/tmp/x', cwd: '/tmp/x' }), says: /^workspace: root: \/tmp\/x is no workspace of this project$/ },
  { why: 'a clone that climbs out', input: () => inWorkspace({ root: `${own}/../../0a1b2c3d4e5f/x` }), says: /^workspace: root: / },
  { why: 'a workspace of another run', input: () => tests({ workspace: { ...inPlace, keep: path.join(path.dirname(own), 'WFS-test-other') } }), says: /^workspace: root: .* is not the workspace of this run$/ },
  { why: 'the user\'s own tree as a clone', input: () => inWorkspace({ root: project, cwd: project }), says: /^workspace: root: / },
  { why: 'the user\'s own tree in place, for a run with a clone', input: () => tests({ workspace: { ...inPlace, keep: own } }), says: /^workspace: root: .* is not that of the workspace of this run$/ },
  { why: 'the user\'s own tree in place, of no run', input: () => tests({ workspace: { ...inPlace, keep: `${own}-2` } }), says: /^workspace: root: .* is not the workspace of this run$/ },
  { why: 'another directory to work in', input: () => inWorkspace({ cwd: path.join(own, 'tree/src') }), says: /^workspace: cwd: / },
  { why: 'results kept elsewhere', input: () => tests({ workspace: { ...inPlace, keep: '/tmp' } }), says: /^workspace: root: / },
  { why: 'a branch of the user', input: () => inWorkspace({ branch: 'main' }), says: /^workspace: branch: main is not that of the workspace of this run$/ },
  { why: 'another base', input: () => inWorkspace({ base: 'b'.repeat(40) }), says: /^workspace: base: / },
  { why: 'a workspace without its isolation', input: () => tests({ workspace: { project, root: '/tmp', cwd: '/tmp', branch: clone.branch, base: SHA } }), says: /^workspace\.isolation: / },
  { why: 'a workspace with a key that none has', input: () => inWorkspace({ env: { A: '1' } }), says: /^workspace: Unrecognized key: "env"$/ },
  { why: 'a command', input: () => tests({ command: ['sh', '-c', 'id'] }), says: /^input: Unrecognized key: "command"$/ },
  { why: 'a commit that is an option of git', input: () => tests({ commit: '--output=/tmp/x' }), says: /^commit: --output=\/tmp\/x is no commit$/ },
  { why: 'a step with a line break, which would forge a trailer', input: () => tests({ step: 'x\nRatchet-Run: y' }), says: /^step: / },
  { why: 'the name of a configuration\'s file', input: () => tests({ configHash: '../supervisor' }), says: /^configHash: / },
  { why: 'a file of the user as a result', input: () => tests({ baseline: ref('/etc/passwd') }), says: /^baseline: \/etc\/passwd is no file of a run/ },
  { why: 'the token of the supervisor as a result', input: () => tests({ compare: { lastKept: true, claims: ref(layout.supervisor(dirs)) } }), says: /^compare\.claims: .*supervisor\.json is no file of a run/ },
  { why: 'a file that climbs out', input: () => tests({ baseline: ref(`${own}/../../../supervisor.json`) }), says: /^baseline: / },
  { why: 'a file of another run', input: () => tests({ baseline: ref(path.join(path.dirname(own), 'WFS-test-other/x')) }), says: /^baseline: .* is a file of another run$/ },
  { why: 'a file without its digest', input: () => tests({ baseline: { path: '/etc/passwd', bytes: 1 } }), says: /^baseline\.sha256: / },
  { why: 'the answer of another run\'s turn', activity: 'proposeTestChanges', input: () => propose({ answer: ref(path.join(layout.turn(dirs, 'another/r/x'), 'answer.md')) }), says: /^answer: .* is a file of another run$/ },
  { why: 'a record outside of the project', activity: 'proposeTestChanges', input: () => propose({ recordDir: path.join(project, '.workflow/../../x') }), says: /^recordDir: .* is no record of this project$/ },
  { why: 'a record of another run', activity: 'proposeTestChanges', input: () => propose({ recordDir: path.join(project, '.workflow/WFS-test-other') }), says: /^recordDir: the record WFS-test-other does not belong to this run$/ },
  { why: 'the archive as a record', activity: 'proposeTestChanges', input: () => propose({ recordDir: path.join(project, '.workflow/archives/x') }), says: /^recordDir: .* is no record of this project$/ },
  { why: 'a cycle of another run', activity: 'reloadCycle', input: () => reload({ name: 'cycle-2' }), says: /^name: the record cycle-2 does not belong to this run$/ },
  { why: 'a name that climbs out', activity: 'reloadCycle', input: () => reload({ name: '../../x' }), says: /^name: must be/ },
  { why: 'a turn of another run', activity: 'settleTurn', input: () => settle({ key: 'another/r/x' }), says: /^key: another\/r\/x is the key of another run$/ },
  { why: 'a group of another run', activity: 'settleTurn', input: () => settle({ group: `${RUN}2/r/x` }), says: /^group: .* is the key of another run$/ },
  { why: 'a task whose id climbs out', activity: 'planSupplement', input: () => ({ run: RUN, recordDir: record, task: '../../x', number: 1, reason: '' }), says: /^task: / },
  { why: 'a text in place of an input', input: () => 'x', says: /^input: / },
],
)('$why is refused', ({ activity = 'runTests', input, says }) => {
  expect(problem(activity, input())).toMatch(says)
})

test('the configuration of another directory is never read, so no command of it runs', async () => {
  const host = sessionHost()
  const other = makeRepo()
  const ran = path.join(tempDir(), 'ran')
  writeFiles(other, {
    'ratchet.config.json': JSON.stringify({ workspace: { setup: [`touch ${ran}`] } }),
  })
  mkdirSync(path.join(host.project, '.workflow'), { recursive: true })
  await expect(host.prepare({ project: other })).rejects.toMatchObject({
    type: 'BadInput',
    nonRetryable: true,
  })
  expect(existsSync(ran)).toBe(false)
  expect(existsSync(path.join(other, '.workflow'))).toBe(false)
})

test('the run is that of the activity, not what the input says', async () => {
  const { run, activities, prepare } = sessionHost()
  const { workspace } = await prepare()
  const reload = (as: string) => activityOf(as).run(activities.reloadConfig, { workspace })
  await expect(reload(run)).resolves.toHaveProperty('configHash')
  await expect(reload('a-stranger')).rejects.toMatchObject({
    type: 'BadInput',
    nonRetryable: true,
    message: expect.stringContaining('is not the workspace of this run') as unknown,
  })
})
