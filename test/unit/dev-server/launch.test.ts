// A process that a step of a run starts through `ratchet` outlives that step: it has no marker of
// it.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MARKERS } from '../../../src/contract/names.js'
import { launch } from '../../../src/dev-server/processes.js'
import { tempDir } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

test('a process that outlives its caller has the environment without the markers', async () => {
  const dir = tempDir()
  const file = path.join(dir, 'env')
  const env = {
    PATH: process.env['PATH'],
    MINE: 'kept',
    [MARKERS.run]: 'WFS-test-shop.abc123',
    [MARKERS.step]: 'hook-1',
  }
  const { ended } = launch({
    command: '/bin/sh',
    args: ['-c', `env > '${file}.new' && mv '${file}.new' '${file}'`],
    env,
    cwd: dir,
    log: path.join(dir, 'log'),
  })
  await ended
  await waitFor(() => existsSync(file), { what: 'the environment' })
  const lines = readFileSync(file, 'utf8').split('\n')
  expect(lines).toContain('MINE=kept')
  expect(
    lines.filter((line) => line.startsWith(MARKERS.run) || line.startsWith(MARKERS.step)),
  ).toEqual([])
})
