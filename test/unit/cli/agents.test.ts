// init, agents and the agent checks of doctor: real programs on a PATH of the test, no server.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentCheck, rolesCheck } from '../../../src/cli/doctor/agent-checks.js'
import { checkBudget } from '../../../src/cli/doctor/checks.js'
import { eventLine } from '../../../src/cli/agents/agents-events.js'
import type { AgentLine } from '../../../src/cli/agents/agents-list.js'
import { agentTable, roleText } from '../../../src/cli/agents/agents-table.js'
import { cutPath } from '../../../src/cli/output/columns.js'
import { runCommandLine } from '../../../src/cli/program.js'
import type { Given } from '../../../src/cli/context.js'
import { Config } from '../../../src/contract/config/config.js'
import { KNOWN_AGENTS, KNOWN_NAMES } from '../../../src/contract/known-agents.js'
import { installLine } from '../../../src/core/agents/agents-needed.js'
import { registeredProjects } from '../../../src/adapters/config/registry.js'
import { dirsOf } from '../../../src/adapters/state-dir.js'
import { failed, firstCommit } from './repo-user.js'
import { cliUser, type CliUser } from './support.js'
import { ROLES } from '../../../src/contract/config/agent-config.js'

const SECRET = 'sk-never-shown-anywhere'
const PACKAGE = '{ "scripts": { "test": "vitest run" } }'

/**
 * A user with a repository of one commit, and these programs; each reports version 1.2.3.
 */
function userWith(
  programs: string[],
  {
    env = {},
    files = { 'package.json': PACKAGE },
  }: { env?: NodeJS.ProcessEnv; files?: Record<string, string> } = {},
): CliUser & { file: string } {
  const user = cliUser(env)
  const bin = path.join(user.root, 'bin')
  mkdirSync(bin)
  for (const name of programs)
    writeFileSync(path.join(bin, name), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 })
  user.env['PATH'] = `${bin}:/usr/bin:/bin`
  firstCommit(user, files)
  return { ...user, file: path.join(user.cwd, 'ratchet.config.json') }
}

const written = ({ file }: { file: string }): unknown => JSON.parse(readFileSync(file, 'utf8'))

