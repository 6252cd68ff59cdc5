import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Dirs } from '../../../src/adapters/state-dir.js'
import {
  NoTemporalBinaryError,
  WrongTemporalBinaryError,
} from '../../../src/dev-server/failures.js'
import {
  cachedTemporal,
  findOrGetTemporal,
  runProgram,
} from '../../../src/dev-server/temporal-binary.js'
import { download, infoUrl, type Run } from '../../../src/dev-server/temporal-download.js'

const OURS = 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)'
const BUILT = 'temporal version 0.0.0-DEV (Server 1.29.1, UI 2.42.1)'
const OTHER = 'temporal version 1.4.0 (Server 1.28.0, UI 2.39.0)'

let root: string
let dirs: Dirs
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'ratchet-binary-'))
  dirs = { state: path.join(root, 'state'), cache: path.join(root, 'cache') }
  for (const dir of [dirs.state, dirs.cache, path.join(root, 'bin')]) mkdirSync(dir)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** An executable that prints `says` for any arguments. */
function program(file: string, says: string, code = 0): string {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\necho '${says}'\nexit ${code}\n`)
  chmodSync(file, 0o755)
  return file
}

const offline = {
  fetch: () =>
    Promise.reject(
      new TypeError('fetch failed', {
        cause: new Error('getaddrinfo ENOTFOUND temporal.download'),
      }),
    ),
  run: runProgram,
}
const emptyPath = (): NodeJS.ProcessEnv => ({ PATH: path.join(root, 'bin') })

/** A network that serves the archive with this program, and its checksum. */
function network(says: string): { fetch: typeof fetch; sha256: string } {
  program(path.join(root, 'archive', 'temporal'), says)
  execFileSync('tar', [
    '-czf',
    path.join(root, 'archive.tar.gz'),
    '-C',
    path.join(root, 'archive'),
    'temporal',
  ])
  const sha256 = createHash('sha256')
    .update(readFileSync(path.join(root, 'archive.tar.gz')))
    .digest('hex')
  const fetch: typeof globalThis.fetch = (url) => {
    const answer = new Request(url).url.startsWith('https://temporal.download/')
      ? JSON.stringify({
          archiveUrl: 'https://cdn.example/temporal.tar.gz',
          fileToExtract: 'temporal',
        })
      : readFileSync(path.join(root, 'archive.tar.gz'))
    return Promise.resolve(new Response(answer))
  }
  return { fetch, sha256 }
}

describe('TEMPORAL_CLI_PATH', () => {
  test('comes first, in any version', async () => {
    const named = program(path.join(root, 'mine'), OTHER)
    program(cachedTemporal(dirs), OURS)
    expect(
      await findOrGetTemporal(dirs, {
        env: { ...emptyPath(), TEMPORAL_CLI_PATH: named },
        tools: offline,
      }),
    ).toEqual({ path: named, version: '1.28.0', source: 'TEMPORAL_CLI_PATH' })
  })

  test.each(
    // prettier-ignore
    [
    { why: 'is not there', make: () => '/nonexistent/temporal', says: 'ENOENT' },
    { why: 'is another program', make: () => program(path.join(root, 'mine'), 'hello'), says: 'answered "hello' },
    { why: 'fails', make: () => program(path.join(root, 'mine'), OURS, 3), says: 'failed: code 3' },
  ],
  )('that $why is an error, without a fallback', async ({ make, says }) => {
    program(cachedTemporal(dirs), OURS)
    const found = findOrGetTemporal(dirs, {
      env: { ...emptyPath(), TEMPORAL_CLI_PATH: make() },
      tools: offline,
    })
    await expect(found).rejects.toThrow(WrongTemporalBinaryError)
    await expect(found).rejects.toThrow(says)
  })
})

describe('without TEMPORAL_CLI_PATH', () => {
  test('the cache comes first', async () => {
    const cached = program(cachedTemporal(dirs), BUILT)
    program(path.join(root, 'bin', 'temporal'), OURS)
    expect(await findOrGetTemporal(dirs, { env: emptyPath(), tools: offline })).toEqual({
      path: cached,
      version: '1.29.1',
      source: 'cache',
    })
  })

  test('a temporal on PATH counts in the same version', async () => {
    const onPath = program(path.join(root, 'bin', 'temporal'), OURS)
    expect(await findOrGetTemporal(dirs, { env: emptyPath(), tools: offline })).toMatchObject({
      path: onPath,
      source: 'PATH',
    })
  })

  test('a temporal on PATH in another version is passed over for the download', async () => {
    program(path.join(root, 'bin', 'temporal'), OTHER)
    const tools = { ...network(OURS), run: runProgram }
    expect(await findOrGetTemporal(dirs, { env: emptyPath(), tools })).toEqual({
      path: cachedTemporal(dirs),
      version: '1.29.1',
      source: 'download',
    })
    expect(await findOrGetTemporal(dirs, { env: emptyPath(), tools: offline })).toMatchObject({
      source: 'cache',
    })
  })

  test('a download in another version is refused and go builds ours, with progress', async () => {
    program(path.join(root, 'bin', 'go'), '')
    const builds: NodeJS.ProcessEnv[] = []
    const run: Run = (file, args, options) => {
      if (path.basename(file) !== 'go') return runProgram(file, args, options)
      if (args[0] !== 'install')
        return Promise.resolve({ code: 1, stdout: '', stderr: 'an older go' })
      expect(args).toEqual(['install', '-v', 'github.com/temporalio/cli/cmd/temporal@v1.5.1'])
      builds.push(options?.env ?? {})
      program(path.join(options?.env?.['GOBIN'] ?? '', 'temporal'), BUILT)
      return Promise.resolve({ code: 0, stdout: '', stderr: '' })
    }
    const told: string[] = []
    const env = { ...emptyPath(), GOFLAGS: '-buildvcs=false', GOPROXY: 'https://goproxy.example' }
    const found = await findOrGetTemporal(dirs, {
      env,
      tools: { ...network(OTHER), run },
      onProgress: (text) => told.push(text),
    })
    expect(found).toEqual({ path: cachedTemporal(dirs), version: '1.29.1', source: 'go install' })
    expect(builds).toMatchObject([
      { GOFLAGS: '-buildvcs=false -mod=mod', GOPROXY: 'https://goproxy.example' },
    ])
    expect(told).toEqual([
      'downloading the Temporal server',
      'building the Temporal server with go: getting its modules',
      'building the Temporal server with go: compiling',
    ])
    expect(
      readdirSync(path.join(dirs.cache, 'bin')).filter((name) => name.startsWith('get-')),
    ).toEqual([])
  })

  test('a changed archive is refused', async () => {
    const { fetch } = network(OURS)
    const found = findOrGetTemporal(dirs, { env: emptyPath(), tools: { fetch, run: runProgram } })
    await expect(found).rejects.toMatchObject({
      where: expect.stringMatching(
        /download from temporal.download: the archive has the checksum [0-9a-f]{64}, and the published one has [0-9a-f]{64}/,
      ) as unknown,
    })
    expect(existsSync(cachedTemporal(dirs))).toBe(false)
  })

  test('two parallel calls download it once', async () => {
    let downloads = 0
    const there = network(OURS)
    const counted: typeof fetch = (url, init) => {
      downloads++
      return there.fetch(url, init)
    }
    const find = () =>
      findOrGetTemporal(dirs, {
        env: emptyPath(),
        tools: { ...there, fetch: counted, run: runProgram },
      })
    const sources = (await Promise.all([find(), find()])).map((found) => found.source)
    expect(sources.sort()).toEqual(['cache', 'download'])
    expect(downloads).toBe(2) // the page that names the archive, and the archive
  })

  test('the error lists every source with its outcome when all fail', async () => {
    program(path.join(root, 'bin', 'temporal'), OTHER)
    const error = await findOrGetTemporal(dirs, { env: emptyPath(), tools: offline }).catch(
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(NoTemporalBinaryError)
    const { tried, where, next } = error as NoTemporalBinaryError
    expect(tried).toEqual(
      // prettier-ignore
      [
      { what: 'TEMPORAL_CLI_PATH', outcome: 'not set' },
      { what: cachedTemporal(dirs), outcome: 'not there' },
      { what: path.join(root, 'bin', 'temporal'), outcome: 'is version 1.4.0 (server 1.28.0), not 1.5.1 (server 1.29.1)' },
      { what: 'download from temporal.download', outcome: 'getaddrinfo ENOTFOUND temporal.download' },
      { what: 'go install github.com/temporalio/cli/cmd/temporal@v1.5.1', outcome: 'go is not on PATH' },
    ],
    )
    expect(where).toContain('go is not on PATH')
    expect(next).toContain('set TEMPORAL_CLI_PATH')
  })
})

describe('the download', () => {
  test('asks as the SDK does', () => {
    expect(infoUrl('cli', 'v1.5.1', {}, 'linux', 'x64')).toBe(
      'https://temporal.download/cli/v1.5.1?arch=amd64&platform=linux&format=tar.gz',
    )
    expect(infoUrl('cli', 'v1.5.1', {}, 'darwin', 'arm64')).toBe(
      'https://temporal.download/cli/v1.5.1?arch=arm64&platform=darwin&format=tar.gz',
    )
  })

  const silent: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
    )
  const stalling: typeof fetch = () =>
    Promise.resolve(
      new Response(
        new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{')) }),
      ),
    )
  const refusing: typeof fetch = () => Promise.resolve(new Response('no', { status: 403 }))
  const unsafe: typeof fetch = () =>
    Promise.resolve(
      new Response(JSON.stringify({ archiveUrl: 'http://x.example/a', fileToExtract: 't' })),
    )

  test.each(
    // prettier-ignore
    [
    { why: 'a network that says nothing', fetch: silent, says: 'no answer from temporal.download for 0.05 s' },
    { why: 'a network that stops in the middle', fetch: stalling, says: 'no answer from temporal.download for 0.05 s' },
    { why: 'a refusal', fetch: refusing, says: 'temporal.download answered 403' },
    { why: 'an archive without TLS', fetch: unsafe, says: 'archiveUrl' },
  ],
  )('ends with a sentence on $why', async ({ fetch, says }) => {
    await expect(
      download(infoUrl('cli', 'v1.5.1'), path.join(root, 'into'), {
        fetch,
        run: runProgram,
        env: {},
        silenceMs: 50,
      }),
    ).rejects.toThrow(says)
  })

  test('behind a proxy goes through curl, which knows it', async () => {
    const asked: string[][] = []
    const run: Run = (file, args, options) => {
      asked.push([file, args.at(-1) ?? ''])
      expect(options?.env).toEqual({ HTTPS_PROXY: 'http://proxy.example:3128' })
      return Promise.resolve({
        code: 7,
        stdout: '',
        stderr: 'curl: (7) Failed to connect to proxy.example\n',
      })
    }
    const url = infoUrl('cli', 'v1.5.1')
    const got = download(url, path.join(root, 'into'), {
      fetch: silent,
      run,
      env: { HTTPS_PROXY: 'http://proxy.example:3128' },
    })
    await expect(got).rejects.toThrow(
      'curl through your proxy failed: curl: (7) Failed to connect to proxy.example',
    )
    expect(asked).toEqual([['curl', url]])
    expect(existsSync(path.join(root, 'into', 'archive.tar.gz'))).toBe(false)
  })
})
