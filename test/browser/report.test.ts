// Pages of ratchet report in a real browser: real runs of a malicious scripted agent, while the run
// is open, after its end, without a server, and without its branch.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Report } from '../../src/core/report/model.js'
import { misdeeds, noBrowser, startBrowser } from '../support/browser/chromium.js'
import { cliProcessUser, type CliProcessUser } from '../support/cli-process.js'
import { cd, everybody, step } from '../support/cycle/cycle-play.js'
import { CALCULATOR, RIGHT_ADD, RIGHT_MUL, analysis, type Step } from '../support/runs/real-run.js'
import { runGit } from '../support/repositories/repos.js'
import { waitFor } from '../support/wait.js'

const HARM =
  '</script></style></title><script>window.owned=1</script><img src=x onerror="window.owned=2">'
const NAME = 'WFS-test-calc'

let user: CliProcessUser
let browser: Browser
beforeAll(async () => {
  user = cliProcessUser()
  if (noBrowser === undefined) browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await user.remove()
})

const plan = (): Step => ({
  when: { role: 'cli-planning-agent' },
  do: [
    {
      say: analysis([`calc.py:add ${HARM}`], ['tests/test_calc.py'], {
        root_causes: [HARM, '[x](javascript:window.owned=3)'],
        fix_strategy: {
          approach: `${HARM}\n\n[y](javascript:window.owned=4) ![z](http://127.0.0.1:9/x.png)`,
          modification_points: ['calc.py:add:1-2'],
          expected_outcome: HARM,
        },
      }),
    },
  ],
})

async function opened(
  file: string,
  options: { width?: number; colorScheme?: 'light' | 'dark' } = {},
): Promise<{ page: Page; seen: string[] }> {
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1200, height: 900 },
    colorScheme: options.colorScheme ?? 'light',
  })
  const seen = misdeeds(page)
  await page.addInitScript({
    path: fileURLToPath(new URL('../support/browser/in-page.js', import.meta.url)),
  })
  await page.goto(pathToFileURL(file).href)
  return { page, seen }
}

type Drawn = { data: unknown[][]; painted: number }
const chart = (page: Page, id: string): Promise<Drawn> =>
  page.evaluate<Drawn>(`inPage.chart('${id}')`)
const ask = <T>(
  page: Page,
  what: 'unfold' | 'width' | 'focused' | 'links' | 'owned' | 'weakContrast',
): Promise<T> => page.evaluate<T>(`inPage.${what}()`)

