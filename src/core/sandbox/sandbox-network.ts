// Which hosts a sandboxed program may reach.
import type { KnownName } from '../../contract/known-agents.js'

/** A host that may be reached. Without a port it is any port. */
export type Allowed = { host: string; port?: number | undefined }

/** Hosts that a known agent needs for its models and its login. */
const PROVIDERS: Readonly<Record<KnownName, readonly string[]>> = {
  claude: ['api.anthropic.com', 'claude.ai', 'console.anthropic.com', 'platform.claude.com'],
  codex: ['api.openai.com', 'auth.openai.com', 'chatgpt.com'],
  gemini: [
    'generativelanguage.googleapis.com',
    'cloudcode-pa.googleapis.com',
    'oauth2.googleapis.com',
    '*.aiplatform.googleapis.com',
  ],
  qwen: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'chat.qwen.ai', 'portal.qwen.ai'],
  opencode: [
    'api.anthropic.com',
    'api.openai.com',
    'generativelanguage.googleapis.com',
    'openrouter.ai',
    'opencode.ai',
    'models.dev',
  ],
}

/** Registries of packages, for a set-up. */
export const REGISTRIES = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'pypi.org',
  'files.pythonhosted.org',
  'proxy.golang.org',
  'sum.golang.org',
  'crates.io',
  'index.crates.io',
  'static.crates.io',
  'repo.maven.apache.org',
  'rubygems.org',
] as const

/** Variables that name a registry. */
const REGISTRY_VARIABLES = [
  'npm_config_registry',
  'NPM_CONFIG_REGISTRY',
  'YARN_NPM_REGISTRY_SERVER',
  'PIP_INDEX_URL',
  'PIP_EXTRA_INDEX_URL',
  'UV_INDEX_URL',
  'UV_DEFAULT_INDEX',
  'GOPROXY',
]

type Env = Readonly<Record<string, string | undefined>>

/**
 * Hosts of an agent: those of its provider, and of the addresses in its variables. An agent that is
 * not known has only the latter.
 */
export function hostsOfAgent(known: KnownName | undefined, env: Env): Allowed[] {
  const bases = Object.keys(env).filter((name) => /_BASE_URL$/.test(name))
  return [...(known === undefined ? [] : PROVIDERS[known]).map(readHost), ...hostsIn(env, bases)]
}

/** Hosts of a set-up: public registries, and those that the environment names. */
export function hostsOfSetUp(env: Env): Allowed[] {
  return [...REGISTRIES.map(readHost), ...hostsIn(env, REGISTRY_VARIABLES)]
}

/** Reads `host`, `host:port` or `*.host`. */
export function readHost(text: string): Allowed {
  const [, host = '', port] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return { host: nameOf(host), port: port === undefined ? undefined : Number(port) }
}

/** The entry that allows a connection, or `undefined`. */
export function allowedBy(
  allowed: readonly Allowed[],
  host: string,
  port: number,
): Allowed | undefined {
  const name = nameOf(host)
  return allowed.find(
    (one) =>
      (one.port === undefined || one.port === port) &&
      (one.host.startsWith('*.') ? name.endsWith(one.host.slice(1)) : one.host === name),
  )
}

/** Whether a host is this machine by its name. */
export function isLocal(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^127(\.\d+){3}$/.test(host)
}

// This machine has many names, and one loopback.
function nameOf(host: string): string {
  const name = host.toLowerCase().replace(/\.$/, '')
  return isLocal(name) ? 'localhost' : name
}

function hostsIn(env: Env, names: readonly string[]): Allowed[] {
  return names.flatMap((name) => (env[name] ?? '').split(/[\s,|]+/).flatMap(hostOf))
}

function hostOf(address: string): Allowed[] {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) return []
  const { hostname, port, protocol } = new URL(address)
  const usual = protocol === 'https:' ? 443 : 80
  return [{ host: nameOf(hostname), port: port === '' ? usual : Number(port) }]
}
