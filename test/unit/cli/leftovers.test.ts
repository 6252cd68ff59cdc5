import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Ledger } from '../../../src/adapters/agents/ledger.js'
import { layout, projectKey } from '../../../src/adapters/state-dir.js'
import { remove } from '../../../src/cli/leftovers.js'
import { makeRepo, SAMPLE, tempDirs } from '../../support/repos.js'

test('what the turns of a run have cost is removed with it, and of no other run', async () => {
  const [project, dirs] = [makeRepo(SAMPLE), tempDirs()]
  const usage = { inputTokens: 1, outputTokens: 1, estimated: false }
  for (const run of ['WFS-test-a.aaaaaa', 'WFS-test-b.aaaaaa']) new Ledger(dirs).write(run, { key: `${run}/1/fix`, agent: 'a', attempts: 1, live: usage, usage, ms: 1, open: false })
  await remove({ dirs, project, key: projectKey(project), name: 'WFS-test-a', workflowId: 'WFS-test-a.aaaaaa', branch: 'ratchet/WFS-test-a' }, false)
  expect(existsSync(layout.ledger(dirs, 'WFS-test-a.aaaaaa'))).toBe(false)
  expect(existsSync(layout.ledger(dirs, 'WFS-test-b.aaaaaa'))).toBe(true)
})
