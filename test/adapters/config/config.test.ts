// A wrong config is refused with file, line, rule and value: the message alone is enough to
// correct it.
import { mkdtempSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig, namedVariables, passedVariables } from '../../../src/adapters/config/config.js'
import { agentDefinition } from '../../../src/contract/config/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../../src/contract/known-agents.js'
import { RefusalError } from '../../../src/contract/failures.js'

let project: string
beforeEach(
  () => void (project = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'ratchet-config-')))),
)
afterEach(() => rmSync(project, { recursive: true, force: true }))

const write = (name: string, text: string): void => writeFileSync(path.join(project, name), text)

function refusal(): RefusalError {
  try {
    loadConfig(project)
  } catch (error) {
    if (error instanceof RefusalError) return error
    throw error
  }
  throw new Error('the config was accepted')
}

test('a project without a config has the defaults, and no agents', () => {
  const { config, file } = loadConfig(project)
  expect(file).toBeUndefined()
  expect(config).toMatchObject({
    roles: {},
    test: { timeout: 600_000, flakyRetries: 1 },
    limits: { agentsPerHost: 4 },
    workspace: { isolation: 'clone' },
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'JSON', name: 'ratchet.config.json', text: '{ "limits": { "agentTurn": "90s" } }' },
  { why: 'JSON indented with tabs', name: 'ratchet.config.json', text: '{\n\t"limits": {\n\t\t"agentTurn": "90s"\n\t}\n}\n' },
  { why: 'YAML', name: 'ratchet.config.yaml', text: 'limits:\n  agentTurn: 90s\n' },
  { why: 'YML', name: 'ratchet.config.yml', text: 'limits: { agentTurn: 1.5m }\n' },
  { why: 'package.json', name: 'package.json', text: '{ "name": "x", "ratchet": { "limits": { "agentTurn": "90000ms" } } }' },
],
)('a config is read from $why', ({ name, text }) => {
  write(name, text)
  const { config, file } = loadConfig(project)
  expect(config.limits.agentTurn).toBe(90_000)
  expect(file).toBe(path.join(project, name))
})

test('reports all faults of a config at once, and the first of many', () => {
  write(
    'ratchet.config.json',
    '{\n  "limits": {\n    "agentTurn": "30",\n    "maxIteration": 3\n  },\n  "agnets": {}\n}',
  )
  expect(refusal()).toMatchObject({
    message:
      'limits.agentTurn needs a unit, got "30"; unknown key limits.maxIteration; unknown key agnets',
    where: `${path.join(project, 'ratchet.config.json')}, lines 3, 4, 6`,
    next: 'write "30s" or "30m"; remove "maxIteration" or correct its spelling; remove "agnets" or correct its spelling',
  })
  write(
    'ratchet.config.json',
    JSON.stringify(Object.fromEntries([...'abcdefg'].map((key) => [key, 1]))),
  )
  expect(refusal()).toMatchObject({
    message:
      'unknown key a; unknown key b; unknown key c; unknown key d; unknown key e; and 2 more',
    where: `${path.join(project, 'ratchet.config.json')}, line 1`,
  })
})

test.each([
  ['ratchet.config.json', 'a link to a file that is not there'],
  ['package.json', 'not a file'],
])('%s that is %s is refused: a run would go by the defaults', (name, what) => {
  const file = path.join(project, name)
  if (what.includes('link')) symlinkSync('nowhere', file)
  else mkdirSync(file)
  expect(refusal()).toMatchObject({ type: 'BadConfig', message: `this is ${what}`, where: file })
})

test('ignores a config of a parent directory', () => {
  write('ratchet.config.json', '{ "timezone": "+01:00" }')
  const inner = path.join(project, 'inner')
  mkdirSync(inner)
  expect(loadConfig(inner).file).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'an unknown key', text: '{\n  "limits": { "agentTurn": "30m" },\n  "agnets": {}\n}', line: 3, message: 'unknown key agnets', next: 'remove "agnets" or correct its spelling' },
  { why: 'an unknown key inside', text: '{\n  "limits": {\n    "maxIteration": 3\n  }\n}', line: 3, message: 'unknown key limits.maxIteration', next: 'remove "maxIteration" or correct its spelling' },
  { why: 'a limit of 0', text: '{\n  "limits": {\n    "maxIterations": 0 }\n}', line: 3, message: 'limits.maxIterations must be at least 1, got 0', next: 'correct limits.maxIterations' },
  { why: 'a limit of "x"', text: '{ "limits": { "maxIterations": "x" } }', line: 1, message: 'limits.maxIterations must be a number, got "x"', next: 'correct limits.maxIterations' },
  { why: 'half an iteration', text: '{ "limits": { "maxIterations": 1.5 } }', line: 1, message: 'limits.maxIterations must be a whole number, got 1.5', next: 'correct limits.maxIterations' },
  { why: 'a number without unit', text: '{\n  "limits": {\n    "agentTurn": "30"\n  }\n}', line: 3, message: 'limits.agentTurn needs a unit, got "30"', next: 'write "30s" or "30m"' },
  { why: 'a bare number', text: '{ "test": { "timeout": 600 } }', line: 1, message: 'test.timeout needs a unit, got 600', next: 'write "600s" or "600m"' },
  { why: 'a duration of "x"', text: '{ "limits": { "idle": "x" } }', line: 1, message: 'limits.idle must be a number and ms, s, m or h, like "30m", got "x"', next: 'correct limits.idle' },
  { why: 'a duration of 0', text: '{ "limits": { "idle": "0s" } }', line: 1, message: 'limits.idle must be more than 0, got "0s"', next: 'correct limits.idle' },
  { why: 'an agent that is not defined', text: '{\n  "roles": {\n    "default": "unknown"\n  }\n}', line: 3, message: 'roles.default names the agent "unknown", which is not defined', next: 'define it under "agents": { "unknown": { "protocol": "acp", "command": "…" } }, or use one of claude, codex, gemini, qwen, opencode' },
  { why: 'one undefined agent of a chain', text: '{ "roles": { "test-fix-agent": ["playbook", "ghost"] } }', line: 1, message: 'roles.test-fix-agent names the agent "ghost", which is not defined', next: 'define it under "agents": { "ghost": { "protocol": "acp", "command": "…" } }, or use one of claude, codex, gemini, qwen, opencode' },
  { why: 'an unknown role', text: '{ "roles": { "tester": "playbook" } }', line: 1, message: 'unknown key roles.tester', next: 'remove "tester" or correct its spelling' },
  { why: 'a number as the agent of a role', text: '{ "roles": { "default": 5 } }', line: 1, message: 'roles.default must be a string or an array, got 5', next: 'correct roles.default' },
  { why: 'an agent without a command', text: '{ "agents": {\n "a": { "protocol": "acp" } } }', line: 2, message: 'agents.a.command is missing', next: 'correct agents.a.command' },
  { why: 'an unknown protocol', text: '{ "agents": { "a": { "protocol": "http" } } }', line: 1, message: 'agents.a.protocol must be "acp" or "exec" or "playbook", got "http"', next: 'correct agents.a.protocol' },
  { why: 'an agent name in capitals', text: '{ "agents": { "A": { "protocol": "acp", "command": "a" } } }', line: 1, message: 'agents.A is no valid name: must be lower case letters, digits and dashes', next: 'correct agents.A' },
  { why: 'an empty test command', text: '{ "test": { "command": [] } }', line: 1, message: 'test.command must not be empty', next: 'correct test.command' },
  { why: 'an unknown isolation', text: '{ "workspace": { "isolation": "worktree" } }', line: 1, message: 'workspace.isolation must be "clone" or "in-place", got "worktree"', next: 'correct workspace.isolation' },
  { why: 'a timezone by name', text: '{ "timezone": "Europe/Berlin" }', line: 1, message: 'timezone must be an offset like "+08:00", got "Europe/Berlin"', next: 'correct timezone' },
  { why: 'a broken expression', text: '{ "test": {\n "criticality": [ { "match": "auth(", "level": "high" } ] } }', line: 2, message: 'test.criticality.0.match must be a regular expression, got "auth(": Unterminated group', next: 'correct test.criticality.0.match' },
  { why: 'an unknown criticality', text: '{ "test": { "criticality": [ { "match": "auth", "level": "urgent" } ] } }', line: 1, message: 'test.criticality.0.level must be "low" or "medium" or "high", got "urgent"', next: 'correct test.criticality.0.level' },
  { why: 'a report in TRX', text: '{ "test": {\n "report": { "format": "trx", "path": "r.xml" } } }', line: 2, message: 'test.report.format must be "junit" or "ctrf" or "vitest" or "jest" or "mocha" or "tap" or "go", got "trx"', next: 'let the runner write JUnit XML and name it: { "format": "junit", "path": "reports/*.xml" }' },
  { why: 'a report of cargo', text: '{ "test": {\n "report": { "format": "cargo", "path": "r.xml" } } }', line: 2, message: 'test.report.format must be "junit" or "ctrf" or "vitest" or "jest" or "mocha" or "tap" or "go", got "cargo"', next: 'let the runner write JUnit XML and name it: { "format": "junit", "path": "reports/*.xml" }' },
  { why: 'a list instead of an object', text: '[]', line: 1, message: 'the file must be an object, got []', next: 'correct it' },
],
)('$why is refused with its line', ({ text, line, message, next }) => {
  write('ratchet.config.json', text)
  expect(refusal()).toMatchObject({
    type: 'BadConfig',
    message,
    where: `${path.join(project, 'ratchet.config.json')}, line ${line}`,
    next,
  })
})

