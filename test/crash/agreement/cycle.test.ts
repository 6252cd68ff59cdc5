// The workers of a dev cycle, dropped or killed.
import { test } from 'vitest'
import { droppedAsKilled, MOST_MS } from '../../support/runs/agreement.js'

test(
  'cycle: dropped or killed, the run ends the same',
  () =>
    droppedAsKilled('cycle', {
      'turn:done': 1,
      'answer:read': 2,
      'tests:done': 1,
      'commit:done': 1,
      'record:begin': 1,
    }),
  MOST_MS,
)