describe.skipIf(noBrowser !== undefined)(
  `a report in a browser${noBrowser === undefined ? '' : ` (skipped: ${noBrowser})`}`,
  () => {
    test('a test-fix run with a malicious agent: open, ended, without a server, without its branch', async () => {
      const go = path.join(user.root, 'go')
      const project = user.project(
        'calc',
        // prettier-ignore
        [
      plan(),
      { when: { role: 'test-fix-agent', iteration: 1 }, do: [RIGHT_ADD, { write: { path: 'page.html', text: `${HARM}\n` } }, { lie: 'Fixed. 100% of tests pass.' }, { tokens: { input: 1_200, output: 80 } }] },
      { when: { role: 'test-fix-agent', iteration: 2 }, do: [{ patch: { path: 'calc.py', find: 'a + b', replace: 'a.plus(b)' } }, { wait: { 'until-file': go } }] },
    ],
        {},
        {
          ...CALCULATOR,
          'tests/test_harm.py': `import pytest\n\n\n@pytest.mark.parametrize("x", [1], ids=[${JSON.stringify(HARM)}])\ndef test_harm(x):\n    assert False, ${JSON.stringify(HARM)}\n`,
        },
      )
      const run = user.start(project, 'fix', '--session', NAME, '--max-iterations', '2', '--json')
      await waitFor(() => run.stderr().includes('agent: test-fix-agent (playbook), iteration 2'), {
        what: 'the second fix',
        timeoutMs: 220_000,
      })

      const open = Report.parse(
        (await user.json<{ content: unknown }>(project, 'report', NAME, '--format', 'json'))
          .document.content,
      )
      expect(open).toMatchObject({
        outcome: 'open',
        waitingFor: expect.stringContaining('test-fix-agent') as string,
        iterationsDone: 1,
      })
      writeFileSync(go, '')
      expect((await run.ended).exitCode).toBe(1)

      const written = await user.json<{ file: string; bytes: number; headline: string }>(
        project,
        'report',
        NAME,
      )
      expect(written).toMatchObject({
        exitCode: 0,
        document: { headline: '2 of 4 tests fail after 2 iterations.' },
      })
      const { file } = written.document

      const { page, seen } = await opened(file)
      expect(await page.title()).toContain('2 of 4 tests fail after 2 iterations.')
      expect(await page.locator('h1').innerText()).toBe('2 of 4 tests fail after 2 iterations.')
      expect(await chart(page, 'rate-chart')).toEqual({
        data: [
          [25, 50, 0],
          [null, 100, null],
        ],
        painted: expect.toSatisfy((n: number) => n > 500) as number,
      })
      expect((await chart(page, 'timeline-chart')).data[0]).toHaveLength(4)
      expect((await chart(page, 'timeline-chart')).painted).toBeGreaterThan(500)

      // The fix that was kept is unfolded, with the diff and the lie; the one that was undone is
      // not.
      const [kept, undone] = [page.locator('#iteration-1'), page.locator('#iteration-2')]
      expect(await kept.locator('.d2h-ins', { hasText: 'a + b' }).first().isVisible()).toBe(true)
      expect(await kept.innerText()).toContain('claimed 100 %, measured: 50 %')
      expect(await kept.innerText()).toContain(HARM)
      expect(await undone.locator('.body').isVisible()).toBe(false)
      await undone.locator('summary').focus()
      await page.keyboard.press('Enter')
      expect(await undone.locator('.d2h-ins', { hasText: 'a.plus(b)' }).isVisible()).toBe(true)
      expect(await undone.locator('summary').innerText()).toContain('rolled back')

      // By keys alone, from the top.
      await page.reload()
      await page.keyboard.press('Tab')
      expect(await ask(page, 'focused')).toEqual({ tag: 'A', text: 'Skip to the pass rate' })
      await page.keyboard.press('Enter')
      expect(page.url()).toMatch(/#rates$/)
      const reached = new Set<string>()
      for (let n = 0; n < 60; n++) {
        await page.keyboard.press('Tab')
        reached.add((await ask<{ tag: string }>(page, 'focused')).tag)
      }
      expect([...reached]).toEqual(expect.arrayContaining(['A', 'SUMMARY', 'DIV']))

      await ask(page, 'unfold')
      expect(await page.locator('#failures').innerText()).toContain(HARM)
      expect(await ask(page, 'owned')).toBeNull()
      const links = await ask<string[]>(page, 'links')
      expect(
        links.filter((url) => !url.startsWith('file:') && !url.startsWith('http://127.0.0.1:9/')),
      ).toEqual([])
      const files = links
        .filter((url) => url.startsWith('file:') && !url.includes('#'))
        .map((url) => fileURLToPath(url))
      expect(files.length).toBeGreaterThan(10)
      expect(files.filter((one) => !existsSync(one))).toEqual([])
      expect(files.some((one) => one.endsWith('transcript.ndjson'))).toBe(true)
      // On narrow screens, in the dark, with everything unfolded: nothing runs over the edge,
      // everything can be read.
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        for (const width of [360, 1200]) {
          await page.setViewportSize({ width, height: 800 })
          await waitFor(async () => (await ask<number>(page, 'width')) <= width, {
            what: `a page of ${width} px, ${colorScheme}`,
            timeoutMs: 10_000,
          }) // charts follow the window
        }
        expect(await ask(page, 'weakContrast'), colorScheme).toEqual([])
        expect((await chart(page, 'rate-chart')).painted).toBeGreaterThan(500)
      }
      expect(seen).toEqual([])
      await page.close()

      await user.ratchet(project, 'dev', '--stop', '--force')
      const alone = await user.json<{ file: string; headline: string }>(project, 'report', NAME)
      expect(alone).toMatchObject({
        exitCode: 0,
        stderr: '',
        document: { headline: written.document.headline, file },
      })
      // Nothing was started for it
      expect((await user.ratchet(project, 'status')).stdout).toContain('not running')
      if (process.platform === 'linux') {
        const [browserSaw, script] = [
          path.join(user.root, 'browser.txt'),
          path.join(user.root, 'browser.sh'),
        ]
        writeFileSync(
          script,
          `#!/bin/sh\necho "$1" > ${browserSaw}.part && mv ${browserSaw}.part ${browserSaw}\n`,
          { mode: 0o755 },
        )
        user.env['BROWSER'] = script // xdg-open goes by it where there is no desktop
        expect(await user.ratchet(project, 'report', NAME, '--open')).toMatchObject({
          exitCode: 0,
          stderr: '',
        })
        await waitFor(() => existsSync(browserSaw), { what: 'the browser', timeoutMs: 30_000 })
        expect(readFileSync(browserSaw, 'utf8').trim()).toBe(file)
      }
      expect(await user.ratchet(project, 'clean', NAME, '--force')).toMatchObject({ exitCode: 0 })
      await user.ratchet(project, 'dev', '--stop', '--force')
      // Until then git can show the commits of a branch that was removed
      runGit(project, 'gc', '--quiet', '--prune=now')
      await user.ratchet(project, 'report', NAME)
      const gone = await opened(file)
      expect(await gone.page.locator('#iteration-1').innerText()).toContain(
        'The diff cannot be shown: its commit is not in the repository any more',
      )
      expect(await gone.page.locator('#files').innerText()).toContain('No transcripts were found')
      expect(gone.seen).toEqual([])
      await gone.page.close()
    })

    test('a dev cycle: its documents are inert Markdown', async () => {
      const harmful = [
        step('requirements-analyst', {}, [
          {
            write: {
              path: '{progress}/requirements.md',
              text: `# Requirements\n\n- FR-001 ${HARM}\n- [x](javascript:window.owned=5)\n\n![z](http://127.0.0.1:9/x.png)\n`,
            },
          },
          {
            result: {
              block: 'PHASE_RESULT',
              fields: {
                phase: 'ra',
                status: 'success',
                files_written: ['requirements.md'],
                summary: HARM.replaceAll('\n', ' '),
                issues: [],
              },
            },
          },
        ]),
      ]
      const project = user.project('cycle', [
        ...harmful,
        step('code-developer', {}, cd([RIGHT_ADD, RIGHT_MUL])),
        ...everybody([]),
      ])
      const { document, stderr } = await user.json<{ id: string }>(
        project,
        'cycle',
        `make it right ${HARM}`,
        '--max-iterations',
        '1',
      )
      expect(document, stderr).toMatchObject({ id: expect.stringMatching(/^cycle-/) as string })
      const { document: written } = await user.json<{ file: string }>(
        project,
        'report',
        document.id,
      )
      expect(readFileSync(written.file, 'utf8').length).toBeLessThan(1_000_000)
      const { page, seen } = await opened(written.file, { width: 360, colorScheme: 'dark' })
      await ask(page, 'unfold')
      expect(await page.locator('header').innerText()).toContain(HARM.slice(0, 40))
      expect(await page.locator('#requirements .markdown li').first().innerText()).toContain(HARM)
      expect(await ask<number>(page, 'width')).toBeLessThanOrEqual(360)
      expect(await ask(page, 'owned')).toBeNull()
      expect(seen).toEqual([])
      await page.close()
    })
  },
)
