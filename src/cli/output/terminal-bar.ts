// Draws the progress bar in a terminal with cli-progress, which is loaded with the first bar.
import type { Options, Params, SingleBar } from 'cli-progress'
import type { Measure } from '../../dev-server/index.js'
import type { Bar } from '../context.js'
import { elapsedText } from './start-progress.js'

const WIDTH = 24

/** Creates a bar on this stream; it appears when it is first drawn. */
export function terminalBar(stream: NodeJS.WriteStream): Bar {
  let bar: SingleBar | undefined
  let last: { measure: Measure; began: number } | undefined
  const loading = import('cli-progress').then((loaded) => {
    const { SingleBar: Single, Format } = loaded.default
    const format = (
      options: Options,
      { progress }: Params,
      { measure, began }: { measure: Measure; began: number },
    ): string =>
      `${Format.BarFormat(progress, options)} ${numbers(measure)}  ${elapsedText(Date.now() - began)}${measure.doing === undefined ? '' : `  ${measure.doing}`}`
    return () =>
      new Single({
        format,
        stream,
        barsize: WIDTH,
        barCompleteChar: '█',
        barIncompleteChar: '░',
        clearOnComplete: true,
        hideCursor: true,
        gracefulExit: true,
        fps: 5,
        forceRedraw: true,
      })
  })
  const show = async (): Promise<void> => {
    const make = await loading
    if (last === undefined) return
    if (bar === undefined) {
      bar = make()
      bar.start(last.measure.total, last.measure.done, last)
      return
    }
    bar.setTotal(last.measure.total)
    bar.update(last.measure.done, last)
  }
  return {
    draw(measure, began) {
      last = { measure, began }
      void show()
    },
    clear() {
      last = undefined
      bar?.stop()
      bar = undefined
    },
  }
}

function numbers({ done, total, unit }: Measure): string {
  return `${String(done).padStart(String(total).length)} of ${total} ${unit}`
}
