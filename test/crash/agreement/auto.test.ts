// The workers of a dev loop, dropped or killed.
import { test } from 'vitest'
import { droppedAsKilled, MOST_MS } from '../../support/runs/agreement.js'

test(
  'auto: dropped or killed, the run ends the same',
  () =>
    droppedAsKilled('auto', {
      'prepare:done': 1,
      'turn:done': 1,
      'commit:done': 1,
      'tests:done': 1,
      'record:begin': 1,
    }),
  MOST_MS,
)
