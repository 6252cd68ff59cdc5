// The Chromium of this machine, headless, for pages that Ratchet writes. Downloads nothing.
import { chromium, type Browser, type Page } from 'playwright-core'
import which from 'which'

/** Path of a Chromium, `undefined` without one. */
export function chromiumPath(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = which.sync(name, { nothrow: true })
    if (found !== null) return found
  }
  return undefined
}

/** Why a test of pages is skipped, `undefined` if it can run. */
export const noBrowser = chromiumPath() === undefined ? 'there is no chromium on PATH' : undefined

export async function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(noBrowser)
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** Forbidden actions of a page: errors, dialogs, requests to other addresses. */
export function misdeeds(page: Page): string[] {
  const seen: string[] = []
  page.on(
    'console',
    (message) =>
      message.type() !== 'log' && seen.push(`console ${message.type()}: ${message.text()}`),
  )
  page.on('pageerror', (error) => seen.push(`error: ${error.message}`))
  page.on('dialog', (dialog) => {
    seen.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on(
    'request',
    (request) =>
      !request.isNavigationRequest() &&
      !request.url().startsWith('data:') &&
      seen.push(`request: ${request.url()}`),
  )
  return seen
}
