// The workers of a parallel dev loop, dropped or killed.
import { test } from 'vitest'
import { droppedAsKilled, MOST_MS } from '../../support/runs/agreement.js'

test(
  'parallel: dropped or killed, the run ends the same',
  () =>
    droppedAsKilled('parallel', {
      'clones:done': 1,
      'turn:done': 1,
      'merge:commits': 1,
      'merge:moved': 1,
      'record:copies': 2,
    }),
  MOST_MS,
)