test.each(KNOWN_NAMES)('%s is built in, by one word', (name) => {
  write('ratchet.config.json', JSON.stringify({ roles: { default: name } }))
  const { command, args, env } = KNOWN_AGENTS[name]
  expect(agentDefinition(loadConfig(project).config, name)).toMatchObject({
    protocol: 'acp',
    command,
    args,
    env,
    known: name,
  })
})

test('an entry without a protocol changes the named settings of a built-in agent', () => {
  write(
    'ratchet.config.json',
    JSON.stringify({
      agents: {
        codex: { model: 'm' },
        fast: { extends: 'claude', mode: 'plan', env: { A: 'b' }, passEnv: ['KEY'] },
      },
    }),
  )
  const { config } = loadConfig(project)
  expect(agentDefinition(config, 'codex')).toMatchObject({
    known: 'codex',
    command: KNOWN_AGENTS.codex.command,
    env: KNOWN_AGENTS.codex.env,
    model: 'm',
  })
  expect(agentDefinition(config, 'fast')).toMatchObject({
    known: 'claude',
    mode: 'plan',
    env: { ...KNOWN_AGENTS.claude.env, A: 'b' },
    passEnv: ['KEY'],
  })
})

test('a one-shot command is an agent', () => {
  const tool = {
    protocol: 'exec',
    command: 'tool',
    args: ['--prompt-file', '{promptFile}'],
    resumeArgs: ['--resume', '{session}'],
    output: 'stream-json',
  }
  write('ratchet.config.json', JSON.stringify({ agents: { tool }, roles: { default: 'tool' } }))
  expect(agentDefinition(loadConfig(project).config, 'tool')).toMatchObject(tool)
})

