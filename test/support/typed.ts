// A person who types the commands of the documentation: an interactive bash at a terminal, with a
// separate home.
import path from 'node:path'
import { atTerminal, type Terminal } from './pty.js'

/**
 * What to know about a command before it is typed. By default it must exit with 0.
 */
export type Typed = {
  /** Its beginning on the page. */
  command: string
  /** Done before it is typed, as a prerequisite of the page. */
  before?: (at: { shell: Shell; project: string }) => unknown
  /** Which run's id it takes: that of the run started so many runs before the last one. */
  ago?: number
  /** Keys to press, each after its awaited text. */
  keys?: [seen: RegExp, keys: string][]
  /** What it shows. */
  shows?: (string | RegExp)[]
  /** Exit code; the default is 0. */
  exit?: number
}

export type Shell = {
  /** Types a command, presses its keys, and waits for the next prompt. */
  type: (command: string, typed?: Typed) => Promise<{ exit: number; shown: string }>
  close: () => void
}

const PROMPT = /\[(\d+)\] next> $/
/** Longer than any command takes on two busy cores. */
const PATIENCE_MS = Number(process.env['TYPED_PATIENCE_MS'] ?? 120_000)

/** Opens the shell in a wide window, so that searched text is on one line. */
export async function openShell(cwd: string, env: NodeJS.ProcessEnv): Promise<Shell> {
  const terminal: Terminal = atTerminal(['bash', '--noprofile', '--norc', '-i'], {
    cwd,
    env: { ...env, HISTFILE: '' },
    columns: 400,
  })
  // A non-interactive shell, as before some python3, removes it from the environment
  terminal.press("PS2=''; PS1='[$?] next> '\r")
  await terminal.sees(PROMPT, PATIENCE_MS)
  return {
    async type(command, { keys = [] } = { command }) {
      const from = terminal.shown().length
      terminal.press(`${command}\r`)
      let exit: string | undefined
      for (const [seen, pressed] of keys) {
        // A command that ends early is an answer too.
        const found = await terminal.sees(
          new RegExp(`${PROMPT.source}|${seen.source}`),
          PATIENCE_MS,
        )
        if (/^\d+$/.test(found)) {
          exit = found
          break
        }
        terminal.press(pressed)
      }
      exit ??= await terminal.sees(PROMPT, PATIENCE_MS)
      // Without the echo of the typed text.
      return {
        exit: Number(exit),
        shown: terminal
          .shown()
          .slice(from)
          .split('\n')
          .slice(command.split('\n').length)
          .join('\n'),
      }
    },
    close: () => terminal.close(),
  }
}

/**
 * The environment of such a person: only PATH of the machine, with these folders first.
 */
export const personEnv = (env: NodeJS.ProcessEnv, ...folders: string[]): NodeJS.ProcessEnv => {
  const { CI: _, GIT_CONFIG_GLOBAL: __, ...rest } = env
  return { ...rest, PATH: [...folders, env['PATH'] ?? ''].join(path.delimiter), LANG: 'C.UTF-8' }
}