describe('init', () => {
  test('writes what it found and no default, registers the project, and shows no key', async () => {
    const user = userWith(['codex-acp', 'gemini', 'claude'], {
      env: { OPENAI_API_KEY: SECRET, GEMINI_API_KEY: SECRET, ANTHROPIC_API_KEY: SECRET },
    })
    const { exitCode, stdout, stderr } = await user.run('init')
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(written(user)).toEqual({
      roles: { default: 'codex', 'cli-planning-agent': ['gemini', 'codex'] },
      test: { command: 'npm test' },
    })
    expect(registeredProjects(dirsOf(user.env)).map((project) => project.path)).toEqual([user.cwd])
    expect(stdout).toContain('found codex 1.2.3, logged in: OPENAI_API_KEY\n')
    expect(stdout).toContain(
      'missing: claude: Claude Code is installed, but claude-agent-acp, which drives it, is not; npm install -g @agentclientprotocol/claude-agent-acp@',
    )
    expect(stdout).toMatch(/^permissions: deny, as nothing encloses the agents: /m)
    expect(stdout + readFileSync(user.file, 'utf8')).not.toContain(SECRET)
  })

  test('the file it writes gives the settings of a run without a configuration', async () => {
    const user = userWith(['codex-acp', 'gemini'], {
      env: { OPENAI_API_KEY: 'k', GEMINI_API_KEY: 'k' },
    })
    type Listed = { agents: { name: string; roles: string[] }[]; chosen: unknown }
    const list = async (): Promise<Listed> =>
      JSON.parse((await user.run('agents', '--json')).stdout) as Listed
    const before = await list()
    await user.run('init')
    const after = await list()
    expect(before.chosen).toEqual({ default: ['codex'], 'cli-planning-agent': ['gemini', 'codex'] })
    expect(after.chosen).toBeNull()
    expect(after.agents.map(({ name, roles }) => [name, roles])).toEqual(
      before.agents.map(({ name, roles }) => [name, roles]),
    )
  })

  test.each([
    { why: 'a file', name: 'ratchet.config.json', text: '{}' },
    { why: 'a broken file', name: 'ratchet.config.json', text: '{"agents":' },
    { why: 'a YAML file', name: 'ratchet.config.yaml', text: 'permissions: allow\n' },
  ])('refuses to overwrite $why; --force keeps it as .bak', async ({ name, text }) => {
    const user = userWith(['qwen'], {
      env: { OPENAI_API_KEY: 'k' },
      files: { 'package.json': PACKAGE, [name]: text },
    })
    const refused = await user.run('init', '--json')
    expect(refused.exitCode).toBe(2)
    expect(failed(refused.stdout)).toMatchObject({
      message: 'a configuration exists',
      where: path.join(user.cwd, name),
      next: expect.stringContaining('ratchet init --force') as unknown,
    })
    expect(readFileSync(path.join(user.cwd, name), 'utf8')).toBe(text)
    for (const backup of ['.bak', '.bak2']) {
      expect(await user.run('init', '--force')).toMatchObject({ exitCode: 0 })
      const kept =
        backup === '.bak'
          ? path.join(user.cwd, `${name}${backup}`)
          : `${user.file}${name.endsWith('json') ? '.bak2' : '.bak'}`
      expect(existsSync(kept)).toBe(true)
    }
    expect(readFileSync(path.join(user.cwd, `${name}.bak`), 'utf8')).toBe(text)
    expect(written(user)).toMatchObject({ roles: { default: 'qwen' } })
  })

  test('sees a configuration in package.json', async () => {
    const user = userWith([], {
      files: { 'package.json': '{ "scripts": { "test": "vitest run" }, "ratchet": {} }' },
    })
    expect(failed((await user.run('init', '--json')).stdout).where).toContain(
      'package.json ("ratchet")',
    )
  })

  test('without an agent it writes the test command and says how to install an agent', async () => {
    const user = userWith([])
    const { exitCode, stdout } = await user.run('init', '--json')
    const document = JSON.parse(stdout) as { missing: string[] }
    expect(exitCode).toBe(0)
    expect(written(user)).toEqual({ test: { command: 'npm test' } })
    if (process.platform === 'linux')
      expect(document.missing).toEqual([
        expect.stringMatching(
          /^no agent was found; install one of claude, codex, gemini, qwen, opencode and log in, for example: npm install -g \S+@\d/,
        ),
      ])
  })

  test('writes nothing where it finds nothing, and reports a directory without git', async () => {
    const user = cliUser()
    user.env['PATH'] = '/usr/bin:/bin'
    const { exitCode, stdout } = await user.run('init', '--json')
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      written: null,
      config: null,
      missing: [
        expect.stringContaining('not a git repository'),
        expect.stringContaining('no test command'),
        expect.anything(),
      ],
    })
    expect(existsSync(path.join(user.cwd, 'ratchet.config.json'))).toBe(false)
  })

  test.each([
    { why: 'agrees', given: { choice: 'write' }, exitCode: 0, isThere: true },
    { why: 'declines', given: { choice: 'leave' }, exitCode: 1, isThere: false },
    { why: 'presses Ctrl-C', given: 'left' as const, exitCode: 130, isThere: false },
  ])(
    'at a terminal it shows the file first; the person $why',
    async ({ given, exitCode, isThere }) => {
      const user = userWith(['qwen'], { env: { OPENAI_API_KEY: 'k' } })
      let [stdout, shown] = ['', '']
      const ask = (): Promise<Given | 'left'> => {
        shown = stdout
        return Promise.resolve(given)
      }
      const code = await runCommandLine(
        ['init'],
        {
          env: user.env,
          cwd: user.cwd,
          interrupted: new AbortController().signal,
          version: 'test',
          ask,
        },
        { stdout: (text) => (stdout += text), stderr: () => undefined },
      )
      expect(code).toBe(exitCode)
      expect(shown).toContain('"default": "qwen"')
      expect(existsSync(user.file)).toBe(isThere)
      expect(registeredProjects(dirsOf(user.env))).toHaveLength(isThere ? 1 : 0)
    },
  )

  test('--yes asks no question', async () => {
    const user = userWith(['qwen'], { env: { OPENAI_API_KEY: 'k' } })
    const ask = (): Promise<never> => Promise.reject(new Error('asked'))
    expect(
      await runCommandLine(
        ['init', '--yes'],
        {
          env: user.env,
          cwd: user.cwd,
          interrupted: new AbortController().signal,
          version: 'test',
          ask,
        },
        { stdout: () => undefined, stderr: () => undefined },
      ),
    ).toBe(0)
  })
})

