// The settings of a server named on the command line: variables, profile, credentials, and no
// more.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandLine } from '../../../src/cli/program.js'
import { profileOptions } from '../../../src/client/profile.js'

let home: string
beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'ratchet-profile-'))
  const dir = path.join(home, '.config/temporalio')
  mkdirSync(dir, { recursive: true })
  writeFileSync(
    path.join(dir, 'temporal.toml'),
    '[profile.default]\naddress = "default:7233"\napi_key = "default-key"\n[profile.team]\naddress = "team:7233"\nnamespace = "team-ns"\napi_key = "team-key"\n',
  )
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const options = (named: Parameters<typeof profileOptions>[0], env: NodeJS.ProcessEnv = {}) =>
  profileOptions(named, { HOME: home, TEMPORAL_CONFIG_FILE: undefined, ...env })
const file = (): NodeJS.ProcessEnv => ({
  TEMPORAL_CONFIG_FILE: path.join(home, '.config/temporalio/temporal.toml'),
})

test('an address alone does not use the key of a stored profile', () => {
  expect(options({ address: 'a:1' })).toEqual({ address: 'a:1', namespace: 'ratchet' })
})

test('variables count with an address, and the address of the flag wins', () => {
  expect(
    options(
      { address: 'a:1' },
      { TEMPORAL_ADDRESS: 'b:2', TEMPORAL_NAMESPACE: 'n', TEMPORAL_API_KEY: 'k' },
    ),
  ).toEqual({ address: 'a:1', namespace: 'n', apiKey: 'k', tls: true })
})

test('a profile brings address, namespace and key; flags win over it', () => {
  expect(options({ profile: 'team' }, file())).toEqual({
    address: 'team:7233',
    namespace: 'team-ns',
    apiKey: 'team-key',
    tls: true,
  })
  expect(options({ profile: 'team', namespace: 'other' }, file())).toMatchObject({
    address: 'team:7233',
    namespace: 'other',
  })
})

test('a file that a variable names counts with an address, too', () => {
  expect(options({ address: 'a:1' }, { ...file(), TEMPORAL_PROFILE: 'team' })).toMatchObject({
    address: 'a:1',
    namespace: 'team-ns',
    apiKey: 'team-key',
  })
})

test('a profile that is not in the file is an error', () => {
  expect(() => options({ profile: 'nope' }, file())).toThrow(/nope/)
})

test('without --address and --profile the variables of a shell open no connection', async () => {
  let opened = 0
  const seen = new AbortController()
  const company = createServer((socket) => {
    opened++
    socket.destroy()
    seen.abort()
  })
  await new Promise<void>((resolve) => company.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(company.address() as AddressInfo).port}`
  const env = {
    HOME: home,
    ...file(),
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: 'n',
    TEMPORAL_API_KEY: 'k',
    TEMPORAL_PROFILE: 'team',
  }
  const run = async (
    argv: string[],
    interrupted = new AbortController().signal,
  ): Promise<string> => {
    let said = ''
    const hear = (text: string): void => void (said += text)
    await runCommandLine(
      argv,
      { version: '0', env, cwd: home, interrupted },
      { stdout: hear, stderr: hear },
    )
    return said
  }
  for (const argv of [['status'], ['watch', 'WFS-test-a'], ['stop', 'WFS-test-a']])
    expect(await run(argv)).not.toBe('')
  expect(opened).toBe(0)
  // It would try for seconds: the first connection is all that is asked for.
  await run(['status', '--address', address], seen.signal)
  expect(opened).toBeGreaterThan(0)
  company.close()
})
