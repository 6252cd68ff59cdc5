// A full disk while turns run: worker and turns survive it. An error of a write from a timer or a
// stream has no caller that could catch it: it would end the process.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { SideWrites } from '../../../src/adapters/agents/turn/side-writes.js'
import { Transcript } from '../../../src/adapters/agents/turn/transcript.js'
import { turnFiles } from '../../../src/adapters/agents/turn/turn-store.js'
import { layout } from '../../../src/adapters/state-dir.js'
import { redactor } from '../../../src/core/text/redact.js'
import { Bench, type Call } from '../../support/agents/bench.js'
import { waitFor } from '../../support/wait.js'

const FULL = '/dev/full'
let bench: Bench
beforeEach(() => {
  bench = new Bench()
})
afterEach(() => bench.end())

const BUDGET = {
  limit: { tokens: 100_000 },
  spent: { turns: 0, tokens: 0, costUsd: 0, minutes: 0 },
}
const files = () => turnFiles(layout.turn(bench.dirs, bench.spec().key))
const waits = () =>
  bench.playbook([
    {
      do: [
        { say: 'begun' },
        { tokens: { input: 10, output: 1 } },
        { wait: { 'until-file': 'go' } },
        { say: 'continued' },
      ],
    },
  ])
const isTold = ({ seen }: Call, code: string) =>
  waitFor(
    () => seen.some(({ lastEvent }) => lastEvent === `its record cannot be written (${code})`),
    { what: `a progress that says ${code}` },
  )

describe('a turn continues, reports the problem, and ends well', () => {
  test.each(
    // prettier-ignore
    [
    { why: 'the ledger cannot be written', code: 'EEXIST', harm: () => replaced(layout.ledger(bench.dirs, bench.run), (dir) => writeFileSync(dir, '')) },
    { why: 'the time spent cannot be saved', code: 'EISDIR', harm: () => replaced(files().claim, (file) => mkdirSync(file)) },
  ],
  )('where $why', async ({ code, harm }) => {
    const call = bench.call(bench.driver(), bench.config(waits()), bench.spec({ budget: BUDGET }))
    await bench.busy()
    const repair = harm()
    await isTold(call, code)
    repair()
    writeFileSync(path.join(bench.cwd, 'go'), '')
    expect(await call.result).toMatchObject({ outcome: 'completed', attempts: 1, crashes: 0 })
  })

  test.skipIf(!existsSync(FULL))('where standard error cannot be kept', async () => {
    mkdirSync(path.dirname(files().stderr), { recursive: true })
    symlinkSync(FULL, files().stderr)
    expect(
      (
        await bench.call(bench.driver(), bench.config(bench.foreign('odd.mjs', 'stderr-flood')))
          .result
      ).outcome,
    ).toBe('completed')
  })

  test('where the ledger never existed: the usage of the turn is still bounded', async () => {
    mkdirSync(path.dirname(layout.ledger(bench.dirs, bench.run)), { recursive: true })
    writeFileSync(layout.ledger(bench.dirs, bench.run), '')
    const call = bench.call(
      bench.driver(),
      bench.config(waits()),
      bench.spec({ budget: { ...BUDGET, limit: { tokens: 11 } } }),
    )
    expect(await call.result).toMatchObject({ outcome: 'over_budget', over: 'tokens', attempts: 1 })
  })

  test('a turn waits for a limit that cannot be noted for the others', async () => {
    writeFileSync(path.join(bench.dirs.state, 'limits'), '')
    expect(
      await bench.call(bench.driver(), bench.config(bench.foreign('refuses.mjs', 'rate'))).result,
    ).toMatchObject({
      outcome: 'rate_limited',
      attempts: 1,
      limitedUntil: expect.any(Number) as number,
    })
  })
})

test.skipIf(!existsSync(FULL))('a transcript that cannot be written throws nothing', () => {
  const side = new SideWrites()
  const transcript = new Transcript(FULL, redactor([]), undefined, side)
  transcript.event('update', { sessionUpdate: 'plan' })
  transcript.mark('ended', {})
  transcript.close()
  expect(side.trouble).toBe('its record cannot be written (ENOSPC)')
})

test('an error of another cause is not hidden', () => {
  expect(() =>
    new SideWrites().try(() => {
      throw new TypeError('a mistake')
    }),
  ).toThrow('a mistake')
})

function replaced(file: string, by: (file: string) => void): () => void {
  const kept = `${file}.kept`
  renameSync(file, kept)
  by(file)
  return () => {
    if (existsSync(file)) (path.extname(file) === '.json' ? rmdirSync : rmSync)(file)
    renameSync(kept, file)
  }
}
