// The Chromium of this machine, without a window, for pages that Ratchet writes. Nothing is
// downloaded.
import { chromium, type Browser, type Page } from 'playwright-core'
import which from 'which'

/** Path of a Chromium, `undefined` where there is none. */
export function chromiumPath(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = which.sync(name, { nothrow: true })
    if (found !== null) return found
  }
  return undefined
}

/** Why a test of pages is skipped, `undefined` where it can run. */
export const noBrowser = chromiumPath() === undefined ? 'there is no chromium on PATH' : undefined

export async function startBrowser(): Promise<Browser> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(noBrowser)
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** What a page did that it must not: errors, dialogs, requests for anything but itself. */
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
