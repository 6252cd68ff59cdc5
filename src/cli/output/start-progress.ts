// What the start of the server shows while it takes long: a line for each step, and how far it is,
// as a bar in a terminal and as a line now and then elsewhere.
import type { Measure, OnProgress } from '../../dev-server/index.js'
import type { Bar } from '../context.js'

/** Between two lines about one step, where there is no terminal. */
const LINE_MS = 10_000

export type StartProgress = {
  tell: OnProgress
  /** Prints lines of somebody else's without breaking the bar. */
  say: (line: string) => void
  end: () => void
}

type Options = { say: (line: string) => void; bar?: Bar; everyMs?: number; now?: () => number }

/** Shows progress until `end`. */
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

/** `48 s`, `3 min 05 s`. */
export function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`
}
