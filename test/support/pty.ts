// A command at a terminal of its own: what a person sees, and keys that are pressed.
//
// The terminal is made by python3, which the tests need for pytest anyway: its pty module is the same on
// Linux and macOS, and nothing has to be compiled.
import { spawn } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { waitFor } from './wait.js'

export const KEYS = { up: '\u001b[A', down: '\u001b[B', enter: '\r', ctrlC: '\u0003' } as const

export type Terminal = {
  /** Everything there was to see, without colours and cursor movements. */
  shown: () => string
  /** Waits for a text behind the one that was waited for last. */
  sees: (text: string | RegExp) => Promise<string>
  press: (...keys: string[]) => void
  /** Exit code of the command, 128 + n for signal n. */
  ended: Promise<number>
  /** Hangs up: the command gets a SIGHUP, where it has not ended by itself. */
  close: () => void
}

const HOST = `
import fcntl, os, pty, select, struct, sys, termios
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', 60, 180, 0, 0))
watched = [terminal, 0]
while True:
    ready, _, _ = select.select(watched, [], [])
    if 0 in ready:
        keys = os.read(0, 1024)
        if not keys:
            os.kill(pid, 1)
            watched.remove(0)
        else:
            os.write(terminal, keys)
    if terminal in ready:
        try:
            seen = os.read(terminal, 65536)
        except OSError:
            seen = b''
        if not seen:
            break
        os.write(1, seen)
_, status = os.waitpid(pid, 0)
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`

/** Starts a command at a terminal of 180 by 60 characters. */
export function atTerminal(argv: readonly string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }): Terminal {
  const child = spawn('python3', ['-c', HOST, ...argv], { cwd, env: { ...env, TERM: 'xterm-256color' }, stdio: ['pipe', 'pipe', 'inherit'] })
  let raw = ''
  let from = 0
  child.stdout.setEncoding('utf8').on('data', (text: string) => (raw += text))
  const shown = (): string => stripVTControlCharacters(raw).replaceAll('\r', '')
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })
  return {
    shown,
    ended,
    async sees(text) {
      const find = (): RegExpExecArray | undefined => {
        const rest = shown().slice(from)
        if (typeof text !== 'string') return text.exec(rest) ?? undefined
        const at = rest.indexOf(text)
        return at === -1 ? undefined : Object.assign([text] as unknown as RegExpExecArray, { index: at })
      }
      let found: RegExpExecArray
      try {
        found = await waitFor(find, { what: `${String(text)} at the terminal`, timeoutMs: 120_000 })
      } catch (error) {
        throw new Error(`${(error as Error).message}; there is:\n${shown().slice(from)}`)
      }
      from += found.index + found[0].length
      return found[1] ?? found[0]
    },
    press: (...keys) => void child.stdin.write(keys.join('')),
    close: () => void child.stdin.end(),
  }
}
