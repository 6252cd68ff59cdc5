// Files of a record: what a killed writer left next to one goes with the next writing of it.
import { spawnSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { writeWhole } from '../../../src/adapters/records/write-file.js'
import { tempDir } from '../../support/repositories/repos.js'

test('a part whose writer is dead goes; those of living writers and of other files stay', async () => {
  const dead = spawnSync('true').pid
  const dir = tempDir()
  const stays = [
    `run.json.${process.pid}.0123abcd`, // may be written just now
    `other.json.${dead}.0123abcd`,
    `run.json.${dead}.copy`,
    `run.json.${dead}.0123abcde`,
    'run.json.2',
  ]
  for (const name of [...stays, `run.json.${dead}.0123abcd`])
    writeFileSync(path.join(dir, name), '{')
  await writeWhole(path.join(dir, 'run.json'), '{}\n')
  expect(readdirSync(dir).sort()).toEqual(['run.json', ...stays].sort())
})
