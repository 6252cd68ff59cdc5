// The charts of a report in a real browser: labels are readable, and everything is named.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { htmlReport } from '../../src/cli/report/html/document.js'
import { buildReport } from '../../src/core/report/build.js'
import type { ReportSource } from '../../src/core/report/source.js'
import { misdeeds, noBrowser, startBrowser } from '../support/browser/chromium.js'
import {
  AT,
  BASELINE,
  KEPT,
  UNDONE,
  resultOf,
  sessionFactsOf,
  sourceOf,
  turnAt,
} from '../support/report-sources.js'

let browser: Browser
const dir = mkdtempSync(path.join(os.tmpdir(), 'ratchet-charts-'))
beforeAll(async () => {
  if (noBrowser === undefined) browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  rmSync(dir, { recursive: true, force: true })
})

/** The page of a source, and what it says when it is asked. */
async function pageOf(source: ReportSource, width: number): Promise<Page> {
  const file = path.join(dir, 'report.html')
  writeFileSync(file, await htmlReport(buildReport(source), dir))
  const page = await browser.newPage({ viewport: { width, height: 900 } })
  const seen = misdeeds(page)
  await page.addInitScript({
    path: fileURLToPath(new URL('../support/browser/in-page.js', import.meta.url)),
  })
  await page.goto(pathToFileURL(file).href)
  expect(seen).toEqual([])
  return page
}

const turnsOf = (...seconds: [number, number][]): ReportSource =>
  sourceOf({
    turns: seconds.map(([from, to]) =>
      turnAt(0, { startedAt: AT + from * 1_000, endedAt: AT + to * 1_000 }),
    ),
  })

describe.skipIf(noBrowser !== undefined)(
  `charts of a report${noBrowser === undefined ? '' : ` (skipped: ${noBrowser})`}`,
  () => {
    test.each([
      { why: 'half a second', source: turnsOf([0, 0.4]) },
      { why: '5 s', source: turnsOf([0, 5.3]) },
      { why: '11 s', source: turnsOf([0, 3], [3.5, 10.8]) },
      { why: '27 s', source: turnsOf([0, 26.6]) },
      { why: '61 s', source: turnsOf([0, 61]) },
      { why: 'nine minutes', source: sourceOf() },
      { why: 'a night between', source: turnsOf([0, 100], [40_000, 40_110]) },
    ])('times of the timeline do not overlap: $why', async ({ source }) => {
      for (const width of [360, 700, 1_200]) {
        const page = await pageOf(source, width)
        const times = await page.evaluate<{ label: string; from: number; to: number }[]>(
          `inPage.times('timeline-chart')`,
        )
        expect(times.length).toBeGreaterThan(0)
        for (const [n, { from, label }] of times.entries())
          if (n > 0)
            expect(from, `${label} at ${width}`).toBeGreaterThan((times[n - 1]?.to ?? 0) + 5)
        await page.close()
      }
    })

    test('a wait for a person has its own colour in the timeline, and is named', async () => {
      const page = await pageOf(
        sourceOf({
          turns: [
            turnAt(0, { endedAt: AT + 73_000, waits: [{ from: AT + 5_000, to: AT + 45_000 }] }),
            turnAt(2),
          ],
        }),
        1_000,
      )
      expect(await page.evaluate(`inPage.legend('timeline-chart')`)).toEqual([
        'waited for an answer',
      ])
      expect(await page.evaluate(`inPage.chart('timeline-chart').data[1]`)).toEqual([
        { x: [5_000, 45_000], y: 'fix' },
      ])
      const colours = await page.evaluate<[string, string][]>(
        `[20_000, 60_000].map((at) => inPage.colourAt('timeline-chart', at, 0))`,
      )
      expect(colours[0]).toBe('rgb(195, 201, 210)')
      expect(colours[1]).toBe('rgb(28, 122, 69)')
      await page.close()
      const none = await pageOf(sourceOf(), 1_000)
      expect(await none.evaluate(`inPage.legend('timeline-chart')`)).toEqual([])
      await none.close()
    })

    test.each(
      // prettier-ignore
      [
    { why: 'one was rolled back, one claimed', history: [BASELINE, KEPT, UNDONE], named: ['measured', 'claimed by the agent', 'a step that was rolled back'] },
    { why: 'one was rolled back', history: [BASELINE, { ...UNDONE, iteration: 1 }], named: ['measured', 'a step that was rolled back'] },
    { why: 'one line needs no name', history: [BASELINE, { ...UNDONE, iteration: 1, result: 'kept' as const }], named: [] },
  ],
    )('the legend names every line that is there: $why', async ({ history, named }) => {
      const page = await pageOf(
        sourceOf({
          facts: sessionFactsOf({ history }),
          result: resultOf({ history }),
          patches: new Map(),
        }),
        1_000,
      )
      expect(await page.evaluate(`inPage.legend('rate-chart')`)).toEqual(named)
      await page.close()
    })
  },
)
