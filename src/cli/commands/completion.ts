// ratchet completion: prints the shell completion script. bash and zsh use that of tabtab; fish has
// its own here, as tabtab's evaluates what was typed.
import type { Context } from '../context.js'
import type { Definition } from '../definition.js'
import { badInput } from '../output/errors.js'

const INSTALL = {
  bash: 'echo \'eval "$(ratchet completion bash)"\' >> ~/.bashrc',
  zsh: 'echo \'eval "$(ratchet completion zsh)"\' >> ~/.zshrc',
  fish: 'ratchet completion fish > ~/.config/fish/completions/ratchet.fish',
}
type Shell = keyof typeof INSTALL
const SHELLS = Object.keys(INSTALL) as Shell[]

const FISH = `# completion of ratchet for fish
function __ratchet_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l found (SHELL=fish COMP_CWORD=(count $before) ratchet completion-server -- $before "$current" 2>/dev/null)
    if test "$found" = __tabtab_complete_files__
        __fish_complete_path "$current"
    else
        printf '%s\\n' $found
    end
end
complete -c ratchet -f -a '(__ratchet_complete)'
`

export const command: Definition = {
  text: [
    'Completes commands, options, their values, agents, and the names of sessions, cycles, loops and runs. It reads files',
    'only and contacts no server.',
    'bash: add eval "$(ratchet completion bash)" to ~/.bashrc.',
    'zsh: add eval "$(ratchet completion zsh)" to ~/.zshrc, below compinit.',
  ],
  arguments: [['<shell>', 'bash, zsh or fish']],
  values: {
    '<shell>': SHELLS,
  },
  examples: ['ratchet completion fish > ~/.config/fish/completions/ratchet.fish'],
  load: () => Promise.resolve({ run }),
}

async function run({ out }: Context, [shell]: string[]): Promise<number> {
  const known = SHELLS.find((one) => one === shell)
  if (known === undefined) {
    const message =
      shell === undefined ? 'no shell given' : `no completion for ${JSON.stringify(shell)}`
    throw badInput(
      message,
      'ratchet completion',
      shell === undefined
        ? `run: ratchet completion ${SHELLS.join('|')}`
        : `use one of: ${SHELLS.join(', ')}`,
    )
  }
  const script =
    known === 'fish'
      ? FISH
      : await (
          await import('@pnpm/tabtab')
        ).default.getCompletionScript({ name: 'ratchet', completer: 'ratchet', shell: known })
  out.answer({ shell: known, script, install: INSTALL[known] }, [script.trimEnd()])
  return 0
}
