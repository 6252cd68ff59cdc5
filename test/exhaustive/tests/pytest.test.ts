// The pytest of this machine on what goes wrong in small projects.
import path from 'node:path'
import { expect, test } from 'vitest'
import { measured, names, pytest, refused } from '../../support/measured-runs.js'

test('a subfolder of the root that pytest finds: files are named from where the tests ran', async () => {
  const root = pytest({ 'sub/test_a.py': 'import os\ndef test_a():\n  open("runs", "a").write("x")\n  assert os.path.getsize("runs") == 2\n', 'sub/test_b.py': 'def test_b(): pass\n' })
  const result = await measured(path.join(root, 'sub'), { flakyRetries: 1 })
  expect(names(result)).toEqual(['test_a.py | test_a | flaky', 'test_b.py | test_b | passed'])
})

test.each([
  { why: 'a file that imports what is not there', files: { 'test_b.py': 'import nope\n' }, reason: /could not be loaded: test_b\.py/ },
  { why: 'a conftest that throws', files: { 'conftest.py': 'import nope\n' }, reason: /exit code 4 and no report/ },
  { why: 'a process that leaves in the middle', files: { 'test_b.py': 'import os\ndef test_b(): os._exit(1)\n' }, reason: /exit code 1 and no report/ },
  { why: 'a bad option', files: { 'pytest.ini': '[pytest]\naddopts = --no-such-option\n' }, reason: /exit code 4 and no report/ },
])('ccw §3.7 trap 3, $why: not started', async ({ files, reason }) => {
  const result = await refused(pytest({ 'test_a.py': 'def test_a(): pass\n', ...files }))
  expect(result.kind).toBe('not_started')
  expect(result.reason).toMatch(reason)
})

test('ccw §3.7 trap 3, no test, and only skipped tests: only a person can mend it', async () => {
  expect(await refused(pytest({}))).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('No tests were found') as string })
  const skipped = pytest({ 'test_a.py': 'import pytest\n@pytest.mark.skip\ndef test_a(): pass\n' })
  expect(await refused(skipped)).toMatchObject({ kind: 'cannot_execute', reason: expect.stringContaining('No test ran: the only one is skipped') as string })
})
