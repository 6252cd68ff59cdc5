// Who else can log in, by the file of accounts.
import { expect, test } from 'vitest'
import { otherUsers } from '../../../src/core/other-users.js'

const LINES = {
  root: 'root:x:0:0:root:/root:/bin/bash',
  system: 'postgres:x:112:120::/var/lib/postgresql:/bin/bash',
  ada: 'ada:x:1000:1000:Ada,,,:/home/ada:/bin/bash',
  eve: 'eve:x:1001:1001::/home/eve:/usr/bin/zsh',
  service: 'builder:x:1002:1002::/srv:/usr/sbin/nologin',
  blocked: 'bob:x:1003:1003::/home/bob:/bin/false',
  container: 'c1:x:100000:100000::/:/bin/sh',
  last: 'last:x:65534:65534:last:/nonexistent:/bin/sh',
}

test.each(
  // prettier-ignore
  [
  { why: 'one more person', own: 1000, others: ['eve'] },
  { why: 'an account of its own for Ratchet', own: 5000, others: ['ada', 'eve'] },
],
)('$why', ({ own, others }) => {
  expect(otherUsers(`${Object.values(LINES).join('\n')}\n`, own)).toEqual(others)
})

test('a machine of one person', () => {
  expect(otherUsers([LINES.root, LINES.system, LINES.ada, LINES.last].join('\n'), 1000)).toEqual([])
})

test('an empty file', () => {
  expect(otherUsers('', 1000)).toEqual([])
})
