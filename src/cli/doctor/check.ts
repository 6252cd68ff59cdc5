// The result of one check of `ratchet doctor`.

export type Check = {
  check: string
  ok: boolean
  detail: string
  /** What to do, in lines; empty if nothing is. */
  next: string
  /** The check passed, but there is something to know. */
  warning?: true
  /** The safe repair of `ratchet doctor --fix`, if there is one. */
  repair?: Repair
}

/** `ask` is a yes/no question; `run` returns what was done, as half a sentence. */
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
export const repairable = (check: string, detail: string, repair: Repair): Check => ({
  ...warn(check, detail, 'repair it with: ratchet doctor --fix'),
  repair,
})
export const fail = (check: string, detail: string, next: string): Check => ({
  check,
  ok: false,
  detail,
  next,
})
