// The rules of a sandbox: what is seen, what is written, and which hosts are reached.
import { expect, test } from 'vitest'
import { Sandbox } from '../../../../src/contract/sandbox.js'
import { bwrapCommand } from '../../../../src/core/sandbox/bwrap-command.js'
import { innermost, mountOrder } from '../../../../src/core/sandbox/sandbox-mounts.js'
import {
  allowedBy,
  hostsOfAgent,
  hostsOfSetUp,
  isLocal,
  readHost,
} from '../../../../src/core/sandbox/sandbox-network.js'
import { srtSettings } from '../../../../src/core/sandbox/srt-settings.js'

test('mounts are made from the outside in, and hiding wins for the same path', () => {
  expect(
    mountOrder([
      { path: '/s/w/tree', kind: 'write' },
      { path: '/s', kind: 'hide' },
      { path: '/h', kind: 'write' },
      { path: '/h', kind: 'hide' },
      { path: '/p', kind: 'write' },
      { path: '/p', kind: 'read' },
    ]),
  ).toEqual([
    { path: '/h', kind: 'hide' },
    { path: '/p', kind: 'write' },
    { path: '/s', kind: 'hide' },
    { path: '/s/w/tree', kind: 'write' },
  ])
  expect(innermost('/a/b/c', ['/a', '/a/b', '/a/bc'])).toBe('/a/b')
  expect(innermost('/ab', ['/a'])).toBeUndefined()
  expect(innermost('/ab', ['/'])).toBe('/')
})

test('bubblewrap gets each mount in its order', () => {
  const argv = bwrapCommand({
    program: '/usr/bin/bwrap',
    mounts: [
      { path: '/s', kind: 'hide', isDirectory: true },
      { path: '/h/.netrc', kind: 'hide', isDirectory: false },
      { path: '/p', kind: 'read', isDirectory: true },
      { path: '/h/.claude', from: '/s/copy', kind: 'write', isDirectory: true },
    ],
    cwd: '/p',
  })
  expect(argv.join(' ')).toContain(
    '--tmpfs /s --ro-bind /dev/null /h/.netrc --ro-bind /p /p --bind /s/copy /h/.claude --chdir /p --',
  )
  for (const flag of ['--unshare-net', '--unshare-pid', '--die-with-parent', '--cap-drop'])
    expect(argv).toContain(flag)
})

test('sandbox-runtime gets the same rules', () => {
  expect(
    srtSettings(
      [
        { path: '/s', kind: 'hide' },
        { path: '/s/w', kind: 'write' },
        { path: '/p', kind: 'read' },
      ],
      [readHost('example.com:443'), readHost('*.example.org')],
      [7233],
    ),
  ).toEqual({
    network: { allowedDomains: ['example.com:443', '*.example.org'], deniedDomains: ['*:7233'] },
    filesystem: {
      denyRead: ['/s'],
      allowRead: ['/p', '/s/w'],
      allowWrite: ['/s/w'],
      denyWrite: ['/s'],
    },
  })
})

test.each([
  ['example.com', 'example.com', 443, true],
  ['example.com', 'EXAMPLE.com.', 443, true],
  ['example.com', 'sub.example.com', 443, false],
  ['example.com:443', 'example.com', 80, false],
  ['*.example.com', 'a.b.example.com', 443, true],
  ['*.example.com', 'example.com', 443, false],
  ['*.example.com', 'evilexample.com', 443, false],
  ['localhost:5432', 'localhost', 5432, true],
  ['localhost:5432', 'localhost', 7233, false],
  ['localhost:5432', '127.0.0.1', 5432, true],
])('%s allows %s:%i: %s', (entry, host, port, allowed) => {
  expect(allowedBy([readHost(entry)], host, port) !== undefined).toBe(allowed)
})

test('an agent reaches its provider and the addresses in its variables', () => {
  const hosts = hostsOfAgent('claude', { ANTHROPIC_BASE_URL: 'http://127.0.0.1:4010/v1', X: 'y' })
  expect(hosts).toContainEqual({ host: 'api.anthropic.com', port: undefined })
  expect(hosts).toContainEqual({ host: 'localhost', port: 4010 })
  expect(hostsOfAgent(undefined, {})).toEqual([])
})

test('a set-up reaches public registries and those that the environment names', () => {
  const hosts = hostsOfSetUp({ npm_config_registry: 'https://npm.example.com/x/' })
  expect(hosts).toContainEqual({ host: 'pypi.org', port: undefined })
  expect(hosts).toContainEqual({ host: 'npm.example.com', port: 443 })
})

test.each([
  ['localhost', true],
  ['a.localhost', true],
  ['127.0.0.1', true],
  ['127.0.0.1.example.com', false],
  ['example.com', false],
])('%s is this machine: %s', (host, is) => {
  expect(isLocal(host)).toBe(is)
})

test.each([
  ['auto', { use: 'auto', network: [], hide: [], write: [], strictHome: false, read: [] }],
  [
    { use: 'bwrap', network: ['a.b:1'] },
    { use: 'bwrap', network: ['a.b:1'], hide: [], write: [], strictHome: false, read: [] },
  ],
  ['docker', undefined],
  [{ network: ['localhost'] }, undefined],
  [{ network: ['http://a.b'] }, undefined],
  [{ write: ['relative'] }, undefined],
  [{ write: ['/a/../b'] }, undefined],
  [{ network: 'a.b' }, undefined],
])('the setting %j is read as %j', (setting, read) => {
  expect(Sandbox.safeParse(setting).data).toEqual(read)
})
