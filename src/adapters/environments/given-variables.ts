// The variables that a command gives a run: its own, without the marks of processes.
import { LOCAL_MARK, MARKERS } from '../../contract/names.js'
import type { Variables } from './environment-messages.js'

const MARKS: readonly string[] = [...Object.values(MARKERS), LOCAL_MARK]

/** A command that a step of a run calls has the marks of that step. */
export function given(env: NodeJS.ProcessEnv): Variables {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value === undefined || MARKS.includes(name) ? [] : [[name, value]],
    ),
  )
}
