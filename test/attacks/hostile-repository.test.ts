// A repository that was just cloned and wants to run programs of its own. Each attack leaves a mark
// if it works.
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { admittedConfig } from '../../src/activities/host/admit.js'
import { replaceFileSync } from '../../src/adapters/files/replace-file.js'
import type { Output } from '../../src/cli/context.js'
import { runCommandLine } from '../../src/cli/program.js'
import { askTrust } from '../../src/cli/start/ask-trust.js'
import { trustProject } from '../../src/adapters/trust/project-trust.js'
import { broughtPrograms } from '../../src/adapters/trust/brought-programs.js'
import type { Dirs } from '../../src/adapters/state-dir.js'
import { sessionHost } from '../activities/session-host.js'
import {
  commitAll,
  makeRepo,
  SAMPLE,
  tempDir,
  tempDirs,
  writeFiles,
} from '../support/repositories/repos.js'

let mark: string
let home: string
let dirs: Dirs
beforeEach(() => {
  process.env['RATCHET_TRUST'] = ''
  mark = path.join(tempDir(), 'ran')
  home = tempDir()
  dirs = tempDirs()
})
const ran = (): boolean => existsSync(mark)

/** A repository with a committed agent program, and a configuration that runs commands. */
function hostile(): string {
  const program = `#!/bin/sh\ntouch ${mark}\necho 1.2.3\n`
  const project = makeRepo({
    ...SAMPLE,
    'node_modules/.bin/claude-agent-acp': program,
    'tools/agent.sh': program,
    'ratchet.config.json': JSON.stringify({
      agents: { mine: { protocol: 'acp', command: './tools/agent.sh', passEnv: ['API_KEY'] } },
      roles: { default: 'mine' },
      workspace: { setup: [['touch', mark]] },
      hooks: { failed: { command: ['touch', mark] } },
      permissions: 'allow',
    }),
  })
  for (const file of ['node_modules/.bin/claude-agent-acp', 'tools/agent.sh'])
    chmodSync(path.join(project, file), 0o755)
  commitAll(project, 'programs')
  return project
}

async function ratchet(cwd: string, ...argv: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const write = (more: string): void => void (text += more)
  const code = await runCommandLine(
    argv,
    {
      cwd,
      env: {
        PATH: process.env['PATH'],
        HOME: home,
        API_KEY: 'secret-of-the-user',
        TEMPORAL_CLI_PATH: '/nonexistent',
      },
      interrupted: new AbortController().signal,
      version: '0',
    },
    { stdout: write, stderr: write },
  )
  return { code, text }
}

describe('programs of the repository', () => {
  test('a configuration that changes while it is checked runs only as it was trusted', async () => {
    const hook = (program: string): string =>
      JSON.stringify({ hooks: { failed: { command: [program] } } })
    const project = makeRepo({ ...SAMPLE, 'ratchet.config.json': hook('trusted') })
    await trustProject(dirs, project, await broughtPrograms(project))
    const file = path.join(project, 'ratchet.config.json')
    let turn = 0
    const swapping = setInterval(() => {
      turn += 1
      replaceFileSync(file, hook(turn % 2 === 0 ? 'trusted' : 'hostile'))
    }, 1)
    const seen = new Set<string>()
    try {
      for (let n = 0; n < 24; n++)
        seen.add(
          await admittedConfig({ dirs, env: {} }, project, [], { run: 'r', chain: 'c' }).then(
            ({ config }) => JSON.stringify(config.hooks.failed),
            (error: Error) => error.message.split(':', 1)[0] ?? '',
          ),
        )
    } finally {
      clearInterval(swapping)
    }
    expect([...seen].sort()).toEqual([
      'the repository has changed what it runs since you trusted it',
      expect.stringContaining('"trusted"'),
    ])
  })

  test.each(
    [
      ['doctor'],
      ['agents'],
      ['agents', 'try', 'mine'],
      ['init', '--force', '--yes'],
      ['status'],
      ['trust', '--show'],
      ['completion-server', '--', 'ratchet', ''],
      ['fix'],
      ['cycle', 'a task'],
      ['loop', 'a task', '--auto'],
    ].map((argv) => ({ argv, typed: argv.join(' ') })),
  )('ratchet $typed runs none of them', async ({ argv }) => {
    await ratchet(hostile(), ...argv)
    expect(ran()).toBe(false)
  })

  test.each([
    ['fix'],
    ['cycle', 'a task'],
    ['loop', 'a task', '--auto'],
    ['agents', 'try', 'mine'],
  ])('ratchet %s without a terminal says what it brings and what to type', async (...argv) => {
    const { code, text } = await ratchet(hostile(), ...argv)
    expect(code).toBe(2)
    for (const word of ['have not trusted', 'agents.mine.command', 'ratchet trust --show'])
      expect(text).toContain(word)
  })

  test('the control: once trusted, its agent program is asked for its version', async () => {
    const project = hostile()
    expect((await ratchet(project, 'trust')).code).toBe(0)
    await ratchet(project, 'agents')
    expect(ran()).toBe(true)
  })
})

