// The set-up of an agent's user, with the model stub in place of the vendor: variables, and files
// in the home directory.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { KnownName } from '../../../src/contract/known-agents.js'

/** The key every agent gets; no vendor would take it. */
export const KEY = 'sk-stub-0123456789abcdef'

/**
 * Sets an agent up in a home directory.
 *
 * @param url of the model stub
 * @returns its variables
 */
export function setUp(name: KnownName, home: string, url: string): Record<string, string> {
  switch (name) {
    case 'claude':
      return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY }
    case 'codex':
      put(
        path.join(home, '.codex/config.toml'),
        [
          'model = "gpt-5.5"',
          'model_provider = "stub"',
          '[model_providers.stub]',
          'name = "stub"',
          `base_url = "${url}/v1"`,
          'env_key = "OPENAI_API_KEY"',
          'wire_api = "responses"',
          'request_max_retries = 0',
          'stream_max_retries = 0',
          '[features]',
          'plugins = false',
          '',
        ].join('\n'),
      )
      return { OPENAI_API_KEY: KEY }
    case 'gemini':
      return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY }
    case 'qwen':
      return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'stub-model' }
    case 'opencode':
      put(
        path.join(home, '.config/opencode/opencode.json'),
        JSON.stringify({
          model: 'stub/stub-model',
          small_model: 'stub/stub-model',
          enabled_providers: ['stub'],
          provider: {
            stub: {
              npm: '@ai-sdk/openai-compatible',
              name: 'stub',
              options: { baseURL: `${url}/v1`, apiKey: KEY },
              models: Object.fromEntries(
                ['stub-model', 'other-model'].map((id) => [
                  id,
                  {
                    name: id,
                    limit: { context: 128_000, output: 8_000 },
                    cost: { input: 1, output: 2 },
                  },
                ]),
              ),
            },
          },
        }),
      )
      return {}
  }
}

/**
 * The `claude` program that its ACP adapter brings along, in a package of the platform.
 *
 * @param bin folder of programs of the adapter
 */
export function claudeProgram(bin: string): string | undefined {
  const vendor = path.join(bin, '../@anthropic-ai')
  return readdirSync(vendor)
    .filter((name) => name.startsWith('claude-agent-sdk-'))
    .map((name) => path.join(vendor, name, 'claude'))[0]
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
