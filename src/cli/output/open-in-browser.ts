// Opens a file or an address in the person's browser. One that does not start is a warning.
import type { Output } from '../context.js'

export async function openInBrowser(out: Pick<Output, 'warn'>, target: string): Promise<void> {
  const { default: open } = await import('open')
  const failed = (error: Error): void =>
    out.warn(`warning: no browser could be started: ${error.message}; open ${target} yourself`)
  try {
    const viewer = await open(target)
    viewer.once('error', failed)
  } catch (error) {
    failed(error as Error)
  }
}
