// Embeds everything a report needs: styles and scripts of the page and of its libraries. The
// content policy allows them by digest and nothing else.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { packaged } from '../../../adapters/package.js'

const require = createRequire(import.meta.url)
const PAGE = packaged('report-page')

export type Assets = { styles: string[]; scripts: string[] }

/** Returns the texts, ready to be embedded in a page. */
export function assets(): Assets {
  const own = (name: string): string => readFileSync(path.join(PAGE, name), 'utf8')
  const diff = path.resolve(
    path.dirname(require.resolve('diff2html')),
    '../bundles/css/diff2html.min.css',
  )
  const chart = path.join(path.dirname(require.resolve('chart.js')), 'chart.umd.min.js')
  return {
    styles: [readFileSync(diff, 'utf8'), own('page.css')],
    // A script ends at the first of these, even inside a string.
    scripts: [readFileSync(chart, 'utf8'), own('page.js')].map((text) =>
      text.replace(/<\/(script)/gi, '<\\/$1').replace(/\n\/\/# sourceMappingURL=.*/g, ''),
    ),
  }
}

/** Returns the content policy: run these scripts, use these styles, no network. */
export function contentPolicy({ styles, scripts }: Assets): string {
  const allowed = (texts: string[]): string =>
    texts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`).join(' ')
  return `default-src 'none'; script-src ${allowed(scripts)}; style-src ${allowed(styles)}; img-src data:; base-uri 'none'; form-action 'none'`
}

/** Returns a value as JSON that cannot end its script element. */
export function embedded(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