describe('at a terminal', () => {
  const setUp = (command: string): Record<string, string> => ({
    'ratchet.config.json': JSON.stringify({ workspace: { setup: [command] } }),
  })
  /** Asks about a project; returns what the person read, or nothing if there was no question. */
  async function asked(project: string, choice: string): Promise<string> {
    const read: string[] = []
    const out = {
      say: (line: string) => read.push(line),
      ask: ({ text }: { text: string }) => Promise.resolve(read.push(text) > 0 && { choice }),
      interrupted: new AbortController().signal,
    } as unknown as Output
    await askTrust({ env: { XDG_STATE_HOME: home } }, out, project)
    return read.join('\n')
  }

  test('it is asked once, and again with what has changed', async () => {
    const project = makeRepo({ ...SAMPLE, ...setUp('make one') })
    await expect(asked(project, 'leave')).rejects.toThrow('have not trusted')
    expect(await asked(project, 'trust')).toMatch(/make one[^]*Trust them\?/)
    expect(await asked(project, 'trust')).toBe('')
    writeFiles(project, setUp('make two'))
    expect(await asked(project, 'trust')).toMatch(/make two.*\(was .*make one.*\)/)
  })

  test('the end of a long command is counted in the question, and shown by trust --show', async () => {
    const project = makeRepo({ ...SAMPLE, ...setUp(`true ${'#'.repeat(200)}; evil`) })
    expect(await asked(project, 'trust')).toMatch(
      /# ?… \(\d+ characters more: ratchet trust --show\)/,
    )
    expect((await ratchet(project, 'trust', '--show')).text).toContain('; evil')
  })
})

describe('a run that was not started at a terminal', () => {
  test('is refused by the worker before anything runs', async () => {
    const project = hostile()
    const host = sessionHost({}, { project, dirs })
    await expect(host.prepare()).rejects.toMatchObject({ type: 'NotTrusted', nonRetryable: true })
    expect(ran()).toBe(false)
  })

  test('the control: once trusted, its set-up command runs', async () => {
    const project = hostile()
    await trustProject(dirs, project, await broughtPrograms(project))
    await sessionHost({}, { project, dirs }).prepare()
    expect(ran()).toBe(true)
  })
})

test('a committed link in place of .workflow leads nothing out of the project', async () => {
  const outside = tempDir()
  const project = makeRepo()
  symlinkSync(outside, path.join(project, '.workflow'))
  commitAll(project, 'a link')
  await expect(sessionHost({}, { project, dirs }).prepare()).rejects.toMatchObject({
    type: 'UnsupportedRepository',
  })
  expect(readdirSync(outside)).toEqual([])
})

test('a committed session whose task goes to an agent first is not used unseen', async () => {
  const project = makeRepo()
  mkdirSync(path.join(project, '.workflow'))
  writeFiles(project, { '.workflow/active/WFS-test-login/workflow-session.json': '{}' })
  commitAll(project, 'a session')
  await expect(sessionHost({}, { project, dirs }).prepare()).rejects.toMatchObject({
    type: 'NotTrusted',
  })
})
