// ratchet agents: which coding agents are here and who plays what, or a try of one.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Each agent with its program and version, whether it is logged in, what it reports of its usage, and its roles.',
    'try runs two small turns of one agent, without a server, in an empty repository that is removed afterwards, and shows',
    'what it does as it does it. The second turn goes on in the session of the first in another process, as after a crash.',
    'It costs what two short prompts cost. More: docs/agents.md',
  ],
  arguments: [
    ['[action]', 'try'],
    [
      '[name]',
      'try: claude, codex, gemini, qwen, opencode, playbook, or an agent of the configuration',
    ],
  ],
  options: [
    ['--prompt <text>', 'try: what the first turn is asked (default: to write a small file)'],
    ['--timeout <duration>', 'try: for both turns together (default: 2m)'],
  ],
  values: {
    '[action]': ['try'],
    '[name]': ({ agents }, [action]) => (action === 'try' ? agents() : []),
  },
  examples: [
    'ratchet agents try claude',
    'ratchet agents --json | jq -r \'.agents[] | select(.missing == "") | .name\'',
  ],
  run: async (...given) => (await import('../run/run-agents.js')).run(...given),
}
