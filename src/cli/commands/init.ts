// ratchet init: writes a configuration from what it finds.
import type { Definition } from '../definition.js'

export const command: Definition = {
  text: [
    'Looks for claude, codex, gemini, qwen and opencode, on PATH and in the node_modules of the project, and checks',
    'whether each is logged in: by keys in the environment and by login files, whose contents it never reads. The first',
    'agent gets every role; gemini, qwen and codex analyse if several are installed. It also registers the project. It',
    'uses no network and writes no defaults.',
    'If a sandbox holds on this machine, it runs the tests inside and outside of it, in copies of your tree. If both say',
    'the same, it offers the sandbox; otherwise it names what the tests were refused.',
    'In a terminal it shows the configuration first. An existing configuration is kept unless --force is given.',
  ],
  options: [
    ['--force', 'Replace an existing configuration; the old one is kept as .bak'],
    ['--yes', 'Do not ask; write the sandbox if the tests run in it'],
  ],
  examples: ['ratchet init && ratchet doctor'],
  load: () => import('../run/run-init.js'),
}
