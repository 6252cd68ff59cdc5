// How a sequence that fails is run again.
import fc from 'fast-check'

/** Throws with the counterexample; its seed is printed at once, as a long run may be ended early. */
export function throwFailed<T>(run: fc.RunDetails<T>): void {
  if (!run.failed) return
  const again = `SEED=${run.seed} SEQUENCE=${run.counterexamplePath} npm run simulate runs it again`
  console.error(again)
  throw new Error(`${fc.defaultReportMessage(run)}\n\n${again}`, { cause: run.errorInstance })
}
