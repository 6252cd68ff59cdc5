// The live region at the bottom of a terminal, in an emulator.
import { PassThrough } from 'node:stream'
import xterm from '@xterm/headless'
import { afterEach, expect, test } from 'vitest'
import { openRegion, type Region } from '../../../../src/cli/live/region.js'

const open: Region[] = []
afterEach(() => open.splice(0).forEach((region) => region.close()))

function terminal(told: { columns?: number; rows?: number }) {
  const emulator = new xterm.Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true,
    convertEol: true,
  })
  const written: string[] = []
  const screen = Object.assign(new PassThrough(), told)
  screen.on('data', (chunk: Buffer) => {
    written.push(chunk.toString())
    emulator.write(chunk)
  })
  const region = openRegion(screen)
  open.push(region)
  const lines = async (): Promise<string[]> => {
    await new Promise((resolve) => setImmediate(resolve))
    await new Promise<void>((resolve) => emulator.write('', resolve))
    return Array.from(
      { length: 24 },
      (_, n) => emulator.buffer.active.getLine(n)?.translateToString(true) ?? '',
    ).filter((line) => line !== '')
  }
  return { region, screen, lines }
}

test.each<{
  why: string
  told: { columns?: number; rows?: number }
  size: { columns: number; rows: number }
}>(
  // prettier-ignore
  [
  { why: 'what the terminal says', told: { columns: 60, rows: 20 }, size: { columns: 60, rows: 20 } },
  { why: 'a terminal that knows no size says 0 of both', told: { columns: 0, rows: 0 }, size: { columns: 80, rows: 24 } },
  { why: 'none is said', told: {}, size: { columns: 80, rows: 24 } },
],
)('the size of the region: $why', async ({ told, size }) => {
  const { region, lines } = terminal(told)
  const asked: unknown[] = []
  region.show((one) => (asked.push(one), ['the first line', 'the second']))
  expect(asked).toEqual([size])
  expect(await lines()).toEqual(['the first line', 'the second'])
  region.show(() => ['one line'])
  expect(await lines()).toEqual(['one line'])
})

test('output is above the region, also while it is hidden; after its end only the output remains', async () => {
  const { region, screen, lines } = terminal({ columns: 80, rows: 24 })
  region.show(() => ['at the foot'])
  region.above(() => screen.write('first\n'))
  expect(await lines()).toEqual(['first', 'at the foot'])
  region.hide()
  region.above(() => screen.write('second\n'))
  expect(await lines()).toEqual(['first', 'second'])
  region.unhide()
  expect(await lines()).toEqual(['first', 'second', 'at the foot'])
  region.close()
  expect(await lines()).toEqual(['first', 'second'])
})
