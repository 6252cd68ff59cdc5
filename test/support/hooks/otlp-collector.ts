// A collector that keeps everything it receives: OTLP over HTTP, as JSON.
import http from 'node:http'
import type { AddressInfo } from 'node:net'

type Value = { stringValue?: string; intValue?: number; doubleValue?: number; boolValue?: boolean }
type Attribute = { key: string; value: Value }
type WireSpan = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  events?: unknown[]
  status?: { code?: number; message?: string }
}
type Body = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

export type CollectedSpan = Omit<WireSpan, 'attributes'> & {
  attributes: Record<string, string | number | boolean | undefined>
  resource: Record<string, string | number | boolean | undefined>
}

export type Collector = {
  url: string
  spans: () => CollectedSpan[]
  /** All received data, unchanged. */
  received: () => string
  headers: () => http.IncomingHttpHeaders[]
  close: () => Promise<void>
}

export async function otlpCollector(): Promise<Collector> {
  const bodies: string[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const server = http.createServer((request, response) => {
    headers.push(request.headers)
    let body = ''
    request
      .setEncoding('utf8')
      .on('data', (part: string) => (body += part))
      .on('end', () => {
        bodies.push(body)
        response.setHeader('Content-Type', 'application/json').end('{}')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Body).resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({
              ...span,
              attributes: plain(span.attributes),
              resource: plain(resource.attributes),
            })),
          ),
        ),
    received: () => bodies.join('\n'),
    headers: () => headers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function plain(attributes: Attribute[]): Record<string, string | number | boolean | undefined> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.intValue ?? value.doubleValue ?? value.boolValue,
    ]),
  )
}