test('rules of criticality are read in their order', () => {
  const rules = [
    { match: 'auth|payment', level: 'high' },
    { match: '^e2e/', level: 'low' },
  ]
  write('ratchet.config.json', JSON.stringify({ test: { criticality: rules } }))
  expect(loadConfig(project).config.test.criticality).toEqual(rules)
})

test('a budget is read in the units of its names, and 0 is none', () => {
  write(
    'ratchet.config.json',
    JSON.stringify({ limits: { maxTurns: 3, maxTokens: 1000, maxCostUsd: 0.5, maxMinutes: 90 } }),
  )
  expect(loadConfig(project).config.limits).toMatchObject({
    maxTurns: 3,
    maxTokens: 1000,
    maxCostUsd: 0.5,
    maxMinutes: 90,
    onRateLimit: 'wait',
  })
})

test('accepts settings of later versions at their neutral value', () => {
  write(
    'ratchet.config.json',
    JSON.stringify({
      limits: { feedbackTurn: '15m', maxTokens: 0, maxCostUsd: 0, maxTurns: 0, maxMinutes: 0 },
      workspace: { remote: 'origin' },
      hooks: {},
    }),
  )
  expect(loadConfig(project).config).toMatchObject({
    limits: { feedbackTurn: 900_000, maxTokens: 0 },
    hooks: {},
  })
})

test.each(
  // prettier-ignore
  [
  { why: 'a misspelt hook', text: '{ "hooks": { "don": "x" } }', message: 'unknown key hooks.don' },
  { why: 'a budget of "x"', text: '{ "limits": { "maxTokens": "x" } }', message: 'limits.maxTokens must be a number, got "x"' },
  { why: 'a negative budget', text: '{ "limits": { "maxTurns": -1 } }', message: 'limits.maxTurns must be at least 0, got -1' },
  { why: 'an unknown report', text: '{ "test": { "report": { "format": "nunit9", "path": "r" } } }', message: 'test.report.format must be "junit" or "ctrf" or "vitest" or "jest" or "mocha" or "tap" or "go", got "nunit9"' },
  { why: 'an entry of the scripted agent without effect', text: '{ "agents": { "playbook": { "env": { "A": "b" } } } }', message: 'agents.playbook says neither a protocol nor which agent it extends' },
  { why: 'an entry that is no agent', text: '{ "agents": { "mine": { "model": "m" } } }', message: 'agents.mine says neither a protocol nor which agent it extends' },
  { why: 'a misspelt field of a variant', text: '{ "agents": { "codex": { "modle": "m" } } }', message: 'unknown key agents.codex.modle' },
  { why: 'an unknown protocol', text: '{ "agents": { "a": { "protocol": "http", "command": "x" } } }', message: 'agents.a.protocol must be "acp" or "exec" or "playbook", got "http"' },
  { why: 'an agent with the name of a method', text: '{ "roles": { "default": "constructor" } }', message: 'roles.default names the agent "constructor", which is not defined' },
],
)('$why is still a mistake', ({ text, message }) => {
  write('ratchet.config.json', text)
  expect(refusal().message).toBe(message)
})