const LINE: AgentLine = {
  name: 'codex',
  program: '/bin/codex-acp',
  version: '2.6.0',
  login: 'yes',
  loginBy: 'OPENAI_API_KEY',
  roles: [...ROLES],
  reports: { tokens: true, cost: false },
  missing: '',
  next: '',
}
const INSTALL = 'npm install -g @agentclientprotocol/codex-acp@2.6.0'

test.each(
  // prettier-ignore
  [
  { why: 'it can be used', line: {}, check: { ok: true, detail: '/bin/codex-acp 2.6.0, logged in: OPENAI_API_KEY; roles: all' } },
  { why: 'its version differs from the tried one', line: { version: '9.0.0' }, check: { ok: true, detail: '/bin/codex-acp 9.0.0 (tried: 2.6.0), logged in: OPENAI_API_KEY; roles: all' } },
  { why: 'it does not report its version', line: { version: null }, check: { ok: true, detail: '/bin/codex-acp of unknown version (tried: 2.6.0), logged in: OPENAI_API_KEY; roles: all' } },
  { why: 'it has no role', line: { roles: [] }, check: { ok: true, detail: '/bin/codex-acp 2.6.0, logged in: OPENAI_API_KEY' } },
  { why: 'it has no role and is not installed', line: { roles: [], program: null, version: null, missing: 'not installed', next: INSTALL }, check: { ok: true, detail: 'not installed', next: '' } },
  { why: 'it has roles and is not installed', line: { program: null, version: null, missing: 'not installed', next: INSTALL }, check: { ok: false, detail: 'not installed; roles: all', next: INSTALL } },
  { why: 'no login shows', line: { login: 'no' as const, loginBy: null, missing: 'no key and no login found', next: 'run `codex login`' }, check: { ok: true, warning: true, detail: '/bin/codex-acp 2.6.0, no key and no login found; roles: all', next: 'run `codex login`' } },
],
)('issue "Detection": doctor of an agent: $why', ({ line, check }) => {
  expect(agentCheck({ ...LINE, ...line })).toMatchObject({ check: 'agent codex', ...check })
})

test.each(
  // prettier-ignore
  [
  { why: 'a variable of "passEnv" is not set', line: { missing: 'MY_KEY is not set', next: 'set what "passEnv" names' }, detail: '/bin/codex-acp 2.6.0, logged in: OPENAI_API_KEY, MY_KEY is not set; roles: all' },
  { why: 'the sandbox command is missing', line: { missing: 'bwrap of its "sandbox" is not on PATH', next: 'install bwrap' }, detail: '/bin/codex-acp 2.6.0, logged in: OPENAI_API_KEY, bwrap of its "sandbox" is not on PATH; roles: all' },
  { why: 'its script is missing', line: { program: 'a.yaml', version: null, login: null, loginBy: null, missing: 'its file a.yaml is not there', next: 'write it' }, detail: 'a.yaml, its file a.yaml is not there; roles: all' },
],
)('issue "Detection": doctor fails for an agent with a role: $why', ({ line, detail }) => {
  expect(agentCheck({ ...LINE, ...line })).toEqual({
    check: 'agent codex',
    ok: false,
    detail,
    next: line.next,
  })
})

