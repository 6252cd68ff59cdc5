// ratchet init: a configuration from what is found here.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Looks for claude, codex, gemini, qwen and opencode, on PATH and in the node_modules of the project, and whether each',
    'is logged in: keys in the environment, and the files of a login, whose contents are never read. The first of them',
    'plays every role, and gemini, qwen and codex analyse where several are there. Registers the project. Nothing is asked',
    'over the network, and no default is written down.',
    'In a terminal what will be written is shown first. An existing configuration is left alone unless forced.',
  ],
  options: [
    ['--force', 'Replace a configuration that is there; the old one is kept beside it as .bak'],
    ['--yes', 'Write without asking'],
  ],
  examples: ['ratchet init && ratchet doctor'],
  run: async (...given) => (await import('../run/run-init.js')).run(...given),
}
