// Which server a script without an address gets: this user's own, or none.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { self } from '../../../src/adapters/process/identity.js'
import { localAddress } from '../../../src/client/local-address.js'
import { connect, NoLocalServerError } from '../../../src/client/index.js'
import { present } from '../../support/present.js'

let home: string
beforeEach(() => void (home = mkdtempSync(path.join(os.tmpdir(), 'ratchet-address-'))))
afterEach(() => rmSync(home, { recursive: true, force: true }))

function record(state: string, value: unknown): void {
  mkdirSync(path.join(state, 'ratchet/server'), { recursive: true })
  writeFileSync(
    path.join(state, 'ratchet/server/server.json'),
    typeof value === 'string' ? value : JSON.stringify(value),
  )
}

test.each([
  { why: 'below HOME', state: '.local/state', env: {} },
  { why: 'below XDG_STATE_HOME', state: 'own', env: { XDG_STATE_HOME: 'own' } },
])('finds the local server at its address, $why', ({ state, env }) => {
  record(path.join(home, state), { identity: self(), address: '127.0.0.1:7241', nonce: 'n' })
  const absolute = Object.fromEntries(
    Object.entries(present<string>(env)).map(([name, dir]) => [name, path.join(home, dir)]),
  )
  expect(localAddress({ HOME: home, ...absolute })).toBe('127.0.0.1:7241')
})

test.each(
  // prettier-ignore
  [
  { why: 'nothing was ever started', value: undefined },
  { why: 'the process at its pid is another one', value: { identity: { ...self(), startTime: '1' }, address: '127.0.0.1:7233' } },
  { why: 'the machine was started again', value: { identity: { ...self(), bootId: 'x' }, address: '127.0.0.1:7233' } },
  { why: 'the file is cut short', value: '{ "identity"' },
],
)('finds no local server where $why', ({ value }) => {
  if (value !== undefined) record(path.join(home, '.local/state'), value)
  expect(() => localAddress({ HOME: home })).toThrow(NoLocalServerError)
})

test('connect without an address says how to get one, also with another listener on 7233', async () => {
  const before = process.env['XDG_STATE_HOME']
  process.env['XDG_STATE_HOME'] = home
  try {
    await expect(connect()).rejects.toThrow(
      'no local server is running; start it with: ratchet dev, or pass an address',
    )
  } finally {
    if (before === undefined) delete process.env['XDG_STATE_HOME']
    else process.env['XDG_STATE_HOME'] = before
  }
})
