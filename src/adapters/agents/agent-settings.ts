// Settings of an agent that only a file can set. Each is the lowest layer, so that the user's
// settings have precedence.
import { copyFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import type { AgentDefinition } from '../../contract/config/agent-config.js'
import { KNOWN_AGENTS, type KnownName } from '../../contract/known-agents.js'
import { packaged } from '../package.js'

/**
 * Variable that names the file, the key that the settings speak of, and where the machine's
 * administrator keeps such a file.
 */
const LAYERS: Partial<Record<KnownName, { variable: string; key: string; system: string }>> = {
  gemini: {
    variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH',
    key: 'GEMINI_API_KEY',
    system: 'gemini-cli',
  },
  qwen: { variable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH', key: 'OPENAI_API_KEY', system: 'qwen-code' },
}

/**
 * Writes an agent's settings into a folder of its own, as some rewrite the file they are given, and
 * returns the variable that names it; none where the agent needs no file, or the machine has one
 * already.
 *
 * @param env of the agent
 */
export function writeSettings(
  known: KnownName | undefined,
  env: Readonly<Record<string, string>>,
  folder: string,
): Record<string, string> {
  const layer = known === undefined ? undefined : LAYERS[known]
  if (
    layer === undefined ||
    env[layer.variable] !== undefined ||
    systemFiles(layer.system).some((file) => existsSync(file))
  )
    return {}
  const file = path.join(folder, 'agent-settings.json')
  copyFileSync(
    packaged(`agent-settings/${known}${env[layer.key] === undefined ? '' : '-key'}.json`),
    file,
  )
  return { [layer.variable]: file }
}

/** Files of opencode that may name a provider, below the home directory and below a project. */
const PROVIDER_FILES = {
  home: [
    '.local/share/opencode/auth.json',
    '.config/opencode/opencode.json',
    '.config/opencode/opencode.jsonc',
    '.config/opencode/config.json',
  ],
  project: [
    'opencode.json',
    'opencode.jsonc',
    '.opencode/opencode.json',
    '.opencode/opencode.jsonc',
  ],
}

/**
 * Returns what opencode needs before it can start, in words, or `undefined`: without a provider it
 * picks a publicly hosted model, and hangs if it cannot reach it.
 *
 * A definition that names a model or passes a variable has made its choice.
 */
export function needsProvider(
  { known, passEnv, ...definition }: AgentDefinition,
  env: Readonly<Record<string, string>>,
  cwd: string,
): string | undefined {
  if (
    known !== 'opencode' ||
    passEnv.length > 0 ||
    ('model' in definition && definition.model !== undefined)
  )
    return undefined
  const { keyEnv, login } = KNOWN_AGENTS.opencode
  if (
    [...keyEnv, 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_CONTENT'].some(
      (variable) => env[variable] !== undefined,
    )
  )
    return undefined
  const files = [
    ...PROVIDER_FILES.home.map((file) => path.join(env['HOME'] ?? '', file)),
    ...PROVIDER_FILES.project.map((file) => path.join(cwd, file)),
  ]
  return files.some((file) => existsSync(file))
    ? undefined
    : `a provider's key (${keyEnv.join(', ')}) or a login (${login})`
}

function systemFiles(name: string): string[] {
  const mac = name === 'gemini-cli' ? 'GeminiCli' : 'QwenCode'
  return [
    `/etc/${name}/system-defaults.json`,
    `/Library/Application Support/${mac}/system-defaults.json`,
  ]
}
