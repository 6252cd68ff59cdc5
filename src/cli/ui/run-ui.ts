// ratchet ui: opens the Web UI of the local server.
import path from 'node:path'
import { replaceFile } from '../../adapters/files/replace-file.js'
import type { Context } from '../context.js'
import { EXIT, badInput } from '../output/errors.js'
import { openInBrowser } from '../output/open-in-browser.js'
import { isRemote, startServer } from '../start/server.js'

export async function run(
  context: Context,
  _args: string[],
  { print = false }: { print?: boolean },
): Promise<number> {
  const { out } = context
  if (isRemote(context.server))
    throw badInput(
      'ui opens the Web UI of the local server only',
      'ratchet ui',
      'remove --address and --profile, and open the Web UI of your server yourself',
    )
  const { dirs, ratchet } = await startServer(context)
  await ratchet.close()
  const { uiLink } = await import('../../dev-server/index.js')
  const { url, once } = await uiLink(dirs)
  const isShown = !print && out.ask !== undefined
  out.answer({ url, once }, [
    `web ui   ${url}`,
    ...(once ? ['The link works once, within a minute.'] : []),
  ])
  if (isShown) await openInBrowser(out, once ? await redirect(dirs.state, url) : url)
  return EXIT.done
}

// Command lines can be read by every user of the machine, and the browser gets its address there.
async function redirect(state: string, url: string): Promise<string> {
  const file = path.join(state, 'web-ui.html')
  const html = `<!doctype html><meta http-equiv="refresh" content="0; url=${url}">\n`
  await replaceFile(file, html, { mode: 0o600 })
  return file
}
