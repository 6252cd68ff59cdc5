// A process that dies between any two effects, and a disk that is full at any one file: no file is
// incomplete, and the next attempt ends with the same files.
import { beforeEach, expect, test, vi } from 'vitest'
import { writeLoopRecord } from '../../src/adapters/records/dev-loop/write-loop-record.js'
import { rebuildLoop } from '../../src/adapters/records/dev-loop/recover-loop.js'
import { filesOf } from '../support/repositories/repos.js'
import {
  AT,
  ID,
  lastRun,
  loopState,
  MINUTE,
  noted,
  OFFSET,
  place,
  recordInput,
  type Place,
} from '../adapters/records/dev-loop/loop-state.js'
import { disk } from './failing-disk.js'

const kill = vi.hoisted(() => ({ left: Infinity }))
vi.mock('../../src/adapters/failpoint.js', () => ({
  failpoint: (point: string) => {
    if (kill.left-- === 0) throw new Error(`killed at ${point}`)
  },
}))
vi.mock(import('../../src/adapters/files/replace-file.js'), async (original) =>
  (await import('./failing-disk.js')).onFailingDisk(original),
)

const limits = { points: kill, writes: disk }

beforeEach(() => {
  kill.left = Infinity
  disk.left = Infinity
})

const COMMIT_FILES = Array.from({ length: 25 }, (_, n) => `src/${n}.js`)

async function begun(): Promise<{
  at: Place
  last: () => Promise<unknown>
  answer: () => Promise<unknown>
  rebuild: () => Promise<unknown>
}> {
  const at = place()
  const run = lastRun()
  await noted(at, 'init', 1)
  await writeLoopRecord(
    recordInput(
      loopState(at, {
        lastRun: run,
        iteration: 1,
        mode: 'interactive',
        workers: loopState(at).workers.slice(0, 1),
      }),
      undefined,
      { workers: [] },
    ),
    { offset: OFFSET },
  )
  await noted(at, 'develop', 2)
  const state = loopState(at, { lastRun: run, warnings: ['w'] })
  return {
    at,
    last: () =>
      writeLoopRecord(recordInput(state, { outcome: 'failed', reason: 'spent' }), {
        offset: OFFSET,
        commitFiles: COMMIT_FILES,
      }),
    answer: () => noted(at, 'develop', 4, { summary: 'again' }),
    rebuild: () =>
      rebuildLoop(at.project, ID, {
        from: state,
        status: 'running',
        at: AT + 90 * MINUTE,
        offset: OFFSET,
      }),
  }
}

/**
 * Names and contents of the record, without what depends on where it lies and on how often it was
 * written.
 */
function contents({ files, project, cwd }: Place): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filesOf(files.dir))
      .filter(([name]) => !name.endsWith('.written.json'))
      .map(([name, text]) => [name, text.replaceAll(project, 'PROJECT').replaceAll(cwd, 'CWD')]),
  )
}

test.each(
  // prettier-ignore
  [
  { what: 'the last record', run: 'last', limit: 'points', atLeast: 6, says: /^killed at / },
  { what: 'the answer of a worker', run: 'answer', limit: 'points', atLeast: 3, says: /^killed at / },
  { what: 'a rebuilt record', run: 'rebuild', limit: 'points', atLeast: 3, says: /^killed at / },
  { what: 'the last record', run: 'last', limit: 'writes', atLeast: 6, says: /^cannot write .*: the disk is full; free some space, and the run continues by itself$/ },
  { what: 'the answer of a worker', run: 'answer', limit: 'writes', atLeast: 3, says: /^cannot write .*: the disk is full/ },
  { what: 'a rebuilt record', run: 'rebuild', limit: 'writes', atLeast: 4, says: /^cannot write .*: the disk is full/ },
] as const,
)(
  '$what, interrupted after each number of $limit, and repeated',
  async ({ run, limit, atLeast, says }) => {
    const once = await begun()
    await once[run]()
    const expected = contents(once.at)
    let failures = 0
    for (let n = 0; ; n++) {
      const { at, [run]: write } = await begun()
      limits[limit].left = n
      const error = await write().then(
        () => undefined,
        (thrown: unknown) => thrown as Error,
      )
      limits[limit].left = Infinity
      if (error === undefined) break
      failures += 1
      expect(error.message).toMatch(says)
      for (const [name, text] of Object.entries(contents(at)))
        if (name.endsWith('.json')) expect(() => JSON.parse(text) as unknown, name).not.toThrow()
      await write()
      expect(contents(at), `after ${n}`).toEqual(expected)
    }
    expect(failures).toBeGreaterThanOrEqual(atLeast)
    expect(Object.keys(expected).filter((name) => /\.(?:edited|damaged)-/.test(name))).toEqual([])
  },
)
