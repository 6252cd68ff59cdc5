// Settings of an agent that can be given by a file only. Each is the lowest layer there is, so that
// whatever the user has set wins. Source: agents.md §4, G1.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KnownName } from '../../contract/known-agents.js'

/** Variable that names the file, the key that the settings speak of, and where the machine's administrator keeps such a file. */
const LAYERS: Partial<Record<KnownName, { variable: string; key: string; system: string }>> = {
  gemini: { variable: 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH', key: 'GEMINI_API_KEY', system: 'gemini-cli' },
  qwen: { variable: 'QWEN_CODE_SYSTEM_DEFAULTS_PATH', key: 'OPENAI_API_KEY', system: 'qwen-code' },
}

/**
 * The variable that names an agent's settings; none where the agent needs no file, or the machine has one already.
 *
 * @param env of the agent
 */
export function settingsEnv(known: KnownName | undefined, env: Readonly<Record<string, string>>): Record<string, string> {
  const layer = known === undefined ? undefined : LAYERS[known]
  if (layer === undefined || env[layer.variable] !== undefined || systemFiles(layer.system).some((file) => existsSync(file))) return {}
  const file = `${known}${env[layer.key] === undefined ? '' : '-key'}.json`
  return { [layer.variable]: path.join(settingsDir(), file) }
}

function systemFiles(name: string): string[] {
  const mac = name === 'gemini-cli' ? 'GeminiCli' : 'QwenCode'
  return [`/etc/${name}/system-defaults.json`, `/Library/Application Support/${mac}/system-defaults.json`]
}

// Sources and build are equally deep below the package.
function settingsDir(): string {
  return path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../agent-settings')
}
