// Twenty small functions with three tests each, for sequences of fixes: ten have a bug that fails
// two tests, ten are right and can be broken one by one.
import type { Bug, Edit } from '../repository.js'

/** What a function returns of `n` when it is right and when it is wrong, and its tests. */
export type Fn = {
  name: string
  right: string
  wrong: string
  tests: [given: string, expected: string][]
}

type Functions = {
  /** The file with the code. */
  path: string
  /** The code of a function, and its lines as in `2-2`. */
  body: (name: string, expression: string) => string
  lines: string
  buggy: readonly Fn[]
  right: readonly Fn[]
}

/** The content of the file, its bugs, each independent of the others, and edits that break tests. */
export function functionsOf({ path, body, lines, buggy, right }: Functions): {
  /** The code of each function, the buggy ones with their bug. */
  code: string[]
  bugs: Bug[]
  /** Each breaks three tests that pass. */
  slips: Edit[]
  edit: (name: string, from: string, to: string) => Edit
} {
  const edit = (name: string, from: string, to: string): Edit => ({
    path,
    find: body(name, from),
    replace: body(name, to),
  })
  return {
    code: [
      ...buggy.map((fn) => body(fn.name, fn.wrong)),
      ...right.map((fn) => body(fn.name, fn.right)),
    ],
    bugs: buggy.map((fn) => ({
      origin: 'planted',
      about: `${fn.name}() returns ${fn.wrong}`,
      place: `${fn.name}:${lines}`,
      fix: edit(fn.name, fn.wrong, fn.right),
    })),
    slips: right.map((fn) => edit(fn.name, fn.right, fn.wrong)),
    edit,
  }
}
