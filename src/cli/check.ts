// What `ratchet doctor` says of one thing.

export type Check = {
  check: string
  ok: boolean
  detail: string
  /** What to do, in lines; empty where there is nothing. */
  next: string
  /** It works, and something about it should be known. */
  warning?: true
}

export const pass = (check: string, detail: string): Check => ({ check, ok: true, detail, next: '' })
export const warn = (check: string, detail: string, next: string): Check => ({ ...pass(check, detail), next, warning: true })
export const fail = (check: string, detail: string, next: string): Check => ({ check, ok: false, detail, next })