test.each(
  // prettier-ignore
  [
  { why: 'broken JSON', name: 'ratchet.config.json', text: '{\n  "limits": {\n    "idle": "3m"\n', line: 4 },
  { why: 'JSON with a key twice', name: 'ratchet.config.json', text: '{\n  "test": {},\n  "test": {}\n}', line: 3 },
  { why: 'broken YAML', name: 'ratchet.config.yaml', text: 'limits:\n  idle: "3m\n', line: 3 },
],
)('$why is refused with its line', ({ name, text, line }) => {
  write(name, text)
  expect(refusal()).toMatchObject({
    type: 'BadConfig',
    where: `${path.join(project, name)}, line ${line}`,
    message: expect.stringMatching(
      /^the file cannot be read, a brace, bracket, quote or comma may be missing there or before: .*[^:]$/,
    ) as unknown,
    next: 'correct the syntax',
  })
})

test('the line in package.json is that of the key inside "ratchet"', () => {
  write(
    'package.json',
    '{\n  "name": "x",\n  "ratchet": {\n    "limits": {\n      "idle": "5"\n    }\n  }\n}',
  )
  expect(refusal().where).toBe(`${path.join(project, 'package.json')}, line 5`)
})

test('the hash of a config follows its meaning, not its spelling', () => {
  write('ratchet.config.json', '{ "limits": { "idle": "60s" } }')
  const { hash } = loadConfig(project)
  write('ratchet.config.json', '{\n  "limits": { "idle": "1m" }\n}')
  expect(loadConfig(project).hash).toBe(hash)
  write('ratchet.config.json', '{ "limits": { "idle": "61s" } }')
  expect(loadConfig(project).hash).not.toBe(hash)
})

test('variables are passed on for the agents of a role, each once', () => {
  write(
    'ratchet.config.json',
    JSON.stringify({
      agents: {
        a: { protocol: 'acp', command: 'a', passEnv: ['KEY', 'OTHER'] },
        codex: { passEnv: ['PROXY'] },
        b: { protocol: 'acp', command: 'b', passEnv: ['KEY'] },
        unused: { protocol: 'acp', command: 'c', passEnv: ['SECRET'] },
      },
      roles: { default: 'a', 'test-fix-agent': ['b', 'codex'] },
    }),
  )
  const { config } = loadConfig(project)
  expect(namedVariables(config)).toEqual(['KEY', 'OTHER', 'PROXY'])
  expect(passedVariables(config)).toEqual(
    ['CODEX_API_KEY', 'CODEX_CONFIG', 'CODEX_HOME', 'CODEX_PATH', 'KEY', 'OPENAI_API_KEY', 'OTHER', 'PROXY'], // prettier-ignore
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'an address and a port', telemetry: { traces: 'http://127.0.0.1:4318/v1/traces', metrics: '127.0.0.1:9464' }, ok: true },
  { why: 'a port, the environment, a name', telemetry: { traces: 'env', metrics: '9464', serviceName: 'shop' }, ok: true },
  { why: 'all interfaces, explicitly', telemetry: { metrics: '0.0.0.0:9464' }, ok: true },
  { why: 'a collector by name', telemetry: { traces: 'collector:4317' }, ok: false },
  { why: 'a password in an address', telemetry: { traces: 'https://ann:pw@collector.example/v1/traces' }, ok: false },
  { why: 'a host name for the page', telemetry: { metrics: 'example.org:9464' }, ok: false },
],
)('issue "telemetry behind config": $why', ({ telemetry, ok }) => {
  write('ratchet.config.json', JSON.stringify({ telemetry }))
  if (ok) expect(loadConfig(project).config.telemetry).toMatchObject(telemetry)
  else expect(refusal().message).toMatch(/^telemetry\.(traces|metrics) must be /)
})

test('issue "telemetry behind config": a configuration without the key is unchanged', () => {
  write('ratchet.config.json', '{}')
  expect(Object.keys(loadConfig(project).config)).not.toContain('telemetry')
})
