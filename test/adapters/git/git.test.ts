// How git is run: what it says, bytes, and an end on demand.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { git, GitError } from '../../../src/adapters/git/git.js'
import { makeRepo, tempDir } from '../../support/repositories/repos.js'
import { waitFor } from '../../support/wait.js'

test('a code that is no answer is an error with the command, the directory and what git said; one that is, is an answer', async () => {
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

test('a directory that is not there is said', async () => {
  const cwd = path.join(tempDir(), 'nowhere')
  await expect(git(cwd, ['status'])).rejects.toMatchObject({
    name: 'GitError',
    code: undefined,
    stderr: 'the directory does not exist',
  })
})

test('bytes go in and come out as they are; a final line end stays where it is asked for', async () => {
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

test('an aborted git has ended before that is told, with the reason; one that is aborted already is not begun', async () => {
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
