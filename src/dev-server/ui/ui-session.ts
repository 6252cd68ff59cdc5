// Who may use the Web UI of a private server: a browser with the cookie that a one-time link gave
// it. Both are only in memory.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { stopwatch } from '../../adapters/stopwatch.js'

/** The page that a link opens. */
export const LINK_PATH = '/ratchet-ui'
const COOKIE = 'ratchet-ui'
/** From the command to the browser. */
const LINK_MS = 60_000

export class UiSession {
  readonly #secret = randomBytes(32).toString('hex')
  #links = new Map<string, () => number>()

  /** Path and query of a new link, which works once, within a minute. */
  link(): string {
    this.#links = new Map([...this.#links].filter(([, since]) => since() <= LINK_MS))
    const token = randomBytes(32).toString('hex')
    this.#links.set(token, stopwatch())
    return `${LINK_PATH}?link=${token}`
  }

  /** The `Set-Cookie` header for a link, `undefined` for one that counts no more. */
  open(url: URL): string | undefined {
    const token = url.searchParams.get('link') ?? ''
    const since = this.#links.get(token)
    this.#links.delete(token)
    if (since === undefined || since() > LINK_MS) return undefined
    return `${COOKIE}=${this.#secret}; Path=/; HttpOnly; SameSite=Strict`
  }

  /** Whether a request has the cookie, and its other cookies. */
  read(header: string | undefined): { isOpen: boolean; others: string | undefined } {
    const cookies = (header ?? '').split(/;\s*/).filter((one) => one !== '')
    const own = cookies.filter((one) => one.startsWith(`${COOKIE}=`))
    const others = cookies.filter((one) => !own.includes(one)).join('; ')
    return {
      isOpen: own.some((one) => same(one.slice(COOKIE.length + 1), this.#secret)),
      others: others === '' ? undefined : others,
    }
  }
}

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
