// Decides whether a request may reach the Web UI, which checks no host name itself. A page whose
// DNS name was changed to 127.0.0.1 names its own host, and a page of another site its origin.

/** Names of this machine, which no DNS server can give to another site. */
const OWN_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** `host` and `origin`: the headers of the request, if it has them. */
export type UiRequest = { host?: string | undefined; origin?: string | undefined }

/**
 * Returns why a request is refused, or `undefined`. Any port will do: a person may forward one from
 * another machine.
 */
export function refusedByGateway({ host, origin }: UiRequest): string | undefined {
  const url = host === undefined ? null : URL.parse(`http://${host}`)
  if (url === null || url.host !== host || !OWN_NAMES.has(url.hostname))
    return `the Web UI answers only to 127.0.0.1 and localhost, not to ${JSON.stringify(host ?? '')}`
  if (origin !== undefined && origin !== `http://${host}`)
    return `a page of ${JSON.stringify(origin)} may not use the Web UI`
  return undefined
}

/** What a request of the Web UI changes, and has to be signed on a private server. */
export type UiAction =
  { kind: 'start'; workflowId: string } | { kind: 'update'; workflowId: string; name: string }

const WORKFLOW = /^\/api\/v1\/namespaces\/[^/]+\/workflows\/([^/]+)(?:\/update\/([^/]+))?$/

/** Reads a request; `undefined` for one that is passed on as it is. */
export function actionOf(method: string | undefined, path: string): UiAction | undefined {
  const [, id, name] = WORKFLOW.exec(path) ?? []
  if (method !== 'POST' || id === undefined) return undefined
  const workflowId = decoded(id)
  const update = name === undefined ? undefined : decoded(name)
  if (workflowId === undefined || (name !== undefined && update === undefined)) return undefined
  return update === undefined
    ? { kind: 'start', workflowId }
    : { kind: 'update', workflowId, name: update }
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
