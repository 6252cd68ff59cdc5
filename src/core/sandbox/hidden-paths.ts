// Paths that no sandboxed program can read: logins, keys, histories, and what other agents keep.
import type { KnownName } from '../../contract/known-agents.js'

/** Below the home directory. */
const HIDDEN = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.config/rclone',
  '.docker',
  '.kube',
  '.netrc',
  '.git-credentials',
  '.password-store',
  '.pypirc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.terraform.d',
  '.vault-token',
  '.mozilla',
  '.thunderbird',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/Firefox',
  'Library/Keychains',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
  '.psql_history',
  '.mysql_history',
  '.local/share/fish/fish_history',
  '.local/share/keyrings',
] as const

/** Package managers need these for a set-up from a private registry. */
const LOGINS_OF_SET_UP = ['.npmrc', '.yarnrc.yml', '.config/pip'] as const

/** Where an agent keeps settings, login and sessions. */
export type AgentFolder = {
  /** Below the home directory. */
  path: string
  /** Names another folder, or another home directory: then `inside` is the folder in it. */
  variable?: string
  inside?: string
}

export const AGENT_FOLDERS: Readonly<Record<KnownName, readonly AgentFolder[]>> = {
  claude: [{ path: '.claude', variable: 'CLAUDE_CONFIG_DIR' }],
  codex: [{ path: '.codex', variable: 'CODEX_HOME' }],
  gemini: [{ path: '.gemini', variable: 'GEMINI_CLI_HOME', inside: '.gemini' }],
  qwen: [{ path: '.qwen' }],
  opencode: [
    { path: '.local/share/opencode' },
    { path: '.local/state/opencode' },
    { path: '.config/opencode' },
  ],
}
/** The settings file of claude, which is in the folder of its variable where that is set. */
export const CLAUDE_FILE = '.claude.json'

/** Hidden paths below the home directory, for a program of this kind. */
export function hiddenBelowHome(kind: 'agent' | 'tests' | 'set-up'): string[] {
  return [
    ...HIDDEN,
    ...Object.values(AGENT_FOLDERS)
      .flat()
      .map((folder) => folder.path),
    CLAUDE_FILE,
    ...(kind === 'set-up' ? [] : LOGINS_OF_SET_UP),
  ]
}
