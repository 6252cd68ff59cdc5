// A person who types what the documentation shows: an interactive bash at a terminal, in a home of
// its own.
import path from 'node:path'
import { atTerminal, type Terminal } from './pty.js'

/**
 * What is to be known of a command before it is typed. What nothing is said of has to end with 0.
 */
export type Typed = {
  /** Its beginning, as the page shows it. */
  command: string
  /** Done before it is typed: what the page takes for granted there. */
  before?: (at: { shell: Shell; project: string }) => unknown
  /** Whose id it takes: that of the run that was begun so many runs before the last one. */
  ago?: number
  /** What is pressed, each behind the text that is waited for. */
  keys?: [seen: RegExp, keys: string][]
  /** What it shows. */
  shows?: (string | RegExp)[]
  /** Exit code, 0 where nothing is named. */
  exit?: number
}

export type Shell = {
  /** Types a command, presses what is to be pressed, and waits for the next prompt. */
  type: (command: string, typed?: Typed) => Promise<{ exit: number; shown: string }>
  close: () => void
}

const PROMPT = /\[(\d+)\] next> $/
/** Longer than any command takes on two busy cores. */
const PATIENCE_MS = Number(process.env['TYPED_PATIENCE_MS'] ?? 120_000)

/** Opens the shell. Its window is wide: what is looked for stands in one line. */
export async function openShell(cwd: string, env: NodeJS.ProcessEnv): Promise<Shell> {
  const terminal: Terminal = atTerminal(['bash', '--noprofile', '--norc', '-i'], {
    cwd,
    env: { ...env, HISTFILE: '' },
    columns: 400,
  })
  // A shell that is no interactive one, as before some python3, keeps it from the environment
  terminal.press("PS2=''; PS1='[$?] next> '\r")
  await terminal.sees(PROMPT, PATIENCE_MS)
  return {
    async type(command, { keys = [] } = { command }) {
      const from = terminal.shown().length
      terminal.press(`${command}\r`)
      let exit: string | undefined
      for (const [seen, pressed] of keys) {
        // A command that ends sooner than it was thought to is an answer, too.
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
      // Without the echo of what was typed.
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
 * The environment of such a person: nothing of the machine's but PATH, with these folders before
 * it.
 */
export const personEnv = (env: NodeJS.ProcessEnv, ...folders: string[]): NodeJS.ProcessEnv => {
  const { CI: _, GIT_CONFIG_GLOBAL: __, ...rest } = env
  return { ...rest, PATH: [...folders, env['PATH'] ?? ''].join(path.delimiter), LANG: 'C.UTF-8' }
}
