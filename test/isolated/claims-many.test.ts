// Many waiting claims in one process, as of the turns of two hundred runs: the cost of reading
// them.
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { acquireClaim } from '../../src/adapters/process/claims.js'
import { isAlive } from '../../src/adapters/process/identity.js'
import { waitFor } from '../support/wait.js'

vi.mock('../../src/adapters/process/identity.js', { spy: true })

const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-claims-'))
/** Of each claim. */
const LOOKS = 3
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a look checks each process once for any number of its claims, which share their looks; all are served in order', async () => {
  const many = 60
  const hold = await acquireClaim(dir, 1)
  const [served, looks]: [number[], number[]] = [[], Array.from({ length: many }, () => 0)]
  const all = Array.from({ length: many }, async (_, n) => {
    const release = await acquireClaim(dir, 1, {
      onWait: () => {
        looks[n] = (looks[n] ?? 0) + 1
      },
    })
    served.push(n)
    await release()
  })
  await waitFor(() => looks.every((count) => count >= LOOKS), {
    what: 'every one to have looked',
    timeoutMs: 60_000,
  })
  const total = looks.reduce((sum, count) => sum + count, 0)
  // The holder looks once, and each claim once for itself
  const own = many + 1
  expect(vi.mocked(isAlive).mock.calls.length).toBeLessThan(own + (total - many) / 2)
  await hold()
  await Promise.all(all)
  expect(served).toEqual([...looks.keys()])
})
