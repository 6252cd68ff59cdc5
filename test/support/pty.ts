// Runs a command at a terminal: shows what a person sees, and presses keys.
//
// python3 creates the terminal, as the tests need it for pytest anyway: its pty module is the same
// on Linux and macOS, and needs no compiler.
import { spawn } from 'node:child_process'
import os from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import xterm from '@xterm/headless'
import { waitFor } from './wait.js'

export const KEYS = {
  up: '\u001b[A',
  down: '\u001b[B',
  enter: '\r',
  tab: '\t',
  eraseLine: '\u0015',
  ctrlC: '\u0003',
} as const

export type Terminal = {
  /** All output, without colours and cursor movements. */
  shown: () => string
  /** The current screen, line by line, after the scrolled-out lines. */
  screen: () => Promise<string[]>
  /** All output, with colours and cursor movements. */
  raw: () => string
  /** Whether the cursor is visible, and its column, from 0. */
  cursor: () => Promise<{ visible: boolean; column: number }>
  /** Resizes the window, as a person does with the mouse. */
  resize: (columns: number, rows: number) => Promise<void>
  /** Sends the command a signal. */
  signal: (name: NodeJS.Signals) => void
  /** Waits for a text after the last awaited one. */
  sees: (text: string | RegExp, timeoutMs?: number) => Promise<string>
  press: (...keys: string[]) => void
  /** Exit code of the command, 128 + n for signal n. */
  ended: Promise<number>
  /** Whether the command left the terminal with echo and line mode on. */
  left: Promise<{ echo: boolean; lines: boolean }>
  /** Hangs up: the command gets a SIGHUP unless it has ended. */
  close: () => void
}

const HOST = `
import fcntl, os, pty, select, struct, sys, termios
def written():
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b''
def size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', int(rows), int(columns), 0, 0))
pid, terminal = pty.fork()
if pid == 0:
    # Before it runs: it may read its size before the host continues.
    size(0, os.environ['PTY_COLUMNS'], os.environ['PTY_ROWS'])
    os.closerange(3, 5)
    os.execvp(sys.argv[1], sys.argv[1:])
watched = [terminal, 0, 3]
orders = b''
while True:
    ready, _, _ = select.select(watched, [], [])
    if 3 in ready:
        given = os.read(3, 1024)
        if not given:
            watched.remove(3)
        *whole, orders = (orders + given).split(b'\\n')
        for order, *words in (line.decode().split() for line in whole):
            if order == 'size':
                # Output for the old size comes before this mark, output for the new size after it.
                while select.select([terminal], [], [], 0)[0] and (seen := written()):
                    os.write(1, seen)
                os.write(1, b'\\x1b]7777;%s;%s\\x07' % (words[0].encode(), words[1].encode()))
                size(terminal, *words)
            else:
                os.kill(pid, int(words[0]))
        continue
    if 0 in ready:
        keys = os.read(0, 1024)
        if not keys:
            os.kill(pid, 1)
            watched.remove(0)
        else:
            os.write(terminal, keys)
    if terminal in ready:
        seen = written()
        if not seen:
            break
        os.write(1, seen)
_, status = os.waitpid(pid, 0)
modes = termios.tcgetattr(terminal)[3]
os.write(4, b'%d %d' % (modes & termios.ECHO != 0, modes & termios.ICANON != 0))
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`

/** Starts a command at a terminal, by default of 180 by 60 characters. */
export function atTerminal(
  argv: readonly string[],
  {
    cwd,
    env,
    columns = 180,
    rows = 60,
  }: { cwd: string; env: NodeJS.ProcessEnv; columns?: number; rows?: number },
): Terminal {
  const child = spawn('python3', ['-c', HOST, ...argv], {
    cwd,
    env: { TERM: 'xterm-256color', ...env, PTY_COLUMNS: String(columns), PTY_ROWS: String(rows) },
    stdio: ['pipe', 'pipe', 'inherit', 'pipe', 'pipe'],
  })
  // A real emulator, which reflows its lines in a narrower window, like common terminals.
  const emulator = new xterm.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 1_000,
  })
  let raw = ''
  let from = 0
  const resized: (() => void)[] = []
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    // Every other part is the size from that position on.
    for (const [n, part] of text.split(/\u001b\]7777;(\d+;\d+)\u0007/).entries()) {
      if (n % 2 === 0) {
        raw += part
        emulator.write(part)
        continue
      }
      const [columns = 80, rows = 24] = part.split(';').map(Number)
      emulator.write('', () => {
        emulator.resize(columns, rows)
        resized.shift()?.()
      })
    }
  })
  let modes = ''
  ;(child.stdio[4] as Readable).setEncoding('utf8').on('data', (text: string) => (modes += text))
  const order = (...words: (string | number)[]): void =>
    void (child.stdio[3] as Writable).write(`${words.join(' ')}\n`)
  const drawn = (): Promise<void> => new Promise((resolve) => emulator.write('', resolve))
  const shown = (): string => stripVTControlCharacters(raw).replaceAll('\r', '')
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })
  return {
    shown,
    raw: () => raw,
    async cursor() {
      await drawn()
      return {
        visible: raw.lastIndexOf('\u001b[?25l') <= raw.lastIndexOf('\u001b[?25h'),
        column: emulator.buffer.active.cursorX,
      }
    },
    signal: (name) => order('signal', os.constants.signals[name]),
    async screen() {
      await drawn()
      const { active } = emulator.buffer
      return Array.from(
        { length: active.length },
        (_, n) => active.getLine(n)?.translateToString(true) ?? '',
      )
    },
    resize: (columns, rows) =>
      new Promise((resolve) => {
        resized.push(resolve)
        order('size', columns, rows)
      }),
    ended,
    left: ended.then(() => {
      const [echo, lines] = modes.split(' ').map((flag) => flag === '1')
      return { echo: echo === true, lines: lines === true }
    }),
    async sees(text, timeoutMs = 120_000) {
      const find = (): RegExpExecArray | undefined => {
        const rest = shown().slice(from)
        if (typeof text !== 'string') return text.exec(rest) ?? undefined
        const at = rest.indexOf(text)
        return at === -1
          ? undefined
          : Object.assign([text] as unknown as RegExpExecArray, { index: at })
      }
      let found: RegExpExecArray
      try {
        found = await waitFor(find, { what: `${String(text)} at the terminal`, timeoutMs })
      } catch (error) {
        throw new Error(`${(error as Error).message}; there is:\n${shown().slice(from)}`)
      }
      from += found.index + found[0].length
      return found[1] ?? found[0]
    },
    press: (...keys) => void child.stdin?.write(keys.join('')),
    close: () => void child.stdin?.end(),
  }
}
