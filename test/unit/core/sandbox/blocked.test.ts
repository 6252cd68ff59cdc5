import { expect, test } from 'vitest'
import {
  blockedHint,
  blockedIn,
  blockedText,
  letThrough,
} from '../../../../src/core/sandbox/blocked.js'

const HIDDEN = ['/home/u/.ssh', '/run', '/var/run']

test.each(
  // prettier-ignore
  [
  { why: 'Node: a port', text: 'Error: connect ECONNREFUSED 127.0.0.1:5432', kind: 'network', at: 'localhost:5432' },
  { why: 'Node: a port by IPv6', text: 'connect ECONNREFUSED ::1:6379', kind: 'network', at: 'localhost:6379' },
  { why: 'libpq: a port', text: 'connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused', kind: 'network', at: 'localhost:5432' },
  { why: 'Go: a port', text: 'dial tcp 127.0.0.1:9000: connect: connection refused', kind: 'network', at: 'localhost:9000' },
  { why: 'Node: a host', text: 'getaddrinfo EAI_AGAIN api.example.com', kind: 'network', at: 'api.example.com' },
  { why: 'curl: a host', text: 'curl: (6) Could not resolve host: api.example.com', kind: 'network', at: 'api.example.com' },
  { why: 'Python: a host', text: "HTTPSConnectionPool(host='api.example.com', port=443): Max retries", kind: 'network', at: 'api.example.com' },
  { why: 'Go: a host', text: 'dial tcp: lookup api.example.com: no such host', kind: 'network', at: 'api.example.com' },
  { why: 'the proxy', text: 'api.example.com:443 is not among the hosts that this sandbox may reach', kind: 'network', at: 'api.example.com:443' },
  { why: 'Node: a file', text: "EROFS: read-only file system, open '/home/u/.cache/a/b'", kind: 'write', at: '/home/u/.cache/a/b' },
  { why: 'Python: a file', text: "OSError: [Errno 30] Read-only file system: '/home/u/x/y'", kind: 'write', at: '/home/u/x/y' },
  { why: 'a shell: a file', text: 'touch: /home/u/x/y: Read-only file system', kind: 'write', at: '/home/u/x/y' },
  { why: 'coreutils: a file', text: "touch: cannot touch '/home/u/x/y': Read-only file system", kind: 'write', at: '/home/u/x/y' },
  { why: 'a hidden file', text: "ENOENT: no such file or directory, open '/home/u/.ssh/id'", kind: 'hide', at: '/home/u/.ssh/id' },
  { why: 'a socket', text: 'connect ENOENT /var/run/docker.sock', kind: 'hide', at: '/var/run/docker.sock' },
] as const,
)('$why', ({ text, kind, at }) => {
  expect(blockedIn(`before\n${text}\nafter`, '', HIDDEN)).toEqual([{ kind, at }])
  expect(blockedIn(text, text, HIDDEN), 'it fails outside, too').toEqual([])
})

test('a file that is missing everywhere was not refused', () => {
  expect(blockedIn("ENOENT: no such file, open '/home/u/shop/a.txt'", '', HIDDEN)).toEqual([])
})

test.each(
  // prettier-ignore
  [
  { why: 'a port', blocked: [{ kind: 'network', at: 'localhost:5432' }], setting: '"sandbox": {"use":"auto","network":["localhost:5432"]}' },
  { why: 'two files of a directory', blocked: [{ kind: 'write', at: '/home/u/.cache/ms/a' }, { kind: 'write', at: '/home/u/.cache/ms/b' }], setting: '"sandbox": {"use":"auto","write":["~/.cache/ms"]}' },
  { why: 'a file elsewhere', blocked: [{ kind: 'write', at: '/srv/data/a' }], setting: '"sandbox": {"use":"auto","write":["/srv/data"]}' },
  { why: 'a file of the home directory itself', blocked: [{ kind: 'write', at: '/home/u/.rc' }], setting: undefined },
  { why: 'a directory above it', blocked: [{ kind: 'write', at: '/home/x' }], setting: undefined },
  { why: 'a hidden file', blocked: [{ kind: 'hide', at: '/run/x' }], setting: undefined },
] as const,
)('what lets $why through', ({ blocked, setting }) => {
  expect(letThrough(blocked, '/home/u')).toBe(setting)
})

test('a run with failures says what may be for the sandbox', () => {
  const blocked = [
    { kind: 'network', at: 'localhost:5432' },
    { kind: 'write', at: '/srv/x' },
  ] as const
  expect(blockedHint(blocked, 'bwrap')).toBe(
    'failing tests could not reach localhost:5432 and write /srv/x, perhaps because of the sandbox (bwrap); ratchet doctor --sandbox compares',
  )
})

test('each kind has its words', () => {
  expect(
    (['network', 'write', 'hide'] as const).map((kind) => blockedText({ kind, at: 'x' })),
  ).toEqual(['reach x', 'write x', 'read x, which every sandbox hides'])
})
