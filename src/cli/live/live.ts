// The live view of a followed run: what the looks see is drawn at the bottom of the terminal, and
// finished lines are printed above it.
import isUnicodeSupported from 'is-unicode-supported'
import pc from 'picocolors'
import type { PendingActivity } from '../../contract/result.js'
import type { Ask } from '../context.js'
import type { Look } from '../output/run-lines.js'
import { hasColors } from './can-draw.js'
import { Clocks, type Carried } from './model.js'
import { openRegion, type Screen } from './region.js'
import { liveLines, plain, tinted } from './view.js'

export type Live = {
  seen: (look: Look, pending: readonly PendingActivity[]) => void
  carried: (carried: Carried) => void
  /** Shows why the run cannot be asked. */
  away: (why: string) => void
  /** Prints above the region. */
  above: (print: () => void) => void
  /** Returns a line as this terminal can show it. */
  line: (line: string) => string
  /** Hides the region while a question is asked. */
  asks: (ask: Ask) => Ask
  close: () => void
}

/** Opens the live view. `env` tells what the terminal can show: NO_COLOR, TERM, LANG. */
export function openLive(screen: Screen, env: NodeJS.ProcessEnv): Live {
  const region = openRegion(screen)
  const look = { colors: pc.createColors(hasColors(env)), unicode: hasUnicode(env) }
  const clocks = new Clocks()
  let last: { look: Look; pending: readonly PendingActivity[] } | undefined
  let known: Carried = { warnings: [] }
  let away: string | undefined

  const show = (): void => {
    if (last === undefined) return
    const {
      look: { status, waitingFor, questions },
      pending,
    } = last
    region.show((size) =>
      liveLines(
        {
          status,
          waitingFor,
          questions,
          atWork: clocks.atWork(pending, Date.now()),
          ...known,
          away,
        },
        { ...look, ...size },
        Date.now(),
      ),
    )
  }
  return {
    seen(next, pending) {
      last = { look: next, pending }
      away = undefined
      show()
    },
    carried(next) {
      known = next
    },
    away(why) {
      away = why
      show()
    },
    above: region.above,
    line: (line) => plain(tinted(line, look.colors), look),
    asks: (ask) => async (question, signal) => {
      region.hide()
      try {
        return await ask(question, signal)
      } finally {
        // The next look shows what the run waits for.
        if (last !== undefined)
          last = { ...last, look: { ...last.look, waitingFor: '', questions: [] } }
        show()
        region.unhide()
      }
    },
    close: region.close,
  }
}

/** Returns whether the terminal shows Unicode, by its type and the locale. */
export function hasUnicode(env: NodeJS.ProcessEnv): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => value !== undefined && value !== '',
  )
  return isUnicodeSupported() && (locale === undefined || /utf-?8/i.test(locale))
}
