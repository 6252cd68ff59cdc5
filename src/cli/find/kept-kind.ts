// The kinds of runs that are resumed from their record alone, and the word for each.
import type { Kind } from '../../contract/names.js'

export type KeptKind = Exclude<Kind, 'test-fix' | 'prep'>

/** Returns `cycle` or `loop`. */
export function nounOf(kind: KeptKind): string {
  return { 'dev-cycle': 'cycle', 'dev-loop': 'loop' }[kind]
}
