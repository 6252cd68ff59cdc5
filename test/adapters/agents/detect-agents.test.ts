// Detection of the five agents on a machine, with real files and real programs.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AgentVariant, type AgentDefinition } from '../../../src/contract/config/agent-config.js'
import { definitionToArgv } from '../../../src/adapters/agents/agent-command.js'
import { detectAgents, findAgent, isUsable } from '../../../src/adapters/agents/detect-agents.js'
import { Config, agentDefinition } from '../../../src/contract/config/config.js'

/** A machine with a home, a project and a directory on PATH; node itself is found as it is here. */
function machine() {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-detect-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const dir of [bin, home, project]) mkdirSync(dir)
  const put = (file: string, text: string): string => {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, 0o755)
    return file
  }
  const place = { project, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home } as NodeJS.ProcessEnv }
  return {
    root,
    bin,
    home,
    project,
    put,
    place,
    says: (name: string, script: string) => put(path.join(bin, name), `#!/bin/sh\n${script}\n`),
  }
}

const byName = async (place: { project: string; env: NodeJS.ProcessEnv }, name: string) =>
  (await detectAgents(place)).find((agent) => agent.name === name)

test('a machine without agents: five missing ones, and none to use', async () => {
  const { place } = machine()
  const found = await detectAgents(place)
  expect(
    found.map(({ name, program, vendor, version, login }) => [
      name,
      program,
      vendor,
      version,
      login.state,
    ]),
  ).toEqual(
    ['claude', 'codex', 'gemini', 'qwen', 'opencode'].map((name) => [
      name,
      null,
      null,
      null,
      process.platform === 'darwin' && name === 'claude' ? 'unknown' : 'no',
    ]),
  )
  expect(found.filter(isUsable)).toEqual([])
})

test('a program with a version and a key can be used', async () => {
  const { place, bin, says } = machine()
  says('opencode', 'echo "opencode 1.18.33 (abc)"')
  place.env['OPENROUTER_API_KEY'] = 'sk-never-shown'
  const found = await byName(place, 'opencode')
  expect(found).toEqual({
    name: 'opencode',
    program: path.join(bin, 'opencode'),
    vendor: null,
    version: '1.18.33',
    login: { state: 'yes', by: 'OPENROUTER_API_KEY' },
  })
  expect((await detectAgents(place)).filter(isUsable).map(({ name }) => name)).toEqual(['opencode'])
})

test('an installed agent without a login cannot be used', () => {
  const { place, says } = machine()
  says('qwen', 'exit 0')
  expect(isUsable(findAgent('qwen', place))).toBe(false)
})

test("distinguishes the vendor's own command without its adapter", () => {
  const { place, bin, says } = machine()
  says('codex', 'exit 0')
  expect(findAgent('codex', place)).toMatchObject({
    program: null,
    vendor: path.join(bin, 'codex'),
  })
  says('codex-acp', 'exit 0')
  expect(findAgent('codex', place)).toMatchObject({
    program: path.join(bin, 'codex-acp'),
    vendor: null,
  })
})

test('takes the version from the package where there is one, and does not start the program', async () => {
  const { place, root, bin, put } = machine()
  const lib = path.join(root, 'lib/node_modules/@agentclientprotocol/codex-acp')
  put(
    path.join(lib, 'package.json'),
    '{ "name": "@agentclientprotocol/codex-acp", "version": "2.6.0" }',
  )
  symlinkSync(
    put(path.join(lib, 'dist/index.js'), `#!/bin/sh\necho started > ${root}/started\n`),
    path.join(bin, 'codex-acp'),
  )
  expect(await byName(place, 'codex')).toMatchObject({ version: '2.6.0' })
  expect(existsSync(path.join(root, 'started'))).toBe(false)
})

test.each([
  { why: 'says nothing', script: 'exit 0' },
  { why: 'ends with an error', script: 'echo no such option >&2; exit 2' },
  { why: 'floods', script: 'yes' },
  { why: 'hangs with a child that ignores TERM', script: "trap '' TERM; sleep 600 & wait" },
])(
  'a program that $why on --version has none, within the limit',
  { timeout: 15_000 },
  async ({ script }) => {
    const { place, says } = machine()
    says('gemini', script)
    expect(await byName(place, 'gemini')).toMatchObject({ version: null })
  },
)

test('a program gets no key when it is asked for its version', async () => {
  const { place, root, says } = machine()
  says('gemini', `env > ${root}/env; echo 0.61.0`)
  place.env['GEMINI_API_KEY'] = 'sk-never-shown'
  expect(await byName(place, 'gemini')).toMatchObject({
    version: '0.61.0',
    login: { state: 'yes', by: 'GEMINI_API_KEY' },
  })
  expect(readFileSync(path.join(root, 'env'), 'utf8')).not.toContain('sk-never-shown')
})

test("a project's own node_modules goes before PATH, in detection and in starting", () => {
  const { place, project, says, put } = machine()
  says('gemini', 'exit 0')
  const own = put(path.join(project, 'node_modules/.bin/gemini'), '#!/bin/sh\n')
  expect(findAgent('gemini', place).program).toBe(own)
  expect(
    definitionToArgv(agentDefinition(Config.parse({}), 'gemini') as AgentDefinition, project)[0],
  ).toBe(own)
  expect(
    definitionToArgv(
      agentDefinition(
        Config.parse({ agents: { mine: { protocol: 'acp', command: 'gemini' } } }),
        'mine',
      ) as AgentDefinition,
      project,
    )[0],
  ).toBe('gemini')
})

test('an entry of the config changes the detection', () => {
  const { place, root, put } = machine()
  const command = put(path.join(root, 'elsewhere/codex-acp'), '#!/bin/sh\n')
  const { env } = AgentVariant.parse({ env: { OPENAI_API_KEY: 'in-config' } })
  expect(findAgent('codex', place, { command, env })).toMatchObject({
    program: command,
    login: { state: 'yes', by: 'OPENAI_API_KEY' },
  })
})
