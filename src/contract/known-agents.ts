// The five agents that need no entry in the config, with what was measured of each.

export const KNOWN_NAMES = ['claude', 'codex', 'gemini', 'qwen', 'opencode'] as const
export type KnownName = (typeof KNOWN_NAMES)[number]

/** Policy for permissions, as the config has it. */
type Permissions = 'deny' | 'allow' | 'ask'

export type KnownAgent = {
  /** Display name. */
  title: string
  /** Speaks the Agent Client Protocol on stdio. */
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Its own variables, passed on if they are set. */
  mayPassEnv: readonly string[]
  /** npm package of `command`, and the version that was tried. */
  package: { name: string; version: string }
  /** Session mode by policy; `undefined` if the agent has none for it. */
  modes: Readonly<Record<Permissions, string | undefined>>
  /** Variables by policy, for an agent that reads its permissions from them. */
  policyEnv?: Readonly<Record<Permissions, Readonly<Record<string, string>>>>
  /** Variable for its model, if the protocol reaches only some of its models. */
  modelEnv?: string
  /**
   * It survives its driver, so it is started in a way that ends it with the driver, if the system
   * can.
   */
  outlives?: true
  /** Variables for a key; one of them suffices. */
  keyEnv: readonly string[]
  /**
   * Files below the home directory, or below the folder in the variable, that exist after a login.
   */
  loginFiles: readonly { path: string; under?: string }[]
  /** How a person logs in. */
  login: string
  /** What it reports of its usage. */
  reports: { tokens: boolean; cost: boolean }
  /** The tokens it reports are those of a turn's last model call. */
  tokensOfLastCall?: true
  /** The cost it reports starts at zero with each process, not with each session. */
  costByProcess?: true
  /** A resumed session has another model than it reports, until one is chosen. */
  losesModel?: true
}

export const KNOWN_AGENTS: Readonly<Record<KnownName, KnownAgent>> = {
  claude: {
    title: 'Claude Code',
    command: 'claude-agent-acp',
    args: [],
    // Its instructions for commits and the git status change with every commit, and with them a
    // prompt that the provider has cached.
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: '1',
      CLAUDE_CODE_MAX_RETRIES: '4',
    },
    mayPassEnv: [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_MODEL',
      'CLAUDE_CONFIG_DIR',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CODE_EXECUTABLE',
    ],
    package: { name: '@agentclientprotocol/claude-agent-acp', version: '0.49.0' },
    modes: { deny: 'acceptEdits', ask: 'acceptEdits', allow: 'acceptEdits' },
    keyEnv: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
    loginFiles: [{ path: '.claude/.credentials.json', under: 'CLAUDE_CONFIG_DIR' }],
    login: 'run `claude` once and log in, or set ANTHROPIC_API_KEY',
    reports: { tokens: true, cost: true },
    costByProcess: true,
    losesModel: true,
  },
  codex: {
    title: 'Codex',
    command: 'codex-acp',
    args: [],
    env: { INITIAL_AGENT_MODE: 'workspace-write' },
    mayPassEnv: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'CODEX_HOME', 'CODEX_PATH', 'CODEX_CONFIG'],
    package: { name: '@agentclientprotocol/codex-acp', version: '2.6.0' },
    modes: { deny: 'workspace-write', ask: 'workspace-write', allow: 'agent-full-access' },
    keyEnv: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
    loginFiles: [{ path: '.codex/auth.json', under: 'CODEX_HOME' }],
    login: 'run `codex login`, or set OPENAI_API_KEY',
    reports: { tokens: true, cost: false },
  },
  gemini: {
    title: 'Gemini CLI',
    command: 'gemini',
    args: ['--acp', '--skip-trust'],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    mayPassEnv: [
      'GEMINI_API_KEY',
      'GOOGLE_API_KEY',
      'GOOGLE_GEMINI_BASE_URL',
      'GEMINI_CLI_HOME',
      'GOOGLE_CLOUD_PROJECT',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
      'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    ],
    package: { name: '@google/gemini-cli', version: '0.61.0' },
    modes: { deny: 'autoEdit', ask: 'autoEdit', allow: 'yolo' },
    outlives: true,
    keyEnv: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    loginFiles: [{ path: '.gemini/oauth_creds.json', under: 'GEMINI_CLI_HOME' }],
    login: 'run `gemini` once and log in, or set GEMINI_API_KEY',
    reports: { tokens: true, cost: false },
  },
  qwen: {
    title: 'Qwen Code',
    command: 'qwen',
    args: ['--acp'],
    env: { QWEN_CODE_NO_RELAUNCH: 'true' },
    mayPassEnv: [
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'OPENAI_MODEL',
      'QWEN_HOME',
      'QWEN_CODE_SYSTEM_SETTINGS_PATH',
      'QWEN_CODE_SYSTEM_DEFAULTS_PATH',
      'DASHSCOPE_API_KEY',
    ],
    package: { name: '@qwen-code/qwen-code', version: '0.15.10' },
    modes: { deny: 'auto-edit', ask: 'auto-edit', allow: 'yolo' },
    modelEnv: 'OPENAI_MODEL',
    keyEnv: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
    loginFiles: [{ path: '.qwen/oauth_creds.json' }],
    login: 'run `qwen` once and log in, or set OPENAI_API_KEY',
    reports: { tokens: true, cost: false },
  },
  opencode: {
    title: 'OpenCode',
    command: 'opencode',
    args: ['acp'],
    env: { OPENCODE_DISABLE_MODELS_FETCH: '1' },
    mayPassEnv: [
      'OPENCODE_CONFIG',
      'OPENCODE_CONFIG_CONTENT',
      'ANTHROPIC_API_KEY',
      'OPENAI_API_KEY',
      'GEMINI_API_KEY',
      'OPENROUTER_API_KEY',
    ],
    package: { name: 'opencode-ai', version: '1.18.33' },
    modes: { deny: undefined, ask: undefined, allow: undefined },
    policyEnv: {
      deny: { OPENCODE_PERMISSION: '{"bash":"deny"}' },
      ask: { OPENCODE_PERMISSION: '{"bash":"ask"}' },
      allow: {},
    },
    keyEnv: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    loginFiles: [{ path: '.local/share/opencode/auth.json' }],
    login: 'run `opencode auth login`, or set the key of a provider',
    reports: { tokens: true, cost: true },
    tokensOfLastCall: true,
  },
}
