// The lines at the bottom of the terminal that are redrawn in place. Other output is printed above
// them and stays.
// log-update draws, and restores the cursor when the process ends in any way (by signal-exit).
// Known limit: a terminal that does not reflow its lines when it gets narrower (xterm) loses a line
// or two above the region. All others wrap the old lines, and these are erased.
import { terminalText } from '../output/terminal-text.js'
import { createLogUpdate } from 'log-update'
import stringWidth from 'string-width'

/** The output stream; `columns` and `rows` change with the window. */
export type Screen = NodeJS.WritableStream & { columns?: number; rows?: number }

export type Region = {
  /**
   * Draws these lines now, once a second and when the window changes, for what depends on the time.
   */
  show: (lines: (size: { columns: number; rows: number }) => string[]) => void
  /** Prints something above. */
  above: (print: () => void) => void
  /** Hides the region, as for a prompt, until it is shown again. */
  hide: () => void
  unhide: () => void
  /** Removes the region for good and restores the cursor. */
  close: () => void
}

const TICK_MS = 1_000
const UP_AND_ERASE = '\u001b[1A\u001b[2K'

/** Opens a region at the bottom of this screen, empty at first. */
export function openRegion(screen: Screen): Region {
  // A terminal without a known size reports 0 for both, as in some containers.
  const size = (): { columns: number; rows: number } => ({
    columns: screen.columns || 80,
    rows: screen.rows || 24,
  })
  const sized = {
    write: (text: string) => screen.write(text),
    get columns() {
      return size().columns
    },
    get rows() {
      return size().rows
    },
  }
  const update = createLogUpdate(sized as unknown as NodeJS.WritableStream)
  let lines: Parameters<Region['show']>[0] | undefined
  let hidden = false
  let drawn: { lines: string[]; columns: number } | undefined

  const draw = (): void => {
    if (hidden || lines === undefined) return
    const now = size()
    const next = lines(now).map(terminalText)
    update(next.join('\n'))
    drawn = { lines: next, columns: now.columns }
  }
  const erase = (): void => {
    update.clear()
    drawn = undefined
  }
  // The terminal has wrapped the lines: log-update erases as many as it wrote, and the rest is
  // erased here.
  const resized = (): void => {
    if (drawn === undefined) return
    const { columns } = size()
    const wrapped =
      columns < drawn.columns
        ? drawn.lines.reduce(
            (rows, line) => rows + Math.max(0, Math.ceil(stringWidth(line) / columns) - 1),
            0,
          )
        : 0
    erase()
    if (wrapped > 0) screen.write(UP_AND_ERASE.repeat(wrapped))
    draw()
  }
  // After Ctrl-Z, the shell's output in between stays.
  const continued = (): void => {
    update.done()
    drawn = undefined
    draw()
  }
  const ticking = setInterval(draw, TICK_MS)
  screen.on('resize', resized)
  process.on('SIGCONT', continued)

  return {
    show(next) {
      lines = next
      draw()
    },
    above(print) {
      erase()
      print()
      draw()
    },
    hide() {
      hidden = true
      erase()
      update.done()
    },
    unhide() {
      hidden = false
      draw()
    },
    close() {
      clearInterval(ticking)
      screen.off('resize', resized)
      process.off('SIGCONT', continued)
      erase()
      update.done()
      hidden = true
    },
  }
}
