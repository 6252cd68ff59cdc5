// Which requests reach the Web UI.
import { expect, test } from 'vitest'
import { actionOf, refusedByGateway } from '../../../src/core/ui-request.js'

test.each(
  // prettier-ignore
  [
  { why: 'a browser on this machine', host: '127.0.0.1:8233', refused: false },
  { why: 'by the name localhost', host: 'localhost:8233', refused: false },
  { why: 'by IPv6', host: '[::1]:8233', refused: false },
  { why: 'through a forwarded port', host: 'localhost:9000', refused: false },
  { why: 'a change from the Web UI itself', host: 'localhost:8233', origin: 'http://localhost:8233', refused: false },
  { why: 'a page that rebinds its DNS name', host: 'evil.example:8233', refused: true },
  { why: 'such a page with its own origin', host: 'evil.example:8233', origin: 'http://evil.example:8233', refused: true },
  { why: 'a page of another site', host: '127.0.0.1:8233', origin: 'http://evil.example', refused: true },
  { why: 'a page of another port of this machine', host: 'localhost:8233', origin: 'http://localhost:3000', refused: true },
  { why: 'a sandboxed page', host: 'localhost:8233', origin: 'null', refused: true },
  { why: 'a name that begins alike', host: 'localhost.evil.example:8233', refused: true },
  { why: 'a login in the host', host: 'localhost@evil.example', refused: true },
  { why: 'a path in the host', host: 'localhost/evil.example', refused: true },
  { why: 'no host', refused: true },
  { why: 'an empty host', host: '', refused: true },
],
)('$why: refused is $refused', ({ host, origin, refused }) => {
  expect(refusedByGateway({ host, origin }) !== undefined).toBe(refused)
})

const NS = '/api/v1/namespaces/ratchet/workflows'

test.each(
  // prettier-ignore
  [
  { why: 'a start', method: 'POST', path: `${NS}/fix-1`, action: { kind: 'start', workflowId: 'fix-1' } },
  { why: 'an id that is encoded', method: 'POST', path: `${NS}/a%20b`, action: { kind: 'start', workflowId: 'a b' } },
  { why: 'an update', method: 'POST', path: `${NS}/fix-1/update/extend`, action: { kind: 'update', workflowId: 'fix-1', name: 'extend' } },
  { why: 'a signal', method: 'POST', path: `${NS}/fix-1/signal/pause`, action: undefined },
  { why: 'a termination', method: 'POST', path: `${NS}/fix-1/terminate`, action: undefined },
  { why: 'a look', method: 'GET', path: `${NS}/fix-1`, action: undefined },
  { why: 'a broken encoding', method: 'POST', path: `${NS}/%E0%A4%A`, action: undefined },
  { why: 'another path', method: 'POST', path: '/api/v1/namespaces/ratchet/schedules/x', action: undefined },
],
)('$why is signed for: $action', ({ method, path, action }) => {
  expect(actionOf(method, path)).toEqual(action)
})
