import { expect, test } from 'vitest'
import { afterIteration, iterationsDone } from '../../../../src/core/dev-cycle/next-iteration.js'

const at = {
  converged: false,
  pendingExtensions: 0,
  iteration: 2,
  maxIterations: 5,
  interactive: false,
}

test.each(
  // prettier-ignore
  [
  { why: 'B: no issues',                                 d: { ...at, converged: true },                                            then: 'complete' },
  { why: 'B: no issues in the last iteration',           d: { ...at, converged: true, iteration: 5 },                              then: 'complete' },
  { why: 'A: issues, budget left',                       d: at,                                                                    then: 'next' },
  { why: 'C: issues, budget spent',                      d: { ...at, iteration: 5 },                                               then: 'limit' },
  { why: 'C: budget lowered meanwhile',                  d: { ...at, iteration: 6 },                                               then: 'limit' },
  { why: 'an extension waits',                d: { ...at, converged: true, pendingExtensions: 1 },                      then: 'next' },
  { why: 'one waits in the last iteration',   d: { ...at, pendingExtensions: 2, iteration: 5 },                         then: 'next, one more' },
  { why: 'the same after convergence',        d: { ...at, converged: true, pendingExtensions: 1, iteration: 5 },        then: 'next, one more' },
  { why: 'interactive, issues, budget left',            d: { ...at, interactive: true },                                          then: 'ask' },
  { why: 'interactive, nothing left to ask about',      d: { ...at, interactive: true, converged: true },                         then: 'complete' },
  { why: 'interactive, budget spent',                   d: { ...at, interactive: true, iteration: 5 },                            then: 'limit' },
  { why: 'interactive: an extension is the answer',               d: { ...at, interactive: true, pendingExtensions: 1 },                    then: 'next' },
],
)('$why -> $then', ({ d, then }) => expect(afterIteration(d)).toBe(then))

test.each(
  // prettier-ignore
  [
  { why: 'none was begun',                                    last: undefined,                     done: 0 },
  { why: 'the last one was ended',                            last: { number: 5, isOver: true },   done: 5 },
  { why: 'the last one was interrupted: it is repeated',      last: { number: 5, isOver: false },  done: 4 },
],
)('$why -> $done', ({ last, done }) => expect(iterationsDone(last)).toBe(done))