const IDLE: AgentLine = { ...LINE, roles: [] }
const NEAR: AgentLine = {
  ...IDLE,
  login: 'no',
  loginBy: null,
  missing: 'no key and no login found',
  next: 'run `codex login`',
}
test.each(
  // prettier-ignore
  [
  { why: 'one agent has all roles', roles: { default: 'codex' }, lines: [LINE], check: { ok: true, detail: 'every role has an agent' } },
  { why: 'only the roles of fix are configured', roles: { 'cli-planning-agent': 'codex', 'test-fix-agent': 'codex' }, lines: [LINE], check: { ok: true, detail: 'roles of fix have an agent, those of cycle and loop have none' } },
  { why: 'no agent is installed', roles: {}, lines: [{ ...IDLE, program: null, missing: 'not installed', next: INSTALL }], check: { ok: false, detail: 'no agent has the roles cli-planning-agent and test-fix-agent', next: expect.stringMatching(/^install one of .*\nnpm install -g \S+\n/) as unknown } },
  { why: 'one is installed and not logged in', roles: {}, lines: [NEAR], check: { ok: false, next: 'make one of these usable; runs then use it without configuration\ncodex: run `codex login`' } },
  { why: 'one role has no agent', roles: { 'test-fix-agent': 'codex' }, lines: [LINE], check: { ok: false, detail: 'no agent has the role cli-planning-agent', next: expect.stringContaining('"default" gets every role that is not named') as unknown } },
],
)('issue "Detection": doctor reports the roles in one line: $why', ({ roles, lines, check }) => {
  expect(rolesCheck(Config.parse({ roles }), lines)).toMatchObject({ check: 'roles', ...check })
})

test('doctor reports each fact once, in 80 columns', async () => {
  const user = userWith(['codex-acp'], {
    files: {
      'package.json': PACKAGE,
      'ratchet.config.json':
        '{ "agents": { "mine": { "protocol": "acp", "command": "sh", "passEnv": ["MY_KEY"] } }, "roles": { "default": ["codex", "mine"] } }',
    },
  })
  let stdout = ''
  await runCommandLine(
    ['doctor'],
    {
      env: user.env,
      cwd: user.cwd,
      interrupted: new AbortController().signal,
      version: 'test',
      columns: 80,
    },
    { stdout: (text) => (stdout += text), stderr: () => undefined },
  )
  const lines = stdout.split('\n')
  for (const fact of ['codex-acp', 'MY_KEY', 'roles: all'])
    expect(lines.filter((line) => line.includes(fact)).length, fact).toBe(
      fact === 'roles: all' ? 2 : 1,
    )
  expect(lines.filter((line) => line.startsWith('FAIL agent'))).toEqual([
    expect.stringMatching(/^FAIL agent mine {6}\S+\/sh, MY_KEY is not set; roles: all$/) as unknown,
  ])
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80)
})

test('agents names a missing sandbox command', async () => {
  const user = userWith(['qwen'], {
    env: { OPENAI_API_KEY: 'k' },
    files: {
      'package.json': PACKAGE,
      'ratchet.config.json':
        '{ "agents": { "qwen": { "sandbox": ["no-such-wrapper", "--"] } }, "roles": { "default": "qwen" } }',
    },
  })
  const { agents } = JSON.parse((await user.run('agents', '--json')).stdout) as {
    agents: AgentLine[]
  }
  expect(agents.find(({ name }) => name === 'qwen')).toMatchObject({
    missing: 'no-such-wrapper of its "sandbox" is not on PATH',
    next: 'install no-such-wrapper, or correct "sandbox" in ratchet.config.json',
  })
})

test('doctor reports an unreadable configuration once, and still lists the installed agents', async () => {
  const user = userWith(['qwen'], {
    files: { 'package.json': PACKAGE, 'ratchet.config.json': '{"roles": {' },
  })
  const { checks } = JSON.parse((await user.run('doctor', '--json')).stdout) as {
    checks: { check: string; ok: boolean }[]
  }
  expect(
    checks.filter(({ check, ok }) => !ok && check !== 'server program').map(({ check }) => check),
  ).toEqual(['config'])
  expect(checks.map(({ check }) => check)).toContain('agent qwen')
})

