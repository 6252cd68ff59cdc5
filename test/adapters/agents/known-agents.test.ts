// Built-in definitions: modes, variables, settings, processes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Config } from '../../../src/contract/config/config.js'
import { definitionOf, definitionToArgv } from '../../../src/adapters/agents/agent-command.js'
import { writeSettings } from '../../../src/adapters/agents/agent-settings.js'
import { agentEnv, secretNames } from '../../../src/adapters/agents/agent-env.js'
import { MissingVariableError } from '../../../src/adapters/agents/errors.js'
import { untilLoadable } from '../../../src/adapters/agents/acp/gemini-minute.js'
import { SYSTEM_CLOCK, Ticker } from '../../../src/adapters/agents/turn/turn-clock.js'
import { present } from '../../support/present.js'

let home: string
beforeEach(() => void (home = mkdtempSync(path.join(os.tmpdir(), 'ratchet-known-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

const config = (more: object = {}) => Config.parse(more)
const env = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  HOME: home,
  ...more,
})
const put = (file: string, text = '{}') => {
  mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
  writeFileSync(path.join(home, file), text)
}

test.each(
  // prettier-ignore
  [
  { why: 'edits files, is refused the rest', agent: 'claude', permissions: 'deny', mode: 'acceptEdits' },
  { why: 'its own sandbox keeps it in its directory', agent: 'codex', permissions: 'deny', mode: 'workspace-write' },
  { why: 'everything without asking', agent: 'codex', permissions: 'allow', mode: 'agent-full-access' },
  { why: 'edits without asking, a person decides the rest', agent: 'gemini', permissions: 'ask', mode: 'autoEdit' },
  { why: 'everything without asking', agent: 'qwen', permissions: 'allow', mode: 'yolo' },
  { why: 'has no mode for it', agent: 'opencode', permissions: 'deny', mode: undefined },
],
)('modes: $agent under $permissions is in mode $mode: $why', ({ agent, permissions, mode }) => {
  expect(definitionOf(config({ permissions }), agent)).toMatchObject(
    mode === undefined ? {} : { mode },
  )
})

test('modes: the entry of an agent wins over the policy', () => {
  const own = config({
    permissions: 'allow',
    agents: { claude: { mode: 'plan' }, opencode: { env: { OPENCODE_PERMISSION: '{}' } } },
  })
  expect(definitionOf(own, 'claude')).toMatchObject({ mode: 'plan' })
  expect(definitionOf(own, 'opencode').env['OPENCODE_PERMISSION']).toBe('{}')
  expect(definitionOf(config(), 'opencode').env['OPENCODE_PERMISSION']).toBe('{"bash":"deny"}')
})

test('qwen gets its model by a variable, as its protocol knows only models of a list', () => {
  const definition = definitionOf(config({ agents: { qwen: { model: 'm-1' } } }), 'qwen')
  expect(definition).not.toHaveProperty('model')
  expect(agentEnv('qwen', definition, env({ OPENAI_MODEL: 'm-2' }))).toMatchObject({
    OPENAI_MODEL: 'm-1',
  })
})

test('a known agent gets its own variables where they are set, and no other agent gets them', () => {
  const worker = env({ ANTHROPIC_API_KEY: 'key-1', OPENAI_API_KEY: 'key-2', OTHER: 'x' })
  const claude = agentEnv('claude', definitionOf(config(), 'claude'), worker)
  expect(claude).toMatchObject({ ANTHROPIC_API_KEY: 'key-1' })
  expect(claude).not.toHaveProperty('OPENAI_API_KEY')
  expect(claude).not.toHaveProperty('OTHER')
})

test.each(
  // prettier-ignore
  [
  { why: 'a key is one', agent: 'claude', set: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_AUTH_TOKEN: 't', CLAUDE_CODE_OAUTH_TOKEN: 'o', IS_SANDBOX: '1' }, secret: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'] },
  { why: 'a folder is none, a configuration may hold one', agent: 'codex', set: { CODEX_API_KEY: 'k', CODEX_HOME: '/home/me/project', CODEX_PATH: '/usr/bin/codex', CODEX_CONFIG: '{}' }, secret: ['CODEX_API_KEY', 'CODEX_CONFIG'] },
  { why: 'a model is none', agent: 'qwen', set: { OPENAI_MODEL: 'gpt-5.5', QWEN_HOME: '/home/me' }, secret: [] },
  { why: 'an address is none', agent: 'qwen', set: { OPENAI_BASE_URL: 'http://127.0.0.1:8901/v1' }, secret: [] },
  { why: 'an address with a login is one', agent: 'qwen', set: { OPENAI_BASE_URL: 'https://me:hush@models.example/v1' }, secret: ['OPENAI_BASE_URL'] },
  { why: 'an address with a query may be one', agent: 'gemini', set: { GOOGLE_GEMINI_BASE_URL: 'https://models.example/?key=hush' }, secret: ['GOOGLE_GEMINI_BASE_URL'] },
  { why: 'a project is none, the path of credentials is one', agent: 'gemini', set: { GOOGLE_CLOUD_PROJECT: 'my-shop', GOOGLE_APPLICATION_CREDENTIALS: '/home/me/key.json' }, secret: ['GOOGLE_APPLICATION_CREDENTIALS'] },
  { why: 'a file is none, its content may be', agent: 'opencode', set: { OPENCODE_CONFIG: '/home/me/opencode.json', OPENCODE_CONFIG_CONTENT: '{}' }, secret: ['OPENCODE_CONFIG_CONTENT'] },
  { why: 'a variable of passEnv is one, with any name', agent: 'qwen', passEnv: ['OPENAI_MODEL', 'MY_VALUE'], set: { OPENAI_MODEL: 'gpt-5.5', MY_VALUE: 'something' }, secret: ['OPENAI_MODEL', 'MY_VALUE'] },
],
)('secrets of $agent, $why: $secret', ({ agent, passEnv = [], set, secret }) => {
  const names = secretNames(
    definitionOf(config({ agents: { [agent]: { passEnv } } }), agent),
    env(present(set)),
  )
  expect(names.filter((name) => name in set).sort()).toEqual([...secret].sort())
})

test.each(
  // prettier-ignore
  [
  { why: 'says that there is a key', agent: 'gemini' as const, variables: { GEMINI_API_KEY: 'k' }, variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH', file: 'gemini-key.json', auth: 'gemini-api-key' },
  { why: 'leaves the login to the user', agent: 'gemini' as const, variables: {}, variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH', file: 'gemini.json', auth: undefined },
  { why: 'says that there is a key', agent: 'qwen' as const, variables: { OPENAI_API_KEY: 'k' }, variable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH', file: 'qwen-key.json', auth: 'openai' },
],
)('the settings of $agent are $file, which $why', ({ agent, variables, variable, file, auth }) => {
  const named = writeSettings(
    agent,
    agentEnv(agent, definitionOf(config(), agent), env(present(variables))),
    home,
  )[variable] as string
  // A copy of the turn's own: qwen rewrites the file that it is given.
  expect(path.dirname(named)).toBe(home)
  expect(readFileSync(named, 'utf8')).toBe(
    readFileSync(path.resolve('agent-settings', file), 'utf8'),
  )
  const settings = JSON.parse(readFileSync(named, 'utf8')) as {
    security?: { auth?: { selectedType?: string } }
    general: { sessionRetention?: { enabled: boolean }; enableAutoUpdate: boolean }
  }
  expect(settings.security?.auth?.selectedType).toBe(auth)
  expect(settings.general.enableAutoUpdate).toBe(false)
  if (agent === 'gemini') expect(settings.general.sessionRetention).toEqual({ enabled: false })
})

test('leaves settings of the user alone', () => {
  const own = env({ GEMINI_API_KEY: 'k', GEMINI_CLI_SYSTEM_DEFAULTS_PATH: '/own.json' })
  const given = agentEnv('gemini', definitionOf(config(), 'gemini'), own)
  expect(given['GEMINI_CLI_SYSTEM_DEFAULTS_PATH']).toBe('/own.json')
  expect(writeSettings('gemini', given, home)).toEqual({})
})

test.each([
  { why: 'nothing at all', refused: true },
  { why: 'a key', variables: { OPENROUTER_API_KEY: 'k' }, refused: false },
  { why: 'a login', file: '.local/share/opencode/auth.json', refused: false },
  { why: 'a provider in the project', file: 'project/opencode.json', refused: false },
  { why: 'a model that was named', agents: { opencode: { model: 'hosted/free' } }, refused: false },
])('opencode with $why is refused: $refused', ({ variables, file, agents, refused }) => {
  if (file !== undefined) put(file)
  const begin = () =>
    agentEnv(
      'opencode',
      definitionOf(config({ agents: agents ?? {} }), 'opencode'),
      env(variables),
      path.join(home, 'project'),
    )
  if (refused) expect(begin).toThrow(MissingVariableError)
  else expect(begin).not.toThrow()
})

test.runIf(process.platform === 'linux')(
  'gemini ends with its driver, a missing one keeps its name, others are started unchanged',
  () => {
    const bin = path.join(home, 'bin')
    mkdirSync(bin)
    writeFileSync(path.join(bin, 'setpriv'), '', { mode: 0o755 })
    const own = { PATH: bin }
    expect(definitionToArgv(definitionOf(config(), 'gemini'), home, own)[0]).toBe('gemini')
    writeFileSync(path.join(bin, 'gemini'), '', { mode: 0o755 })
    expect(definitionToArgv(definitionOf(config(), 'gemini'), home, own).slice(0, 5)).toEqual([
      path.join(bin, 'setpriv'),
      '--pdeathsig',
      'KILL',
      '--',
      'gemini',
    ])
    expect(definitionToArgv(definitionOf(config(), 'codex'), home, own)[0]).toBe('codex-acp')
  },
)

test('does not wait for a missing session in a directory of gemini sessions, but waits without that directory', async () => {
  const ticker = new Ticker({ ...SYSTEM_CLOCK, tickMs: 20 })
  const stopped = new AbortController()
  stopped.abort(new Error('stopped'))
  const wait = (signal: AbortSignal) =>
    untilLoadable('12345678-aaaa-bbbb-cccc-000000000000', { HOME: home }, { ticker, signal })
  try {
    await expect(wait(stopped.signal)).rejects.toThrow('stopped')
    for (const at of [Date.now(), Date.now() + 60_000])
      put(
        `.gemini/tmp/p/chats/session-${new Date(at).toISOString().slice(0, 16).replace(':', '-')}-87654321.jsonl`,
      )
    await wait(stopped.signal)
  } finally {
    ticker.stop()
  }
})

test('a session of an earlier minute is loaded at once, one of this minute waits until it is stopped', async () => {
  const id = '12345678-aaaa-bbbb-cccc-000000000000'
  const ticker = new Ticker({ ...SYSTEM_CLOCK, tickMs: 20 })
  const controller = new AbortController()
  put('.gemini/tmp/p/chats/session-2020-01-01T00-00-12345678.jsonl')
  try {
    await untilLoadable(id, { HOME: home }, { ticker, signal: controller.signal })
    for (const at of [Date.now(), Date.now() + 60_000])
      put(
        `.gemini/tmp/p/chats/session-${new Date(at).toISOString().slice(0, 16).replace(':', '-')}-12345678.jsonl`,
      )
    controller.abort(new Error('stopped'))
    await expect(
      untilLoadable(id, { HOME: home }, { ticker, signal: controller.signal }),
    ).rejects.toThrow('stopped')
  } finally {
    ticker.stop()
  }
})
