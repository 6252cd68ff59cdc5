// The Temporal Web UI as a person uses it: its own pages and forms, in a real browser.
//
// Only the browser talks to the server. A missing element fails with its name and its page: then
// the form has changed, and docs/web-ui.md needs an update.
import { chromium, type Locator, type Page } from 'playwright-core'
import which from 'which'
import { waitFor } from '../wait.js'

/** Debian's chromium, or `undefined` without one. */
export const CHROMIUM = which.sync('chromium', { nothrow: true }) ?? undefined

/** A busy machine needs many seconds to render a page. */
const VISIBLE_MS = 90_000

export type StartForm = { type: string; input: string; id?: string }

export type WebUi = {
  page: Page
  /** Starts a workflow and returns its id, which the form generates if none is given. */
  start: (form: StartForm) => Promise<string>
  signal: (id: string, name: string, data?: string) => Promise<void>
  update: (id: string, name: string, data: string) => Promise<void>
  /** The text of "Current Details". */
  details: (id: string) => Promise<string>
  /** The text under "Summary", "Details" and "Events with Metadata". */
  metadata: (id: string) => Promise<string>
  pendingActivities: (id: string) => Promise<string>
  /** The result of a query, by its name. */
  query: (id: string, name: string) => Promise<string>
  /** Ids of the workflows that a list query shows. */
  list: (query: string) => Promise<string[]>
  close: () => Promise<void>
}

/**
 * Opens the Web UI at an address like `http://127.0.0.1:8233`. `close` it.
 *
 * @throws without chromium: see `CHROMIUM`
 */
