// Running git: output, bytes, and an abort.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git, GitError } from '../../../src/adapters/git/git.js'
import { makeRepo, tempDir } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

test('an unexpected exit code is an error with the command, the directory and the output of git; an expected one is an answer', async () => {
  const root = makeRepo()
  const refused = await git(root, ['rev-parse', '--verify', 'nowhere']).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(GitError)
  expect(refused).toMatchObject({
    code: 128,
    cwd: root,
    message: expect.stringMatching(
      /^git rev-parse --verify nowhere ended with 128 in .*: fatal: /,
    ) as string,
  })
  expect(
    await git(root, ['rev-parse', '--verify', '--quiet', 'nowhere'], { okCodes: [1] }),
  ).toEqual({ stdout: '', code: 1 })
})

test('reports a missing directory', async () => {
  const cwd = path.join(tempDir(), 'nowhere')
  await expect(git(cwd, ['status'])).rejects.toMatchObject({
    name: 'GitError',
    code: undefined,
    stderr: 'the directory does not exist',
  })
})

test('bytes are unchanged; a final line end is kept on request', async () => {
  const root = makeRepo()
  const content = `${String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code))}\n\n`
  const { stdout: sha } = await git(root, ['hash-object', '-w', '--stdin', '--no-filters'], {
    input: content,
    bytes: true,
  })
  expect((await git(root, ['cat-file', 'blob', sha], { bytes: true, exact: true })).stdout).toBe(
    content,
  )
  expect((await git(root, ['cat-file', 'blob', sha], { bytes: true })).stdout).toBe(
    content.slice(0, -1),
  )
})

test('a git that does not read its input is no error', async () => {
  expect(
    (await git(makeRepo(), ['rev-parse', '--is-inside-work-tree'], { input: 'x'.repeat(1 << 20) }))
      .stdout,
  ).toBe('true')
})

test('an aborted git has ended before the rejection with the reason; one aborted before its start does not run', async () => {
  const root = makeRepo()
  const abort = new AbortController()
  const began = path.join(root, 'began')
  const attempt = git(root, ['-c', `alias.wait=!touch began; exec sleep 600`, 'wait'], {
    signal: abort.signal,
  })
  await waitFor(() => existsSync(began), { what: 'the alias to begin' })
  abort.abort(new Error('stopped'))
  await expect(attempt).rejects.toThrow('stopped')
  await expect(git(root, ['init', '-q', 'other'], { signal: abort.signal })).rejects.toThrow(
    'stopped',
  )
  expect(existsSync(path.join(root, 'other'))).toBe(false)
})
