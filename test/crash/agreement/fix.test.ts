// The workers of a fix, dropped or killed.
import { test } from 'vitest'
import { droppedAsKilled, MOST_MS } from '../../support/runs/agreement.js'

test(
  'fix: dropped or killed, the run ends the same',
  () =>
    droppedAsKilled('fix', {
      'prepare:done': 1,
      'turn:done': 2,
      'answer:files': 1,
      'commit:published': 1,
      'rollback:begin': 1,
      'tests:done': 1,
      'record:begin': 1,
      'record:file': 9,
    }),
  MOST_MS,
)