export async function openWebUi(uiUrl: string, namespace = 'ratchet'): Promise<WebUi> {
  if (CHROMIUM === undefined) throw new Error('there is no chromium on the PATH')
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
  const page = await browser.newPage({ viewport: { width: 1360, height: 900 } })
  const base = `${uiUrl}/namespaces/${namespace}/workflows`

  const seen = async (what: string, locator: Locator): Promise<Locator> => {
    const visible = locator.filter({ visible: true }).first()
    await visible.waitFor({ timeout: VISIBLE_MS }).catch(async () => {
      throw new Error(
        `the Web UI has no ${what} at ${page.url()}: has it changed? It shows:\n${(await page.locator('body').innerText()).replaceAll(/\n+/g, '\n').slice(-1_500)}`,
      )
    })
    return visible
  }
  const click = async (what: string, locator: Locator): Promise<void> =>
    (await seen(what, locator)).click()
  const fill = async (what: string, locator: Locator, text: string): Promise<void> =>
    (await seen(what, locator)).fill(text)
  const open = (id: string): Promise<unknown> =>
    page.goto(`${base}/${encodeURIComponent(id)}`, { waitUntil: 'domcontentloaded' })

  /** By a click: an address without the run id leads to the history in every tab. */
  const openTab = async (id: string, name: string): Promise<void> => {
    await open(id)
    await click(
      `tab "${name}"`,
      page.getByRole('tab', { name }).or(page.getByRole('link', { name })),
    )
  }
  /**
   * Pastes the JSON as a whole, because the editor closes brackets that are typed one by one. On
   * blur it reformats the JSON and moves the elements below it, so it loses focus before any click.
   */
  const typeJson = async (form: Locator, json: string): Promise<void> => {
    const editor = await seen(
      'field "Data"',
      form.getByRole('textbox').and(page.locator('[data-language=json]')),
    )
    await editor.click()
    // The form may have filled in the input of an earlier run
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.insertText(json)
    await editor.blur()
    const typed = await editor.innerText()
    if (JSON.stringify(JSON.parse(typed)) !== json)
      throw new Error(`the field "Data" holds ${typed}, not ${json}`)
  }
  const action = async (id: string, title: string): Promise<Locator> => {
    await open(id)
    await click('menu "More Actions"', page.getByRole('button', { name: 'More Actions' }))
    await click(`entry "${title}" in "More Actions"`, page.getByRole('menuitem', { name: title }))
    return seen(
      `form "${title}"`,
      page
        .locator('dialog, [role=dialog]')
        .filter({ has: page.getByRole('heading', { name: title }) }),
    )
  }
  const submit = async (form: Locator, what: string): Promise<void> => {
    await click(`button "Submit" in "${what}"`, form.getByRole('button', { name: 'Submit' }))
    // A refusal is shown in the form; an accepted update closes it.
    const refusal = form.getByRole('alert').filter({ hasText: /\S/ })
    await waitFor(async () => !(await form.isVisible()) || (await refusal.count()) > 0, {
      what: `an answer to "${what}"`,
      timeoutMs: VISIBLE_MS,
      everyMs: 100,
    })
    if (await form.isVisible())
      throw new Error(
        `the form "${what}" was not taken: ${(await refusal.allInnerTexts()).join(' ')}`,
      )
  }
  const choose = async (form: Locator, button: string, name: string): Promise<void> => {
    await click(`list of names`, form.getByTestId(button))
    await click(
      `name "${name}"`,
      form.getByRole('option').filter({ has: page.getByText(name, { exact: true }) }),
    )
  }

  return {
    page,
    async start({ type, input, id }) {
      await page.goto(base)
      await click(
        'button "Start Workflow"',
        page
          .getByRole('link', { name: 'Start Workflow' })
          .or(page.getByRole('button', { name: 'Start Workflow' })),
      )
      const idField = await seen('field "Workflow ID"', page.getByLabel('Workflow ID'))
      if (id === undefined)
        await click('button "Random UUID"', page.getByRole('button', { name: 'Random UUID' }))
      else await idField.fill(id)
      await fill('field "Task Queue"', page.getByLabel('Task Queue'), 'ratchet')
      await fill('field "Workflow Type"', page.getByLabel('Workflow Type'), type)
      await typeJson(page.locator('body'), input)
      if (!(await page.locator('input[value="json/plain"]').isChecked()))
        throw new Error('the encoding of "Input" is no longer json/plain by itself')
      const given = await idField.inputValue()
      await click('button "Start Workflow"', page.getByRole('button', { name: 'Start Workflow' }))
      await seen('link to the workflow that was started', page.locator(`a[href*="/${given}/"]`))
      return given
    },
    async signal(id, name, data) {
      const form = await action(id, 'Send a Signal')
      await choose(form, 'signal-select-button', name)
      if (data !== undefined) await typeJson(form, data)
      await submit(form, 'Send a Signal')
    },
    async update(id, name, data) {
      const form = await action(id, 'Send an Update')
      await choose(form, 'update-select-button', name)
      await typeJson(form, data)
      await submit(form, 'Send an Update')
    },
    async details(id) {
      await openTab(id, 'User Metadata')
      await seen('heading "Current Details"', page.getByText('Current Details'))
      const frame = page.locator('iframe').last()
      return waitFor(
        async () =>
          (
            await frame
              .contentFrame()
              .locator('main')
              .innerText({ timeout: 1_000 })
              .catch(() => '')
          ).trim() || undefined,
        { what: 'the text of "Current Details"', timeoutMs: VISIBLE_MS },
      )
    },
    async metadata(id) {
      await openTab(id, 'User Metadata')
      await seen('heading "Events with Metadata"', page.getByText('Events with Metadata'))
      const frames = await Promise.all(
        (await page.locator('iframe').all())
          .slice(0, -1)
          .map((frame) => frame.contentFrame().locator('main').innerText({ timeout: VISIBLE_MS })),
      )
      return [...frames, await page.locator('body').innerText()].join('\n')
    },
    async pendingActivities(id) {
      await openTab(id, 'Pending Activities')
      await seen('"Heartbeat Details"', page.getByText('Heartbeat Details'))
      return page.locator('body').innerText()
    },
    async query(id, name) {
      await openTab(id, 'Queries')
      await click(
        'list "Query Type"',
        page
          .getByLabel('Query Type')
          .or(page.locator('#query-select-button, [data-testid=query-select-button]')),
      )
      await click(
        `query "${name}"`,
        page.getByRole('option').filter({ has: page.getByText(name, { exact: true }) }),
      )
      await click('button "Run Query"', page.getByRole('button', { name: 'Run Query' }))
      return waitFor(
        async () =>
          (await page.locator('[data-language=json]').allInnerTexts()).find(
            (text) => text.trim() !== '',
          ),
        { what: `the answer of the query ${name}`, timeoutMs: VISIBLE_MS },
      )
    },
    async list(query) {
      await page.goto(`${base}?query=${encodeURIComponent(query)}`)
      await seen('number of workflows', page.getByText(/^[\d,]+ Workflows?$/))
      await page.waitForLoadState('networkidle')
      const links = await page.locator('table tbody tr a[href*="/workflows/"]').all()
      const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')))
      const ids = hrefs.map((href) =>
        decodeURIComponent(/\/workflows\/([^/?]+)/.exec(href ?? '')?.[1] ?? ''),
      )
      return [...new Set(ids)]
    },
    close: () => browser.close(),
  }
}
