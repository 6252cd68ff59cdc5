// A client of the server's port can put a task into the queue of a host without one of our
// workflows. Input outside of the host's project is refused before it is used.
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { foreignIn } from '../../src/activities/host/validate-input.js'
import { layout, projectKey, type Dirs } from '../../src/adapters/state-dir.js'
import type { Workspace } from '../../src/contract/workspace.js'
import { AT, makeRepo, tempDir, tempDirs, writeFiles } from '../support/repositories/repos.js'
import { sessionHost } from './session-host.js'

const SHA = 'a'.repeat(40)
let dirs: Dirs
let project: string
let own: string
let clone: Workspace
beforeEach(() => {
  dirs = tempDirs()
  project = makeRepo()
  own = layout.workspace(dirs, projectKey(project), 'WFS-test-a')
  clone = {
    project,
    root: path.join(own, 'tree'),
    cwd: path.join(own, 'tree'),
    branch: 'ratchet/WFS-test-a',
    base: SHA,
    isolation: 'clone',
  }
})

const foreign = (input: unknown): string | undefined =>
  foreignIn({ dirs, project, projectKey: projectKey(project) }, input)
const inPlace = (): Workspace => ({
  ...clone,
  root: project,
  cwd: project,
  keep: own,
  isolation: 'in-place',
})
const ref = (file: string) => ({ path: file, sha256: 'x', bytes: 1 })

test.each<{ why: string; input: () => unknown }>(
  // prettier-ignore
  [
  { why: 'its own project', input: () => ({ run: 'WFS-test-a.0a1b2c', project, session: 'WFS-test-a', at: AT }) },
  { why: 'its own project by a link', input: () => { const link = path.join(tempDir(), 'link'); symlinkSync(project, link); return { project: link } } },
  { why: 'its clone, the files of its runs, its record', input: () => ({ workspace: clone, baseline: ref(path.join(own, 'tests/1/results.json')), recordDir: path.join(project, '.workflow/active/WFS-test-a'), ask: { lastRun: { output: ref(path.join(project, '.workflow/WFS-test-a/x.log')) }, analysis: ref(path.join(layout.turn(dirs, 'k'), 'answer.md')) } }) },
  { why: 'its own tree, in place', input: () => ({ prepared: { workspace: inPlace() } }) },
  { why: 'a run id that a schedule made', input: () => ({ run: 'nightly-2026-11-20T12:02:00Z' }) },
  { why: 'a task that talks of files', input: () => ({ project, task: '/etc/passwd is read, ../../x too', brief: { description: 'root: /' } }) },
],
)('$why is let in', ({ input }) => {
  expect(foreign(input())).toBeUndefined()
})

test.each<{ why: string; input: () => unknown; problem: RegExp }>(
  // prettier-ignore
  [
  { why: 'a project that is another', input: () => ({ project: makeRepo() }), problem: /^project: .* is not the project of this worker$/ },
  { why: 'a project that is no path', input: () => ({ project: 7 }), problem: /^project: number is not/ },
  { why: 'a workspace of another project', input: () => ({ workspace: { ...clone, project: '/elsewhere' } }), problem: /^workspace\.project: / },
  { why: 'a clone that lies elsewhere', input: () => ({ workspace: { ...clone, root: tempDir(), cwd: tempDir() } }), problem: /^workspace\.root: / },
  { why: 'a clone that climbs out', input: () => ({ workspace: { ...clone, root: `${own}/../../0a1b2c3d4e5f/x` } }), problem: /^workspace\.root: / },
  { why: 'the user\'s own tree as a clone', input: () => ({ workspace: { ...clone, root: project, cwd: project } }), problem: /^workspace\.root: / },
  { why: 'in place of another repository', input: () => ({ workspace: { ...inPlace(), root: path.dirname(project) } }), problem: /^workspace\.root: / },
  { why: 'a directory outside of the workspace to work in', input: () => ({ workspace: { ...clone, cwd: path.join(own, 'tree/../..') } }), problem: /^workspace\.cwd: / },
  { why: 'results kept elsewhere', input: () => ({ workspace: { ...inPlace(), keep: tempDir() } }), problem: /^workspace\.keep: / },
  { why: 'a branch that is the user\'s', input: () => ({ workspace: { ...clone, branch: 'main' } }), problem: /^workspace\.branch: main is no branch of a run$/ },
  { why: 'a clone of a worker that lies elsewhere', input: () => ({ workers: [{ workspace: clone }, { workspace: { ...clone, root: '/tmp' } }] }), problem: /^workspace\.root: \/tmp/ },
  { why: 'a record outside of the project', input: () => ({ recordDir: path.join(project, '.workflow/../../x') }), problem: /^recordDir: / },
  { why: 'a record to note in that is none', input: () => ({ record: { dir: '/etc' } }), problem: /^record\.dir: / },
  { why: 'a file of the user as a result', input: () => ({ ask: { lastRun: { results: ref('/etc/passwd') } } }), problem: /^\/etc\/passwd is no file of a run/ },
  { why: 'the token of the supervisor as a result', input: () => ({ baseline: ref(layout.supervisor(dirs)) }), problem: /supervisor\.json is no file of a run/ },
  { why: 'a name that climbs out', input: () => ({ name: '../../x' }), problem: /^name: must be/ },
  { why: 'an id that climbs out', input: () => ({ loopId: 'a/..' }), problem: /^loopId: must be/ },
  { why: 'a workspace without its isolation, which would escape the check', input: () => ({ workspace: { project, root: '/tmp', cwd: '/tmp', branch: clone.branch, base: SHA } }), problem: /^workspace: isolation / },
  { why: 'a workspace that is only a directory', input: () => ({ workspace: { cwd: '/tmp' } }), problem: /^workspace: project / },
  { why: 'a workspace with a key that none has', input: () => ({ workspace: { ...clone, env: { A: '1' } } }), problem: /^workspace: .*env/ },
  { why: 'a file without its digest, which would escape the check', input: () => ({ baseline: { path: '/etc/passwd', bytes: 1 } }), problem: /^a reference to a file: sha256 / },
  { why: 'a file by its path alone', input: () => ({ baseline: { path: '/etc/passwd' } }), problem: /^a reference to a file: sha256 / },
  { why: 'a text in place of an input', input: () => 'x', problem: /must be an object/ },
],
)('$why is refused', ({ input, problem }) => {
  expect(foreign(input())).toMatch(problem)
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
