import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dirs } from '../../../src/adapters/state-dir.js'
import type { Run } from '../../../src/dev-server/temporal-download.js'
import { findOrGetTestServer } from '../../support/servers/test-server.js'

let root: string
let dirs: Dirs
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-test-server-'))
  dirs = { state: root, cache: path.join(root, 'cache') }
  mkdirSync(path.join(root, 'bin'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const offline = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('offline') }))
const env = (): NodeJS.ProcessEnv => ({ PATH: path.join(root, 'bin') })

function programs(...names: string[]): void {
  for (const name of names) {
    writeFileSync(path.join(root, 'bin', name), '#!/bin/sh\n')
    chmodSync(path.join(root, 'bin', name), 0o755)
  }
}

const maven: Run = (file, args) => {
  const lib =
    args.find((arg) => arg.startsWith('-DoutputDirectory='))?.slice('-DoutputDirectory='.length) ??
    ''
  mkdirSync(lib)
  writeFileSync(path.join(lib, 'temporal-test-server-1.38.0.jar'), file)
  return Promise.resolve({ code: 0, stdout: '', stderr: '' })
}

test('offline with java and mvn the server comes from Maven behind a wrapper, and is cached', async () => {
  programs('java', 'mvn')
  const found = await findOrGetTestServer(dirs, env(), { fetch: offline, run: maven })
  expect(found).toBe(path.join(dirs.cache, 'test-server', '1.38.0', 'temporal-test-server'))
  expect(statSync(found).mode & 0o111).toBe(0o111)
  expect(readFileSync(found, 'utf8')).toContain('io.temporal.testserver.TestServer "$@"')
  expect(
    statSync(path.join(path.dirname(found), 'lib', 'temporal-test-server-1.38.0.jar')).isFile(),
  ).toBe(true)
  const never: Run = () => Promise.reject(new Error('run again'))
  expect(await findOrGetTestServer(dirs, env(), { fetch: offline, run: never })).toBe(found)
})

test.each(
  // prettier-ignore
  [
  { why: 'no java', there: [], run: maven, says: /download from temporal.download: offline\n {2}Maven: java is not on PATH/ },
  { why: 'a failing mvn', there: ['java', 'mvn'], run: () => Promise.resolve({ code: 1, stdout: 'x\n[ERROR] no route to host\n', stderr: '' }), says: /Maven: \[ERROR\] no route to host/ },
],
)('with $why the error lists what was tried', async ({ there, run, says }) => {
  programs(...there)
  await expect(findOrGetTestServer(dirs, env(), { fetch: offline, run })).rejects.toThrow(says)
})

test('a missing RATCHET_TEST_SERVER_PATH is an error, without a fallback', async () => {
  const named = { ...env(), RATCHET_TEST_SERVER_PATH: '/nonexistent/server' }
  await expect(findOrGetTestServer(dirs, named, { fetch: offline, run: maven })).rejects.toThrow(
    'names /nonexistent/server',
  )
})
