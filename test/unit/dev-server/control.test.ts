import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { self } from '../../../src/adapters/process/identity.js'
import { layout } from '../../../src/adapters/state-dir.js'
import {
  callSupervisor,
  recordedSupervisor,
  supervisorWasKilled,
  type SupervisorRecord,
} from '../../../src/adapters/supervisor/supervisor-call.js'
import { ProjectRequest, serveControl } from '../../../src/dev-server/control.js'
import { present } from '../../support/present.js'

let server: Server
let record: SupervisorRecord
beforeEach(async () => {
  const control = await serveControl({
    'GET /status': () => Promise.resolve({ code: 200, body: { fine: true } }),
    'POST /projects': (body) =>
      Promise.resolve({ code: 200, body: ProjectRequest.parse(body).path }),
  })
  server = control.server
  record = { identity: self(), port: control.port, token: control.token }
})
afterEach(() => server.close())

test('the supervisor answers a request with its token', async () => {
  expect(await callSupervisor(record, 'GET /status')).toEqual({ code: 200, body: { fine: true } })
  expect(await callSupervisor(record, 'POST /projects', { path: '/p', env: {} })).toEqual({
    code: 200,
    body: '/p',
  })
})

test.each([
  { why: 'no token', headers: {}, code: 401 },
  { why: 'a wrong token', headers: { authorization: 'Bearer x' }, code: 401 },
])('the supervisor refuses $why', async ({ headers, code }) => {
  expect(
    (await fetch(`http://127.0.0.1:${record.port}/status`, { headers: present(headers) })).status,
  ).toBe(code)
})

test.each([
  { why: 'an unknown route', route: 'GET /env', body: undefined, code: 404 },
  { why: 'a body of another shape', route: 'POST /projects', body: { path: 3 }, code: 400 },
])('the supervisor refuses $why', async ({ route, body, code }) => {
  expect((await callSupervisor(record, route, body))?.code).toBe(code)
})

test('a body that is not JSON is refused', async () => {
  const headers = { authorization: `Bearer ${record.token}` }
  expect(
    (
      await fetch(`http://127.0.0.1:${record.port}/projects`, {
        method: 'POST',
        headers,
        body: '{',
      })
    ).status,
  ).toBe(400)
})

test('the control port listens on 127.0.0.1 only', () => {
  expect(server.address()).toMatchObject({ address: '127.0.0.1' })
})

test('a supervisor whose port is closed counts as gone', async () => {
  await new Promise((resolve) => server.close(resolve))
  expect(await callSupervisor(record, 'GET /status')).toBeUndefined()
})

test.each(
  // prettier-ignore
  [
  { why: 'missing', text: undefined },
  { why: 'not JSON', text: '{' },
  { why: 'of a dead process with the same pid', text: JSON.stringify({ identity: { ...self(), startTime: '1' }, port: 1, token: 't' }) },
],
)('a supervisor file that is $why names no supervisor', ({ text }) => {
  const state = mkdtempSync(path.join(os.tmpdir(), 'ratchet-control-'))
  const dirs = { state, cache: state }
  mkdirSync(state, { recursive: true })
  if (text !== undefined) writeFileSync(layout.supervisor(dirs), text)
  expect(recordedSupervisor(dirs)).toBeUndefined()
  rmSync(state, { recursive: true, force: true })
})

test.each([
  { why: 'is there', identity: () => self(), killed: false },
  { why: 'was killed', identity: () => ({ ...self(), startTime: '1' }), killed: true },
  { why: 'was stopped, which removes its file', identity: undefined, killed: false },
])('a supervisor that $why counts as killed: $killed', ({ identity, killed }) => {
  const state = mkdtempSync(path.join(os.tmpdir(), 'ratchet-control-'))
  const dirs = { state, cache: state }
  if (identity !== undefined)
    writeFileSync(
      layout.supervisor(dirs),
      JSON.stringify({ identity: identity(), port: 1, token: 't' }),
    )
  expect(supervisorWasKilled(dirs)).toBe(killed)
  rmSync(state, { recursive: true, force: true })
})
