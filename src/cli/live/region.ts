// The lines at the foot of the terminal that are redrawn in place. What is printed goes above them
// and stays.
//
// log-update draws, and restores the cursor when the process ends, however it ends (by
// signal-exit). Not protected: a terminal that does not reflow its lines when it is made narrower
// (xterm) loses a line or two above the region then; all others wrap the old lines, and that is
// what is erased.
import { createLogUpdate } from 'log-update'
import stringWidth from 'string-width'

/** Where it is drawn; `columns` and `rows` change with the window. */
export type Screen = NodeJS.WritableStream & { columns?: number; rows?: number }

export type Region = {
  /**
   * Draws these lines, now and again once a second and when the window changes, for what moves with
   * the time.
   */
  show: (lines: (size: { columns: number; rows: number }) => string[]) => void
  /** Lets something be printed above. */
  above: (print: () => void) => void
  /** Takes the region away, as for a prompt, until it is wanted again. */
  hide: () => void
  unhide: () => void
  /** Takes it away for good and gives the cursor back. */
  close: () => void
}

const TICK_MS = 1_000
const UP_AND_ERASE = '\u001b[1A\u001b[2K'

/** A region at the foot of this screen, empty at first. */
export function openRegion(screen: Screen): Region {
  // A terminal that nobody told its size has 0 of both, as in some containers.
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
    const next = lines(now)
    update(next.join('\n'))
    drawn = { lines: next, columns: now.columns }
  }
  const erase = (): void => {
    update.clear()
    drawn = undefined
  }
  // The terminal has wrapped the lines anew: log-update erases as many as it wrote, the rest is
  // done here.
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
  // Back from Ctrl-Z: what the shell wrote meanwhile stays.
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
