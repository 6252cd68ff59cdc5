// A minimal workflow: four parallel steps under one Control, each followed by its own safe point. A
// step lasts until a signal ends it; events are noted in order.
import {
  CancellationScope,
  condition,
  defineQuery,
  defineSignal,
  isCancellation,
  setHandler,
} from '@temporalio/workflow'
import { Control, StopRequestedError } from '../../../src/workflows/run/control.js'
import { readPause, readReason } from '../../../src/contract/signals.js'

export type Seen = { notes: string[]; holding: boolean; running: number }

export const pause = defineSignal<[unknown]>('pause')
export const resume = defineSignal('resume')
export const stop = defineSignal('stop')
/** Lets a step end, or the `reload` after a hold. */
export const end = defineSignal<[string]>('end')
/** Cancels the scope around a step. */
export const giveUp = defineSignal<[string]>('giveUp')
export const seen = defineQuery<Seen>('seen')

export async function parallelSteps(names: string[]): Promise<string[]> {
  const notes: string[] = []
  const ended = new Set<string>()
  const around = new Map(names.map((name) => [name, new CancellationScope()]))
  const control = new Control(
    undefined,
    () => undefined,
    () => undefined,
  )
  control.afterHold = async () => {
    notes.push('reload')
    await condition(() => ended.delete('reload'))
    notes.push('reloaded')
  }
  setHandler(pause, (raw) => control.onPause(readPause(raw)))
  setHandler(resume, () => control.onResume())
  setHandler(stop, () => control.onStop(readReason('enough')))
  setHandler(end, (name) => void ended.add(name))
  setHandler(giveUp, (name) => around.get(name)?.cancel())
  setHandler(seen, () => ({ notes, holding: control.holding, running: control.running }))

  const one = async (name: string) => {
    try {
      await around.get(name)?.run(() =>
        control.step(async () => {
          notes.push(`${name} begins`)
          await condition(() => ended.has(name))
        }),
      )
      await control.safePoint()
      notes.push(`${name} continues`)
    } catch (error) {
      if (!(error instanceof StopRequestedError || isCancellation(error))) throw error
      notes.push(`${name} ${error instanceof StopRequestedError ? 'stops' : 'is cancelled'}`)
    }
  }
  await Promise.all(names.map(one))
  return notes
}
