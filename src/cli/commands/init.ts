// ratchet init: writes a configuration from what it finds.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Looks for claude, codex, gemini, qwen and opencode, on PATH and in the node_modules of the project, and checks',
    'whether each is logged in: by keys in the environment and by login files, whose contents it never reads. The first',
    'agent gets every role; gemini, qwen and codex analyse if several are installed. It also registers the project. It',
    'uses no network and writes no defaults.',
    'In a terminal it shows the configuration first. An existing configuration is kept unless --force is given.',
  ],
  options: [
    ['--force', 'Replace an existing configuration; the old one is kept as .bak'],
    ['--yes', 'Do not ask'],
  ],
  examples: ['ratchet init && ratchet doctor'],
  load: () => import('../run/run-init.js'),
}
