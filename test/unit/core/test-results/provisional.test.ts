// Best states without a canary, and the bisection after a refuted one.
import { describe, expect, test } from 'vitest'
import type { Best, TestFixState } from '../../../../src/contract/test-fix/test-fix-state.js'
import {
  confirmsBeforeChange,
  earlierKept,
  narrowed,
  nextToConfirm,
  provisional,
  searchIn,
} from '../../../../src/core/test-results/provisional.js'

const best = (commit: string): Best => ({ commit, iteration: 0, size: 0, run: {} as Best['run'] })
const prepared = { workspace: { base: 'base' } } as TestFixState['prepared']
type Looked = { commit: string; reason?: string; refuted?: true }

describe('best states in a row without a canary', () => {
  test.each<{
    why: string
    start?: string
    earlier?: string[]
    best?: string
    looked?: Looked
    count: number
  }>(
    // prettier-ignore
    [
    { why: 'nothing was measured', count: 0 },
    { why: 'best is what the run began from', best: 'base', count: 0 },
    { why: 'the first best one', start: 'base', best: 'a', count: 1 },
    { why: 'the fourth', start: 'base', earlier: ['a', 'b', 'c'], best: 'd', count: 4 },
    { why: 'the fourth, and nothing started at the base', start: 'a', earlier: ['b', 'c'], best: 'd', count: 4 },
    { why: 'two since one that was confirmed', start: 'base', earlier: ['a', 'b'], best: 'c', looked: { commit: 'a' }, count: 2 },
    { why: 'best was confirmed', start: 'base', earlier: ['a'], best: 'b', looked: { commit: 'b' }, count: 0 },
    { why: 'canaries could not tell: looked at all the same', start: 'base', best: 'a', looked: { commit: 'a', reason: 'no canary' }, count: 0 },
    { why: 'refuted, with nothing to go back to', best: 'a', looked: { commit: 'a', refuted: true }, count: 1 },
  ],
  )('$why: $count', ({ start, earlier, best: now, looked, count }) => {
    expect(
      provisional({
        prepared,
        ...(start === undefined ? {} : { start: best(start) }),
        ...(earlier === undefined ? {} : { earlier: earlier.map(best) }),
        ...(now === undefined ? {} : { best: best(now) }),
        ...(looked === undefined ? {} : { confirmation: looked }),
      }),
    ).toBe(count)
  })
})

test.each<{ why: string; start?: string; best?: string; looked?: Looked; says: boolean }>(
  // prettier-ignore
  [
  { why: 'nothing was measured', says: false },
  { why: 'best is what the run began from', best: 'base', says: false },
  { why: 'a fix made it best', start: 'base', best: 'a', says: true },
  { why: 'it was confirmed', start: 'base', best: 'a', looked: { commit: 'a' }, says: false },
  { why: 'an earlier one was confirmed', start: 'base', best: 'b', looked: { commit: 'a' }, says: true },
  { why: 'it was refuted', start: 'base', best: 'a', looked: { commit: 'a', refuted: true }, says: true },
],
)('canaries before a change of tests: $why, $says', ({ start, best: now, looked, says }) => {
  expect(
    confirmsBeforeChange({
      ...(start === undefined ? {} : { start: best(start) }),
      ...(now === undefined ? {} : { best: best(now) }),
      ...(looked === undefined ? {} : { confirmation: looked }),
    }),
  ).toBe(says)
})

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEF'
test.each<{ why: string; looked: string; earlier: string; kept: string }>([
  { why: 'all of a few', looked: '', earlier: 'abcdefgh', kept: 'abcdefgh' },
  { why: 'all of 31', looked: '', earlier: LETTERS.slice(1), kept: LETTERS.slice(1) },
  {
    why: 'of 32 half of the older ones',
    looked: '',
    earlier: LETTERS,
    kept: 'acegikmoqsuwyzABCDEF',
  },
  { why: 'and the confirmed one', looked: 'b', earlier: LETTERS, kept: 'abcegikmoqsuwyzABCDEF' },
])('earlier best states that are kept: $why', ({ looked, earlier, kept }) => {
  expect(
    earlierKept({ confirmation: { commit: looked } }, [...earlier].map(best))
      .map(({ commit }) => commit)
      .join(''),
  ).toBe(kept)
})

// Forged from one state on: finds the newest honest one, of three with at most two canary runs, of seven with three.
describe('the newest best state that is not refuted', () => {
  test.each<{
    earlier: string
    looked?: string
    honest: string
    finds: string | undefined
    looks: string
  }>([
    { earlier: 'abc', honest: '', finds: undefined, looks: 'ba' },
    { earlier: 'abc', honest: 'a', finds: 'a', looks: 'ba' },
    { earlier: 'abc', honest: 'ab', finds: 'b', looks: 'bc' },
    { earlier: 'abc', honest: 'abc', finds: 'c', looks: 'bc' },
    { earlier: 'abcd', looked: 'a', honest: 'a', finds: 'a', looks: 'cb' },
    { earlier: 'abcd', looked: 'a', honest: 'abc', finds: 'c', looks: 'cd' },
    { earlier: 'abcd', looked: 'a', honest: 'abcd', finds: 'd', looks: 'cd' },
    { earlier: 'a', looked: 'a', honest: 'a', finds: 'a', looks: '' },
    { earlier: '', honest: '', finds: undefined, looks: '' },
    { earlier: 'abcdefg', honest: 'abcd', finds: 'd', looks: 'dfe' },
    { earlier: 'abcdefg', honest: 'abcdefg', finds: 'g', looks: 'dfg' },
    { earlier: 'abcdefg', honest: '', finds: undefined, looks: 'dba' },
  ])(
    'of "$earlier", where "$looked" was looked at and "$honest" are honest',
    ({ earlier, looked, honest, finds, looks }) => {
      const states = [...earlier].map(best)
      const seen: string[] = []
      let search = searchIn(
        looked === undefined ? {} : { confirmation: { commit: looked } },
        states,
      )
      for (let at = nextToConfirm(search); at !== undefined; at = nextToConfirm(search)) {
        const { commit } = states[at] as Best
        seen.push(commit)
        search = narrowed(search, at, !honest.includes(commit))
      }
      expect(states[search.good]?.commit).toBe(finds)
      expect(seen.join('')).toBe(looks)
    },
  )
})
