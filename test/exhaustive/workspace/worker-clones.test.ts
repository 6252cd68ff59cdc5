// The making of a clone, killed at every place.
import { test } from 'vitest'
import { expectWholeClone } from '../../support/repositories/cloned-workers.js'
import { allOf } from '../../support/repositories/killed-git.js'

test('a clone killed before any git command and made again is complete', () =>
  expectWholeClone(allOf))
