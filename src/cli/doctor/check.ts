// What `ratchet doctor` says of one thing.

export type Check = {
  check: string
  ok: boolean
  detail: string
  /** What to do, in lines; empty where there is nothing. */
  next: string
  /** It works, and something about it should be known. */
  warning?: true
  /** What `ratchet doctor --fix` does about it, where that can do no harm. */
  mend?: Repair
}

/**
 * `ask` is a question that is answered with yes or no; `run` returns what was done, in half a
 * sentence.
 */
export type Repair = { ask: string; run: () => Promise<string> }

export const pass = (check: string, detail: string): Check => ({
  check,
  ok: true,
  detail,
  next: '',
})
export const warn = (check: string, detail: string, next: string): Check => ({
  ...pass(check, detail),
  next,
  warning: true,
})
export const mendable = (check: string, detail: string, mend: Repair): Check => ({
  ...warn(check, detail, 'mend it with: ratchet doctor --fix'),
  mend,
})
export const fail = (check: string, detail: string, next: string): Check => ({
  check,
  ok: false,
  detail,
  next,
})
