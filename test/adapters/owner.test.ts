import { expect, test } from 'vitest'
import { takeRecord } from '../../src/adapters/owner.js'
import { tempDirs } from '../support/repositories/repos.js'

const NAME = 'WFS-test-login'

test('of two runs that take a session at once, one gets it', async () => {
  const dirs = tempDirs()
  const both = await Promise.allSettled(
    ['one', 'two'].map((run) => takeRecord(dirs, '0123ab', NAME, run, () => Promise.resolve(true))),
  )
  expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = both.find((one) => one.status === 'rejected')
  expect(refused?.reason).toMatchObject({
    type: 'RecordOwned',
    message: expect.stringMatching(/belongs to the open run (one|two)/) as string,
  })
})

test('takes over a session whose run has ended, and a run takes its own again', async () => {
  const dirs = tempDirs()
  await takeRecord(dirs, '0123ab', NAME, 'one', () => Promise.resolve(false))
  await takeRecord(dirs, '0123ab', NAME, 'one', () =>
    Promise.reject(new Error('asked about itself')),
  )
  await takeRecord(dirs, '0123ab', NAME, 'two', (id) => Promise.resolve(id !== 'one'))
  await expect(
    takeRecord(dirs, '0123ab', NAME, 'three', (id) => Promise.resolve(id === 'two')),
  ).rejects.toMatchObject({ type: 'RecordOwned' })
})

test('a name that leads out of the directory is refused', async () => {
  await expect(
    takeRecord(tempDirs(), '0123ab', '../x', 'one', () => Promise.resolve(false)),
  ).rejects.toMatchObject({ type: 'BadInput' })
})
