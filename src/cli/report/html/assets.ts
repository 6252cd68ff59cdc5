// What a report brings along so that it needs nothing else: styles and scripts of the page and of
// its libraries, each allowed by its digest and nothing beside them.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { packaged } from '../../../adapters/package.js'

const require = createRequire(import.meta.url)
const PAGE = packaged('report-page')

export type Assets = { styles: string[]; scripts: string[] }

/** The texts, ready to stand in a page. */
export function assets(): Assets {
  const own = (name: string): string => readFileSync(path.join(PAGE, name), 'utf8')
  const diff = path.resolve(
    path.dirname(require.resolve('diff2html')),
    '../bundles/css/diff2html.min.css',
  )
  const chart = path.join(path.dirname(require.resolve('chart.js')), 'chart.umd.min.js')
  return {
    styles: [readFileSync(diff, 'utf8'), own('page.css')],
    // A script ends at the first of these, wherever it stands.
    scripts: [readFileSync(chart, 'utf8'), own('page.js')].map((text) =>
      text.replace(/<\/(script)/gi, '<\\/$1').replace(/\n\/\/# sourceMappingURL=.*/g, ''),
    ),
  }
}

/** What the page may do: run these scripts, show these styles, and nothing over any network. */
export function contentPolicy({ styles, scripts }: Assets): string {
  const allowed = (texts: string[]): string =>
    texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')
  return `default-src 'none'; script-src ${allowed(scripts)}; style-src ${allowed(styles)}; img-src data:; base-uri 'none'; form-action 'none'`
}

/** A value as JSON that no text in it can end. */
export function embedded(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
