// ratchet agents: lists the coding agents on this machine with their roles, or tries one.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Lists each agent with its program and version, whether it is logged in, what it reports of its usage, and its roles.',
    '`try` runs two small turns of one agent in an empty repository, without a server, and shows what it does. The second',
    'turn resumes the session of the first in another process, as after a crash. The repository is removed afterwards.',
    'The cost is that of two short prompts. More: docs/agents.md',
  ],
  arguments: [
    ['[action]', 'try'],
    [
      '[name]',
      'try: claude, codex, gemini, qwen, opencode, playbook, or an agent of the configuration',
    ],
  ],
  options: [
    ['--prompt <text>', 'try: prompt of the first turn (default: to write a small file)'],
    ['--timeout <duration>', 'try: limit for both turns together (default: 2m)'],
  ],
  values: {
    '[action]': ['try'],
    '[name]': ({ agents }, [action]) => (action === 'try' ? agents() : []),
  },
  examples: [
    'ratchet agents try claude',
    'ratchet agents --json | jq -r \'.agents[] | select(.missing == "") | .name\'',
  ],
  load: () => import('../run/run-agents.js'),
}