test.each(
  // prettier-ignore
  [
  { why: 'none', limits: {}, roles: { default: 'codex' }, checks: [] },
  { why: 'one that every agent supports', limits: { maxTurns: 9, maxTokens: 1_000_000 }, roles: { default: 'codex' }, checks: [{ ok: true, detail: '9 turns, 1,000,000 tokens' }] },
  { why: 'tokens alone, for an agent that reports only its last call', limits: { maxTokens: 1_000 }, roles: { default: 'opencode' }, checks: [{ ok: true, warning: true, detail: expect.stringContaining("opencode reports the tokens of a turn's last model call only") as unknown, next: 'set limits.maxCostUsd, limits.maxTurns or limits.maxMinutes too' }] },
  { why: 'money below a cent', limits: { maxCostUsd: 0.0004 }, roles: { default: 'claude' }, checks: [{ ok: true, detail: '0.0004 US dollars' }] },
  { why: 'money and turns', limits: { maxTurns: 9, maxCostUsd: 5 }, roles: { default: 'codex' }, checks: [{ ok: true, warning: true, detail: expect.stringContaining('codex costs is not reported') as unknown }] },
  { why: 'money alone', limits: { maxCostUsd: 5 }, roles: { default: 'codex' }, checks: [{ ok: false, next: 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too' }] },
],
)('doctor of a budget: $why', ({ limits, roles, checks }) => {
  expect(checkBudget(Config.parse({ limits, roles }))).toMatchObject(checks)
})

test.each(
  // prettier-ignore
  [
  { why: 'text', event: { text: 'I look.\nThen I write.' }, lines: ['  says  I look. Then I write.'] },
  { why: 'a tool call', event: { update: { sessionUpdate: 'tool_call', toolCallId: 't1', title: 'write hello.txt', status: 'pending' } }, lines: ['  tool  write hello.txt'] },
  { why: 'its end, without a title', event: { update: { sessionUpdate: 'tool_call_update', toolCallId: 't0', status: 'completed' } }, lines: ['  tool  read a.txt: completed'] },
  { why: 'a permission', event: { permission: { title: 'rm -rf x', verdict: 'deny' } }, lines: ['  asks  rm -rf x: deny'] },
  { why: 'a death', event: { died: { deaths: 1, reason: 'killed' } }, lines: ['  died  killed'] },
  { why: 'control characters do not reach the terminal', event: { text: '\u001b[2Jgone' }, lines: [expect.not.stringContaining('\u001b')] },
  { why: 'the prompt, which is known', event: { prompt: { attempt: 1, prompt: 'Do it.' } }, lines: [] },
  { why: 'anything else', event: { update: { sessionUpdate: 'usage_update', used: 1 } }, lines: [] },
],
)('agents try shows $why', ({ event, lines }) => {
  expect(eventLine({ at: 'now', ...event }, new Map([['t0', 'read a.txt']]))).toEqual(lines)
})

const LONG = '/home/me/.nvm/versions/node/v20.19.0/lib/node_modules/.bin/claude-agent-acp'
// prettier-ignore
const LISTED: AgentLine[] = [
  { ...LINE, name: 'claude', program: LONG, version: '0.49.0', login: 'yes', loginBy: '/home/me/.claude/.credentials.json', roles: ROLES.filter((role) => role !== 'cli-planning-agent'), reports: { tokens: true, cost: true } },
  { ...LINE, roles: ['cli-planning-agent', 'test-fix-agent', 'validation-archivist'] },
  { ...LINE, name: 'qwen', program: null, version: null, login: 'no', loginBy: null, roles: [], missing: 'not installed', next: 'npm install -g q' },
  { ...LINE, name: 'opencode', program: '/home/me/bin/opencode', login: 'no', loginBy: null, roles: [], missing: 'no key and no login found', next: 'run `opencode auth login`, or set the key of a provider' },
]

test('agents at 80 columns: one line per agent, wrapped roles, and below the path and problem of each', () => {
  const table = agentTable(LISTED, { columns: 80, home: '/home/me' })
  expect(table).toEqual([
    'agent     version  login  reports       roles',
    'claude    0.49.0   yes    tokens, cost  all but cli-planning-agent',
    'codex     2.6.0    yes    tokens        cli-planning-agent, test-fix-agent,',
    '                                        validation-archivist',
    'qwen      -        no     tokens        -',
    'opencode  2.6.0    no     tokens        -',
    '',
    'claude    ~/.nvm/…/.bin/claude-agent-acp; login: ~/.claude/.credentials.json',
    'codex     /bin/codex-acp; login: OPENAI_API_KEY',
    'qwen      not installed; npm install -g q',
    'opencode  ~/bin/opencode',
    '          no key and no login found',
    '          run `opencode auth login`, or set the key of a provider',
  ])
  for (const line of table) expect(line.length).toBeLessThanOrEqual(80)
  expect(roleText(ROLES.filter((role) => role !== 'loop-init'))).toBe('all but loop-init')
})

test('docs/agents.md shows the table as it is printed', () => {
  const at = (name: string, version: string, rest: Partial<AgentLine>): AgentLine => ({
    ...LINE,
    name,
    version,
    program: `/home/me/.npm/bin/${name}`,
    roles: [],
    missing: '',
    next: '',
    ...rest,
  })
  const planner: Partial<AgentLine> = { roles: ['cli-planning-agent'] }
  const table = agentTable(
    [
      at('claude', '0.49.0', {
        program: '/home/me/.npm/bin/claude-agent-acp',
        loginBy: 'ANTHROPIC_API_KEY',
        roles: [...ROLES],
        reports: { tokens: true, cost: true },
      }),
      at('codex', '2.6.0', { ...planner, program: '/home/me/.npm/bin/codex-acp' }),
      at('gemini', '0.61.0', { ...planner, loginBy: 'GEMINI_API_KEY' }),
      at('qwen', '', {
        program: null,
        version: null,
        login: 'no',
        loginBy: null,
        missing: 'not installed',
        next: installLine('qwen'),
      }),
      at('opencode', '1.18.33', {
        login: 'no',
        loginBy: null,
        reports: { tokens: true, cost: true },
        missing: 'no key and no login found',
        next: KNOWN_AGENTS.opencode.login,
      }),
    ],
    { columns: 80, home: '/home/me' },
  )
  expect(readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8')).toContain(
    `\`\`\`\n${table.join('\n')}\n\`\`\``,
  )
})

test('agents without a terminal cuts and wraps nothing', () => {
  const table = agentTable(LISTED)
  expect(table).toContain(`claude    ${LONG}; login: /home/me/.claude/.credentials.json`)
  expect(table).toContain(
    '          no key and no login found; run `opencode auth login`, or set the key of a provider',
  )
})

test.each(
  // prettier-ignore
  [
  { why: 'fits', file: '/usr/bin/qwen', cut: '/usr/bin/qwen' },
  { why: 'loses whole folders', file: '~/.cache/ratchet/agents/qwen/node_modules/.bin/qwen', cut: '~/.cache/…/node_modules/.bin/qwen' },
  { why: 'has a name that is longer still', file: `/opt/${'x'.repeat(50)}/the-agent`, cut: '/opt/…/the-agent' },
  { why: 'is one long name', file: '0123456789'.repeat(5), cut: `…${'0123456789'.repeat(5).slice(-35)}` },
],
)('a path in 36 characters that $why', ({ file, cut }) => expect(cutPath(file, 36)).toBe(cut))

test.each(
  // prettier-ignore
  [
  { why: 'an unknown action', argv: ['agents', 'show'], message: 'unknown action "agents show"' },
  { why: 'no name', argv: ['agents', 'try'], message: 'no agent named' },
  { why: 'an unknown name', argv: ['agents', 'try', 'cursor'], message: 'unknown agent cursor' },
  { why: 'a limit without a unit', argv: ['agents', 'try', 'codex', '--timeout', '30'], message: '--timeout needs a unit' },
  { why: 'an empty prompt', argv: ['agents', 'try', 'codex', '--prompt', ' '], message: '--prompt must not be empty' },
  { why: 'a prompt without an agent to try', argv: ['agents', '--prompt', 'x'], message: '--prompt and --timeout need' },
],
)('agents: $why: exit 2', async ({ argv, message }) => {
  const { exitCode, stdout } = await userWith([]).run(...argv, '--json')
  expect(exitCode).toBe(2)
  expect(failed(stdout).message).toContain(message)
})

test('agents try of a missing agent says how to install it and leaves no files', async () => {
  const user = userWith([])
  const { exitCode, stdout } = await user.run('agents', 'try', 'codex', '--json')
  expect(exitCode).toBe(1)
  expect(failed(stdout)).toMatchObject({
    type: 'AgentNotReady',
    message: 'codex: not installed',
    next: expect.stringMatching(/^npm install -g @agentclientprotocol\/codex-acp@\d/) as unknown,
  })
  expect(existsSync(path.join(user.state, 'ratchet/tries'))).toBe(false)
})

test.each(['fix', 'cycle', 'loop'])(
  '%s refuses a budget in money that its agent does not report, before anything starts',
  async (command) => {
    const user = userWith(['codex-acp'], {
      env: { OPENAI_API_KEY: 'k' },
      files: {
        'package.json': PACKAGE,
        'ratchet.config.json': '{ "limits": { "maxCostUsd": 5 } }',
      },
    })
    const { exitCode, stdout } = await user.run(
      command,
      ...(command === 'fix' ? [] : ['a task']),
      '--json',
    )
    expect(exitCode).toBe(2)
    expect(failed(stdout)).toMatchObject({
      type: 'BadConfig',
      message:
        'limits.maxCostUsd is the only budget, and codex reports no cost: it would never be reached',
      next: 'set limits.maxTokens, limits.maxTurns or limits.maxMinutes too',
    })
    expect(existsSync(user.state)).toBe(false)
  },
)

test('cycle without an agent names the five, how to install one, and the dry run', async () => {
  const { exitCode, stdout } = await userWith([]).run('cycle', 'a task', '--json')
  if (process.platform !== 'linux') return // elsewhere a login may be in a key store that cannot be read
  expect(exitCode).toBe(2)
  const { message, next } = failed(stdout)
  expect(message).toContain('no agent is configured for requirements-analyst')
  expect(next).toMatch(
    /claude, codex, gemini, qwen, opencode.* npm install -g @agentclientprotocol\/claude-agent-acp@.*playbook/,
  )
})

test('fix without an agent warns in one line, as its run says more if it needs one', async () => {
  const { stderr } = await userWith([]).run('fix')
  if (process.platform !== 'linux') return // elsewhere a login may be in a key store that cannot be read
  expect(stderr).toMatch(
    /^warning: no agent is configured, and no usable one was found; ratchet doctor shows how to get one\n/,
  )
})

test.each(['cycle', 'loop'])(
  '%s with an installed agent without a login says how to log in, not how to install',
  async (command) => {
    const { exitCode, stdout } = await userWith(['codex-acp']).run(command, 'a task', '--json')
    expect(exitCode).toBe(2)
    expect(failed(stdout).next).toBe(
      'codex: no key and no login found; run `codex login`, or set OPENAI_API_KEY',
    )
  },
)

test('the driver refuses agents try for an agent that hangs without a login, and says how to log in', async () => {
  const user = userWith(['opencode'])
  const { exitCode, stdout, stderr } = await user.run('agents', 'try', 'opencode', '--json')
  expect(exitCode).toBe(1)
  expect(failed(stdout)).toMatchObject({
    type: 'AgentNotReady',
    message: expect.stringMatching(/^opencode: /) as unknown,
    next: expect.stringContaining('opencode auth login') as unknown,
  })
  expect(stderr).toContain('warning: no key and no login found; run `opencode auth login`')
})

test.each(KNOWN_NAMES)('docs/agents.md installs %s as doctor says', (name) => {
  const row = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${name}\` |`))
  expect(row).toContain(`\`${installLine(name)}\``)
})
