import { expect, test } from 'vitest'
import { loginOf } from '../../../../src/core/agents/agent-login.js'
import type { KnownName } from '../../../../src/contract/known-agents.js'

type Row = {
  why: string
  agent: KnownName
  set?: Record<string, string>
  files?: string[]
  platform?: string
  login: unknown
}

test.each<Row>(
  // prettier-ignore
  [
  { why: 'a key in the environment', agent: 'codex', set: { OPENAI_API_KEY: 'k' }, login: { state: 'yes', by: 'OPENAI_API_KEY' } },
  { why: 'the first of several keys', agent: 'claude', set: { CLAUDE_CODE_OAUTH_TOKEN: 'k', ANTHROPIC_AUTH_TOKEN: 'k' }, login: { state: 'yes', by: 'ANTHROPIC_AUTH_TOKEN' } },
  { why: 'the key of another vendor is none', agent: 'claude', set: { OPENAI_API_KEY: 'k' }, login: { state: 'no', next: 'run `claude` once and log in, or set ANTHROPIC_API_KEY' } },
  { why: 'an empty key is none', agent: 'gemini', set: { GEMINI_API_KEY: '' }, login: { state: 'no', next: 'run `gemini` once and log in, or set GEMINI_API_KEY' } },
  { why: 'a login file', agent: 'codex', files: ['/home/a/.codex/auth.json'], login: { state: 'yes', by: '/home/a/.codex/auth.json' } },
  { why: 'a key goes before a file', agent: 'codex', set: { CODEX_API_KEY: 'k' }, files: ['/home/a/.codex/auth.json'], login: { state: 'yes', by: 'CODEX_API_KEY' } },
  { why: 'a folder of its own', agent: 'codex', set: { CODEX_HOME: '/work-account' }, files: ['/work-account/auth.json'], login: { state: 'yes', by: '/work-account/auth.json' } },
  { why: 'a folder that stands for home', agent: 'gemini', set: { GEMINI_CLI_HOME: '/other' }, files: ['/other/.gemini/oauth_creds.json'], login: { state: 'yes', by: '/other/.gemini/oauth_creds.json' } },
  { why: 'with a folder of its own the usual one does not count', agent: 'codex', set: { CODEX_HOME: '/new' }, files: ['/home/a/.codex/auth.json'], login: { state: 'no', next: 'run `codex login`, or set OPENAI_API_KEY' } },
  { why: 'claude on a Mac keeps it in the key chain', agent: 'claude', platform: 'darwin', login: { state: 'unknown', by: 'the key chain' } },
  { why: 'codex on a Mac does not', agent: 'codex', platform: 'darwin', login: { state: 'no', next: 'run `codex login`, or set OPENAI_API_KEY' } },
],
)('$agent: $why', ({ agent, set = {}, files = [], platform = 'linux', login }) => {
  const facts = {
    home: '/home/a',
    folder: (name: string) => set[name],
    isSet: (name: string) => (set[name] ?? '') !== '',
    isFile: (file: string) => files.includes(file),
    platform,
  }
  expect(loginOf(agent, facts)).toEqual(login)
})
