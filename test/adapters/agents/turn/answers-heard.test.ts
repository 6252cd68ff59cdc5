import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { answersHeard, noteHeard } from '../../../../src/adapters/agents/turn/answers-heard.js'
import { layout } from '../../../../src/adapters/state-dir.js'
import { tempDirs } from '../../../support/repositories/repos.js'

test('answers count by turn and question; a duplicate and a truncated line count once', async () => {
  const dirs = tempDirs()
  expect(await answersHeard(dirs, 'turn-1', 'permission-a')).toBe(0)
  for (const nth of [1, 1, 2]) await noteHeard(dirs, 'turn-1', 'permission-a', nth)
  await noteHeard(dirs, 'turn-1', 'permission-b', 1)
  appendFileSync(path.join(layout.turn(dirs, 'turn-1'), 'answers-heard'), 'permission-b')
  const heard = (key: string, question: string) => answersHeard(dirs, key, question)
  expect([
    await heard('turn-1', 'permission-a'),
    await heard('turn-1', 'permission-b'),
    await heard('turn-2', 'permission-a'),
  ]).toEqual([2, 1, 0])
})
