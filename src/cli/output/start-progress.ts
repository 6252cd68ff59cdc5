// Shows a slow start of the server: a line for each step, and its progress, as a bar in a terminal
// and elsewhere as a line from time to time.
import type { Measure, OnProgress } from '../../dev-server/index.js'
import type { Bar } from '../context.js'

/** Between two lines about one step, without a terminal. */
const LINE_MS = 10_000

export type StartProgress = {
  tell: OnProgress
  /** Prints lines of other code without breaking the bar. */
  say: (line: string) => void
  end: () => void
}

type Options = { say: (line: string) => void; bar?: Bar; everyMs?: number; now?: () => number }

/** Shows progress until `end` is called. */
export function startProgress({
  say,
  bar,
  everyMs = LINE_MS,
  now = Date.now,
}: Options): StartProgress {
  const said = new Set<string>()
  let began: number | undefined
  let step: { text: string; measure?: Measure | undefined } | undefined
  const above = (line: string): void => {
    bar?.clear()
    say(line)
  }
  const show = (): void => {
    if (step?.measure !== undefined) bar?.draw(step.measure, began ?? now())
  }
  const still = setInterval(() => {
    if (step !== undefined && bar === undefined)
      say(
        `${step.text}, ${measureText(step.measure)}${elapsedText(now() - (began ?? now()))} so far`,
      )
  }, everyMs)
  still.unref()
  return {
    tell(text, measure) {
      began ??= now()
      if (!said.has(text)) above(text)
      said.add(text)
      if (step?.text !== text && measure === undefined) bar?.clear()
      step = { text, measure }
      show()
    },
    say(line) {
      above(line)
      show()
    },
    end() {
      clearInterval(still)
      bar?.clear()
      step = undefined
    },
  }
}

function measureText(measure: Measure | undefined): string {
  return measure === undefined ? '' : `${measure.done} of ${measure.total} ${measure.unit}, `
}

/** Returns `48 s` or `3 min 05 s`. */
export function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}
